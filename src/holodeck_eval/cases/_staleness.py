"""Whether a transcript was recorded with the agent as its YAML is now."""

from holodeck_eval.cases._likeness import same_behaviour
from holodeck_eval.domain.agent import Agent
from holodeck_eval.domain.behaviour import PARTS, Behaviour, Part
from holodeck_eval.domain.digest import digests_of, parts_of
from holodeck_eval.domain.staleness import UNKNOWN, Staleness
from holodeck_eval.domain.transcript import Transcript


class StalenessOf:
    """Tells it for the transcripts of one agent; what many of them share is worked out once."""

    def __init__(self, agent: Agent) -> None:
        self._now = agent.behaviour or Behaviour()
        self._digests = digests_of(self._now)
        self._known: dict[int, tuple[Behaviour, Staleness]] = {}

    def __call__(self, transcript: Transcript) -> Staleness:
        """By the digest the record carries, else by the agent that was recorded with it, else unknown."""
        if transcript.agent_digest is not None:
            return self._by_digest(transcript.agent_digest)
        if transcript.recorded_agent is not None:
            return self._by_record(transcript.recorded_agent)
        return UNKNOWN

    def _by_digest(self, digest: str) -> Staleness:
        """A digest of another kind or version says nothing: as much as none at all."""
        then = parts_of(digest)
        if then is None:
            return UNKNOWN
        return _staleness(
            {part: then[part] == self._digests[part] if part in self._digests else None for part in PARTS}
        )

    def _by_record(self, recorded: Behaviour) -> Staleness:
        """The transcripts of one report share one recorded agent; kept so that its id stays its own."""
        if id(recorded) not in self._known:
            found = {part: same_behaviour(part, self._now, recorded) for part in PARTS}
            self._known[id(recorded)] = (recorded, _staleness(found))
        return self._known[id(recorded)][1]


def staleness_of(agent: Agent, transcript: Transcript) -> Staleness:
    """Whether a transcript was recorded with an agent as it is configured now.

    Stale where a part is known to differ; fresh where every part is known to be the same; else unknown.
    """
    return StalenessOf(agent)(transcript)


def says_of_its_agent(transcript: Transcript) -> bool:
    """Whether a transcript can be compared with its agent at all."""
    digest = transcript.agent_digest
    return transcript.recorded_agent is not None or (digest is not None and parts_of(digest) is not None)


def _staleness(same: dict[Part, bool | None]) -> Staleness:
    differs = tuple(part for part in PARTS if same[part] is False)
    if differs:
        return Staleness(status="stale", differs=differs)
    return UNKNOWN if None in same.values() else Staleness(status="fresh")
