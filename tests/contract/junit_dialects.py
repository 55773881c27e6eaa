"""Files that some tool does not take, or takes for another, each with what every consumer makes of it.

Ours is none of them. They are here so that the readers of tests/contract/junit_readers.py can be seen to break.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

REFUSED: Final = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A way to write JUnit files.

    Attributes:
        text: a file of one or two test cases.
        seen: by consumer, what it makes of them: their statuses, "-" for none, or "refused".
    """

    text: str
    seen: Mapping[str, str]


def suites(inside: str, attributes: str = "name='s' tests='1'") -> str:
    """A file of one suite."""
    return f"<testsuites><testsuite {attributes}>{inside}</testsuite></testsuites>"


def case(inside: str = "", attributes: str = "classname='c' name='n' time='1'") -> str:
    """A test case."""
    return f"<testcase {attributes}>{inside}</testcase>"


FAILURE: Final = "<failure message='m'>t</failure>"
ERROR: Final = "<error message='m'>t</error>"
FAILED: Final = case(FAILURE)


def seen(etree: str, lxml: str, junitparser: str, xml2js: str, xmljs: str) -> Mapping[str, str]:
    """What the five consumers make of a file, in the order of `CONSUMERS`."""
    return {"xml.etree": etree, "lxml": lxml, "junitparser": junitparser, "xml2js": xml2js, "xml-js": xmljs}


DIALECTS = {
    "ESC as it is": suites(case("<failure>\x1b[31m</failure>")),
    "NUL as it is": suites(case("<failure>\0</failure>")),
    "U+FFFE as it is": suites(case("<failure>\ufffe</failure>")),
    "ESC as &#27;": suites(case("<failure>&#27;[31m</failure>")),
    "a DOCTYPE with an entity": f"<!DOCTYPE x [<!ENTITY e 'v'>]>{suites(case('<failure>&e;</failure>'))}",
    "a text of 11 MB": suites(case(f"<failure>{'x' * 11_000_000}</failure>")),
    "a suite in a suite": suites(f"<testsuite name='i' tests='1'>{FAILED}</testsuite>"),
    "a suite without a name": suites(FAILED, "tests='1'"),
    "a case without a name": suites(case(FAILURE, "classname='c'")),
    "a suite alone": f"<testsuite name='s' tests='1'>{FAILED}</testsuite>",
    "failure and error": suites(case(FAILURE + ERROR)),
    "failure and skipped": suites(case(FAILURE + "<skipped/>")),
    "a failure of the suite": suites(FAILURE + case()),
    "no test": suites(""),
    "an empty file": "",
}
