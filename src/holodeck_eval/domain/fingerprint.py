"""What makes two metrics of one name the same measure: all that shapes a score, and no pass mark."""

from dataclasses import asdict
from functools import lru_cache
from typing import Final

from holodeck_eval.domain.agent import MetricOptions, MetricSpec
from holodeck_eval.domain.judgement import JudgeIdentity, sha256_of

GATES: Final = frozenset({"min_rating", "named"})
"""Options that no score depends on: what a rating must reach, and whether a missing input is passed over."""

_METRICS: Final = 1024
"""More different metrics than a run has; beyond them a digest is made again."""


def configuration_of(spec: MetricSpec) -> dict[str, object]:
    """A metric's options by name, as JSON has them once it is written; empty for one that has none."""
    return asdict(spec.options) if spec.options else {}


def digest_of(spec: MetricSpec) -> str:
    """The SHA-256 of what shapes a metric's score: its type, its options and who judges.

    Neither its name is in it nor anything that only says what a score must reach. Scores of one digest, for
    the same texts, differ by the judge's noise alone.
    """
    return _digest(spec.type, spec.options, str(JudgeIdentity.of(spec.judge)) if spec.judge else None)


@lru_cache(maxsize=_METRICS)
def _digest(metric_type: str, options: MetricOptions, judge: str | None) -> str:
    written = asdict(options) if options else {}
    shaping = {name: value for name, value in written.items() if name not in GATES}
    return sha256_of([metric_type, shaping, judge])
