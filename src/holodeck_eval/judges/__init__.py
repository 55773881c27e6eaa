"""Judges: who they are, whether they may be asked, and the one line all calls to them stand in.

A name is loaded when it is first used: a run whose verdicts are all recorded asks no judge, and the
SDKs' and DeepEval's surroundings would double its start-up.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from holodeck_eval.judges.caller import Check
    from holodeck_eval.judges.config import DeepEvalModelConfig
    from holodeck_eval.judges.kinds import ProviderEnum, RetryConfig
    from holodeck_eval.judges.model import PooledJudge, ScoreSource
    from holodeck_eval.judges.providers import PROVIDERS
    from holodeck_eval.judges.reply import MalformedReplyError, parse
    from holodeck_eval.judges.scheduler import JudgePool
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

_HOMES: Final = {
    "Check": "caller",
    "DeepEvalModelConfig": "config",
    "ProviderEnum": "kinds",
    "RetryConfig": "kinds",
    "PooledJudge": "model",
    "ScoreSource": "model",
    "PROVIDERS": "providers",
    "MalformedReplyError": "reply",
    "parse": "reply",
    "JudgePool": "scheduler",
    "resolve_endpoint": "trust",
    "DEEPEVAL_VERSION": "version",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
