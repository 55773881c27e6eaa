"""The files of an agent: its YAML, and the test cases that lie in another file."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from holodeck_eval.config.agent_model import TestCasesFile
from holodeck_eval.config.document import Section, Spot
from holodeck_eval.config.files import beside, leaves_workspace, read_document, refuse_link
from holodeck_eval.config.findings import Findings, quoted
from holodeck_eval.config.problems import check
from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import ConfigError

_LONGEST_NAME: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSource:
    """The agent's file, and the files it names."""

    path: Path
    shown_as: str
    environment: Environment
    findings: Findings

    def read_root(self) -> Section:
        """The agent YAML's root, which is a mapping.

        Raises:
            ConfigError: where it cannot be read, or is none.
        """
        refuse_link(self.path, shown_as=self.shown_as, workspace=self.environment.workspace)
        root = read_document(self.path, shown_as=self.shown_as, findings=self.findings)
        if not isinstance(root.value, dict):
            self.findings.problem(
                root.place, "an agent YAML must be a mapping with `name`, `evaluations` and so on"
            )
            raise self.findings.error()
        return root

    def test_cases(self, root: Section, metric_types: Collection[str]) -> Section | None:
        """The list of test cases, from the agent YAML or from the file it names."""
        named = root.child("test_cases_file")
        if named is None or not isinstance(named.value, str):
            return root.child("test_cases")
        if root.child("test_cases") is not None:
            place = root.key_place("test_cases_file")
            self.findings.problem(
                place, "`test_cases` and `test_cases_file` are both given; keep one of them"
            )
            return None
        try:
            return self._read_cases(named, named.value, metric_types)
        except ConfigError as error:
            self.findings.absorb(error)
            return None

    def path_of(self, named: Section, key: str, findings: Findings) -> Path | None:
        """The path of a file that the agent names; None, with a problem noted, where it may not be read.

        Args:
            named: the text that names it, from the agent's folder on.
            key: the key it is written under, for the sentence.
            findings: where a problem is noted.
        """
        name = str(named.value)
        if not name.isprintable() or len(name) > _LONGEST_NAME:
            findings.problem(named.place, f"`{key}` {quoted(name)} cannot be the name of a file")
            return None
        path = self.path.parent / name
        if leaves_workspace(path, home=self.path.parent, workspace=self.environment.workspace):
            findings.problem(
                named.place, f"`{key}` {quoted(name)} lies outside the workspace; put it beside the agent"
            )
            return None
        return path

    def _read_cases(self, named: Section, name: str, metric_types: Collection[str]) -> Section | None:
        path = self.path_of(named, "test_cases_file", self.findings)
        if path is None:
            return None
        own = Findings()
        root = _as_cases(read_document(path, shown_as=beside(self.shown_as, name), findings=own))
        check(TestCasesFile, root, own, metric_types)
        self.findings.include(own)
        return root.child("test_cases")


def _as_cases(root: Section) -> Section:
    """A plain list of test cases as the mapping it stands for."""
    if isinstance(root.value, dict):
        return root
    spot = Spot(root.spot.line, root.spot.column, items={"test_cases": root.spot})
    return replace(root, value={"test_cases": root.value}, spot=spot)
