"""Documents, case lines and others' lines hold no secret, whatever file of a run it would stand in."""

import json
from dataclasses import replace

import pytest

from holodeck_eval.application import documents
from holodeck_eval.application.rendering import case_lines, clean_lines, not_named
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.run import Run
from holodeck_eval.reports.cases import TEXT_LIMIT
from tests.fakes.keys import KEYS, body
from tests.fakes.runs import failed_run

SECRET = 'p"a\\ss\nwörd-of-the-team'
KEY = KEYS["OpenAI key"][0]


def said(text: str) -> Run:
    run = failed_run()
    return replace(run, warnings=(*run.warnings, f"it said {text}"))


def case(answer: str) -> Case:
    turn = Turn(case_id="a", index=0, input="?", actual_output=answer)
    return Case(id="a", agent="helper", name=None, turns=(turn,), digest="d")


@pytest.mark.parametrize(("text", "stars"), [(SECRET, "it said ***"), (KEY, "it said *** (OpenAI key)")])
def test_no_document_and_not_the_run_itself_holds_a_secret(text: str, stars: str) -> None:
    run, texts = documents(said(text), {SECRET})
    assert run.warnings[-1] == stars
    assert json.loads(texts["results.json"])["warnings"][-1] == stars
    assert not any(text in document or json.dumps(text)[1:-1] in document for document in texts.values())


def test_a_run_without_secrets_is_not_taken_apart() -> None:
    run = said("nothing")
    assert documents(run, {SECRET})[0] is run


def test_case_lines_hold_no_secret_not_even_where_they_are_cut() -> None:
    (line,) = case_lines([case(f"{SECRET} and {KEY}")], {SECRET})
    assert json.loads(line)["turns"][0]["actual_output"] == "*** and *** (OpenAI key)"
    (line,) = case_lines([case("x" * (TEXT_LIMIT - 9) + SECRET)], {SECRET})
    assert json.dumps(SECRET[:9])[1:-1] not in line
    assert "***" in line


def test_lines_of_others_lose_what_this_job_knows_to_be_secret_and_stay_json() -> None:
    lines = [json.dumps({"a": f"{SECRET} {KEY}"}), json.dumps({"a": "harmless"})]
    cleaned = list(clean_lines(lines, {SECRET}))
    assert json.loads(cleaned[0]) == {"a": "*** *** (OpenAI key)"}
    assert cleaned[1] == lines[1]


def test_a_key_that_seems_to_go_on_in_the_next_text_leaves_a_line_json() -> None:
    begun = "-----BEGIN PRIVATE" + " KEY-----" + body(16)
    line = json.dumps({"a": begun, body(40): "b", "c": "d\u2028\ud800"}, separators=(",", ":"))
    (cleaned,) = clean_lines([line], ())
    assert json.loads(cleaned) == {"a": "*** (private key)", body(40): "b", "c": "d\u2028\ud800"}
    assert cleaned.splitlines() == [cleaned]


def test_of_a_line_that_is_no_json_and_of_its_numbers_nothing_secret_is_left() -> None:
    number = "123456789012345"
    assert list(clean_lines([f'{{"a": "{number}', f'{{"a":{number}}}'], {number})) == [
        '{"a": "***',
        '{"a":***}',
    ]
    assert list(clean_lines(["[" * 100_000 + number], {number})) == ["[" * 100_000 + "***"]


def test_a_secret_in_base64_is_one() -> None:
    encoded = "aGVsbG8tdGhpcy1pcy1zZWNyZXQ="
    _, texts = documents(said(encoded), {"hello-this-is-secret"})
    assert encoded[:-3] not in texts["results.json"]
    assert body(8) not in texts["results.json"]


def test_a_value_that_names_an_agent_or_a_metric_is_no_secret() -> None:
    """A baseline would else hold another agent than the one it is compared with."""
    run = said("of acme_support-agent, key not-named-0001")
    (agent,) = run.agents
    metric = replace(agent.metrics[0], name="acme_support-tone")
    run = replace(run, agents=(replace(agent, name="acme_support-agent", metrics=(metric,)),))
    values = {"acme_support-agent", "acme_support", "support-tone", "not-named-0001"}
    assert not_named(run, values) == {"not-named-0001"}
    made, texts = documents(run, values)
    assert made.agents == run.agents
    assert "of acme_support-agent, key ***" in texts["results.json"]
    assert "not-named-0001" not in "".join(texts.values())
