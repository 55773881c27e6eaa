import pytest

from holodeck_eval.config.scalars import tag_of, value_of


def read(text: str) -> object:
    return value_of(text, tag_of(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", True),
        ("off", False),
        ("True", True),
        ("null", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-1_000", -1000),
        ("0x1F", 31),
        ("017", 15),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1.5e+3", 1500.0),
    ],
)
def test_an_unquoted_text_is_read_as_the_safe_loader_of_holodeck_reads_it(text: str, value: object) -> None:
    result = read(text)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    "text", ["2024-01-15", "2024-01-15T10:00:00Z", "12:30", "1:30.5", "1e6", "=", "<<", "09"]
)
def test_what_only_looks_like_a_number_or_a_date_stays_text(text: str) -> None:
    assert read(text) == text


@pytest.mark.parametrize("text", ["0x_", "0b_"])
def test_a_number_without_digits_stays_text(text: str) -> None:
    assert read(text) == text


def test_a_number_too_long_to_be_meant_stays_text() -> None:
    assert read("9" * 101) == "9" * 101
    assert read("9" * 100) == int("9" * 100)
