"""The two readers that run in node: the XML parsers of dorny/test-reporter and mikepenz/action-junit-report."""

import atexit
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark.structures import ParameterSet

from tests.contract.junit_read import Read, RefusedError, Seen

FOLDER: Final = Path(__file__).parents[1] / "consumers"
PACKAGES: Final = ("xml2js", "xml-js")


def with_xml2js(text: str) -> Read:
    """The library of dorny/test-reporter, and what that makes of what it says."""
    return _read("xml2js", text)


def with_xmljs(text: str) -> Read:
    """The library of mikepenz/action-junit-report, and what that makes of what it says."""
    return _read("xml-js", text)


def missing(folder: Path = FOLDER, path: str | None = None) -> str | None:
    """Why neither can be asked here, as a sentence; None where both can.

    Args:
        folder: where the packages were installed.
        path: where node is looked for; None for the process's own PATH.
    """
    if shutil.which("node", path=path) is None:
        return "there is no node on this machine"
    absent = [name for name in PACKAGES if not (folder / "node_modules" / name).is_dir()]
    return (
        f"run npm ci --ignore-scripts --prefix tests/consumers: {', '.join(absent)} missing"
        if absent
        else None
    )


def must_run(ci: str | None) -> bool:
    """Whether what is missing fails the tests, which are skipped elsewhere: always in CI."""
    return (ci or "").strip().lower() not in {"", "0", "false"}


def parameter(name: str) -> ParameterSet:
    """A reader's name for `pytest.mark.parametrize`: skipped where it needs node and there is none, but not in CI."""
    why = missing() if name in PACKAGES else None
    skipped = why is not None and not must_run(os.environ.get("CI"))  # noqa: TID251 - where CI says so
    return pytest.param(name, marks=pytest.mark.skipif(skipped, reason=why or ""))


def _read(library: str, text: str) -> Read:
    node = _node()
    assert node.stdin is not None
    assert node.stdout is not None
    node.stdin.write(json.dumps({"library": library, "text": text}) + "\n")
    node.stdin.flush()
    answer = json.loads(node.stdout.readline())
    if "refused" in answer:
        raise RefusedError(answer["refused"])
    read = answer["read"]
    return Read(
        counts=read["counts"],
        cases=tuple(Seen(**{"classname": "", "name": ""} | case) for case in read["cases"]),
    )


@cache
def _node() -> subprocess.Popen[str]:
    """One process for all files, ended with this one; it holds nothing from one file to the next."""
    if why := missing():
        raise FileNotFoundError(why)
    node = subprocess.Popen(  # noqa: S603 - our own script
        [shutil.which("node") or "node", FOLDER / "main.js"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    atexit.register(_end, node)
    return node


def _end(node: subprocess.Popen[str]) -> None:
    with node:  # closes its input, at which it ends
        pass
