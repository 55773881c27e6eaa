"""Says what shapes an agent's behaviour, as the text that its transcripts carry."""

from pathlib import Path

from holodeck_eval.config import load_behaviour
from holodeck_eval.domain.digest import digest_of
from holodeck_eval.domain.options import Environment


def digest(path: Path, environment: Environment) -> str:
    """The digest of an agent, for `agent_digest` in the records made with it.

    Args:
        path: the agent YAML.
        environment: its `workspace` holds the files that are read inside.

    Raises:
        ConfigError: with the place of everything that keeps a part of the agent from being told.
    """
    return digest_of(load_behaviour(path, environment=environment))
