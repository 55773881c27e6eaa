"""The providers a judge can be asked at, their own endpoints, and how a call is repeated."""

from dataclasses import dataclass
from enum import StrEnum

from holodeck_eval.domain.agent import DEFAULT_JUDGE_ENDPOINT


class ProviderEnum(StrEnum):
    """The providers a judge can be asked at."""

    OPENAI = "openai"
    AZURE_OPENAI = "azure_openai"
    ANTHROPIC = "anthropic"
    OLLAMA = "ollama"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryConfig:
    """How one call to a judge is repeated where that can help.

    Attributes:
        max_retries: attempts in all, as HoloDeck counts them; 0 and 1 both mean one attempt.
        base_delay: seconds before the second attempt.
        max_delay: the longest wait in seconds; a `Retry-After` beyond it ends the call at once.
        exponential_base: what each further wait is multiplied by.
    """

    max_retries: int = 3
    base_delay: float = 2.0
    max_delay: float = 60.0
    exponential_base: float = 2.0

    @property
    def attempts(self) -> int:
        """Attempts in all, at least one."""
        return max(1, self.max_retries)

    def delay(self, attempt: int, jitter: float) -> float:
        """Seconds to wait after the given attempt (from 1); `jitter`, 0 to 1, shortens it by up to half."""
        full = min(self.max_delay, self.base_delay * self.exponential_base ** (attempt - 1))
        return full * (1 - jitter / 2)


_OWN_ENDPOINTS = {
    ProviderEnum.OPENAI: "https://api.openai.com/v1",
    ProviderEnum.AZURE_OPENAI: "",
    ProviderEnum.ANTHROPIC: "https://api.anthropic.com",
    ProviderEnum.OLLAMA: DEFAULT_JUDGE_ENDPOINT,
}


def own_endpoint(provider: ProviderEnum) -> str:
    """Where a provider is asked when no endpoint is configured; "" for Azure, which has none."""
    return _OWN_ENDPOINTS[provider]
