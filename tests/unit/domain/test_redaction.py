from holodeck_eval.domain.judgement import Judgement
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.redaction import redact
from holodeck_eval.errors import Place

KEY = "sk-1234567890"


def test_a_secret_is_starred_out_however_deep_it_sits() -> None:
    value = {f"a {KEY}": [Judgement(score=0.5, reason=f"said {KEY}", details={"texts": (KEY, 7, None)})]}
    assert redact(value, [KEY]) == {
        "a ***": [Judgement(score=0.5, reason="said ***", details={"texts": ("***", 7, None)})]
    }


def test_a_frozen_dataclass_within_another_is_rebuilt() -> None:
    outcome = Scored(score=1.0, reason=f"{KEY}{KEY}")
    assert redact((outcome, Place(file=KEY, line=3)), [KEY]) == (
        Scored(score=1.0, reason="******"),
        Place(file="***", line=3),
    )


def test_the_longest_secret_is_taken_out_first() -> None:
    assert redact(f"{KEY}-and-more", [KEY, f"{KEY}-and-more"]) == "***"


def test_texts_too_short_to_be_keys_are_left_alone() -> None:
    assert redact("a short text", ["short", ""]) == "a short text"


def test_without_secrets_the_value_is_the_same_object() -> None:
    value = {"a": KEY}
    assert redact(value, []) is value


def test_a_class_is_no_value_to_take_apart() -> None:
    assert redact(Place, [KEY]) is Place
