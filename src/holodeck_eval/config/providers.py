"""The `providers` of the `config.yaml` beside an agent; nothing else of that file is read."""

from pathlib import Path
from typing import Final

from holodeck_eval.config.document import Section
from holodeck_eval.config.files import beside, leaves_workspace, read_document
from holodeck_eval.config.findings import Findings
from holodeck_eval.config.judge_model import ProviderEntry
from holodeck_eval.config.problems import check
from holodeck_eval.errors import ConfigError, Place

NAMES: Final = ("config.yml", "config.yaml")
"""In HoloDeck's order: the first that exists is read."""


def provider_entry(
    agent: Path, shown_as: str, provider: str, workspace: str | None, findings: Findings
) -> Section | None:
    """The entry that fills a model of a provider, as HoloDeck finds it: by its key, else by its `provider`.

    Args:
        agent: the agent YAML the file lies beside.
        shown_as: the agent's name in messages.
        provider: the model's provider.
        workspace: the checkout in the action, which the file must not lead out of.
        findings: where problems of the file and the entry are noted.
    """
    name = next((name for name in NAMES if (agent.parent / name).exists()), None)
    if name is None:
        return None
    path, shown = agent.parent / name, beside(shown_as, name)
    if leaves_workspace(path, home=agent.parent, workspace=workspace):
        findings.problem(Place(file=shown), "this is a link that leads out of the workspace; remove it")
        return None
    own = Findings()
    try:
        root = read_document(path, shown_as=shown, findings=own, may_be_empty=True)
    except ConfigError as error:
        findings.absorb(error)
        return None
    entry = _entry(root, provider, own)
    if entry is not None:
        check(ProviderEntry, entry, own)
    findings.include(own)
    return entry


def _entry(root: Section, provider: str, findings: Findings) -> Section | None:
    providers = root.child("providers")
    if providers is None:
        return None
    if not isinstance(providers.value, dict):
        findings.problem(providers.place, "`providers` must be a mapping of names to providers")
        return None
    by_key = providers.child(provider)
    if by_key is not None:
        return by_key
    for key, value in providers.value.items():
        if isinstance(value, dict) and value.get("provider") == provider:
            return providers.child(key)
    return None
