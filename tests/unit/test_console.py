import io

import pytest

from holodeck_eval.console import Console
from holodeck_eval.errors import Place, Problem


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def console(err: io.StringIO | None = None, **settings: object) -> Console:
    return Console(out=io.StringIO(), err=err or io.StringIO(), **settings)  # type: ignore[arg-type]


def shown(stream: object) -> str:
    assert isinstance(stream, io.StringIO)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("::error::x", ": :error::x"),
        ("  ::set-output name=status::passed", ": :set-output name=status::passed"),
        ("a\n::error::x", "a ::error::x"),
        ("x ##[set-output name=status]passed", "x ## [set-output name=status]passed"),
        ("red \x1b[31m text", "red  [31m text"),
        ("a\u2028b\u0085c", "a b c"),
    ],
)
def test_no_line_can_be_taken_for_a_command(hostile: str, harmless: str) -> None:
    screen = console()
    screen.say(hostile)
    assert shown(screen.out) == harmless + "\n"


def test_long_lines_are_cut() -> None:
    screen = console()
    screen.note("x" * 5000)
    assert len(shown(screen.err)) == 1001


def test_problems_are_shown_with_their_places_even_when_quiet() -> None:
    screen = console(quiet=True)
    screen.problems([Problem(message="no such key", place=Place(file="a.yaml", line=3, column=5))])
    screen.note("not shown")
    assert shown(screen.err) == "error: a.yaml:3:5: no such key\n"


def test_a_terminal_gets_a_bar_that_stays_in_its_line() -> None:
    screen = console(Terminal())
    screen.progress(1, 2)
    screen.progress(2, 2)
    assert shown(screen.err) == f"\r{'█' * 15}{'░' * 15} 1/2 cases\r{'█' * 30} 2/2 cases\n"


def test_elsewhere_progress_is_a_line_every_ten_seconds() -> None:
    times = iter([100.0, 105.0, 111.0, 112.0, 121.0])
    screen = console(clock=lambda: next(times))
    for done in (1, 2, 3, 4, 5):
        screen.progress(done, 9)
    assert shown(screen.err) == "3 of 9 cases are judged\n5 of 9 cases are judged\n"


def test_quiet_shows_no_progress() -> None:
    screen = console(Terminal(), quiet=True)
    screen.progress(1, 1)
    assert shown(screen.err) == ""
