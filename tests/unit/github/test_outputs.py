from pathlib import Path

import pytest

from holodeck_eval.github.outputs import SUMMARY_LIMIT, append_summary, render_outputs, write_outputs


def read_as_runner(text: str) -> dict[str, str]:
    """Parses an output file the way the runner does, so that tests see what it would set."""
    outputs = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        name, delimiter = line.split("<<", 1)
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        outputs[name] = "\n".join(value)
    return outputs


def test_outputs_are_heredocs_that_the_runner_reads_back() -> None:
    values = {"status": "failed", "rating": "", "path": "a b/c.json"}
    assert read_as_runner(render_outputs(values)) == values


def test_a_value_that_forges_an_output_stays_one_value() -> None:
    hostile = "x\nstatus=passed\nstatus<<EOF\npassed\nEOF\nghadelimiter_1\npassed=true"
    assert read_as_runner(render_outputs({"reason": hostile})) == {"reason": hostile}


def test_a_delimiter_that_the_value_holds_is_not_used() -> None:
    tokens = iter(["guessed", "fresh"])
    text = render_outputs({"reason": "ghadelimiter_guessed\nstatus=passed"}, lambda: next(tokens))
    assert read_as_runner(text) == {"reason": "ghadelimiter_guessed\nstatus=passed"}
    assert text.startswith("reason<<ghadelimiter_fresh\n")


def test_delimiters_differ_between_outputs() -> None:
    lines = render_outputs({"a": "1", "b": "2"}).split("\n")
    assert lines[0].split("<<")[1] != lines[3].split("<<")[1]


def test_a_lone_surrogate_does_not_stop_the_writing(tmp_path: Path) -> None:
    write_outputs(tmp_path / "out", {"a": "\udcb2"})
    assert read_as_runner((tmp_path / "out").read_text(encoding="utf-8")) == {"a": "?"}


def test_outputs_are_appended(tmp_path: Path) -> None:
    write_outputs(tmp_path / "out", {"a": "1"})
    write_outputs(tmp_path / "out", {"b": "2"})
    assert read_as_runner((tmp_path / "out").read_text(encoding="utf-8")) == {"a": "1", "b": "2"}


def test_the_summary_is_appended(tmp_path: Path) -> None:
    append_summary(tmp_path / "s", "# one")
    append_summary(tmp_path / "s", "# two")
    assert (tmp_path / "s").read_text(encoding="utf-8") == "# one\n# two\n"


@pytest.mark.parametrize("already", [0, 100])
def test_a_summary_over_the_limit_is_replaced_by_a_note(tmp_path: Path, already: int) -> None:
    (tmp_path / "s").write_text("x" * already, encoding="utf-8")
    append_summary(tmp_path / "s", "é" * (SUMMARY_LIMIT // 2 - already // 2))
    text = (tmp_path / "s").read_text(encoding="utf-8")
    assert text == "x" * already + "The summary does not fit here; it is in the report folder.\n"
