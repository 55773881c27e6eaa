"""Why a turn cannot be held against an expected text."""

from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.outcome import SkipCause, Skipped
from holodeck_eval.evaluators.inputs import how_to_record


def lacking(turn: Turn) -> Skipped:
    """The outcome for a turn without an answer or without an expected output.

    In a case of several turns not every turn has an expected output.
    """
    if turn.actual_output is None:
        return Skipped(cause="no_answer", reason=turn.no_answer or "the agent gave no answer")
    cause: SkipCause = "not_applicable" if turn.several else "missing_input"
    return Skipped(cause=cause, reason=how_to_record(("expected_output",)))
