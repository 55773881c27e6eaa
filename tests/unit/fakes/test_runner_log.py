import pytest

from tests.fakes.runner_log import Command, RunnerLog


def obeyed(output: str) -> list[Command]:
    return RunnerLog().read(output).obeyed


@pytest.mark.parametrize(
    "line",
    [
        "::set-output name=status::passed",
        " \t\u3000::set-output name=status::passed",
        "::SET-OUTPUT name=status::passed",
        "::set-output name=status,,=,novalue=::passed",
        "##[set-output name=status]passed",
        "any text ##[set-output name=status]passed",
        "::nonsense::##[set-output name=status]passed",
    ],
)
def test_a_command_is_obeyed_in_either_spelling(line: str) -> None:
    assert obeyed(line) == [Command("set-output", "passed", {"name": "status"})]


@pytest.mark.parametrize(
    "line",
    [
        "x::error::y",
        "::error",
        ":: error::y",
        ": :error::y",
        "::nonsense::y",
        "## [error]y",
        "##[error",
        "##[nonsense]y",
        "##[x] ##[error]y",
        "",
    ],
)
def test_other_lines_are_shown(line: str) -> None:
    log = RunnerLog().read(line + "\n")
    assert (log.obeyed, log.shown) == ([], [line])


def test_escapes_are_undone() -> None:
    assert obeyed("::error file=a%2Cb%3Ac%25.yaml,title=x%0Ay::one%0D%0Atwo %253A") == [
        Command("error", "one\r\ntwo %3A", {"file": "a,b:c%.yaml", "title": "x\ny"})
    ]
    assert obeyed("##[error title=a%3Bb%5D]x%0Ay") == [Command("error", "x\ny", {"title": "a;b]"})]


def test_a_line_ends_where_a_reader_of_lines_ends_it() -> None:
    assert [command.data for command in obeyed("x\r::debug::a\r\n::debug::b\x0b::debug::c\n")] == [
        "a",
        "b\x0b::debug::c",
    ]


def test_nothing_is_obeyed_between_a_stop_and_its_token_in_either_spelling() -> None:
    log = RunnerLog().read(
        "::stop-commands::Secret1\n::error::a\nx ##[error]b\n::stop-commands::c\n::secret2::\n::SECRET1::\n::error::d\n"
    )
    assert log.obeyed == [Command("stop-commands", "Secret1"), Command("error", "d")]
    assert [command.data for command in log.ignored] == ["a", "b", "c"]
    assert log.shown == ["::error::a", "x ##[error]b", "::stop-commands::c", "::secret2::", "::***::"]


def test_the_token_ends_a_stop_in_the_old_spelling_too() -> None:
    assert obeyed("::stop-commands::secret1\nx ##[secret1]\n::debug::a")[1:] == [Command("debug", "a")]


def test_what_is_masked_is_shown_as_stars_from_then_on() -> None:
    assert RunnerLog().read("my key\n::add-mask::key\nmy key").shown == ["my key", "my ***"]


def test_ten_annotations_of_a_level_are_kept_and_none_that_is_empty() -> None:
    log = RunnerLog().read("::error:: \n" + "::error::e\n" * 12 + "::notice::n\n" + "::warning::w\n" * 3)
    assert [command.name for command in log.annotations] == ["error"] * 10 + ["warning"] * 3 + ["notice"]


def test_a_long_message_is_cut_by_its_utf_16_units() -> None:
    assert RunnerLog().read(f"::error::{'😀' * 3000}").annotations[0].data == "😀" * 2048
