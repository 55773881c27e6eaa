"""The JSON Schema of agent YAML, from the models that read it."""

from holodeck_eval.config.agent_model import AgentFile


def agent_schema() -> dict[str, object]:
    """The JSON Schema (2020-12) of what is read of an agent YAML; other top-level keys are HoloDeck's."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **AgentFile.model_json_schema()}
