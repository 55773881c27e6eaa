"""The one family of errors, each with the exit code it ends the process with."""

from dataclasses import dataclass
from typing import ClassVar, Literal

ErrorKind = Literal[
    "judge_unavailable",
    "rate_limited",
    "timeout",
    "auth",
    "no_key",
    "invalid_reply",
    "context_too_long",
    "refused_request",
    "internal",
]
"""Why an evaluation could not be scored. None of these says anything about the agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something was written: a file, and a line, column or record in it (all counted from 1)."""

    file: str
    line: int | None = None
    column: int | None = None
    record: int | None = None

    def __str__(self) -> str:
        """The place as editors and terminals link it: `file:line:column`, or `file: record 3`."""
        if self.line is not None:
            column = f":{self.column}" if self.column is not None else ""
            return f"{self.file}:{self.line}{column}"
        return f"{self.file}: record {self.record}" if self.record is not None else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with what was given, in one clear sentence, and where it stands."""

    message: str
    place: Place | None = None

    def __str__(self) -> str:
        """The sentence behind its place."""
        return f"{self.place}: {self.message}" if self.place else self.message


class EvalActionError(Exception):
    """Base of every error this program raises on purpose."""

    exit_code: ClassVar[int] = 2


class InputError(EvalActionError):
    """Bad input, with every problem found in it, not only the first.

    Args:
        problems: what is wrong, in the order it stands in the files; never empty.
    """

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class UsageError(InputError):
    """The command line or the action's inputs cannot be used."""


class ConfigError(InputError):
    """An agent YAML, its test cases, its `config.yaml` or a policy file is wrong."""


class TranscriptError(InputError):
    """A transcript file cannot be read, or does not fit the test cases."""


class VerdictFileError(InputError):
    """A file of recorded verdicts cannot be used."""


class ResultsError(InputError):
    """A results file cannot be read back."""


class EvaluationError(EvalActionError):
    """An evaluation could not be scored (base of the seeds' evaluator errors)."""


class ProviderNotSupportedError(EvaluationError):
    """An evaluator was given a judge of a provider it cannot use.

    Args:
        message: the sentence shown to people.
        evaluator_type: name of the evaluator class.
        configured_provider: the provider that was configured.
        supported_providers: the providers that would work.
    """

    def __init__(
        self,
        message: str,
        evaluator_type: str,
        configured_provider: str,
        supported_providers: list[str],
    ) -> None:
        super().__init__(message)
        self.message = message
        self.evaluator_type = evaluator_type
        self.configured_provider = configured_provider
        self.supported_providers = supported_providers


class DeepEvalError(EvaluationError):
    """DeepEval, or the judge behind it, could not score an evaluation.

    Args:
        message: the sentence shown to people; holds no key.
        metric_name: name of the metric that failed.
        original_error: the exception underneath, where there was one.
        test_case_summary: heads of the judged texts, each cut at 100 characters.
        kind: the cause, in the gate's words.
    """

    def __init__(
        self,
        message: str,
        metric_name: str,
        original_error: Exception | None = None,
        test_case_summary: dict[str, str] | None = None,
        *,
        kind: ErrorKind = "internal",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.metric_name = metric_name
        self.original_error = original_error
        self.test_case_summary = test_case_summary or {}
        self.kind: ErrorKind = kind


class JudgeError(EvaluationError):
    """A call to the judge failed for good: retries, where they could help, are behind it.

    Args:
        message: the sentence shown to people; holds no key.
        kind: the cause, in the gate's words.
        reply_head: the first characters of the judge's reply, where it sent one.
    """

    def __init__(self, message: str, *, kind: ErrorKind, reply_head: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.kind: ErrorKind = kind
        self.reply_head = reply_head


class LimitReachedError(EvaluationError):
    """The run's deadline or budget is used up: what is left is skipped, not failed.

    Args:
        message: the sentence shown to people.
        cause: which limit it was.
    """

    def __init__(self, message: str, *, cause: Literal["deadline", "budget"]) -> None:
        super().__init__(message)
        self.message = message
        self.cause: Literal["deadline", "budget"] = cause


class GitHubError(EvalActionError):
    """GitHub's API did not do what was asked. It never changes a verdict: the reports stand without it.

    Args:
        message: the sentence shown to people; holds no token.
        status: HTTP status of its last answer; None where there was none.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status

    @property
    def denied(self) -> bool:
        """Whether the token may not do this, rather than GitHub being unable to."""
        return self.status in {401, 403, 404}
