"""One judgement, and the key it is recorded under."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from holodeck_eval.domain.agent import JudgeSpec
from holodeck_eval.domain.text import log_line

LONGEST_VERSION: Final = 100
"""Characters of what a judge calls itself that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeIdentity:
    """Which judge it was. The endpoint's host is shown with a verdict, but is no part of its key."""

    provider: str
    name: str
    temperature: float = 0.0

    @classmethod
    def of(cls, spec: JudgeSpec) -> "JudgeIdentity":
        """The identity of a configured judge."""
        return cls(provider=spec.provider, name=spec.name, temperature=spec.temperature)

    def __str__(self) -> str:
        """`openai/gpt-4o`, with the temperature where it is not 0."""
        heat = f" at temperature {self.temperature:g}" if self.temperature else ""
        return f"{self.provider}/{self.name}{heat}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementRequest:
    """Everything that determines a judgement; two equal requests share recorded verdicts.

    Attributes:
        metric: its name, for people; no part of the key.
        metric_type: key of the METRICS table, or `generation.completeness` and so on for its parts.
        configuration: what was written that shapes the judge's prompt; never a threshold.
        judge: who judges.
        prompt_version: our prompts' version and DeepEval's; "" for a human judge.
        judged: the fields of the turn that the judge sees (JSON values).
        case_id: for people; no part of the key.
        scale: what a score means, for people ("1 not complete, 2 incomplete, 3 complete").
        low, high: the ends of the scale a score must lie in; `whole` where only whole numbers are on it.
        host: where the judge was asked, for people; no part of the key.
    """

    metric: str
    metric_type: str
    configuration: Mapping[str, object]
    judge: JudgeIdentity
    prompt_version: str
    judged: Mapping[str, object]
    case_id: str
    scale: str = "0.0 (worst) to 1.0 (best)"
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    host: str | None = None
    _key: list[str] = field(default_factory=list, init=False, repr=False, compare=False)

    def parts(self) -> dict[str, object]:
        """The parts of the key, by name, as JSON values."""
        return {
            "metric_type": self.metric_type,
            "configuration": dict(self.configuration),
            "judge": {
                "provider": self.judge.provider,
                "name": self.judge.name,
                "temperature": float(self.judge.temperature),
            },
            "prompt_version": self.prompt_version,
            "judged": dict(self.judged),
        }

    def digests(self) -> dict[str, str]:
        """A SHA-256 for each part, so that a miss can say which one differs."""
        return {name: sha256_of(part) for name, part in self.parts().items()}

    def key(self) -> str:
        """The SHA-256 this request's verdicts are recorded under; reckoned once, since texts may be long."""
        if not self._key:
            self._key.append(sha256_of(self.parts()))
        return self._key[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One reply of a judge, already checked: `score` lies on the request's scale.

    `raw_score` is what the judge said, where that is another number. `details` are the metric's own (JSON).
    `fresh` is true of one made in this very run. `judge_version` is what the provider's replies called the
    judge, as `version_text` has it.
    """

    score: float
    reason: str
    raw_score: float | None = None
    details: Mapping[str, object] = field(default_factory=dict)
    from_checkout: bool = False
    fresh: bool = False
    judge_version: str | None = None


class VerdictStore(Protocol):
    """Keeps judgements by what determines them."""

    def recall(self, request: JudgementRequest) -> tuple[Judgement, ...]:
        """All judgements recorded for this request, in file order; () when there are none."""
        ...

    def record(self, request: JudgementRequest, judgement: Judgement) -> None:
        """Keep a judgement; on disk when this returns, where there is a file."""
        ...

    def recall_steps(self, request: JudgementRequest) -> tuple[str, ...] | None:
        """The GEval steps recorded for this criteria, params and judge (`judged` is empty), or None."""
        ...

    def record_steps(self, request: JudgementRequest, steps: tuple[str, ...]) -> None:
        """Keep generated GEval steps."""
        ...


def version_text(name: object) -> str | None:
    """What a reply calls its judge, as one short line; None for what is no text, and for a blank one."""
    return (log_line(name, LONGEST_VERSION) or None) if name and isinstance(name, str) else None


def versions_text(versions: Iterable[str | None]) -> str | None:
    """Several of them as one text, each once and in order; None where none is known."""
    known = sorted({version for version in versions if version})
    if len(known) < 2:  # noqa: PLR2004 - nothing to join
        return known[0] if known else None
    return log_line(", ".join(known), 3 * LONGEST_VERSION)


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256_of(value: object) -> str:
    """The SHA-256, in hex, of a JSON value's canonical text (sorted keys, ASCII, no spaces).

    Raises:
        ValueError: for NaN and infinities, which JSON does not have.
    """
    return hashlib.sha256(_CANONICAL.encode(value).encode("ascii")).hexdigest()
