"""Report folders of earlier runs, as they lie on disk."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.run import Run
from holodeck_eval.reports.cases import render_case
from holodeck_eval.reports.results import render
from tests.fakes.runs import AGENT


def turn_of(case_id: str, index: int = 0, **fields: Any) -> Turn:
    """The turn that a case of `build_case` shows."""
    shown: dict[str, Any] = {
        "input": "How long can I return a laptop?",
        "actual_output": "You have 60 days.",
        "expected_output": "30 days after delivery.",
    }
    return Turn(case_id=case_id, index=index, **shown | fields)


def line_of(case_id: str, *turns: Turn, agent: str = AGENT, digest: str = "0" * 64) -> str:
    """The line of cases.jsonl for a case; without turns the one that `build_case` shows."""
    turns = turns or (turn_of(case_id),)
    return render_case(Case(id=case_id, agent=agent, name=None, turns=turns, digest=digest))


def saved(folder: Path, run: Run, lines: Sequence[str] = ()) -> Path:
    """A report folder of a run, with cases.jsonl where there are lines for it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(render(run), encoding="utf-8")
    if lines:
        (folder / "cases.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder
