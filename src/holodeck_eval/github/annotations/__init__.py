"""Annotations: what is wrong with a run, shown on the lines of the agent YAML and of the transcripts."""

from holodeck_eval.github.annotations.annotation import Annotation
from holodeck_eval.github.annotations.telling import annotations

__all__ = ["Annotation", "annotations"]
