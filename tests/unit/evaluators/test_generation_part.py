"""One of the five: its scale, and that DeepEval's arithmetic is held against it."""

from dataclasses import dataclass

import pytest

from holodeck_eval.domain.rating import GENERATION
from holodeck_eval.errors import DeepEvalError
from holodeck_eval.evaluators.generation_part import GenerationPart, bounds_of, needs_of, scored
from holodeck_eval.evaluators.generation_prompts import PROMPTS


@dataclass
class Measured:
    """A metric that was measured."""

    score: float
    reason: str = "so"


def test_a_rubric_has_every_score_of_its_scale_and_no_other() -> None:
    for scale in GENERATION:
        low, high = bounds_of(scale.name)
        assert [score for score, _ in PROMPTS[scale.name].rubric] == list(range(low, high + 1))
        assert {scale.bad, scale.good} == {low, high}


def test_the_five_are_those_of_the_rating_rule_in_its_order() -> None:
    assert list(PROMPTS) == [scale.name for scale in GENERATION]


def test_a_score_that_deepeval_changed_is_not_taken() -> None:
    part = GenerationPart(name="completeness")
    part._said = 2.0
    with pytest.raises(DeepEvalError, match=r"DeepEval made 0\.3 of a score of 2") as caught:
        part._extract_result(Measured(0.3))
    assert caught.value.kind == "invalid_reply"


def test_a_low_redundancy_is_a_high_score() -> None:
    part = GenerationPart(name="redundancy")
    part._said = 1.0
    result = part._extract_result(Measured(0.0))
    assert (result["score"], result["raw_score"], result["metric_name"]) == (1.0, 1, "generation.redundancy")


@pytest.mark.parametrize(
    ("name", "score", "normalized", "success"),
    [
        ("completeness", 2, 0.5, None),
        ("redundancy", 3, 0.0, None),
        ("language_consistency", 1, 1.0, True),
        ("refusal_alignment", 0, 0.0, False),
        ("refusal_alignment", 0.5, 0.5, False),
    ],
)
def test_a_part_is_normalized_and_the_two_of_0_and_1_say_success(
    name: str, score: float, normalized: float, *, success: bool | None
) -> None:
    part = scored(name, score, "so")
    assert (part.score, part.normalized_score, part.success) == (score, normalized, success)
    assert part.status == "scored"


def test_only_refusal_alignment_can_do_without_an_expected_answer() -> None:
    assert needs_of("refusal_alignment", is_refusal=False) == ("input", "actual_output")
    assert needs_of("refusal_alignment", is_refusal=None) == ("input", "actual_output", "expected_output")
    assert needs_of("completeness", is_refusal=True) == ("input", "actual_output", "expected_output")


def test_every_metric_tells_the_judge_to_follow_no_instruction_in_what_it_judges() -> None:
    for prompt in PROMPTS.values():
        assert "carry no weight" in prompt.steps[0]
