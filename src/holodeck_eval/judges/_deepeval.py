"""The one door to DeepEval: the only module that imports it, and it locks it first.

DeepEval reads `.env` and `.deepeval` files from the working directory, which in CI is the checkout of
whoever opened the pull request, and takes its judge, its temperature and its telemetry from some two
hundred environment variables. So it is imported in an environment that holds none of them, its
settings are built once there and kept, and the environment is put back, without what would speak to
DeepEval later.
"""

import functools
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

LOCKS: Final = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_DISABLE_LEGACY_KEYFILE": "1",
    "DEEPEVAL_RETRY_MAX_ATTEMPTS": "1",
    "DEEPEVAL_DISABLE_TIMEOUTS": "1",
    "DEEPEVAL_EVAL_MODE": "llm",
}
"""What DeepEval must find: no files, no telemetry, no retries and no timeouts of its own."""

_KEPT = frozenset({"PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG", "USER", "SYSTEMROOT", "LD_LIBRARY_PATH"})
_DROPPED_PREFIXES = ("DEEPEVAL_", "CONFIDENT_")
_DROPPED = frozenset({"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepEval:
    """What the rooms need of DeepEval. Its classes are untyped here; narrow what they give back."""

    GEval: Any
    Rubric: Any
    AnswerRelevancyMetric: Any
    FaithfulnessMetric: Any
    ContextualRelevancyMetric: Any
    ContextualPrecisionMetric: Any
    ContextualRecallMetric: Any
    LLMTestCase: Any
    SingleTurnParams: Any
    ToolCall: Any
    Steps: Any
    ReasonScore: Any
    OpenAIModel: Any
    AzureOpenAIModel: Any
    AnthropicModel: Any
    OllamaModel: Any
    DeepEvalError: type[Exception]
    MissingTestCaseParamsError: type[Exception]


@functools.cache
def load() -> DeepEval:
    """DeepEval, locked. The first call takes seconds; it changes `os.environ` as the module says.

    Anthropic's SDK, which DeepEval imports when it finds it and which would double the start-up, is
    hidden while DeepEval loads. An Anthropic judge imports it afterwards, by itself.
    """
    with _clean_environment(), _without("anthropic"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        door = _import()
    logging.getLogger("deepeval").setLevel(logging.CRITICAL + 1)
    return door


def variable(name: str) -> str | None:
    """A provider's own key variable, for a library user who gave no key; None where unset or empty."""
    return os.environ.get(name) or None


@contextmanager
def _clean_environment() -> Iterator[None]:
    before = dict(os.environ)
    kept = {
        name: text for name, text in before.items() if name in _KEPT or name.startswith(("PYTHON", "LC_"))
    }
    _replace_environment(kept | LOCKS)
    try:
        yield
    finally:
        _replace_environment({name: text for name, text in before.items() if not _speaks(name)} | LOCKS)


def _replace_environment(variables: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(variables)


def _speaks(name: str) -> bool:
    return name.startswith(_DROPPED_PREFIXES) or name in _DROPPED


@contextmanager
def _without(module: str) -> Iterator[None]:
    """Let `import module` fail for a while, unless it is there already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # the interpreter's own way to say "absent"
    try:
        yield
    finally:
        del sys.modules[module]


def _import() -> DeepEval:
    from deepeval import errors, metrics, models, test_case
    from deepeval.config import settings
    from deepeval.metrics.g_eval import Rubric
    from deepeval.metrics.g_eval.schema import ReasonScore, Steps

    settings._calc_env_fingerprint = lambda: "locked"  # noqa: SLF001  # else it reads the environment again
    settings.reset_settings()
    return DeepEval(
        GEval=metrics.GEval,
        Rubric=Rubric,
        AnswerRelevancyMetric=metrics.AnswerRelevancyMetric,
        FaithfulnessMetric=metrics.FaithfulnessMetric,
        ContextualRelevancyMetric=metrics.ContextualRelevancyMetric,
        ContextualPrecisionMetric=metrics.ContextualPrecisionMetric,
        ContextualRecallMetric=metrics.ContextualRecallMetric,
        LLMTestCase=test_case.LLMTestCase,
        SingleTurnParams=test_case.SingleTurnParams,
        ToolCall=test_case.ToolCall,
        Steps=Steps,
        ReasonScore=ReasonScore,
        OpenAIModel=models.OpenAIModel,
        AzureOpenAIModel=models.AzureOpenAIModel,
        AnthropicModel=models.AnthropicModel,
        OllamaModel=models.OllamaModel,
        DeepEvalError=errors.DeepEvalError,
        MissingTestCaseParamsError=errors.MissingTestCaseParamsError,
    )
