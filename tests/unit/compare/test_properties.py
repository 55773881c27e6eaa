from dataclasses import replace
from math import isfinite
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from holodeck_eval.compare import Comparison, ComparisonPolicy, compare, recomputed
from holodeck_eval.domain.comparison import MetricComparison, MetricVerdict
from holodeck_eval.domain.result import CaseResult, MetricResult
from holodeck_eval.domain.run import Run
from tests.fakes.comparing import case, judged, ruled, run

POLICY: Final = ComparisonPolicy(max_drop=0.01, metrics_alpha=0.2, cases_alpha=0.1)
"""So loose that few cases are enough for every verdict to come up."""

MIRRORED: Final[dict[MetricVerdict, MetricVerdict]] = {"worse": "better", "better": "worse"}

ALL = (0.0, 0.3, 0.5, 0.65, 0.7, 0.75, 0.9, 1.0)
LEVELS = st.sampled_from(ALL)
RANGES = st.sampled_from([ALL, ALL[:4], ALL[4:]]).map(st.sampled_from)
"""What scores of a run may be: anything, all failing, all passing."""

SMALL = settings(max_examples=60, deadline=None)


def measured(name: str, levels: st.SearchStrategy[float]) -> st.SearchStrategy[MetricResult]:
    """A metric that was judged once or more, of texts of which some are those of the other run."""
    key = st.sampled_from([None, None, "1", "2"])
    replies = st.lists(levels, min_size=1, max_size=3)
    return st.builds(lambda of, key: judged(*of, name=name, key=key), replies, key)


@st.composite
def cases(draw: st.DrawFn) -> list[CaseResult]:
    made, levels = [], draw(RANGES)
    for number in range(draw(st.integers(min_value=1, max_value=18))):
        metrics = [draw(measured("faithful", levels)), draw(measured("tone", levels)), ruled(draw(levels))]
        asked = draw(st.sampled_from(["1", "1", "1", "2"]))
        agent = draw(st.sampled_from(["helper", "helper", "other"]))
        kept = metrics[: draw(st.integers(min_value=1, max_value=3))]
        made.append(case(f"c{number:02}", *kept, digest=asked, agent=agent))
    return made


RUNS = st.builds(
    lambda of, repeats: run(*of, repeats=repeats), cases(), st.integers(min_value=1, max_value=2)
)


def told(row: MetricComparison) -> dict[str, Any]:
    return {name: getattr(row, name) for name in MetricComparison.__dataclass_fields__}


@SMALL
@given(RUNS, RUNS, st.randoms(use_true_random=False))
def test_the_order_of_cases_does_not_matter(before: Run, now: Run, random: Any) -> None:
    def shuffled(of: Run) -> Run:
        mixed = list(of.cases)
        random.shuffle(mixed)
        return replace(of, cases=tuple(mixed))

    assert compare(shuffled(before), shuffled(now), POLICY) == compare(before, now, POLICY)


@SMALL
@given(RUNS, RUNS)
def test_swapping_baseline_and_head_mirrors_every_metric(before: Run, now: Run) -> None:
    there, back = compare(before, now, POLICY).metrics, compare(now, before, POLICY).metrics
    assert [(row.agent, row.name) for row in there] == [(row.agent, row.name) for row in back]
    for row, other in zip(there, back, strict=True):
        assert MIRRORED.get(row.verdict, row.verdict) == other.verdict
        assert (row.p_worse, row.p_better) == (other.p_better, other.p_worse)
        assert (row.pairs, row.unchanged, row.smallest_drop) == (
            other.pairs,
            other.unchanged,
            other.smallest_drop,
        )
        assert row.difference is None or row.difference == -(other.difference or 0.0)


@SMALL
@given(RUNS)
def test_a_run_is_never_worse_or_better_than_itself(same: Run) -> None:
    found = compare(same, same, POLICY)
    assert {row.verdict for row in found.metrics} <= {"same", "underpowered"}
    assert all(row.difference in (0.0, None) for row in found.metrics)
    assert (found.flips, found.new, found.vanished, found.changed) == ((), (), (), ())


@SMALL
@given(RUNS, RUNS, cases(), st.booleans())
def test_a_case_without_a_pair_changes_nothing_about_a_metric(
    before: Run, now: Run, more: list[CaseResult], in_baseline: Any
) -> None:
    added = tuple(replace(item, id=f"only {item.id}", agent="helper") for item in more)
    side = before if in_baseline else now
    grown = replace(side, cases=(*side.cases, *added))
    alone = compare(before, now, POLICY)
    among = compare(grown, now, POLICY) if in_baseline else compare(before, grown, POLICY)
    rows = {(row.agent, row.name): row for row in among.metrics}
    assert [rows[row.agent, row.name] for row in alone.metrics] == list(alone.metrics)
    assert all(row.pairs == 0 for row in among.metrics if row not in alone.metrics)
    assert among.flips == alone.flips


NUMBERS = st.floats() | LEVELS


@st.composite
def hostile(draw: st.DrawFn) -> Run:
    """A results file that says anything of its scores."""
    made = []
    for number in range(draw(st.integers(min_value=1, max_value=6))):
        outcome: dict[str, Any] = {
            "score": draw(NUMBERS),
            "replies": tuple(draw(st.lists(NUMBERS, max_size=3))),
        }
        result = judged(0.5, passed=draw(st.sampled_from([True, False, None])), **outcome)
        made.append(replace(case("a", judged(0.5)), id=f"c{number}", turns=(_turn(result),)))
    return replace(run(), cases=tuple(made))


def _turn(result: MetricResult) -> Any:
    return replace(case("a", judged(0.5)).turns[0], metrics=(result,))


def numbers(found: Comparison) -> list[float | None]:
    of_rows = [value for row in found.metrics for value in told(row).values() if isinstance(value, float)]
    of_flips = [value for flip in found.flips for value in (flip.before, flip.now, *flip.before_replies)]
    return [*of_rows, *of_flips]


@SMALL
@given(hostile(), hostile())
def test_what_is_no_number_never_becomes_one(before: Run, now: Run) -> None:
    for sides in ((before, now), (recomputed(before)[0], recomputed(now)[0])):
        found = compare(*sides, POLICY)
        assert all(value is not None and isfinite(value) for value in numbers(found))


@SMALL
@given(hostile())
def test_what_was_computed_again_contradicts_itself_no_more(edited: Run) -> None:
    made, _ = recomputed(edited)
    assert recomputed(made) == (made, ())
