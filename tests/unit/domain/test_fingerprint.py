from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.domain.agent import (
    GenerationOptions,
    GEvalOptions,
    JudgeSpec,
    MetricSpec,
    NumericOptions,
    Secret,
)
from holodeck_eval.domain.fingerprint import configuration_of, digest_of
from holodeck_eval.errors import Place

JUDGE = JudgeSpec(provider="openai", name="gpt-4o")
TONE = MetricSpec(
    kind="geval",
    type="geval",
    name="tone",
    threshold=0.8,
    place=Place(file="agent.yaml", line=3),
    judge=JUDGE,
    options=GEvalOptions(criteria="polite"),
)
GENERATION = replace(TONE, kind="generation", type="generation", options=GenerationOptions(metrics=("redundancy",)))  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "manners"},
        {"threshold": 0.1},
        {"bad_below": 0.1},
        {"guardrail": True},
        {"enabled": False},
        {"fail_on_error": True},
        {"retries": 9},
        {"timeout_s": 1.0},
        {"place": Place(file="other.yaml")},
        {"judge": replace(JUDGE, endpoint="https://example.com", api_key=Secret("k"), place=Place(file="x"))},
    ],
)
def test_what_shapes_no_score_is_in_no_digest(changes: dict[str, Any]) -> None:
    assert digest_of(replace(TONE, **changes)) == digest_of(TONE)


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "faithfulness"},
        {"options": GEvalOptions(criteria="rude")},
        {"options": GEvalOptions(criteria="polite", evaluation_steps=("read",))},
        {"options": GEvalOptions(criteria="polite", evaluation_params=("input",))},
        {"options": GEvalOptions(criteria="polite", strict_mode=True)},
        {"options": None},
        {"judge": replace(JUDGE, name="gpt-5")},
        {"judge": replace(JUDGE, temperature=0.5)},
        {"judge": None},
    ],
)
def test_what_shapes_a_score_is_in_the_digest(changes: dict[str, Any]) -> None:
    assert digest_of(replace(TONE, **changes)) != digest_of(TONE)


@pytest.mark.parametrize("changes", [{"min_rating": "bad"}, {"named": True}])
def test_what_only_gates_a_rating_is_in_no_digest(changes: dict[str, Any]) -> None:
    assert isinstance(GENERATION.options, GenerationOptions)
    loose = replace(GENERATION, options=replace(GENERATION.options, **changes))
    assert digest_of(loose) == digest_of(GENERATION)
    assert configuration_of(loose).items() >= changes.items()


def test_the_digest_of_a_judge_is_the_same_whether_its_temperature_is_0_or_0_0() -> None:
    assert digest_of(replace(TONE, judge=replace(JUDGE, temperature=0))) == digest_of(TONE)


def test_the_configuration_is_what_was_written() -> None:
    numeric = replace(TONE, options=NumericOptions(absolute_tolerance=0.5), judge=None)
    assert configuration_of(numeric)["absolute_tolerance"] == 0.5
    assert configuration_of(replace(numeric, options=None)) == {}
