"""What a judge is: its provider, its model and how it is reached."""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

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


class JudgeSettings(BaseModel):
    """A judge's settings, as plain values. `DeepEvalModelConfig` is these, checked."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, protected_namespaces=())

    provider: ProviderEnum = Field(default=ProviderEnum.OLLAMA, description="LLM provider")
    model_name: str = Field(default="gpt-oss:20b", min_length=1, description="Model name or identifier")
    api_key: str | None = Field(default=None, repr=False, description="API key (cloud providers)")
    endpoint: str | None = Field(default=None, description="API endpoint (Azure; optional for the others)")
    api_version: str | None = Field(
        default="2024-02-15-preview", description="API version (Azure OpenAI only)"
    )
    deployment_name: str | None = Field(default=None, description="Deployment name (Azure OpenAI only)")
    temperature: float = Field(default=0.0, ge=0.0, le=2.0, description="Model temperature")

    @field_validator("endpoint")
    @classmethod
    def validate_endpoint(cls, endpoint: str | None) -> str | None:
        """Refuse what no request can be sent to.

        Raises:
            ValueError: for anything but an http or https URL with a host.
        """
        parts = urlsplit(endpoint or "https://unset")
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("an endpoint is a URL such as https://host:8443/path")
        return endpoint

    @property
    def title(self) -> str:
        """`openai/gpt-4o`, for people."""
        return f"{self.provider}/{self.model_name}"

    @property
    def host(self) -> str:
        """The host and port that are asked, for people; never a user name or a path."""
        parts = urlsplit(self.endpoint or _OWN_ENDPOINTS[self.provider])
        return parts.netloc.rpartition("@")[2]


_OWN_ENDPOINTS = {
    ProviderEnum.OPENAI: "https://api.openai.com/v1",
    ProviderEnum.AZURE_OPENAI: "",
    ProviderEnum.ANTHROPIC: "https://api.anthropic.com",
    ProviderEnum.OLLAMA: DEFAULT_JUDGE_ENDPOINT,
}


def own_endpoint(provider: ProviderEnum) -> str:
    """Where a provider is asked when no endpoint is configured; "" for Azure, which has none."""
    return _OWN_ENDPOINTS[provider]
