"""Writes a step's outputs and its summary into the files the runner names."""

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

SUMMARY_LIMIT = 1_048_576
"""Bytes of one step's summary; GitHub drops a longer one whole."""


def render_outputs(
    values: Mapping[str, str], token: Callable[[], str] = lambda: secrets.token_hex(16)
) -> str:
    """The lines that set these outputs, each as a heredoc under a random delimiter.

    Args:
        values: output names and texts; a text may hold anything, line ends too.
        token: makes the random part of a delimiter, anew until the text does not hold it.
    """
    return "".join(_heredoc(name, value, token) for name, value in values.items())


def write_outputs(path: Path, values: Mapping[str, str]) -> None:
    """Append these outputs to the runner's file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(render_outputs(values))


def append_summary(path: Path, text: str) -> None:
    """Append a Markdown text to the step's summary, unless the whole would be over GitHub's limit."""
    data = text.encode("utf-8") + b"\n"
    taken = path.stat().st_size if path.exists() else 0
    if taken + len(data) > SUMMARY_LIMIT:
        data = b"The summary does not fit here; it is in the report folder.\n"
    with path.open("ab") as file:
        file.write(data)


def _heredoc(name: str, value: str, token: Callable[[], str]) -> str:
    text = value.encode("utf-8", "replace").decode("utf-8")
    delimiter = f"ghadelimiter_{token()}"
    while delimiter in text:
        delimiter = f"ghadelimiter_{token()}"
    return f"{name}<<{delimiter}\n{text}\n{delimiter}\n"
