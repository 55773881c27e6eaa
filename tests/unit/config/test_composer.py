import pytest

from holodeck_eval.config.composer import Composer
from holodeck_eval.config.document import Section
from holodeck_eval.config.findings import Findings
from holodeck_eval.errors import ConfigError


def compose(text: str) -> Section:
    findings = Findings()
    root = Composer("f.yaml", findings).compose(text)
    findings.raise_if_any()
    assert root is not None
    return root


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        compose(text)
    return [str(problem) for problem in caught.value.problems]


def test_every_value_has_its_line_and_column() -> None:
    root = compose("name: lamp\nitems:\n  - één: 1\n  - {b: two}\n")
    assert root.value == {"name": "lamp", "items": [{"één": 1}, {"b": "two"}]}
    assert str(root.locate(("name",))) == "f.yaml:1:7"
    assert str(root.locate(("items", 0, "één"))) == "f.yaml:3:10"
    assert str(root.locate(("items", 1, "b"))) == "f.yaml:4:9"
    assert str(root.locate(("items", 1, "b"), key=True)) == "f.yaml:4:6"


def test_a_document_of_one_scalar_is_that_scalar() -> None:
    assert compose("hello\n").value == "hello"


@pytest.mark.parametrize("text", ["", "# nothing\n", "\n\n"])
def test_no_document_is_no_root(text: str) -> None:
    assert Composer("f.yaml", Findings()).compose(text) is None


def test_keys_stay_text_whatever_they_look_like() -> None:
    assert compose("on: 1\n12: 2\nnull: 3\n").value == {"on": 1, "12": 2, "null": 3}


def test_quoted_and_block_scalars_stay_text() -> None:
    assert compose("a: '1'\nb: \"no\"\nc: |\n  2\n").value == {"a": "1", "b": "no", "c": "2\n"}


def test_every_key_given_twice_is_told_and_the_first_value_is_kept() -> None:
    findings = Findings()
    root = Composer("f.yaml", findings).compose("a: 1\nb: {c: 1, c: 2}\na: 3\n")
    assert root is not None
    assert root.value == {"a": 1, "b": {"c": 1}}
    assert [str(problem) for problem in findings.error().problems] == [
        "f.yaml:2:11: the key 'c' is given twice, first in line 2; keep one of them",
        "f.yaml:3:1: the key 'a' is given twice, first in line 1; keep one of them",
    ]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("a: !!python/object/apply:os.system [ls]", "'!!python/object/apply:os.system'"),
        ("a: !!python/name:os.system x", "'!!python/name:os.system'"),
        ("a: !mine {b: 1}", "'!mine'"),
        ("a: !!int text", "'!!int'"),
        ("a: !!set {b}", "'!!set'"),
        ("a: !!binary aGk=", "'!!binary'"),
    ],
)
def test_a_tag_is_refused(text: str, tag: str) -> None:
    assert problems(text) == [f"f.yaml:1:4: the YAML tag {tag} is not accepted; write plain values"]


def test_a_tag_on_a_key_is_refused() -> None:
    assert problems("!!python/name:os.system a: 1") == [
        "f.yaml:1:1: the YAML tag '!!python/name:os.system' is not accepted; write plain values"
    ]


def test_tags_that_say_what_is_there_anyway_are_accepted() -> None:
    assert compose("a: !!str 12\nb: !!int 12\nc: !!seq [1]\nd: !!map {e: 1}\n").value == {
        "a": "12",
        "b": 12,
        "c": [1],
        "d": {"e": 1},
    }


@pytest.mark.parametrize("text", [".nan", ".inf", "-.INF", "1.0e+999"])
def test_a_number_that_is_none_is_refused(text: str) -> None:
    assert problems(f"a: {text}") == [
        f"f.yaml:1:4: '{text}' is not a number one can compare; write a finite one"
    ]


@pytest.mark.parametrize("text", ["a: " + "[" * 100_000, "- " * 100_000, "{a: " * 100_000])
def test_nesting_without_end_is_one_sentence(text: str) -> None:
    (problem,) = problems(text)
    assert problem.endswith("nested deeper than 64 levels; flatten it")


def test_sixty_four_levels_are_accepted_and_one_more_is_not() -> None:
    assert compose("[" * 64 + "]" * 64).value
    assert problems("[" * 65 + "]" * 65) == ["f.yaml:1:65: nested deeper than 64 levels; flatten it"]


def test_an_alias_repeats_its_anchor_and_stands_where_it_is_written() -> None:
    root = compose("a: &x {t: 1}\nb: *x\n")
    assert root.value == {"a": {"t": 1}, "b": {"t": 1}}
    assert str(root.locate(("b",))) == "f.yaml:2:4"
    assert str(root.locate(("b", "t"))) == "f.yaml:1:11"


def test_an_alias_may_repeat_a_scalar() -> None:
    assert compose("a: &x 5\nb: *x\n").value == {"a": 5, "b": 5}


def test_an_alias_bomb_ends_before_it_goes_off() -> None:
    lines = ["a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]"]
    lines += [
        f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]" for old, new in zip("abcdef", "bcdefg", strict=True)
    ]
    (problem,) = problems("\n".join(lines))
    assert problem.endswith("aliases repeat more than 100,000 values here; write the values out")


def test_repeating_a_long_text_counts_by_its_length() -> None:
    text = f"a: &a {'x' * 1_000_000}\n" + "".join(f"b{n}: *a\n" for n in range(11))
    (problem,) = problems(text)
    assert problem == "f.yaml:11:5: aliases repeat more than 100,000 values here; write the values out"


def test_an_alias_that_holds_itself_is_refused() -> None:
    assert problems("a: &x [1, *x]") == ["f.yaml:1:11: the alias 'x' holds itself; write the values out"]


def test_an_alias_without_an_anchor_is_refused() -> None:
    assert problems("a: *x") == ["f.yaml:1:4: the alias 'x' has no anchor before it"]


def test_an_alias_as_key_is_refused() -> None:
    assert problems("a: &x b\n*x : 1\n") == ["f.yaml:2:1: a key must be written out, not given as an alias"]


def test_an_alias_alone_is_refused_for_lack_of_an_anchor() -> None:
    assert problems("*x") == ["f.yaml:1:1: the alias 'x' has no anchor before it"]


@pytest.mark.parametrize("text", ["? [a]\n: 1\n", "? {a: 1}\n: 1\n"])
def test_a_key_that_is_no_text_is_refused(text: str) -> None:
    assert problems(text) == ["f.yaml:1:3: a key must be a plain text, not a list or a mapping"]


def test_a_merge_key_fills_in_what_is_not_written() -> None:
    root = compose("d: &d {a: 1, b: 2}\ne: {<<: *d, b: 3}\n")
    assert root.value == {"d": {"a": 1, "b": 2}, "e": {"b": 3, "a": 1}}
    assert str(root.locate(("e", "a"))) == "f.yaml:1:11"
    assert str(root.locate(("e", "b"))) == "f.yaml:2:16"


def test_of_several_merged_mappings_the_first_wins() -> None:
    root = compose("p: &p {a: 1}\nq: &q {a: 2, b: 2}\ne:\n  <<: [*p, *q]\n")
    assert root.value == {"p": {"a": 1}, "q": {"a": 2, "b": 2}, "e": {"a": 1, "b": 2}}


@pytest.mark.parametrize("text", ["<<: 3", "<<: [3]"])
def test_a_merge_key_takes_mappings_only(text: str) -> None:
    (problem,) = problems(text)
    assert problem.endswith("`<<` takes a mapping or a list of mappings")


def test_a_quoted_merge_key_is_a_key_like_any_other() -> None:
    assert compose("'<<': 3").value == {"<<": 3}


def test_a_second_document_is_refused() -> None:
    assert problems("a: 1\n---\nb: 2\n") == [
        "f.yaml:2:1: a second YAML document begins here; keep one document in a file"
    ]


def test_a_directive_and_document_marks_are_accepted() -> None:
    assert compose("%YAML 1.1\n---\na: 1\n...\n").value == {"a": 1}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [1\n", "f.yaml:2:1: this is not valid YAML: did not find expected ',' or ']'"),
        (
            "a: b: c\n",
            (
                "f.yaml:1:5: this is not valid YAML: mapping values are not allowed in this context "
                "(indentation, or a text with `: ` needs quotes)"
            ),
        ),
        (
            "a:\n\t- b\n",
            (
                "f.yaml:2:1: this is not valid YAML: found character that cannot start any token "
                "(a tab, or a text that needs quotes)"
            ),
        ),
    ],
)
def test_broken_yaml_is_told_with_its_place(text: str, problem: str) -> None:
    assert problems(text) == [problem]


def test_a_control_character_is_named_with_its_place() -> None:
    assert problems("a: x\nb: é\x07b\n") == [
        "f.yaml:2:5: the control character U+0007 cannot stand in YAML; remove it"
    ]


def test_too_many_values_end_the_reading() -> None:
    (problem,) = problems("[" + "1," * 250_001 + "]")
    assert problem.endswith("more than 250,000 values in one file; split it")


def test_what_was_found_before_the_reading_ended_is_told_too() -> None:
    assert problems("a: 1\na: 2\nb: *x\n") == [
        "f.yaml:2:1: the key 'a' is given twice, first in line 1; keep one of them",
        "f.yaml:3:4: the alias 'x' has no anchor before it",
    ]
