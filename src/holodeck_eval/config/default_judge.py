"""Who judges where a metric does not say."""

from collections.abc import Callable
from typing import Final

from pydantic import TypeAdapter

from holodeck_eval.config.document import Section
from holodeck_eval.config.judge_model import JudgeModel
from holodeck_eval.config.judges import JudgeReader
from holodeck_eval.config.problems import quiet
from holodeck_eval.domain.agent import DEFAULT_JUDGE_ENDPOINT, JudgeSpec, Provider

DEFAULT_JUDGE: Final = JudgeSpec(provider="ollama", name="gpt-oss:20b", endpoint=DEFAULT_JUDGE_ENDPOINT)
"""Who judges where nobody is named; HoloDeck's default."""

_JUDGE: Final = TypeAdapter(JudgeModel)


class DefaultJudge:
    """The judge of an agent's metrics that have no `model`, worked out when first asked for.

    Args:
        reader: reads the written judge.
        written: the agent's `evaluations.model`, where there is one.
        entry_of: finds the entry of `config.yaml` for a provider.
        fallback: the policy's judge, where there is one.
    """

    def __init__(
        self,
        reader: JudgeReader,
        written: Section | None,
        entry_of: Callable[[Provider], Section | None],
        fallback: JudgeSpec | None,
    ) -> None:
        self._reader = reader
        self._written = written
        self._entry_of = entry_of
        self._judge = (fallback or DEFAULT_JUDGE) if written is None else None

    def get(self) -> JudgeSpec | None:
        """The judge; None where it is not usable, which the reader's findings tell."""
        if self._judge is None and self._written is not None:
            written, self._written = self._written, None
            model = quiet(_JUDGE, written)
            entry = (
                self._entry_of(model.provider) if model is not None and model.provider != "human" else None
            )
            self._judge = self._reader.read(written, entry)
        return self._judge
