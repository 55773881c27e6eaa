"""The action's step, as it was started."""

from collections.abc import Mapping
from dataclasses import dataclass

from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.options import Environment
from holodeck_eval.github.context import Context
from holodeck_eval.pipeline import Progress


@dataclass(slots=True, kw_only=True)
class Step:
    """What a step works with.

    Attributes:
        environ: the container's variables, without what nothing here may read.
        environment: the same, as far as a run may use it; in the action its checkout is never trusted.
        context: what GitHub says of this job.
        token: what comments are written with: the input github_token, else GITHUB_TOKEN.
        progress: told how many cases are done.
        posting: whether the comment is being written, so that a bug in that is not met a second time.
    """

    environ: Mapping[str, str]
    environment: Environment
    context: Context
    progress: Progress
    token: Secret | None = None
    posting: bool = False
