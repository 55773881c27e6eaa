"""What a judge is: its provider, its model and how it is reached."""

from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from holodeck_eval.judges.kinds import ProviderEnum, own_endpoint


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
        parts = urlsplit(self.endpoint or own_endpoint(self.provider))
        return parts.netloc.rpartition("@")[2]
