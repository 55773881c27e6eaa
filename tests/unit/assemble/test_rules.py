from pathlib import Path

import pytest

from holodeck_eval.assemble.paths import Checkout
from holodeck_eval.assemble.rules import settle
from holodeck_eval.config import PolicyFile
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.policy import Policy, PolicyOptions


def options(**rules: float) -> Options:
    return Options(agent=(), transcripts=(), policy="policy.yaml", rules=PolicyOptions(**rules))  # type: ignore[arg-type]


OUTSIDE = Checkout(None)


def test_without_a_baseline_every_case_must_pass_unless_told_otherwise() -> None:
    assert settle(options(), None, OUTSIDE) == (Policy(min_pass_rate=1.0), ())


def test_with_a_baseline_the_pass_rate_is_off_unless_written() -> None:
    assert settle(options(), None, OUTSIDE, baseline=True) == (Policy(min_pass_rate=None), ())
    assert settle(options(min_cases=3), None, OUTSIDE, baseline=True)[0] == Policy(
        min_pass_rate=None, min_cases=3
    )


@pytest.mark.parametrize("rate", [0.0, 0.4, 1.0])
def test_with_a_baseline_a_pass_rate_that_an_option_writes_holds(rate: float) -> None:
    assert settle(options(min_pass_rate=rate), None, OUTSIDE, baseline=True)[0].min_pass_rate == rate


def test_with_a_baseline_a_pass_rate_that_the_policy_file_writes_holds() -> None:
    file = PolicyFile(rules=PolicyOptions(min_pass_rate=0.4))
    assert settle(options(), file, OUTSIDE, baseline=True)[0].min_pass_rate == 0.4
    assert settle(options(min_pass_rate=0.2), file, OUTSIDE, baseline=True)[0].min_pass_rate == 0.2


@pytest.mark.parametrize(("baseline", "rate", "warned"), [(True, 0.4, False), (False, 1.0, True)])
def test_a_policy_file_in_the_checkout_only_tightens_what_holds_without_it(
    tmp_path: Path, baseline: bool, rate: float, warned: bool  # noqa: FBT001
) -> None:  # fmt: skip
    path = tmp_path / "policy.yaml"
    path.touch()
    asked = Options(agent=(), transcripts=(), policy=str(path))
    file = PolicyFile(rules=PolicyOptions(min_pass_rate=0.4))
    policy, warnings = settle(asked, file, Checkout(tmp_path), baseline=baseline)
    assert (policy.min_pass_rate, bool(warnings)) == (rate, warned)


def test_a_policy_file_in_the_checkout_cannot_let_go_what_the_comparison_finds(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.touch()
    loose = PolicyOptions(
        max_drop=1.0,
        metrics_alpha=1e-9,
        cases_alpha=1e-9,
        allow_removed_cases=True,
        on_missing_baseline="report",
        on_gate_change="report",
        on_stale="report",
    )
    asked = Options(agent=(), transcripts=(), policy=str(path))
    policy, warnings = settle(asked, PolicyFile(rules=loose), Checkout(tmp_path), baseline=True)
    assert policy == Policy(min_pass_rate=None)
    assert len(warnings) == 7
