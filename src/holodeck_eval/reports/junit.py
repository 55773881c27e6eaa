"""junit.xml, in the dialect that GitLab, Jenkins, Azure and the report actions all take.

Flat suites with a name, one test case a case, at most one of failure, error and skipped in it, scores
in the text because properties are dropped nearly everywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal
from xml.etree import ElementTree as ET

from junit_xml import TestCase, TestSuite

from holodeck_eval.domain.comparison import Flip
from holodeck_eval.domain.outcome import Scored, Skipped
from holodeck_eval.domain.result import CaseResult, MetricResult, WaivedCase
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.errors import Place
from holodeck_eval.reports._junit_page import NoRoomError, Page, location, moment, named
from holodeck_eval.reports._signs import move
from holodeck_eval.reports._text import one_line

GATE: Final = "gate"
TEXT_LIMIT: Final = 64 * 1024
"""Characters of one test case's text, whatever it says."""

FILE_LIMIT: Final = 8 * 1024 * 1024
"""Largest size of the file in bytes; some readers take no more than 10 MB."""

_MOST_CAUSES: Final = 1_000
_LONGEST_S: Final = 1e9
_SHORTEST: Final = Decimal("0.001")
_COUNTS: Final = ("tests", "failures", "errors", "skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Detail:
    """How much a rendering keeps: characters of a text, what is put in system-out, and which cases."""

    text: int = TEXT_LIMIT
    output: bool = True
    cases: Literal["all", "red", "none"] = "all"


_LADDER: Final = (
    _Detail(),
    _Detail(output=False),
    _Detail(output=False, text=8 * 1024),
    _Detail(output=False, text=1_000),
    _Detail(output=False, text=0),
    _Detail(output=False, text=1_000, cases="red"),
    _Detail(output=False, text=0, cases="red"),
)
_LEAST: Final = _Detail(output=False, text=200, cases="none")
"""A thousand causes at their longest fit into the file with it."""


def render(run: Run) -> str:
    """The run as JUnit XML in at most 8 MiB.

    The suite `gate` has a test case for each cause of the verdict, so that the file is green only where
    the exit code is 0; for a run that passed it has one that passed.
    """
    return render_within(run, FILE_LIMIT)


def render_within(run: Run, limit: int) -> str:
    """The run in at most `limit` bytes: output goes first, then long texts, what passed, at last the cases.

    What is left then, the verdict and its causes, is written whatever the limit.
    """
    for detail in _LADDER:
        with suppress(NoRoomError):
            text = _document(run, detail, Page(text_limit=detail.text, left=limit))
            if len(text.encode()) <= limit:
                return text
    return _document(run, _LEAST, Page(text_limit=_LEAST.text, left=float("inf")))


def _document(run: Run, detail: _Detail, page: Page) -> str:
    suites = [_suite(run, page, *suite) for suite in _agent_cases(run, detail, page)]
    suites.append(_suite(run, page, GATE, _gate_cases(run, detail, page)))
    root = ET.Element("testsuites", {"name": "holodeck-eval"})
    root.extend(suite.build_xml_doc(encoding="utf-8") for suite in suites)
    for count in _COUNTS:
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", str(sum(Decimal(suite.get("time", "0")) for suite in root)))
    return f"{ET.tostring(root, encoding='utf-8', xml_declaration=True).decode()}\n"


def _agent_cases(run: Run, detail: _Detail, page: Page) -> list[tuple[str, list[TestCase]]]:
    """The test cases of each agent that has one, by the order of the agents."""
    if detail.cases == "none":
        return []
    made: dict[str, list[TestCase]] = {agent.name: [] for agent in run.agents}
    flips = _flips(run)
    for case in run.cases:
        if detail.cases == "all" or case.status != "passed":
            of_case = flips.get((case.agent, case.id), ())
            made.setdefault(case.agent, []).append(_case(case, of_case, detail, page))
    for waived in run.waived_cases:
        made.setdefault(waived.agent, []).append(_waived(waived, page))
    return [(agent, cases) for agent, cases in made.items() if cases]


def _flips(run: Run) -> Mapping[tuple[str, str], Sequence[Flip]]:
    flips: dict[tuple[str, str], list[Flip]] = {}
    for flip in run.comparison.flips if run.comparison else ():
        flips.setdefault((flip.agent, flip.case), []).append(flip)
    return flips


def _suite(run: Run, page: Page, name: str, cases: Sequence[TestCase]) -> TestSuite:
    return TestSuite(page.label(name), cases, timestamp=moment(run.started_at))


def _case(case: CaseResult, flips: Sequence[Flip], detail: _Detail, page: Page) -> TestCase:
    metrics = [metric for turn in case.turns for metric in turn.metrics]
    made = _test_case(case.agent, case.id, case.transcript or case.test_case, page)
    made.elapsed_sec = max(_SHORTEST, sum((_seconds(metric) for metric in metrics), Decimal()))
    scores = "\n".join(_line(metric) for metric in metrics)
    if case.status != "passed":
        message = case.reasons[0] if case.reasons else f"the case {case.status}, and no reason was given"
        text = "\n".join((*(case.reasons or (message,)), *map(_flip, flips), "", scores, "", *_talk(case)))
        add = made.add_failure_info if case.status == "failed" else made.add_error_info
        add(page.message(message), page.text(text), case.status)
    if detail.output and scores:
        made.stdout = page.text(scores)
    return made


def _waived(case: WaivedCase, page: Page) -> TestCase:
    made = _test_case(case.agent, case.id, case.test_case, page)
    made.add_skipped_info(page.message(f"waived: {case.reason}"), page.text(case.reason))
    return made


def _gate_cases(run: Run, detail: _Detail, page: Page) -> list[TestCase]:
    causes = run.verdict.causes[:_MOST_CAUSES]
    made = [_cause(run, cause, page) for cause in causes] or [_gate_case(run, page)]
    made[-1].stdout = "\n".join(_left_out(run, detail))
    return made


def _left_out(run: Run, detail: _Detail) -> Iterator[str]:
    """What is not in the file, for whoever wonders about its counts."""
    causes = len(run.verdict.causes) - _MOST_CAUSES
    if causes > 0:
        yield f"{causes} more causes are listed in results.json"
    passed = sum(case.status == "passed" for case in run.cases)
    cases = {"all": 0, "red": passed, "none": len(run.cases) + len(run.waived_cases)}[detail.cases]
    if cases:
        which = "cases that passed" if detail.cases == "red" else "cases"
        yield f"{cases} {which} would make this file too large, and are in results.json alone"


def _gate_case(run: Run, page: Page) -> TestCase:
    """The one test case of a verdict without a cause; it is green only for `passed`."""
    made = _test_case(GATE, GATE, None, page)
    if not run.verdict.passed or run.verdict.exit_code:
        sentence = f"the run ended as {run.verdict.status}, and no cause was given"
        made.add_error_info(page.message(sentence), page.text(sentence), run.verdict.status)
    return made


def _cause(run: Run, cause: Cause, page: Page) -> TestCase:
    made = _test_case(GATE, cause.code, cause.place, page)
    sentence = f"{cause.place}: {cause.message}" if cause.place else cause.message
    if run.verdict.waived:
        sentence = f"not blocking, as on_inconclusive: pass asks: {sentence}"
    add = made.add_failure_info if cause.status == "failed" else made.add_error_info
    add(page.message(sentence), page.text("\n".join((sentence, *map(named, cause.cases)))), cause.status)
    return made


def _test_case(suite: str, name: str, place: Place | None, page: Page) -> TestCase:
    classname = page.label(suite)
    file, line = location(place)
    return TestCase(page.name(classname, name), classname, elapsed_sec=_SHORTEST, file=file, line=line)


def _seconds(metric: MetricResult) -> Decimal:
    """How long it took, in whole milliseconds; what is no duration counts as none."""
    seconds = metric.duration_s
    return Decimal(round(seconds * 1000)) / 1000 if 0 <= seconds < _LONGEST_S else Decimal()


def _line(metric: MetricResult) -> str:
    name, outcome = _said(metric.name), metric.outcome
    if isinstance(outcome, Scored):
        needs = f", needs {metric.threshold:g}" if metric.threshold is not None else ""
        rated = f", rated {metric.rating}" if metric.rating else ""
        return f"{name}: {outcome.score:g}{needs}{rated}: {_said(outcome.reason)}"
    if isinstance(outcome, Skipped):
        return f"{name}: skipped ({outcome.cause}): {_said(outcome.reason)}"
    return f"{name}: not judged ({outcome.kind}): {_said(outcome.message)}"


def _said(text: str) -> str:
    """On one line what of a text is ever shown: one may be a megabyte."""
    return one_line(text[:TEXT_LIMIT])


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
