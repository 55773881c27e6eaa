"""The readers of JUnit files break where the tools do that they stand for, so that agreeing with them says something."""

from pathlib import Path
from xml.etree.ElementTree import ParseError

import pytest
from lxml.etree import XMLSyntaxError

from tests.contract.junit_dialects import DIALECTS, REFUSED
from tests.contract.junit_read import Read, RefusedError, Seen
from tests.contract.junit_readers import CONSUMERS
from tests.contract.node_readers import PACKAGES, missing, must_run, parameter

REFUSALS = (ParseError, XMLSyntaxError, RefusedError)
EVERY_CONSUMER = pytest.mark.parametrize("consumer", [parameter(name) for name in CONSUMERS])
HARMLESS = (
    "<testsuites><testsuite name='s' tests='4' failures='1' errors='1' skipped='1'>"
    "<testcase classname='c' name='1' time='0.5' file='f' line='7'/>"
    "<testcase classname='c' name='2' time='1'><failure message='m' type='x'>t</failure></testcase>"
    "<testcase classname='c' name='3' time='1'><error message='m'>t &lt; <![CDATA[u]]></error></testcase>"
    "<testcase classname='c' name='4' time='1'><skipped message='m'>t</skipped></testcase>"
    "</testsuite></testsuites>"
)


@EVERY_CONSUMER
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_consumer_breaks_where_it_is_known_to(dialect: str, consumer: str) -> None:
    written = DIALECTS[dialect]
    try:
        found = written.shown(CONSUMERS[consumer](written.text))
    except REFUSALS:
        found = REFUSED
    assert found == written.seen[list(CONSUMERS).index(consumer)]


@EVERY_CONSUMER
def test_every_consumer_reads_a_harmless_file(consumer: str) -> None:
    read = CONSUMERS[consumer](HARMLESS)
    text = {"xml-js": "u"}.get(consumer, "t < u")  # CDATA comes first there
    file, line = {"xml2js": (None, None)}.get(consumer, ("f", 7))
    assert read == Read(
        counts={"tests": 4, "failures": 1, "errors": 1, "skipped": 1},
        cases=(
            Seen(suite="s", classname="c", name="1", status="passed", time=0.5, file=file, line=line),
            Seen(suite="s", classname="c", name="2", status="failed", message="m", text="t", time=1),
            Seen(suite="s", classname="c", name="3", status="error", message="m", text=text, time=1),
            Seen(suite="s", classname="c", name="4", status="skipped", message="m", text="t", time=1),
        ),
    )
    assert not read.green


@pytest.mark.parametrize(
    ("counts", "green"), [((1, 0, 0, 1), True), ((2, 1, 0, 0), False), ((2, 0, 1, 0), False)]
)
def test_green_is_what_has_neither_a_failure_nor_an_error(counts: tuple[int, ...], *, green: bool) -> None:
    named = dict(zip(("tests", "failures", "errors", "skipped"), counts, strict=True))
    assert Read(counts=named, cases=()).green is green


def test_without_node_or_its_packages_the_reason_is_told(tmp_path: Path) -> None:
    assert missing(path=str(tmp_path)) == "there is no node on this machine"
    node = tmp_path / "node"
    node.touch(0o755)
    for name in PACKAGES:
        why = missing(folder=tmp_path, path=str(tmp_path))
        assert why is not None
        assert why.startswith("run npm ci --ignore-scripts --prefix tests/consumers: ")
        (tmp_path / "node_modules" / name).mkdir(parents=True)
    assert missing(folder=tmp_path, path=str(tmp_path)) is None


@pytest.mark.parametrize(
    ("ci", "must"), [(None, False), ("", False), ("false", False), ("0", False), ("true", True), ("1", True)]
)
def test_what_is_missing_is_passed_over_anywhere_but_in_ci(ci: str | None, *, must: bool) -> None:
    assert must_run(ci) is must
