"""Ways to write JUnit files that some tool refuses or takes for something else, with what each consumer makes of them.

Ours is none of them. They show that the readers of tests/contract/junit_readers.py can be seen to break.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.contract.junit_read import Read

REFUSED: Final = "refused"


def statuses(read: Read) -> str:
    """What became of the test cases."""
    return ", ".join(case.status for case in read.cases) or "no test"


def counts(read: Read) -> str:
    """What it says of the file as a whole."""
    return "{tests} tests, {failures} failures".format(**read.counts)


def message(read: Read) -> str:
    """The first case's message."""
    return " / ".join(read.cases[0].message.split("\n")) or "none"


def time(read: Read) -> str:
    """The first case's time."""
    seconds = read.cases[0].time
    return f"{seconds:g} s" if seconds is not None else "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A way to write JUnit files.

    Attributes:
        text: a file of one test case, or of none.
        seen: what every consumer makes of it, in the order of `CONSUMERS`; "refused" where it takes no such file.
        shown: what of it is told apart here.
    """

    text: str
    seen: tuple[str, str, str, str, str]
    shown: Callable[[Read], str] = statuses


def _suites(inside: str, attributes: str = "name='s' tests='1'") -> str:
    return f"<testsuites><testsuite {attributes}>{inside}</testsuite></testsuites>"


def _case(inside: str = "", attributes: str = "classname='c' name='n' time='1'") -> str:
    return f"<testcase {attributes}>{inside}</testcase>"


_FAILURE: Final = "<failure message='m'>t</failure>"
_FAILED: Final = _case(_FAILURE)
_NAMED: Final = "classname='c' name='n'"

DIALECTS: Final[Mapping[str, Dialect]] = {
    "ESC as it is": Dialect(
        text=_suites(_case("<failure>\x1b[31m</failure>")),
        seen=(REFUSED, REFUSED, REFUSED, "failed", "failed"),
    ),
    "NUL as it is": Dialect(
        text=_suites(_case("<failure>\0</failure>")),
        seen=(REFUSED, REFUSED, REFUSED, "failed", "failed"),
    ),
    "U+FFFE as it is": Dialect(
        text=_suites(_case("<failure>\ufffe</failure>")),
        seen=(REFUSED, REFUSED, REFUSED, "failed", "failed"),
    ),
    "ESC as `&#27;`": Dialect(
        text=_suites(_case("<failure>&#27;[31m</failure>")),
        seen=(REFUSED, REFUSED, REFUSED, REFUSED, REFUSED),
    ),
    "a DOCTYPE with an entity": Dialect(
        text=f"<!DOCTYPE x [<!ENTITY e 'v'>]>{_suites(_case('<failure>&e;</failure>'))}",
        seen=("failed", "failed", "failed", REFUSED, REFUSED),
    ),
    "a text of 11 MB": Dialect(
        text=_suites(_case(f"<failure>{'x' * 11_000_000}</failure>")),
        seen=("failed", REFUSED, REFUSED, "failed", "failed"),
    ),
    "a suite in a suite": Dialect(
        text=_suites(f"<testsuite name='i' tests='1'>{_FAILED}</testsuite>"),
        seen=("no test", "no test", "failed", "no test", "failed"),
    ),
    "a suite as the root": Dialect(
        text=f"<testsuite name='s' tests='1'>{_FAILED}</testsuite>",
        seen=("no test", "no test", "failed", "failed", "failed"),
    ),
    "a suite without a name": Dialect(
        text=_suites(_FAILED, "tests='1'"),
        seen=("failed", "failed", "failed", REFUSED, "failed"),
    ),
    "a case without a name": Dialect(
        text=_suites(_case(_FAILURE, "classname='c'")),
        seen=("failed", "failed", "failed", REFUSED, "failed"),
    ),
    "a failure and an error in a case": Dialect(
        text=_suites(_case(_FAILURE + "<error message='e'>t</error>")),
        seen=("error", "error", "error", "failed", "failed"),
    ),
    "a failure and a skip in a case": Dialect(
        text=_suites(_case(_FAILURE + "<skipped/>")),
        seen=("failed", "failed", "failed", "failed", "skipped"),
    ),
    "two failures, `m` and `n`: the message": Dialect(
        text=_suites(_case(_FAILURE + "<failure message='n'>u</failure>")),
        seen=("m", "m", "m / n", "m", "m"),
        shown=message,
    ),
    "a failure with but a text, `t`, `u`, `v`: the message": Dialect(
        text=_suites(_case("<failure>t\nu\nv</failure>")),
        seen=("none", "none", "none", "none", "t / u"),
        shown=message,
    ),
    "a failure of a suite": Dialect(
        text=_suites(_FAILURE + _case()),
        seen=("passed", "passed", "passed", "passed", "passed"),
    ),
    "counts that are not those of the cases: the counts": Dialect(
        text=_suites(_FAILED, "name='s' tests='7' failures='0'"),
        seen=(
            "1 tests, 1 failures",
            "1 tests, 1 failures",
            "7 tests, 0 failures",
            "1 tests, 1 failures",
            "1 tests, 1 failures",
        ),
        shown=counts,
    ),
    '`time="1,234.5"`: the time': Dialect(
        text=_suites(_case("", f"{_NAMED} time='1,234.5'")),
        seen=("none", "none", "1234.5 s", "1 s", "1 s"),
        shown=time,
    ),
    "no `time`: the time": Dialect(
        text=_suites(_case("", _NAMED)),
        seen=("none", "none", "none", "none", "none"),
        shown=time,
    ),
    "no test": Dialect(
        text=_suites("", "name='s'"),
        seen=("no test", "no test", "no test", "no test", "no test"),
    ),
    "an empty file": Dialect(
        text="",
        seen=(REFUSED, REFUSED, REFUSED, REFUSED, "no test"),
    ),
}
