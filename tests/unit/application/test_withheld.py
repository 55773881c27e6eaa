"""Why a run had no key, in one sentence, where GitHub gave it none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.aggregate import summarize
from holodeck_eval.application.withheld import explained
from holodeck_eval.domain.outcome import Errored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.domain.result import CaseResult
from holodeck_eval.domain.run import SCHEMA_VERSION, Run
from holodeck_eval.domain.verdict import Cause
from holodeck_eval.errors import Problem
from holodeck_eval.gate import could_not_run, decide
from tests.fakes.measured import DOWN, generation, part, result, scored, spec

NO_KEY = Errored(kind="no_key", message="the judge openai/gpt-4o needs an API key")
TONE, EXACT = spec("tone"), spec("exact")


def run(*cases: CaseResult, **rules: Any) -> Run:
    summary, policy = summarize(cases), Policy(**rules)
    return Run(
        schema_version=SCHEMA_VERSION,
        tool_version="0",
        started_at="",
        duration_s=0.0,
        verdict=decide(summary, cases, policy, ()),
        policy=policy,
        summary=summary,
        cases=cases,
    )


def unjudged(name: str = "a") -> CaseResult:
    return result([(TONE, NO_KEY), (EXACT, scored(1.0))], id=name)


def recorded(name: str = "r") -> CaseResult:
    return result([(TONE, scored(1.0, recorded=1)), (EXACT, scored(1.0))], id=name)


def sentences(causes: Sequence[Cause]) -> list[str]:
    return [cause.message for cause in causes]


def test_a_fork_is_told_in_one_sentence_before_what_follows_from_it() -> None:
    before = run(unjudged("a"), unjudged("b"), recorded())
    after = explained(before, "fork")
    assert sentences(after.verdict.causes)[0] == (
        "2 evaluations could not be judged, because pull requests from forks get no secrets, and so no key for "
        "the judge; 1 with recorded verdicts counted. To have them judged, record verdicts on the main branch, "
        "or have someone run the gate who has looked at the change; see docs/github.md of holodeck/eval-action, "
        "under Pull requests from forks"
    )
    assert after.verdict.causes[0].cases == ("a", "b")
    told = " ".join(sentences(after.verdict.causes))
    assert "pass it in the environment" not in told
    assert "needs an API key" not in told
    assert "an error rate of 0.33, where at most 0 is allowed" in told
    assert len(after.verdict.causes) == len(before.verdict.causes)
    assert replace(after.verdict, causes=()) == replace(before.verdict, causes=())


def test_dependabot_has_secrets_of_its_own() -> None:
    (cause, *_) = explained(run(unjudged()), "dependabot").verdict.causes
    assert cause.message.startswith(
        "1 evaluation could not be judged, because Dependabot's pull requests get"
    )
    assert "none had a recorded verdict" in cause.message
    assert "Dependabot's own secrets" in cause.message


def test_parts_of_generation_that_had_no_key_are_one_evaluation() -> None:
    parts = (part("completeness", "errored", "no_key"), part("redundancy", "errored", "no_key"))
    case = result([(generation(), Errored(kind="no_key", message="no key", parts=parts))])
    assert explained(run(case), "fork").verdict.causes[0].message.startswith("1 evaluation ")


def test_a_cause_that_failed_the_run_stays_first_and_the_sentence_follows() -> None:
    failing = result([(TONE, NO_KEY), (EXACT, scored(0.0))], id="f")
    causes = explained(run(unjudged(), failing), "fork").verdict.causes
    assert [cause.status for cause in causes][:2] == ["failed", "inconclusive"]
    assert causes[1].code == "no_key"
    assert causes[1].message.startswith("2 evaluations could not be judged")


def test_where_no_cause_asks_for_a_key_the_sentence_is_a_warning() -> None:
    failing = result([(TONE, NO_KEY), (EXACT, scored(0.0))])
    before = run(failing, recorded())
    after = explained(before, "fork")
    assert after.verdict == before.verdict
    assert after.warnings[-1].startswith("1 evaluation could not be judged, because pull requests from forks")


@pytest.mark.parametrize("withheld", ["fork", "dependabot"])
def test_a_run_that_needed_no_key_is_not_explained(withheld: Any) -> None:
    for made in (run(recorded()), run(result([(TONE, DOWN), (EXACT, scored(1.0))]))):
        assert explained(made, withheld) == made


def test_a_run_that_got_its_secrets_is_told_to_set_the_key() -> None:
    made = run(unjudged())
    assert explained(made, None) is made
    assert "pass it in the environment" in made.verdict.causes[0].message


def test_a_variable_that_is_not_set_may_be_a_secret() -> None:
    def failed(message: str) -> Run:
        return replace(run(), verdict=could_not_run("error", [Problem(message=message)]))

    after = explained(failed("the variable `AZURE_OPENAI_ENDPOINT` is not set; set it"), "fork")
    (warning,) = after.warnings
    assert warning.startswith(
        "pull requests from forks get no secrets: where a variable is said not to be set"
    )
    assert explained(failed("unknown key `treshold`"), "fork").warnings == ()
