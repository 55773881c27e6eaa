"""The first line of the Markdown reports: the verdict in words, with its numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Status
from holodeck_eval.reports._markdown import num, pct


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """An icon, a word, and what happened; `numbers` are further facts, most telling first."""

    icon: str
    word: str
    fact: str
    numbers: tuple[str, ...] = ()


def headline(run: Run) -> Headline:
    """What a reviewer must see first."""
    return _HEADLINES[run.verdict.status](run)


def cases(number: int) -> str:
    """A number of cases, in words."""
    return "1 case" if number == 1 else f"{number:,} cases"


def _passed(run: Run) -> Headline:
    summary = run.summary
    everything = summary.passed == summary.cases
    every = "the one case" if summary.cases == 1 else f"all {cases(summary.cases)}"
    fact = every if everything else f"{summary.passed:,} of {cases(summary.cases)}"
    return Headline(icon="✅", word="Passed", fact=f"{fact} passed, {_rate(run)}", numbers=_numbers(run))


def _failed(run: Run) -> Headline:
    summary = run.summary
    fact = f"{summary.failed:,} of {cases(summary.cases)} failed, {_rate(run)}"
    return Headline(icon="❌", word="Failed", fact=fact, numbers=_numbers(run))


def _inconclusive(run: Run) -> Headline:
    summary = run.summary
    fact = f"{summary.inconclusive:,} of {cases(summary.cases)} could not be judged"
    if not summary.inconclusive:
        fact = "the numbers cannot be trusted"
    return Headline(
        icon="⚠️", word="Inconclusive", fact=fact, numbers=(f"{_rate(run)} of those judged", *_numbers(run))
    )


def _error(run: Run) -> Headline:
    number = len(run.verdict.causes)
    fact = "1 problem in what it was given" if number == 1 else f"{number:,} problems in what it was given"
    return Headline(icon="⛔", word="Could not run", fact=fact)


def _bug(run: Run) -> Headline:  # noqa: ARG001 - one signature for the table
    return Headline(icon="💥", word="Could not run", fact="a fault in holodeck-eval itself")


_HEADLINES: Final[Mapping[Status, Callable[[Run], Headline]]] = {
    "passed": _passed,
    "failed": _failed,
    "inconclusive": _inconclusive,
    "error": _error,
    "bug": _bug,
}


def _rate(run: Run) -> str:
    needed = run.policy.min_pass_rate
    return f"pass rate {pct(run.summary.pass_rate, needed)} (needs {pct(needed)})"


def _numbers(run: Run) -> tuple[str, ...]:
    summary, policy = run.summary, run.policy
    means = (
        ("average score", summary.avg_score, policy.min_avg_score),
        ("rating score", summary.score, policy.min_score),
        ("share rated good", summary.binary_score, policy.min_binary_score),
    )
    numbers = [
        f"{name} {num(value, needed)} (needs {num(needed)})"
        for name, value, needed in means
        if needed is not None
    ]
    if policy.min_avg_score is None and summary.avg_score is not None:
        numbers.append(f"average score {num(summary.avg_score)}")
    if summary.inconclusive and run.verdict.status != "inconclusive":
        numbers.append(f"{summary.inconclusive:,} could not be judged")
    if summary.failed and run.verdict.status != "failed":
        numbers.append(f"{summary.failed:,} failed")
    if run.waived_cases:
        numbers.append(f"{cases(len(run.waived_cases))} waived")
    return tuple(numbers)
