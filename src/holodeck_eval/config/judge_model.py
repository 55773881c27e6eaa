"""The `model` of a metric or of `evaluations`: who judges."""

from typing import Annotated, ClassVar

from pydantic import Field

from holodeck_eval.config.base import EXPONENT, Text, Written
from holodeck_eval.domain.agent import Provider


class ProviderEntry(Written):
    """A provider as `config.yaml` holds it: what `evaluations.model` leaves out is taken from here.

    `max_tokens`, `top_p` and `auth_provider` are HoloDeck's; they mean nothing to a judge.
    """

    noun: ClassVar[str] = "a provider of config.yaml"

    provider: Provider | None = None
    name: Text | None = None
    temperature: Annotated[float, Field(ge=0, le=2), EXPONENT] | None = None
    endpoint: Text | None = None
    api_key: Text | None = None
    api_version: Text | None = None
    deployment_name: Text | None = None
    max_tokens: object = None
    top_p: object = None
    auth_provider: object = None


class JudgeModel(ProviderEntry):
    """A judge: a provider's model, or with `provider: human` a person.

    `deployment_name` is Azure's; without it the deployment is called like the model.
    """

    noun: ClassVar[str] = "a judge's model"

    provider: Provider = Field()
