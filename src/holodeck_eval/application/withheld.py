"""Says why a run had no key where GitHub gave it none: neither the change is at fault nor the workflow."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from holodeck_eval.domain.options import Withheld
from holodeck_eval.domain.outcome import Errored
from holodeck_eval.domain.result import CaseResult, Summary
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause

NO_KEY: Final = "no_key"
"""The kind of such an error, and the code of its cause."""

WHO: Final[Mapping[Withheld, str]] = {
    "fork": "pull requests from forks get no secrets",
    "dependabot": "Dependabot's pull requests get none of the repository's secrets",
}
REMEDIES: Final[Mapping[Withheld, str]] = {
    "fork": "record verdicts on the main branch, or have someone run the gate who has looked at the change",
    "dependabot": "set the key among Dependabot's own secrets, too, or record verdicts on the main branch",
}
WHERE: Final = "see docs/github.md of holodeck/eval-action, under Pull requests from forks"

UNSET: Final = (
    "{who}: where a variable is said not to be set, it may be a secret; what need be none, as an endpoint, "
    "can be a variable of the repository (vars) instead; {where}"
)

_UNSET_SAID: Final = "is not set"
"""What the problem of a variable in a judge's endpoint or name says. A key that is not set is none."""


def explained(run: Run, withheld: Withheld | None) -> Run:
    """The run with one sentence that says why no judge could be asked, where that is why.

    It stands in the place of the cause that says to set a key, before what follows from it. Where there is
    no such cause, as in a run that failed, it is a warning.

    Args:
        run: a run that was made, or one that could not be.
        withheld: why it may have been given no secrets; None where it was given them.
    """
    if withheld is None:
        return run
    if run.verdict.status == "error":
        said = any(_UNSET_SAID in cause.message for cause in run.verdict.causes)
        warning = UNSET.format(who=WHO[withheld], where=WHERE)
        return replace(run, warnings=(*run.warnings, warning)) if said else run
    unjudged = sum(1 for _ in _unjudged(run.cases))
    if not unjudged:
        return run
    sentence = _sentence(unjudged, run.summary, withheld)
    causes = tuple(_first_no_key(run.verdict.causes, sentence))
    if causes == run.verdict.causes:
        return replace(run, warnings=(*run.warnings, sentence))
    return replace(run, verdict=replace(run.verdict, causes=causes))


def _unjudged(cases: Iterable[CaseResult]) -> Iterator[object]:
    """What could not be judged for want of a key: an evaluation, or those parts of one that were tried."""
    for case in cases:
        for turn in case.turns:
            for metric in turn.metrics:
                outcome = metric.outcome
                whole = isinstance(outcome, Errored) and outcome.kind == NO_KEY
                if whole or any(part.cause == NO_KEY for part in outcome.parts):
                    yield outcome


def _sentence(unjudged: int, summary: Summary, withheld: Withheld) -> str:
    number = "1 evaluation" if unjudged == 1 else f"{unjudged:,} evaluations"
    recorded = summary.evaluations_recorded
    used = f"{recorded:,} with recorded verdicts counted" if recorded else "none had a recorded verdict"
    return (
        f"{number} could not be judged, because {WHO[withheld]}, and so no key for the judge; {used}. "
        f"To have them judged, {REMEDIES[withheld]}; {WHERE}"
    )


def _first_no_key(causes: tuple[Cause, ...], sentence: str) -> Iterator[Cause]:
    """The causes with the sentence for the want of a key, which comes first among those of its status.

    Behind it, no other quotes an error that says to set the key.
    """
    mine = [replace(cause, message=sentence) for cause in causes if cause.code == NO_KEY]
    others = [cause for cause in causes if cause.code != NO_KEY]
    yield from (cause for cause in others if cause.status == "failed")
    yield from mine
    for cause in others:
        if cause.status != "failed":
            quoting = mine and cause.code == "error_rate"
            yield replace(cause, message=cause.message.partition(" (first: ")[0]) if quoting else cause
