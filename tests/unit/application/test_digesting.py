"""`holodeck-eval digest`: the digest of an agent's YAML."""

from pathlib import Path

import pytest

from holodeck_eval.application.digesting import digest
from holodeck_eval.domain.digest import parts_of
from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import ConfigError

AGENT = "name: lamp\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Be brief.}\n"


def test_an_agent_has_a_digest_that_its_records_can_carry(tmp_path: Path) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text(AGENT)
    assert parts_of(digest(path, Environment())) is not None


def test_what_cannot_be_told_refuses_the_digest_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text(AGENT.replace("{inline: Be brief.}", "{file: gone.md}"))
    with pytest.raises(ConfigError) as caught:
        digest(path, Environment())
    assert str(caught.value) == (
        f"{path}:3:22: `instructions.file` cannot be used: {tmp_path}/gone.md: there is no such file"
    )


def test_an_agent_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        digest(tmp_path / "agent.yaml", Environment())


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text(AGENT)
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "agent.yaml").symlink_to(tmp_path / "outside.yaml")
    with pytest.raises(ConfigError, match="leads out of the workspace"):
        digest(checkout / "agent.yaml", Environment(workspace=str(checkout)))
