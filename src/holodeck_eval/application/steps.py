"""Steps that a judge wrote for itself: shards that each ask for their own may judge by different ones."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.domain.wording import listed

Steps = tuple[str, ...]

DIFFER: Final = "steps_differ"
"""The code of the cause for shards that judged by different steps."""

RECORD: Final = (
    "record the steps first: run once without --shard and with --verdicts FILE and give FILE to every shard, "
    "or write evaluation_steps"
)

_BEGINS: Final = "in this shard the judge itself wrote the steps of"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """A score that was given in this run by steps that no person wrote.

    `metric` is its agent, name and configuration's digest, since a test case may bring its own metric.
    """

    metric: tuple[str, str, str]
    case: str
    steps: Steps

    @property
    def name(self) -> str:
        return self.metric[1]


def steps_warning(run: Run, generated: Collection[Steps] | None = None) -> tuple[str, ...]:
    """A warning where a shard had a judge write steps; () where none did, and for a run of all cases.

    Args:
        run: the shard.
        generated: the steps that were written in this very run. None where that is not known: then all steps
            that no person wrote are taken for new, unless their verdicts were recorded.
    """
    if run.shard is None:
        return ()
    new = [score for score in _written(run) if generated is None or score.steps in generated]
    if not new:
        return ()
    message = (
        f"{_BEGINS} {_names(new)}; where it wrote others for another shard, the merged run is inconclusive. "
        f"So {RECORD}"
    )
    return (message,)


def is_steps_warning(text: str) -> bool:
    """Whether a warning is that of `steps_warning`."""
    return text.startswith(_BEGINS)


def differing_steps(shards: Sequence[Run]) -> tuple[Cause, ...]:
    """A cause where shards judged one metric by different steps: its scores are of two instruments.

    Scores that were recorded earlier are passed over: a run of all cases would have taken them as well.
    """
    scores = [score for run in shards for score in _written(run)]
    first: dict[tuple[str, str, str], Steps] = {}
    differing = {
        score.metric for score in scores if first.setdefault(score.metric, score.steps) != score.steps
    }
    concerned = [score for score in scores if score.metric in differing]
    if not concerned:
        return ()
    message = (
        f"the shards judged by different steps in {_names(concerned)}, which the judge wrote for each of "
        f"them: their scores are of two instruments. So {RECORD}"
    )
    cases = tuple(dict.fromkeys(score.case for score in concerned))
    return (Cause(status="inconclusive", code=DIFFER, message=message, cases=cases),)


def _names(scores: Sequence[_Written]) -> str:
    return listed(dict.fromkeys(score.name for score in scores))


def _written(run: Run) -> Iterator[_Written]:
    for case in run.cases:
        for turn in case.turns:
            for metric in turn.metrics:
                steps = _steps_of(metric.outcome)
                if steps is not None:
                    key = (case.agent, metric.name, metric.digest)
                    yield _Written(metric=key, case=case.id, steps=steps)


def _steps_of(outcome: object) -> Steps | None:
    """The steps of a score given in this run, where the judge wrote them; else None."""
    if not isinstance(outcome, Scored) or outcome.recorded:
        return None
    steps = outcome.details.get("evaluation_steps")
    if outcome.details.get("auto_generated_steps") is not True or not isinstance(steps, list | tuple):
        return None
    return tuple(str(step) for step in steps)
