"""JUnit files read by several parsers, each with its own idea of what it refuses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from junitparser import JUnitXml
from lxml import etree

Counts = dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A file as one parser sees it: its counts, and suite and name of every test case."""

    counts: Counts
    names: tuple[tuple[str, str], ...]


def with_elementtree(text: str) -> Read:
    """The standard library's parser (expat)."""
    root = ET.fromstring(text)  # noqa: S314 - a file of our own
    cases = [case for suite in root for case in suite]
    return Read(
        counts={
            "tests": len(cases),
            "failures": len(root.findall(".//failure")),
            "errors": len(root.findall(".//error")),
            "skipped": len(root.findall(".//skipped")),
        },
        names=tuple((case.get("classname", ""), case.get("name", "")) for case in cases),
    )


def with_lxml(text: str) -> Read:
    """libxml2 as strict as EnricoMi's action and GitLab run it: no huge texts, no recovery."""
    root = etree.fromstring(
        text.encode(), etree.XMLParser(huge_tree=False, recover=False, resolve_entities=False)
    )
    cases = root.xpath("/testsuites/testsuite/testcase")
    return Read(
        counts={
            "tests": len(cases),
            "failures": len(root.xpath("//failure")),
            "errors": len(root.xpath("//error")),
            "skipped": len(root.xpath("//skipped")),
        },
        names=tuple((case.get("classname"), case.get("name")) for case in cases),
    )


def with_junitparser(text: str) -> Read:
    """The library behind EnricoMi's action, by the counts written in the file."""
    document = JUnitXml.fromstring(text.encode())
    return Read(
        counts={name: getattr(document, name) for name in ("tests", "failures", "errors", "skipped")},
        names=tuple((case.classname, case.name) for suite in document for case in suite),
    )


READERS: Final[Mapping[str, Callable[[str], Read]]] = {
    "xml.etree": with_elementtree,
    "lxml": with_lxml,
    "junitparser": with_junitparser,
}
