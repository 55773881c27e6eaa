"""From a written `model` to a judge: filled from `config.yaml`, variables put in, ready to be used."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from holodeck_eval.config.document import Section
from holodeck_eval.config.findings import Findings
from holodeck_eval.config.judge_model import JudgeModel, ProviderEntry
from holodeck_eval.config.problems import quiet
from holodeck_eval.config.substitution import KEYS, VARIABLE, refusal
from holodeck_eval.domain.agent import JudgeSpec, Provider, Secret
from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import Place

_JUDGE: Final = TypeAdapter(JudgeModel)
_ENTRY: Final = TypeAdapter(ProviderEntry)
_FIELDS: Final = ("name", "endpoint", "api_key", "api_version", "deployment_name")
_HUMAN_FIELDS: Final = ("endpoint", "api_key", "api_version", "deployment_name", "temperature")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReader:
    """Turns written judges into JudgeSpecs; what is wrong with one goes to `findings`.

    Temperature is 0.0 unless it is written: in the judge's own `model`, or for `evaluations.model` in
    the entry of `config.yaml` that fills it (with a warning, because judges should be steady).
    """

    environment: Environment
    allow_env: Collection[str]
    findings: Findings

    def read(self, section: Section, entry: Section | None = None) -> JudgeSpec | None:
        """The judge of a `model` section that is used.

        Args:
            section: the written `model`.
            entry: the provider of `config.yaml` that fills what is missing, where there is one.

        Returns:
            The judge, or None where it is not usable; then `findings` say why.
        """
        model = quiet(_JUDGE, section)
        if model is None:
            return None
        if model.provider == "human":
            return self._human(model, section)
        filling = quiet(_ENTRY, entry) if entry is not None else None
        if entry is not None and filling is None:
            return None
        texts = self._texts(model.provider, ((model, section), (filling, entry)))
        self._require(model.provider, texts, section)
        key = texts.get("api_key") or self._own_key(model.provider)
        return JudgeSpec(
            provider=model.provider,
            name=texts.get("name") or "",
            temperature=self._temperature(model, filling, entry),
            endpoint=texts.get("endpoint"),
            api_key=Secret(key) if key else None,
            api_version=texts.get("api_version"),
            deployment_name=texts.get("deployment_name"),
            place=section.place,
        )

    def _human(self, model: JudgeModel, section: Section) -> JudgeSpec:
        for key in _HUMAN_FIELDS:
            if section.child(key) is not None:
                self.findings.problem(
                    section.key_place(key), f"`{key}` means nothing for `provider: human`; remove it"
                )
        texts = self._texts("human", ((model, section),))
        self._require("human", texts, section)
        return JudgeSpec(provider="human", name=texts.get("name") or "", place=section.place)

    def _texts(
        self, provider: Provider, sources: Collection[tuple[ProviderEntry | None, Section | None]]
    ) -> Mapping[str, str | None]:
        """The texts of a judge by field, variables put in; the first source that has one wins."""
        texts: dict[str, str | None] = {}
        for model, section in sources:
            for field in _FIELDS if model is not None and section is not None else ():
                written = getattr(model, field)
                if written is not None and field not in texts and section is not None:
                    texts[field] = self._put_in(field, written, provider, section.locate((field,)))
        return texts

    def _put_in(self, field: str, text: str, provider: Provider, place: Place) -> str | None:
        """A text with its variables put in; None where one is missing or refused.

        A missing key is a warning only: recorded verdicts need none, and a judge that is called without
        one is told so then.
        """
        names = dict.fromkeys(VARIABLE.findall(text))
        if field == "api_key" and not names:
            self.findings.warn(place, "`api_key` is written out in the file; take it from the environment")
        values = {name: self._variable(field, name, provider, place) for name in names}
        if None in values.values():
            return None
        return VARIABLE.sub(lambda match: values[match[1]] or "", text)

    def _variable(self, field: str, name: str, provider: Provider, place: Place) -> str | None:
        refused = refusal(field, name, provider, self.allow_env)
        if refused is not None:
            self.findings.problem(place, refused)
            return None
        value = self.environment.get(name)
        if value is None and field == "api_key":
            self.findings.warn(place, f"`{name}` is not set, so this judge can only use recorded verdicts")
        elif value is None:
            self.findings.problem(
                place, f"the variable `{name}` is not set; set it, or write the {field} here"
            )
        return value

    def _require(self, provider: Provider, texts: Mapping[str, str | None], section: Section) -> None:
        for field in ("name", "endpoint") if provider == "azure_openai" else ("name",):
            if field not in texts:
                self.findings.problem(section.place, f"`{field}` is missing in a judge of {provider}")

    def _own_key(self, provider: Provider) -> str | None:
        return next((key for name in KEYS[provider] if (key := self.environment.get(name))), None)

    def _temperature(self, model: JudgeModel, filling: ProviderEntry | None, entry: Section | None) -> float:
        if model.temperature is not None:
            return model.temperature
        if filling is None or entry is None or not filling.temperature:
            return 0.0
        self.findings.warn(
            entry.locate(("temperature",)),
            f"the judge takes its temperature of {filling.temperature:g} from here; "
            "write `temperature: 0` in `evaluations.model` for steady scores",
        )
        return filling.temperature
