"""Judges: who they are, whether they may be asked, and the one line all calls to them stand in."""

from holodeck_eval.judges.caller import Check
from holodeck_eval.judges.config import DeepEvalModelConfig
from holodeck_eval.judges.model import PooledJudge, ScoreSource
from holodeck_eval.judges.providers import PROVIDERS
from holodeck_eval.judges.reply import MalformedReplyError, parse
from holodeck_eval.judges.scheduler import JudgePool
from holodeck_eval.judges.settings import ProviderEnum, RetryConfig
from holodeck_eval.judges.trust import resolve_endpoint
from holodeck_eval.judges.version import DEEPEVAL_VERSION

__all__ = [
    "DEEPEVAL_VERSION",
    "PROVIDERS",
    "Check",
    "DeepEvalModelConfig",
    "JudgePool",
    "MalformedReplyError",
    "PooledJudge",
    "ProviderEnum",
    "RetryConfig",
    "ScoreSource",
    "parse",
    "resolve_endpoint",
]
