"""The providers a judge can be asked at: one file each, and one line in PROVIDERS."""

from typing import Final

from holodeck_eval.judges.call import Provider
from holodeck_eval.judges.kinds import ProviderEnum
from holodeck_eval.judges.providers.anthropic import Anthropic
from holodeck_eval.judges.providers.azure_openai import AzureOpenAI
from holodeck_eval.judges.providers.ollama import Ollama
from holodeck_eval.judges.providers.openai import OpenAI

PROVIDERS: Final[dict[ProviderEnum, Provider]] = {
    ProviderEnum.OPENAI: OpenAI(),
    ProviderEnum.AZURE_OPENAI: AzureOpenAI(),
    ProviderEnum.ANTHROPIC: Anthropic(),
    ProviderEnum.OLLAMA: Ollama(),
}
