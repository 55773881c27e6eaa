import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.domain.text import log_line
from holodeck_eval.github.commands import MESSAGE_LIMIT, Fence, add_mask, command, fence
from tests.fakes.runner_log import KNOWN, Command, RunnerLog

ATTACKS = (
    "\n::error::x",
    "##[set-output name=status]passed",
    "::",
    "%0A",
    "%",
    ",title=x",
    "=",
    "\r",
    "]",
    " ",
)
HOSTILE = st.lists(st.text(max_size=10) | st.sampled_from(ATTACKS), max_size=8).map("".join)


def read(line: str) -> list[Command]:
    return RunnerLog().read(line + "\n").obeyed


def test_a_command_holds_its_message_and_properties() -> None:
    assert (
        command("error", "50% is too low:\n  see a, b", file="a,b:c.yaml", line=3, title="bad")
        == "::error file=a%2Cb%3Ac.yaml,line=3,title=bad::50%25 is too low:%0A  see a, b"
    )


def test_a_percent_sign_is_escaped_first() -> None:
    assert read(command("error", "%0A %25 %2C", title="%3A %0D")) == [
        Command("error", "%0A %25 %2C", {"title": "%3A %0D"})
    ]


def test_properties_that_say_nothing_are_left_out() -> None:
    assert command("notice", "x", file=None, title="") == "::notice::x"
    assert command("notice", "x", file=None, line=0) == "::notice line=0::x"


def test_control_characters_and_halves_of_pairs_become_spaces() -> None:
    assert command("error", "a\x1b[31m\x00b\ud83dc\u202ed\u2028e", title="\x07t") == (
        "::error title= t::a [31m b c d e"
    )


def test_no_command_of_the_old_spelling_is_left_in_it() -> None:
    assert command("error", "##[set-output name=a]b", title="##[group]") == (
        "::error title=## [group]::## [set-output name=a]b"
    )


def test_a_message_that_could_be_one_with_the_colons_before_it_is_kept_apart() -> None:
    assert command("error", "\u0301x") == "::error:: \u0301x"


def test_a_message_is_cut_as_the_runner_counts() -> None:
    assert read(command("error", "%" * MESSAGE_LIMIT))[0].data == "%" * MESSAGE_LIMIT
    assert read(command("error", "%" * (MESSAGE_LIMIT + 1)))[0].data == "%" * (MESSAGE_LIMIT - 1) + "…"


def test_no_character_is_torn_where_a_message_is_cut() -> None:
    data = RunnerLog().read(command("error", "x" + "😀" * 3000)).annotations[0].data
    assert data == "x" + "😀" * 2047 + "…"


@given(HOSTILE, HOSTILE)
def test_whatever_it_holds_it_is_one_command_with_its_own_properties(message: str, title: str) -> None:
    line = command("warning", message, line=7, title=f"t{title}t")
    assert re.split("[\r\n]", line) == [line]
    (seen,) = read(line)
    assert (seen.name, seen.properties.keys()) == ("warning", {"line", "title"})
    assert seen.properties["line"] == "7"
    assert seen.data.count("\n") == message.count("\n")


def test_each_line_of_a_secret_is_masked() -> None:
    assert list(add_mask("-----BEGIN KEY-----\r\n  100%secret\nshort\n\n")) == [
        "::add-mask::-----BEGIN KEY-----",
        "::add-mask::100%25secret",
    ]


def test_a_secret_too_short_to_be_one_is_not_masked() -> None:
    assert list(add_mask("true")) == []


@given(st.text(st.characters(exclude_characters="#:"), min_size=1, max_size=40))
def test_a_mask_hides_the_secret_where_it_is_printed(secret: str) -> None:
    log = RunnerLog().read("".join(f"{line}\n" for line in add_mask(secret)))
    assert [seen.name for seen in log.obeyed] == ["add-mask"] * len(log.obeyed)
    assert all(seen.data in secret and len(seen.data) >= 8 for seen in log.obeyed)
    shown = RunnerLog(masks=log.masks).read(log_line(f"key: {secret}")).shown
    assert not [part for line in shown for part in re.split(r"\*\*\*|\s", line) if len(part) >= 8]


def test_a_fence_stops_commands_until_its_token() -> None:
    made = fence("0123456789abcdef")
    assert (made.opening, made.closing) == ("::stop-commands::0123456789abcdef", "::0123456789abcdef::")
    log = RunnerLog().read(f"{made.opening}\n::error::x\n{made.closing}\n::debug::y")
    assert [seen.name for seen in log.obeyed] == ["stop-commands", "debug"]


def test_every_fence_has_a_token_of_its_own() -> None:
    one, other = fence(), fence()
    assert one != other
    assert len(one.token) == 32


@pytest.mark.parametrize(
    "token", ["", "abc", "pause-logging", "0123456789ABCDEF", "0123456789abcde\n", "f" * 65]
)
def test_a_token_that_could_be_guessed_or_is_a_command_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="hexadecimal"):
        Fence(token)


def test_no_command_is_a_token() -> None:
    assert not [name for name in KNOWN if re.fullmatch("[0-9a-f]{16,64}", name)]
