"""Agent YAML and policy files, read into the domain's words. What can be written: `metrics.FAMILIES`."""

from holodeck_eval.config.agent import load_agent
from holodeck_eval.config.behaviour import load_behaviour
from holodeck_eval.config.overrides import MetricOverride
from holodeck_eval.config.policy import PolicyFile, load_policy
from holodeck_eval.config.schema import agent_schema

__all__ = ["MetricOverride", "PolicyFile", "agent_schema", "load_agent", "load_behaviour", "load_policy"]
