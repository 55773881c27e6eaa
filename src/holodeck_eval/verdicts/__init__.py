"""Recorded verdicts: what a judge said once is kept in a file and not asked again."""

from holodeck_eval.verdicts.store import VerdictFile

__all__ = ["VerdictFile"]
