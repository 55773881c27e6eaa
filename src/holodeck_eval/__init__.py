"""Gate a merge on recorded agent transcripts: judge, aggregate, decide, report."""

__version__ = "0.1.0"
