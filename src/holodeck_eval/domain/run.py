"""A whole run, frozen: the only argument of every report, and what results.json holds."""

from dataclasses import dataclass

from holodeck_eval.domain.comparison import Comparison
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult, MetricConfig, Summary, Usage, WaivedCase
from holodeck_eval.domain.verdict import Verdict

SCHEMA_VERSION = 1
NO_USAGE = Usage(calls=0, input_tokens=0, output_tokens=0, cost_usd=0.0)
"""What judging costs where no judge is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRun:
    """An agent as it was configured for this run, with how many test cases and transcripts it has.

    `missing` counts its test cases without a transcript.
    """

    name: str
    file: str
    metrics: tuple[MetricConfig, ...]
    test_cases: int
    transcripts: int
    missing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """A transcript file that was read: what was detected, and how many records."""

    file: str
    format: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricUsage:
    """What judging one metric cost."""

    metric: str
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Which part of a run was made, to be merged with the others.

    Attributes:
        index: its number, from 1 to `count`.
        count: how many there are.
        cases: where the part's cases stand among all cases of the run, from 0, in the order of `Run.cases`.
        waived: the same for its waived cases, in the order of `Run.waived_cases`.
        total: how many cases, waived ones included, there are in all.
        whole: SHA-256 over the agents, ids and digests of all cases in order: that of the other parts too.
    """

    index: int
    count: int
    cases: tuple[int, ...]
    waived: tuple[int, ...]
    total: int
    whole: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The untrusted run that a published report was made in: who wrote the change could write its results.

    Attributes:
        url: the run's page.
        repository: `owner/name` of the repository the change comes from.
    """

    url: str
    repository: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Everything of a run. `started_at` is ISO 8601 in UTC; `duration_s` is wall time in seconds.

    `warnings` are sentences about the input that change no verdict. `repeats` is how often everything was
    judged, before anything was judged again for being in doubt. `comparison` is with the baseline that was
    asked for; `shard` is set where the run is a part of one. `pull_request` is the number of the one under
    test; `published` is set by `publish` alone, whatever the results say.
    """

    schema_version: int
    tool_version: str
    started_at: str
    duration_s: float
    verdict: Verdict
    policy: Policy
    summary: Summary
    agents: tuple[AgentRun, ...] = ()
    cases: tuple[CaseResult, ...] = ()
    waived_cases: tuple[WaivedCase, ...] = ()
    files: tuple[FileRead, ...] = ()
    usage: Usage = NO_USAGE
    usage_by_metric: tuple[MetricUsage, ...] = ()
    warnings: tuple[str, ...] = ()
    head_sha: str | None = None
    repeats: int = 1
    comparison: Comparison | None = None
    shard: Shard | None = None
    pull_request: int | None = None
    published: Published | None = None
