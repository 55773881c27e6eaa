"""JUnit files read as the tools read them that people put behind this action, each with its own idea of one."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from xml.etree import ElementTree as ET

from junitparser import JUnitXml, TestCase, TestSuite
from lxml import etree

from tests.contract.junit_read import COUNTS, Read, Seen, Status
from tests.contract.node_readers import with_xml2js, with_xmljs

_MARKS: Final[Mapping[str, Status]] = {"error": "error", "failure": "failed", "skipped": "skipped"}
"""By how bad each is: of two marks in one test case, these readers go by the worse."""


def with_elementtree(text: str) -> Read:
    """The standard library's parser (expat), reading the suites under the root alone."""
    return _of_tree(ET.fromstring(text))  # noqa: S314 - a file of our own


def with_lxml(text: str) -> Read:
    """libxml2 as strict as EnricoMi's action and GitLab run it: no huge texts, no recovery."""
    parser = etree.XMLParser(huge_tree=False, recover=False, resolve_entities=False)
    return _of_tree(etree.fromstring(text.encode(), parser))


def with_junitparser(text: str) -> Read:
    """The library behind EnricoMi's action: suites of any depth, and the counts written in the file."""
    document = JUnitXml.fromstring(text.encode())
    suites = list(document) if isinstance(document, JUnitXml) else [document]
    return Read(
        counts={name: sum(getattr(suite, name) or 0 for suite in suites) for name in COUNTS},
        cases=tuple(_of_case(inner, case) for suite in suites for inner, case in _inside(suite)),
    )


def _of_tree(root: ET.Element) -> Read:
    cases = tuple(_of_element(suite, case) for suite in root for case in suite if case.tag == "testcase")
    return Read(counts=_counted(cases), cases=cases)


def _of_element(suite: ET.Element, case: ET.Element) -> Seen:
    mark = next((found for tag in _MARKS if (found := case.find(tag)) is not None), None)
    return Seen(
        suite=suite.get("name", ""),
        classname=case.get("classname", ""),
        name=case.get("name", ""),
        status=_MARKS[mark.tag] if mark is not None else "passed",
        message=mark.get("message", "") if mark is not None else "",
        text=(mark.text or "") if mark is not None else "",
        time=_number(case.get("time")),
        file=case.get("file"),
        line=int(case.get("line", "0")) or None,
    )


def _counted(cases: Iterable[Seen]) -> dict[str, int]:
    found = Counter(case.status for case in cases)
    return dict(zip(COUNTS, (found.total(), found["failed"], found["error"], found["skipped"]), strict=True))


def _inside(suite: TestSuite) -> Iterable[tuple[TestSuite, TestCase]]:
    for inner in suite.iterchildren(TestSuite):
        yield from _inside(inner)
    yield from ((suite, case) for case in suite.iterchildren(TestCase))


def _of_case(suite: TestSuite, case: TestCase) -> Seen:
    """The worst of what is in a case, its messages and its texts joined."""
    tag = next((tag for tag in _MARKS if any(result._tag == tag for result in case.result)), None)
    worst = [result for result in case.result if result._tag == tag]
    return Seen(
        suite=suite.name or "",
        classname=case.classname or "",
        name=case.name or "",
        status=_MARKS[tag] if tag else "passed",
        message="\n".join(result.message for result in worst if result.message),
        text="\n".join(result.text for result in worst if result.text),
        time=case.time,
        file=case._elem.get("file"),
        line=int(case._elem.get("line", "0")) or None,
    )


def _number(time: str | None) -> float | None:
    try:
        return float(time) if time is not None else None
    except ValueError:
        return None


READERS: Final[Mapping[str, Callable[[str], Read]]] = {
    "xml.etree": with_elementtree,
    "lxml": with_lxml,
    "junitparser": with_junitparser,
}
CONSUMERS: Final[Mapping[str, Callable[[str], Read]]] = {
    **READERS,
    "xml2js": with_xml2js,
    "xml-js": with_xmljs,
}
"""Every reader by the name of its library, as docs/junit.md lists them. The last two need node."""
