"""Names in the options and the configuration to the objects of a run; all that is wrong, at once."""

from holodeck_eval.assemble.plan import Plan, assemble

__all__ = ["Plan", "assemble"]
