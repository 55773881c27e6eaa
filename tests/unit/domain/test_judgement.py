import math
from typing import Any

import pytest

from holodeck_eval.domain.agent import JudgeSpec, Secret
from holodeck_eval.domain.judgement import (
    JudgeIdentity,
    JudgementRequest,
    sha256_of,
    version_text,
    versions_text,
)

JUDGE = JudgeIdentity(provider="openai", name="gpt-4o")


def request(**changes: Any) -> JudgementRequest:
    return JudgementRequest(
        **{
            "metric": "quality",
            "metric_type": "geval",
            "configuration": {"criteria": "kind?"},
            "judge": JUDGE,
            "prompt_version": "1",
            "judged": {"actual_output": "hello", "context": ["a"]},
            "case_id": "a",
            **changes,
        }
    )


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"metric_type": "faithfulness"}, "metric_type"),
        ({"configuration": {"criteria": "kind"}}, "configuration"),
        ({"judge": JudgeIdentity(provider="openai", name="gpt-4o-mini")}, "judge"),
        ({"judge": JudgeIdentity(provider="azure_openai", name="gpt-4o")}, "judge"),
        ({"judge": JudgeIdentity(provider="openai", name="gpt-4o", temperature=0.5)}, "judge"),
        ({"prompt_version": "2"}, "prompt_version"),
        ({"judged": {"actual_output": "hello"}}, "judged"),
        ({"judged": {"actual_output": "hello", "context": []}}, "judged"),
        ({"judged": {"actual_output": "hello", "context": None}}, "judged"),
    ],
)
def test_what_shapes_a_judgement_changes_its_key_and_the_digest_of_its_part_alone(
    change: dict[str, Any], part: str
) -> None:
    before, after = request(), request(**change)
    assert after.key() != before.key()
    digests = before.digests(), after.digests()
    assert [name for name in digests[0] if digests[0][name] != digests[1][name]] == [part]


@pytest.mark.parametrize(
    "change",
    [
        {"metric": "another name"},
        {"case_id": "b"},
        {"scale": "1 to 3", "low": 1.0, "high": 3.0, "whole": True},
        {"host": "localhost:11434"},
        {"judge": JudgeIdentity(provider="openai", name="gpt-4o", temperature=0)},
        {"judged": {"context": ["a"], "actual_output": "hello"}},
    ],
)
def test_what_is_there_for_people_leaves_the_key_alone(change: dict[str, Any]) -> None:
    assert request(**change).key() == request().key()


def test_a_key_is_the_same_in_every_run_so_that_recorded_verdicts_stay_found() -> None:
    assert request().key() == "2ae20f154aeb158a19906e9fe432eed667a0b98b15fbb65a81a691370efa1cf2"


def test_lone_surrogates_have_a_key_too() -> None:
    assert len(request(judged={"actual_output": "\ud83d"}).key()) == 64


def test_a_digest_does_not_depend_on_the_order_of_keys() -> None:
    assert sha256_of({"a": 1, "b": 2}) == sha256_of({"b": 2, "a": 1})


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_what_json_lacks_has_no_digest(number: float) -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        sha256_of({"a": number})


def test_a_judges_identity_leaves_out_its_key_and_endpoint() -> None:
    spec = JudgeSpec(
        provider="ollama", name="gpt-oss:20b", temperature=0.2, endpoint="http://h", api_key=Secret("k")
    )
    identity = JudgeIdentity.of(spec)
    assert identity == JudgeIdentity(provider="ollama", name="gpt-oss:20b", temperature=0.2)
    assert str(identity) == "ollama/gpt-oss:20b at temperature 0.2"


def test_a_cold_judge_is_named_without_its_temperature() -> None:
    assert str(JUDGE) == "openai/gpt-4o"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("gpt-4o-2024-08-06", "gpt-4o-2024-08-06"),
        ("  a\nb ", "a b"),
        ("", None),
        (" \x00 ", None),
        (None, None),
        (4, None),
        ("x" * 101, "x" * 99 + "…"),
    ],
)
def test_what_a_judge_is_called_is_one_short_line(name: object, kept: str | None) -> None:
    assert version_text(name) == kept


def test_several_versions_are_one_text_in_order_each_once() -> None:
    assert versions_text(["b", None, "a", "b"]) == "a, b"
    assert versions_text(["a", None, "a"]) == "a"
    assert versions_text([None]) is None
    assert len(versions_text(f"{number:0100}" for number in range(9)) or "") == 300


def test_a_key_is_reckoned_once() -> None:
    texts: dict[str, object] = {"actual_output": "hello"}
    asked = request(judged=texts)
    key = asked.key()
    texts["actual_output"] = "changed after the fact"
    assert asked.key() == key
    assert asked == request(judged=texts)
