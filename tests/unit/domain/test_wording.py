"""How messages show what was given."""

from holodeck_eval.domain.wording import cases_named, counted, listed, nearest, quoted


def test_a_text_is_quoted_printable_and_cut() -> None:
    assert quoted("a\x1b\u202e\udcb2'") == '"a\\x1b\\u202e\\udcb2\'"'
    assert quoted("x" * 81) == "'" + "x" * 79 + "…'"
    assert quoted("x" * 80) == "'" + "x" * 80 + "'"


def test_names_are_listed_up_to_a_limit() -> None:
    assert listed(["a", "b"]) == "'a', 'b'"
    assert listed("abcd", limit=2) == "'a', 'b' and 2 more"


def test_the_nearest_name_is_offered_where_one_is_near() -> None:
    assert nearest("outptu", ["input", "output"]) == "; did you mean 'output'?"
    assert nearest("zzz", ["input", "output"]) == ""


def test_cases_are_counted_and_the_first_of_them_named() -> None:
    assert counted(1) == "1 case"
    assert cases_named(["a"]) == "1 case ('a')"
    assert cases_named(list("abcd"), limit=2) == "4 cases ('a', 'b' and 2 more)"
