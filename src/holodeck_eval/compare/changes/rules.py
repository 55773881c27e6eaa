"""What differs in the policies of two runs, and in the cases they have."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Final

from holodeck_eval.compare.pairs import by_key
from holodeck_eval.domain.comparison import GateChange
from holodeck_eval.domain.policy import Policy, is_stricter
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import Run
from holodeck_eval.domain.wording import cases_named

_DEFAULT_PASS_RATE: Final = Policy().min_pass_rate

_PERMITS: Final = frozenset({"allow_removed_cases", "on_gate_change", "on_stale"})
"""Rules that let through what this very comparison finds. Given for a change, they must not block it."""


def policy_changes(before: Policy, now: Policy) -> Iterator[GateChange]:
    """A change for each rule whose value is another.

    That the pass rate is off where it was at its default is none: with a baseline it is off unless written.
    What a missing baseline does is no matter where there is one. Permits are told of, and loosen nothing.
    """
    for rule in fields(Policy):
        if rule.name == "on_missing_baseline":
            continue
        old, new = getattr(before, rule.name), getattr(now, rule.name)
        usual = rule.name == "min_pass_rate" and old == _DEFAULT_PASS_RATE and new is None
        if old == new or usual:
            continue
        loosens = is_stricter(rule.name, old, new)
        permits = rule.name in _PERMITS
        how = "permits what this comparison finds" if permits else "is looser"
        message = (
            f"the policy {how if loosens else 'is stricter'}: "
            f"{rule.name} was {_value(old)} and is now {_value(new)}"
        )
        yield GateChange(code="policy", message=message, loosens=loosens and not permits)


def case_changes(before: Run, now: Run) -> Iterator[GateChange]:
    """Changes for the cases that are gone, waived, or held to something else than before."""
    current = by_key(now)
    waived = {(case.agent, case.id) for case in now.waived_cases}
    gone = [case for case in before.cases if (case.agent, case.id) not in current]
    yield from _removed([case for case in gone if (case.agent, case.id) not in waived], "removed")
    yield from _removed([case for case in gone if (case.agent, case.id) in waived], "waived")
    pairs = [
        (case, current[case.agent, case.id]) for case in before.cases if (case.agent, case.id) in current
    ]
    changed = [(old, new) for old, new in pairs if old.digest != new.digest]
    freed = [new for old, new in changed if old.test_case is not None and new.test_case is None]
    other = [new for old, new in changed if old.test_case is None or new.test_case is not None]
    yield from _changed(freed, "without the test case that says what is expected of them", loosens=True)
    yield from _changed(other, "asked or expected something else in the baseline", loosens=False)
    reworded = [new for old, new in pairs if old.digest == new.digest and _asks_otherwise(old, new)]
    yield from _changed(reworded, "recorded with another question than in the baseline", loosens=False)
    unsaid = [new for old, new in pairs if old.staleness.status == "fresh" and _says_nothing(new)]
    held = "report" not in (before.policy.on_stale, now.policy.on_stale)
    yield from _unsaid(unsaid, loosens=held)


def _asks_otherwise(before: CaseResult, now: CaseResult) -> bool:
    """Whether a turn was asked otherwise: a transcript need not ask what its test case does."""
    asked = {turn.index: turn.input for turn in before.turns}
    return any(asked.get(turn.index, turn.input) != turn.input for turn in now.turns)


def _says_nothing(case: CaseResult) -> bool:
    """Whether a transcript does not say with which version of the agent it was recorded."""
    return case.transcript is not None and case.staleness.status == "unknown"


def _removed(cases: Sequence[CaseResult], how: str) -> Iterator[GateChange]:
    """One change for the cases that passed, whose removal is a rule of its own, and one for the others."""
    for passed in (False, True):
        ids = tuple(case.id for case in cases if (case.status == "passed") is passed)
        if ids:
            was = "had passed" if passed else "had not passed"
            message = f"{how} since the baseline, in which they {was}: {cases_named(ids)}"
            yield GateChange(code="case_removed", message=message, loosens=not passed, cases=ids)


def _changed(cases: Sequence[CaseResult], what: str, *, loosens: bool) -> Iterator[GateChange]:
    if cases:
        ids = tuple(case.id for case in cases)
        message = f"{what}: {cases_named(ids)}"
        yield GateChange(code="case_changed", message=message, loosens=loosens, cases=ids)


def _unsaid(cases: Sequence[CaseResult], *, loosens: bool) -> Iterator[GateChange]:
    """A change for the cases that were known to be of their agent: a stale one would not show any more."""
    if cases:
        ids = tuple(case.id for case in cases)
        message = (
            "not known any more to be recorded with the agent as it is, as it was in the baseline: "
            f"{cases_named(ids)}"
        )
        yield GateChange(code="agent_version", message=message, loosens=loosens, cases=ids)


def _value(value: object) -> str:
    """A rule's value as a policy file has it; `off` for none."""
    if value is None:
        return "off"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)
