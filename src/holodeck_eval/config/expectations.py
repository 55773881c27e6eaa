"""From written test cases to TestCases."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from holodeck_eval.config.case_model import SPECIAL_MATCHERS, Asked, ExpectedTool, TestCaseModel, TurnModel
from holodeck_eval.config.document import Section
from holodeck_eval.config.findings import Findings
from holodeck_eval.config.problems import quiet
from holodeck_eval.config.specs import MetricReader
from holodeck_eval.domain.agent import ArgumentMatch, MetricSpec, TestCase, ToolExpectation, TurnExpectation

_CASE: Final = TypeAdapter(TestCaseModel)
_OF_A_TURN: Final = ("input", "ground_truth", "expected_tools", "files", "retrieval_context")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReader:
    """Turns written test cases into TestCases; what is wrong with one goes to `findings`.

    A test case's metrics replace the agent's, but never those `added` by the policy.
    """

    metrics: MetricReader
    findings: Findings
    added: tuple[MetricSpec, ...] = ()

    def read_all(self, section: Section | None) -> tuple[TestCase, ...]:
        """The test cases of a list, without those that do not fit their model."""
        return tuple(self._read(section)) if section is not None else ()

    def _read(self, section: Section) -> Iterator[TestCase]:
        for child in section.children():
            self._check_form(child)
            written = quiet(_CASE, child)
            if written is not None and (written.turns or written.input):
                yield self._case(written, child)

    def _check_form(self, section: Section) -> None:
        if not isinstance(section.value, dict):
            return
        if section.child("turns") is None:
            if section.child("input") is None:
                self.findings.problem(section.place, "a test case needs `input`, or `turns` with one each")
            return
        for key in _OF_A_TURN:
            if section.child(key) is not None:
                self.findings.problem(
                    section.key_place(key), f"`{key}` cannot stand beside `turns`; write it in a turn"
                )

    def _case(self, written: TestCaseModel, section: Section) -> TestCase:
        return TestCase(
            name=written.name,
            turns=tuple(self._turns(written, section)),
            place=section.place,
            multi_turn=written.turns is not None,
            metrics=self._metrics(section),
        )

    def _turns(self, written: TestCaseModel, section: Section) -> Iterator[TurnExpectation]:
        turns = section.child("turns")
        if written.turns is None or turns is None:
            yield _turn(written, written.input or "", section, None)
            return
        for turn, child in zip(written.turns, turns.children(), strict=True):
            yield _turn(turn, turn.input, child, self._metrics(child))

    def _metrics(self, section: Section) -> tuple[MetricSpec, ...] | None:
        """The metrics written here; None for none, and for an empty list, as in HoloDeck."""
        own = self.metrics.read_all(section.child("evaluations"))
        if own and self.added:
            self.metrics.require_unique((*own, *self.added))
        return (*own, *self.added) if own else None


def _turn(
    written: TurnModel | Asked, text: str, section: Section, metrics: tuple[MetricSpec, ...] | None
) -> TurnExpectation:
    tools, context = written.expected_tools, written.retrieval_context
    return TurnExpectation(
        input=text,
        ground_truth=written.ground_truth,
        expected_tools=None if tools is None else tuple(_expectation(tool) for tool in tools),
        retrieval_context=None if context is None else tuple(context),
        metrics=metrics,
        place=section.place,
    )


def _expectation(written: str | ExpectedTool) -> ToolExpectation:
    if isinstance(written, str):
        return ToolExpectation(name=written)
    arguments = {name: _match(value) for name, value in (written.args or {}).items()}
    return ToolExpectation(name=written.name, arguments=arguments, count=written.count)


def _match(value: object) -> ArgumentMatch:
    if isinstance(value, dict) and SPECIAL_MATCHERS & value.keys():
        return ArgumentMatch(how="fuzzy" if "fuzzy" in value else "regex", value=next(iter(value.values())))
    return ArgumentMatch(how="exact", value=value)
