"""How annotations call things: names quoted, scores held against what they need."""

from typing import Final

from holodeck_eval.domain.comparison import Flip
from holodeck_eval.domain.findings import Finding
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.wording import quoted

REASON: Final = 400
"""Characters of a judge's reason, or of another text that was not written here."""

_NAME: Final = 60
_MOST_DIGITS: Final = 6


def named(name: str, agent: str, run: Run) -> str:
    """A case or metric, with its agent where the run has several."""
    several = len({one.name for one in run.agents} | {agent}) > 1
    return quoted(name, _NAME) + (f" of {quoted(agent, _NAME)}" if several else "")


def told(finding: Finding) -> str:
    """A finding as a line, key facts first."""
    turn = f"turn {finding.turn}: " if finding.turn else ""
    how = measured(finding.score, finding.threshold, finding.rating)
    subject = quoted(finding.subject, _NAME) if how else finding.subject
    what = " ".join(filter(None, (subject, how)))
    return turn + ": ".join(filter(None, (what, log_line(finding.reason, REASON))))


def since_baseline(flip: Flip) -> str:
    """What newly fails in a case, and by what that is known."""
    why = log_line(flip.why, REASON)
    if not flip.metric or flip.before is None or flip.now is None:
        return f"It newly fails: {why}"
    fell = f"{quoted(flip.metric, _NAME)} fell from {flip.before:.2f} to {flip.now:.2f}"
    return f"Since the baseline: {fell}; {why}"


def measured(score: float | None, threshold: float | None, rating: str | None) -> str:
    """What a metric gave and what it needed, or how it is rated; "" where there is no score."""
    if score is None:
        return ""
    if threshold is None:
        return f"rated {rating}, {score:.2f}" if rating else f"scored {score:.2f}"
    digits = 2
    while digits < _MOST_DIGITS and f"{score:.{digits}f}" == f"{threshold:.{digits}f}":
        digits += 1
    return f"scored {score:.{digits}f}, needs {threshold:.{digits}f}"
