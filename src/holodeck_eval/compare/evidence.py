"""What two runs hold that can be set against one another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval.aggregate.noise import noise_of
from holodeck_eval.compare.comparability import reasons_against
from holodeck_eval.compare.looks import Repeats, RowKey, Rows, looks_of
from holodeck_eval.compare.pairs import Pair, Pairing, paired
from holodeck_eval.domain.noise import DEFAULT_NOISE, Noise
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run

_UNKNOWN: Final = Noise(sd=DEFAULT_NOISE, source="default")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Two runs side by side.

    Attributes:
        pairing: their cases.
        repeats: how often everything was judged.
        looks: what was scored on both sides, by agent and metric.
        noises: the noise of the metrics that a judge scores.
        why_not: for the metrics that cannot be compared, the reason.
    """

    pairing: Pairing
    repeats: Repeats
    looks: Rows
    noises: Mapping[RowKey, Noise]
    why_not: Mapping[RowKey, str]

    @property
    def comparable(self) -> Rows:
        """The looks of the metrics that can be compared."""
        return {key: row for key, row in self.looks.items() if key not in self.why_not}


def evidence_of(baseline: Run, head: Run) -> Evidence:
    """The evidence that two runs hold, of which each has a case once.

    Noise is taken from the pairs alone: a case without a pair is to change nothing that is said of others.
    """
    pairing, repeats = paired(baseline, head), Repeats.of(baseline, head)
    looks = looks_of(pairing.pairs, repeats)
    known = noise_of([case for pair in pairing.pairs for case in _in_one_order(pair)])
    return Evidence(
        pairing=pairing,
        repeats=repeats,
        looks=looks,
        noises={
            key: known.get(key, _UNKNOWN) for key, row in looks.items() if any(sides.judged for sides in row)
        },
        why_not=reasons_against(looks, baseline, head),
    )


def _in_one_order(pair: Pair) -> Sequence[CaseResult]:
    """Both sides of a pair, ordered by what is in them.

    Of two scores of one key the noise takes the first: it is to be the same one from both ends.
    """
    return sorted((pair.before, pair.now), key=_replies)


def _replies(case: CaseResult) -> list[tuple[float, ...]]:
    return [
        metric.outcome.replies
        for turn in case.turns
        for metric in turn.metrics
        if isinstance(metric.outcome, Scored)
    ]
