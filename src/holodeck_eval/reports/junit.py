"""junit.xml, in the dialect that GitLab, Jenkins, Azure and the report actions all take.

Flat suites with a name, one test case a case, at most one of failure, error and skipped in it, scores
in the text because properties are dropped nearly everywhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final
from xml.etree import ElementTree as ET

from junit_xml import TestCase, TestSuite

from holodeck_eval.domain.comparison import Flip
from holodeck_eval.domain.outcome import Scored, Skipped
from holodeck_eval.domain.result import CaseResult, MetricResult, WaivedCase
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.errors import Place
from holodeck_eval.reports._signs import move
from holodeck_eval.reports._text import cut, head, one_line, uncoloured

GATE: Final = "gate"
MESSAGE_LIMIT: Final = 200
TEXT_LIMIT: Final = 64 * 1024
"""Characters of one test case's text, whatever it says."""

FILE_LIMIT: Final = 8 * 1024 * 1024
"""Largest size of the file in bytes; some readers take no more than 10 MB."""

_NAME_LIMIT: Final = 300
_MOST_CAUSES: Final = 1_000
_LONGEST_S: Final = 1e9
_SHORTEST: Final = Decimal("0.001")
_COUNTS: Final = ("tests", "failures", "errors", "skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Detail:
    """How much a rendering keeps: characters of a text, what is put in system-out, the cases at all."""

    text: int = TEXT_LIMIT
    output: bool = True
    cases: bool = True


_LADDER: Final = (
    _Detail(),
    _Detail(output=False),
    _Detail(output=False, text=8 * 1024),
    _Detail(output=False, text=1_000),
    _Detail(output=False, text=0),
)
_LEAST: Final = _Detail(output=False, text=1_000, cases=False)


@dataclass(slots=True)
class _Names:
    """Gives every test case a name of its own, for some readers keep only the first of two."""

    taken: dict[tuple[str, str], int] = field(default_factory=dict)

    def unique(self, suite: str, name: str) -> str:
        """The name, numbered where the suite has it already."""
        wanted, number = name, self.taken.get((suite, name), 1)
        while (suite, name) in self.taken:
            number += 1
            name = f"{wanted} ({number})"
        self.taken[suite, wanted] = number  # where the search goes on: from 1 again, it would take minutes
        self.taken.setdefault((suite, name), 1)
        return name


def render(run: Run) -> str:
    """The run as JUnit XML in at most 8 MiB.

    The suite `gate` has a test case for each cause of the verdict, so that the file is green only where
    the exit code is 0; for a run that passed it has one that passed.
    """
    return render_within(run, FILE_LIMIT)


def render_within(run: Run, limit: int) -> str:
    """The run in at most `limit` bytes: output goes first, then long texts, at last the cases.

    What is left then, the verdict and its causes, is written whatever the limit.
    """
    documents = (_document(run, detail) for detail in _LADDER)
    return next((text for text in documents if len(text.encode()) <= limit), _document(run, _LEAST))


def _document(run: Run, detail: _Detail) -> str:
    names = _Names()
    suites = _agent_suites(run, detail, names) if detail.cases else []
    suites.append(_suite(run, GATE, _gate_cases(run, detail, names)))
    root = ET.Element("testsuites", {"name": "holodeck-eval"})
    root.extend(suite.build_xml_doc(encoding="utf-8") for suite in suites)
    for count in _COUNTS:
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", str(sum(Decimal(suite.get("time", "0")) for suite in root)))
    return f"{ET.tostring(root, encoding='utf-8', xml_declaration=True).decode()}\n"


def _agent_suites(run: Run, detail: _Detail, names: _Names) -> list[TestSuite]:
    """A suite for each agent that has a case, by the order of the agents."""
    made: dict[str, list[TestCase]] = {agent.name: [] for agent in run.agents}
    flips: dict[tuple[str, str], list[Flip]] = {}
    for flip in run.comparison.flips if run.comparison else ():
        flips.setdefault((flip.agent, flip.case), []).append(flip)
    for case in run.cases:
        of_case = flips.get((case.agent, case.id), ())
        made.setdefault(case.agent, []).append(_case(case, of_case, detail, names))
    for waived in run.waived_cases:
        made.setdefault(waived.agent, []).append(_waived(waived, detail, names))
    return [_suite(run, agent, cases) for agent, cases in made.items() if cases]


def _suite(run: Run, name: str, cases: Sequence[TestCase]) -> TestSuite:
    return TestSuite(_label(name), cases, timestamp=_label(run.started_at))


def _case(case: CaseResult, flips: Sequence[Flip], detail: _Detail, names: _Names) -> TestCase:
    metrics = [metric for turn in case.turns for metric in turn.metrics]
    made = _test_case(case.agent, case.id, case.transcript or case.test_case, names)
    made.elapsed_sec = max(_SHORTEST, sum((_seconds(metric) for metric in metrics), Decimal()))
    scores = "\n".join(_line(metric) for metric in metrics)
    if case.status != "passed":
        message = case.reasons[0] if case.reasons else f"the case {case.status}, and no reason was given"
        text = "\n".join((*case.reasons, *map(_flip, flips), "", scores, "", *_talk(case)))
        add = made.add_failure_info if case.status == "failed" else made.add_error_info
        add(_message(message), _text(text, detail), _label(case.status))
    if detail.output:
        made.stdout = _text(scores, detail)
    return made


def _waived(case: WaivedCase, detail: _Detail, names: _Names) -> TestCase:
    made = _test_case(case.agent, case.id, case.test_case, names)
    made.add_skipped_info(_message(f"waived: {case.reason}"), _text(case.reason, detail))
    return made


def _gate_cases(run: Run, detail: _Detail, names: _Names) -> list[TestCase]:
    causes = run.verdict.causes[:_MOST_CAUSES]
    if not causes:
        return [_gate_case(run, detail, names)]
    made = [_cause(run, cause, detail, names) for cause in causes]
    left = len(run.verdict.causes) - len(causes)
    if left:
        made[-1].stdout = f"{left} more causes are listed in results.json"
    return made


def _gate_case(run: Run, detail: _Detail, names: _Names) -> TestCase:
    """The one test case of a verdict without a cause; it is green only for `passed`."""
    made = _test_case(GATE, GATE, None, names)
    if not run.verdict.passed or run.verdict.exit_code:
        sentence = f"the run ended as {run.verdict.status}, and no cause was given"
        made.add_error_info(_message(sentence), _text(sentence, detail), _label(run.verdict.status))
    return made


def _cause(run: Run, cause: Cause, detail: _Detail, names: _Names) -> TestCase:
    made = _test_case(GATE, cause.code, cause.place, names)
    sentence = f"{cause.place}: {cause.message}" if cause.place else cause.message
    if run.verdict.waived:
        sentence = f"not blocking, as on_inconclusive: pass asks: {sentence}"
    add = made.add_failure_info if cause.status == "failed" else made.add_error_info
    add(_message(sentence), _text("\n".join((sentence, *cause.cases)), detail), _label(cause.code))
    return made


def _test_case(suite: str, name: str, place: Place | None, names: _Names) -> TestCase:
    classname = _label(suite)
    return TestCase(
        names.unique(classname, _label(name)),
        classname,
        elapsed_sec=_SHORTEST,
        file=_label(place.file) if place else None,
    )


def _seconds(metric: MetricResult) -> Decimal:
    """How long it took, in whole milliseconds; what is no duration counts as none."""
    seconds = metric.duration_s
    return Decimal(round(seconds * 1000)) / 1000 if 0 <= seconds < _LONGEST_S else Decimal()


def _line(metric: MetricResult) -> str:
    name, outcome = one_line(metric.name), metric.outcome
    if isinstance(outcome, Scored):
        needs = f", needs {metric.threshold:g}" if metric.threshold is not None else ""
        rated = f", rated {metric.rating}" if metric.rating else ""
        return f"{name}: {outcome.score:g}{needs}{rated}: {one_line(outcome.reason)}"
    if isinstance(outcome, Skipped):
        return f"{name}: skipped ({outcome.cause}): {one_line(outcome.reason)}"
    return f"{name}: not judged ({outcome.kind}): {one_line(outcome.message)}"


def _flip(flip: Flip) -> str:
    """What the baseline says of the same case, beside what this run says."""
    sure = "proven" if flip.proven else "not proven"
    numbers = f": {move(flip.before, flip.now, flip.threshold)}" if flip.metric else ""
    lines = [f"newly failing ({sure}: {one_line(flip.why)}): {one_line(flip.metric) or 'no answer'}{numbers}"]
    lines += [f"before: {one_line(flip.before_reason)}"] if flip.before_reason else []
    lines += [f"now: {one_line(flip.now_reason)}"] if flip.now_reason else []
    return "\n".join(lines)


def _talk(case: CaseResult) -> Iterator[str]:
    for turn in case.turns:
        yield f"asked: {turn.input if turn.input is not None else '(not recorded)'}"
        yield f"answered: {turn.actual_output if turn.actual_output is not None else '(no answer)'}"
        if turn.expected_output is not None:
            yield f"expected: {turn.expected_output}"


def _label(text: str) -> str:
    """A name: on one line, never empty, for test cases without a name are dropped."""
    return cut(one_line(uncoloured(head(text, _NAME_LIMIT))), _NAME_LIMIT) or "(no name)"


def _message(text: str) -> str:
    return cut(one_line(uncoloured(head(text, MESSAGE_LIMIT))), MESSAGE_LIMIT) or "(no message)"


def _text(text: str, detail: _Detail) -> str:
    """A text as it is, but at most as long as the detail allows; "" leaves its element out."""
    return cut(uncoloured(head(text, detail.text)), detail.text) if detail.text else ""
