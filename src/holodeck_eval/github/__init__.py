"""What the action says to GitHub: step outputs and the step's summary."""

from holodeck_eval.github.outputs import append_summary, write_outputs

__all__ = ["append_summary", "write_outputs"]
