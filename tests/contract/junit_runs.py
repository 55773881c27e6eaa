"""Runs whose junit.xml somebody could misread: hostile texts in every field, and shapes at the edge of what there is."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from holodeck_eval.domain.outcome import Errored, Scored
from holodeck_eval.domain.result import WaivedCase
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.errors import Place
from tests.fakes import runs
from tests.fakes.compared_runs import hostile_compared_run
from tests.fakes.runs import (
    HOSTILE,
    LATE,
    PASS_RATE,
    build_case,
    build_metric,
    build_run,
    build_turn,
    build_verdict,
    hostile_run,
)

TEXTS: Final[Mapping[str, str]] = {
    "everything": HOSTILE,
    "control characters": "".join(map(chr, range(0x20))) + "\x7f\x80\x85\x9f",
    "NUL": "a\0b",
    "terminal sequences": "\x1b[31mred\x1b[0m \x1b]8;;https://e.example\x1b\\x\x1b]8;;\x1b\\ \x9b1m \x1b",
    "U+FFFE and U+FFFF": "a\ufffe\uffff\U0001ffff\ufdd0b",
    "lone surrogates": "a\ud800b\udfffc",
    "a pair in halves": "\ud83d \ude00",
    "a byte order mark": "\ufeffa\ufeff",
    "the end of CDATA": "]]> ]]&gt; <![CDATA[ x ]]>",
    "entities": "&lt;b&gt; &#27; &#0; &amp;#35; &copy; &x;",
    "a document type": "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/hostname'>]>&a;",
    "a processing instruction": "<?xml version='1.0' encoding='utf-16'?><?php x ?>",
    "a comment": "<!-- -- --> -->",
    "our own end tags": "</failure></testcase></testsuite></testsuites>",
    "a case of its own": "</failure></testcase><testcase name='x' classname='y'/><testcase>",
    "an attribute of its own": '" status="disabled" skipped=\'1\' x="',
    "percent signs": "%0A%0D%25 100% %s %(x)s {0} {} $1 $& \\1",
    "attachments": "[[ATTACHMENT|/etc/hostname]] [[attachment|x|y]]",
    "workflow commands": "::error file=x::owned\n::stop-commands::x\r\n ##[set-output name=status]passed",
    "emoji and right to left": "🎉🏳️‍🌈👩🏽‍💻 \u202egnissap\u202c \u2066x\u2069 שלום \U000e0041",
    "combining characters": "e\u0301\u0327" * 50 + "\u200d\u200b",
    "every kind of white space": "\u00a0a\u2003b\u3000\u2028c\u2029\u205f\u1680 \t",
    "lines": "a\nb\r\nc\rd\n\n",
    "what JavaScript takes for more": "__proto__",
    "a constructor": "constructor",
    "a number": "1e5",
    "paths": "../../etc/passwd/./x:1",
    "nothing": "",
    "spaces": " \t\n",
    "300 quotation marks": "\"'" * 150,
    "eleven megabytes": "x|`<&é" * 2_000_000,
    "eleven megabytes of terminal sequences": "\x1b[31mx" * 2_000_000,
}


def same_names() -> Run:
    """Three hundred cases of one name, as it is shown."""
    return build_run(
        *(build_case(f"x\x1b[{number}m", _status(number)) for number in range(300)), verdict=_FAILED
    )


def near_names() -> Run:
    """Names that some reader, file system or database could take for the same."""
    names = (
        "A",
        "a",
        "a (2)",
        "a",
        " a",
        "é",
        "e\u0301",
        "a.b",
        "a/b",
        "gate",
        "GATE",
        "a\u200bb",
        "0",
        "00",
    )
    return build_run(*(build_case(name, _status(at)) for at, name in enumerate(names)), verdict=_FAILED)


def agents() -> Run:
    """Several agents with the same cases, some called what another is already."""
    names = ("support", "gate", "gate ", "Support", "a.b", "b", "", "__proto__", "x.::error::y")
    cases = [build_case(case, _status(at), agent=agent) for at, agent in enumerate(names) for case in "xy"]
    return build_run(*cases, verdict=_FAILED)


def nothing_measured() -> Run:
    """No case at all, and a verdict that says so."""
    cause = Cause(status="inconclusive", code="too_few_cases", message="there are 0 cases, and 1 is needed")
    return build_run(verdict=build_verdict("inconclusive", cause))


def waived_alone() -> Run:
    """Nothing was recorded, and the policy lets it go."""
    lost = [WaivedCase(id=f"lost {at}", agent="support", reason="never recorded") for at in range(3)]
    return build_run(waived_cases=tuple(lost))


def open_alone() -> Run:
    """Nothing could be judged."""
    cases = (build_case("slow", "inconclusive"), build_case("late", "inconclusive"))
    return build_run(*cases, verdict=build_verdict("inconclusive", LATE))


def skipped_alone() -> Run:
    """The failed case holds what was skipped, which makes it no skipped one."""
    return build_run(build_case(status="failed", turns=(build_turn(),)), verdict=_FAILED)


def turns() -> Run:
    """Forty turns of five metrics, each with a reason of its own."""
    metrics = [build_metric(Scored(score=0.1, reason=f"{at}: no <b>"), f"m{at}") for at in range(5)]
    made = [build_turn(*metrics, index=at, actual_output="a" * 2_000, status="failed") for at in range(40)]
    return build_run(build_case("long", "failed", turns=tuple(made)), verdict=_FAILED)


def odd_times() -> Run:
    """Durations that are none, or longer than the world."""
    took = (float("nan"), float("inf"), -1.0, 0.0, 1e-9, 1e8, 1e300, 1234.5)
    cases = [
        build_case(f"{at}", turns=(build_turn(build_metric(0.9, duration_s=s)),)) for at, s in enumerate(took)
    ]
    return build_run(*cases, duration_s=float("nan"), started_at="yesterday")


def many(count: int) -> Run:
    """Very many cases, every third failed."""
    return build_run(*(build_case(f"case {at}", _status(at)) for at in range(count)), verdict=_FAILED)


def causes() -> Run:
    """More causes than are listed, of hostile codes that are partly the same."""
    made = [Cause(status="error", code=f"c{at % 7}", message=f"<{at}>", cases=("&",)) for at in range(1_005)]
    return build_run(build_case(), verdict=build_verdict("error", *made))


def unexplained() -> Run:
    """Red cases and a red verdict, and nobody says why."""
    cases = (build_case("a", "failed", reasons=(), turns=()), build_case("b", "inconclusive", reasons=("",)))
    return build_run(*cases, verdict=build_verdict("failed"))


def exit_code_alone() -> Run:
    """A run that says it passed, and ends with 3."""
    return build_run(build_case(), verdict=build_verdict(exit_code=3))


def places() -> Run:
    """Transcripts that lie anywhere but in the workspace, or have no line."""
    files = (
        "/runs/x.jsonl",
        "../x.jsonl",
        "runs/./x.jsonl",
        "::error::x",
        "runs/x.json",
        "a b/[x]{y}*.jsonl",
    )
    cases = [build_case(f"{at}", "failed", transcript=Place(file=file)) for at, file in enumerate(files)]
    return build_run(*cases, build_case("none", "failed", transcript=None, test_case=None), verdict=_FAILED)


def broken_instrument() -> Run:
    """Every evaluation errored with a text of its own."""
    late = [build_metric(Errored(kind="timeout", message=HOSTILE), f"m{at}") for at in range(3)]
    case = build_case("open", "inconclusive", turns=(build_turn(*late, status="inconclusive"),))
    return build_run(case, verdict=build_verdict("inconclusive", LATE, PASS_RATE))


def _status(number: int) -> str:
    return ("failed", "passed", "inconclusive")[number % 3]


_FAILED: Final = build_verdict("failed", PASS_RATE)
SHAPES: Final[Mapping[str, Callable[[], Run]]] = {
    "passed": runs.passed_run,
    "failed": runs.failed_run,
    "inconclusive": runs.inconclusive_run,
    "let through": runs.waived_run,
    "error": runs.error_run,
    "bug": runs.bug_run,
    "300 cases of one name": same_names,
    "names that are nearly the same": near_names,
    "agents with the same cases": agents,
    "no case": nothing_measured,
    "all waived": waived_alone,
    "nothing but open cases": open_alone,
    "a failed case without a score": skipped_alone,
    "forty turns": turns,
    "odd times": odd_times,
    "3,000 cases": partial(many, 3_000),
    "a thousand causes": causes,
    "no reason given": unexplained,
    "an exit code without a status": exit_code_alone,
    "places outside": places,
    "a broken judge": broken_instrument,
    "a hostile comparison": hostile_compared_run,
    "no agent listed": lambda: replace(runs.failed_run(), agents=()),
}
RUNS: Final[Mapping[str, Callable[[], Run]]] = {
    **{f"text: {name}": partial(hostile_run, text) for name, text in TEXTS.items()},
    **{f"shape: {name}": shape for name, shape in SHAPES.items()},
}
