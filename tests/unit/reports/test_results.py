import json
import math
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from pydantic import TypeAdapter

from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.run import Run
from holodeck_eval.errors import ResultsError
from holodeck_eval.reports.reading import UnreadableError, load
from holodeck_eval.reports.results import json_schema, parse, render
from tests.fakes.runs import build_case, build_metric, build_run, build_summary, build_turn, failed_run
from tests.unit.reports.snapshots import RUNS

SCHEMA = Path(__file__).parents[3] / "schemas" / "results.schema.json"


def changed(**fields: object) -> str:
    """The results of a failed run, with these top-level fields in them."""
    return json.dumps(json.loads(render(failed_run())) | fields)


def refusal(text: str) -> str:
    with pytest.raises(ResultsError) as caught:
        parse(text, shown_as="r.json")
    return str(caught.value)


@pytest.mark.parametrize("name", [name for name in RUNS if "hostile" not in name])
def test_what_is_written_is_read_back_as_it_was(name: str) -> None:
    run = RUNS[name]()
    assert parse(render(run), shown_as="r.json") == run


@pytest.mark.parametrize("name", RUNS)
def test_reading_and_writing_again_changes_nothing(name: str) -> None:
    text = render(RUNS[name]())
    assert render(parse(text, shown_as="r.json")) == text


@pytest.mark.parametrize("name", [name for name in RUNS if "hostile" not in name])
def test_the_quick_writer_agrees_with_pydantic(name: str) -> None:
    written = json.loads(render(RUNS[name]()))
    del written["verdict"]["passed"]
    assert written == TypeAdapter(Run).dump_python(RUNS[name](), mode="json")


@pytest.mark.parametrize("name", RUNS)
def test_every_file_fits_the_schema(name: str) -> None:
    jsonschema.validate(json.loads(render(RUNS[name]())), json_schema())


def test_the_schema_refuses_what_is_no_run() -> None:
    with pytest.raises(jsonschema.ValidationError, match="'tool_version' is a required property"):
        jsonschema.validate({"schema_version": 1}, json_schema())


def test_the_schema_in_the_repository_is_in_step() -> None:
    """`holodeck-eval schema results > schemas/results.schema.json` writes it anew."""
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == json_schema()


def test_people_find_version_and_verdict_at_the_top() -> None:
    written = json.loads(render(failed_run()))
    assert list(written)[:5] == ["schema_version", "tool_version", "started_at", "duration_s", "verdict"]
    assert list(written["verdict"]) == ["status", "passed", "causes", "exit_code", "waived"]
    assert written["verdict"]["passed"] is False


def test_a_lone_surrogate_is_shown_by_its_number() -> None:
    text = render(build_run(build_case("a\udcb2")))
    assert json.loads(text.encode())["cases"][0]["id"] == "a⟨U+DCB2⟩"


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_number_nobody_measured_is_not_written(number: float) -> None:
    case = build_case(turns=(build_turn(build_metric(number)),))
    with pytest.raises(ValueError, match="not JSON compliant"):
        render(build_run(case, summary=build_summary()))


def test_fields_of_a_later_version_are_passed_over() -> None:
    assert parse(changed(weather={"sky": [None, {"blue": 1}]}), shown_as="r.json") == failed_run()


def test_passed_is_worked_out_and_not_believed() -> None:
    document = json.loads(render(failed_run()))
    document["verdict"]["passed"] = True
    assert not parse(json.dumps(document), shown_as="r.json").verdict.passed


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{]", "r.json:1:2: this file is not JSON: Expecting property name enclosed in double quotes."),
        ("", "r.json: this file is empty."),
        (" \n\t", "r.json: this file is empty."),
        ("{", "r.json:1:2: this file is cut off before its end."),
        ('{"schema_version": 1,\n"tool_vers', "r.json:2:1: this file is cut off before its end."),
        (changed()[:-400], "r.json:1:"),
        ("[" * 100_000, "r.json: this file is nested too deep to be a results file."),
        ('{"a": NaN}', "r.json: this file holds NaN, which is no number."),
        ('{"a": -Infinity}', "r.json: this file holds -Infinity, which is no number."),
        ('{"a": ' + "9" * 5000 + "}", "r.json: this file holds a number of too many digits."),
        ("[]", "r.json: this file is not a results file of holodeck-eval: it has no schema_version."),
        (
            '{"schema_version": true}',
            "r.json: this file is not a results file of holodeck-eval: it has no schema_version.",
        ),
        (
            '{"schema_version": 0}',
            "r.json: this file has schema_version 0, which holodeck-eval has never written.",
        ),
        (
            changed(schema_version=7),
            "r.json: this file was written by a newer version of holodeck-eval (schema_version 7; this one rea",
        ),
        (
            '{"schema_version": 7, "everything": "else"}',
            "r.json: this file was written by a newer version of holodeck-eval (schema_version 7; this one rea",
        ),
        (changed(duration_s="1.5"), "r.json: duration_s: Input should be a valid number."),
        (changed(head_sha="\ud800"), "r.json: the file: Invalid JSON: "),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    assert refusal(text).startswith(sentence)


def test_a_file_that_is_cut_off_anywhere_is_refused() -> None:
    whole = render(failed_run()).rstrip()
    for end in range(0, len(whole), 97):
        assert ": this file is " in refusal(whole[:end])


@pytest.mark.parametrize("number", ["NaN", "1e999", "-1E+9999", "Infinity"])
def test_what_is_no_number_is_refused_where_any_value_may_stand(number: str) -> None:
    metric = build_metric(Scored(score=0.5, reason="r", details={"weight": 12345.5}))
    text = render(build_run(build_case(turns=(build_turn(metric),))))
    assert " this file holds " in refusal(text.replace("12345.5", number))


def test_a_text_may_speak_of_nan_infinity_and_huge_numbers() -> None:
    run = build_run(build_case("NaN, Infinity and 1e999, or so"))
    assert parse(render(run), shown_as="r.json") == run


def test_a_small_file_of_nothing_but_lists_is_refused_before_it_fills_the_memory() -> None:
    assert refusal('{"a": [' + "[]," * 2_000_000 + "1]}") == (
        "r.json: this file holds more than 2,000,000 objects and lists, which is too much to read."
    )


def test_brackets_in_texts_are_no_lists() -> None:
    run = build_run(build_case('["' * 2_000_001))
    assert parse(render(run), shown_as="r.json") == run


def test_a_caller_gets_one_clause_for_all_that_does_not_fit() -> None:
    with pytest.raises(UnreadableError) as caught:
        load(changed(warnings=[1, 2, 3]))
    assert caught.value.clause == (
        "does not hold what a results file holds (warnings[0]: Input should be a valid string; and 2 more "
        "problems)"
    )
    assert len(caught.value.details) == 3


def test_an_infinity_behind_a_number_is_refused() -> None:
    text = render(failed_run()).replace('"duration_s": 1.5', '"duration_s": 1e999')
    assert refusal(text) == "r.json: this file holds a number that is too large: 1e999."


def test_all_that_is_missing_is_said_at_once_up_to_ten() -> None:
    problems = refusal('{"schema_version": 1}').splitlines()
    assert problems[:2] == ["r.json: tool_version: Field required.", "r.json: started_at: Field required."]
    assert len(problems) == 6
    broken = changed(warnings=[1] * 15)
    assert refusal(broken).splitlines()[-1] == "r.json: and 5 more problems."
    assert refusal(broken).startswith("r.json: warnings[0]: Input should be a valid string.")


@pytest.mark.parametrize("name", ["failed", "inconclusive", "error"])
def test_a_verdict_that_contradicts_its_exit_code_is_refused(name: str) -> None:
    run = RUNS[name]()
    forged = replace(run, verdict=replace(run.verdict, exit_code=0, waived=name == "failed"))
    assert refusal(render(forged)) == (
        f"r.json: this file contradicts itself: its verdict has status {name} and exit code 0."
    )


@pytest.mark.parametrize("value", [1e308, -1e308, 1.5])
def test_a_policy_that_no_run_can_have_is_refused(value: float) -> None:
    assert refusal(changed(policy={"max_drop": value})) == (
        f"r.json: this file holds a rule that no policy has: max_drop is {value:g}, not 0 to 1."
    )
