from typing import Any

import pytest

from holodeck_eval.domain.policy import Policy, PolicyOptions, tightened, written_over


def test_rules_that_are_written_replace_those_of_the_policy() -> None:
    policy = written_over(Policy(min_score=0.5), PolicyOptions(min_pass_rate=0.0, allow_missing=False))
    assert policy == Policy(min_score=0.5, min_pass_rate=0.0, allow_missing=False)


def test_rules_that_are_not_written_stay() -> None:
    policy = Policy(min_pass_rate=0.4, min_cases=3, on_inconclusive="pass")
    assert written_over(policy, PolicyOptions()) == policy


@pytest.mark.parametrize(
    ("name", "loose", "strict"),
    [
        ("min_pass_rate", 0.5, 0.9),
        ("min_avg_score", 0.5, 0.9),
        ("min_score", None, 0.0),
        ("min_binary_score", 0.1, 0.2),
        ("min_cases", 1, 2),
        ("max_error_rate", 0.5, 0.1),
        ("on_missing_input", "skip", "inconclusive"),
        ("on_inconclusive", "pass", "fail"),
        ("allow_missing", True, False),
        ("max_drop", 0.1, 0.02),
        ("metrics_alpha", 0.01, 0.03),
        ("cases_alpha", 0.001, 0.003),
        ("allow_removed_cases", True, False),
        ("on_missing_baseline", "report", "inconclusive"),
        ("on_gate_change", "report", "block"),
        ("on_stale", "report", "block"),
    ],
)
def test_a_policy_can_be_tightened_and_what_would_loosen_it_is_named(
    name: str, loose: Any, strict: Any
) -> None:
    tight, looser = tightened(Policy(**{name: loose}), PolicyOptions(**{name: strict}))
    assert (getattr(tight, name), looser) == (strict, ())
    if loose is not None:
        kept, looser = tightened(Policy(**{name: strict}), PolicyOptions(**{name: loose}))
        assert (getattr(kept, name), looser) == (strict, (name,))


def test_an_equal_rule_neither_tightens_nor_loosens() -> None:
    assert tightened(Policy(), PolicyOptions(min_pass_rate=1.0)) == (Policy(), ())


def test_a_rule_that_is_not_written_does_not_loosen() -> None:
    assert tightened(Policy(min_score=0.5), PolicyOptions()) == (Policy(min_score=0.5), ())
