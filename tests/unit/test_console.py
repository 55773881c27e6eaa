import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.console import Console
from holodeck_eval.errors import Place, Problem
from holodeck_eval.github.commands import fence
from tests.fakes.compared_runs import worse_run
from tests.fakes.runner_log import Command, RunnerLog
from tests.fakes.runs import build_case, build_run, error_run


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Pipe(io.StringIO):
    """A buffered stream to a reader that both streams share: what was written arrives when it is flushed."""

    def __init__(self, arrived: list[str]) -> None:
        super().__init__()
        self.arrived = arrived

    def flush(self) -> None:
        self.arrived.append(self.getvalue())
        self.seek(0)
        self.truncate()


FENCE = fence("0123456789abcdef")
STOP = Command("stop-commands", FENCE.token)
FORGED = "::set-output name=status::passed"


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


def test_within_a_fence_all_goes_to_stdout_and_the_fence_is_closed_behind_it() -> None:
    screen = console()
    with screen.fenced(FENCE):
        screen.note("a note")
        screen.problem("a problem")
        screen.say("the verdict")
    assert shown(screen.out) == (
        "::stop-commands::0123456789abcdef\na note\nerror: a problem\nthe verdict\n\n::0123456789abcdef::\n"
    )
    assert shown(screen.err) == ""
    screen.note("after")
    assert shown(screen.err) == "after\n"


def test_masks_stand_before_the_fence_and_other_commands_wait_until_it_is_closed() -> None:
    screen = console()
    with screen.fenced(FENCE, ["::add-mask::0123456789"]):
        screen.command("::error::one", "::warning::two")
        screen.say("the key is 0123456789")
    screen.command("::notice::three")
    log = RunnerLog().read(shown(screen.out))
    assert log.obeyed == [
        Command("add-mask", "0123456789"),
        STOP,
        Command("error", "one"),
        Command("warning", "two"),
        Command("notice", "three"),
    ]
    assert log.shown == ["the key is ***", "", "::***::"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_passes_a_fence_and_leaves_it_closed(error: type[BaseException]) -> None:
    screen = console()

    def broken() -> None:
        with screen.fenced(FENCE):
            screen.command("::error::one")
            raise error

    with pytest.raises(error):
        broken()
    log = RunnerLog().read(shown(screen.out))
    assert (log.obeyed, log.stopped_by) == ([STOP, Command("error", "one")], None)
    assert screen.err is not screen.out


def test_what_others_print_on_either_stream_is_fenced_too() -> None:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        with Console.of_process(frozenset()).fenced(FENCE):
            sys.stdout.write(f"{FORGED}\n")
            sys.stderr.write(f"{FORGED}\n")
        assert sys.stderr is err
    log = RunnerLog().read(out.getvalue())
    assert (log.obeyed, [seen.name for seen in log.ignored]) == ([STOP], ["set-output"] * 2)
    assert err.getvalue() == ""


def test_a_line_that_was_not_ended_does_not_keep_a_fence_open() -> None:
    screen = console()
    with screen.fenced(FENCE):
        screen.raw("no end")
        screen.command("::debug::x")
    log = RunnerLog().read(shown(screen.out))
    assert (log.obeyed, log.stopped_by) == ([STOP, Command("debug", "x")], None)


def test_commands_are_broken_within_a_fence_as_elsewhere() -> None:
    screen = console()
    with screen.fenced(FENCE):
        screen.say("##[error]x")
        screen.say(FORGED)
    assert RunnerLog().read(shown(screen.out)).ignored == []


def test_both_streams_arrive_in_the_order_in_which_they_were_written() -> None:
    arrived: list[str] = []
    screen = Console(out=Pipe(arrived), err=Pipe(arrived))
    screen.err.write("a warning of Python's\n")
    with screen.fenced(FENCE, ["::add-mask::0123456789"]):
        screen.say("one")
        screen.note("two")
    screen.command("::debug::three")
    assert "".join(arrived).split() == [
        *("a", "warning", "of", "Python's", "::add-mask::0123456789", FENCE.opening),
        *("one", "two", FENCE.closing, "::debug::three"),
    ]


def test_progress_within_a_fence_is_seen_at_once() -> None:
    arrived: list[str] = []
    times = iter([100.0, 111.0])
    screen = Console(out=Pipe(arrived), err=Pipe(arrived), clock=lambda: next(times))
    with screen.fenced(FENCE):
        screen.progress(1, 9)
        screen.progress(2, 9)
        assert arrived[-1] == "2 of 9 cases are judged\n"


@given(
    st.lists(st.text(max_size=8) | st.sampled_from(["\n", "\r", FORGED, "##[error]x"]), max_size=8).map(
        "".join
    )
)
def test_nothing_that_anybody_prints_within_a_fence_is_obeyed(text: str) -> None:
    screen = console()
    with screen.fenced(FENCE):
        screen.raw(text)
        sys.stderr.write(text)
        screen.say(text)
        screen.command("::debug::x")
    assert RunnerLog().read(shown(screen.out)).obeyed == [STOP, Command("debug", "x")]


def test_ten_failed_cases_are_named_and_the_others_counted() -> None:
    screen = console()
    screen.verdict(build_run(*(build_case(f"case-{number}", "failed") for number in range(12))), None)
    told = shown(screen.err).splitlines()
    assert [line.split(": ")[1] for line in told if ": case-" in line] == [
        f"case-{number}" for number in range(10)
    ]
    assert told[-1] == "failed: and 2 more cases"


def test_a_run_is_told_with_its_warnings_comparison_causes_and_folder() -> None:
    screen = console()
    screen.verdict(replace(worse_run(), warnings=("a threshold of 0 lets everything pass",)), "eval-report")
    told = shown(screen.err).splitlines()
    assert told[0] == "warning: a threshold of 0 lets everything pass"
    assert [line.split(":")[0] for line in told].count("compared") == 3
    assert "failed: 3 cases newly fail" in told
    assert told[-1] == "the reports are in eval-report"
    screen.verdict(error_run(), None)
    assert "error: agent.yaml:14:9: unknown key 'treshold'; did you mean 'threshold'?" in shown(screen.err)
