"""All judging of a run: what was planned, what is in doubt, what newly fails."""

import asyncio
from dataclasses import replace

from holodeck_eval.domain.baseline import Baseline
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.comparison import BaselineProblem
from holodeck_eval.domain.noise import Noise
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.domain.policy import Policy
from holodeck_eval.pipeline import Effort, Judged, conclude, judge
from tests.fakes import measured as made_up
from tests.fakes.evaluators import ScriptedJudge
from tests.unit.pipeline.support import case, effort, metric, replies_of

CLEAR = metric("clear")
AGENT = made_up.agent_run(CLEAR)


def story(
    cases: list[Case], scripted: ScriptedJudge, how: Effort | None = None, baseline: Baseline | None = None
) -> Judged:
    told: list[tuple[int, int]] = []
    made = asyncio.run(
        judge(
            cases,
            {CLEAR: scripted},
            how or effort(),
            policy=Policy(),
            agents=[AGENT],
            progress=lambda *steps: told.append(steps),
            baseline=baseline,
        )
    )
    assert told[-1] == (len(cases), len(cases))
    return made


def earlier(answer: str, *replies: float, sd: float | None = None) -> Baseline:
    """A run in which case "a" had this answer, and a judge of this noise said this of it."""
    one = case("a", CLEAR, answer=answer)
    made = story([one], ScriptedJudge({answer: list(replies)}), effort(max_rejudge=0))
    cases = conclude([one], made.measurements, Policy(), [AGENT]).cases
    run = made_up.run(*cases, agents=[AGENT])
    if sd is not None:
        (metrics,) = run.summary.metrics
        noisy = replace(metrics, noise=Noise(sd=sd, source="metric", degrees=9))
        run = replace(run, summary=replace(run.summary, metrics=(noisy,)))
    return Baseline(run=run, turns={("helper", "a", 0): one.turns[0]})


def test_a_run_without_further_judgements_is_as_it_was_planned() -> None:
    scripted = ScriptedJudge({"a": [0.7, 0.7]})
    made = story([case("a", CLEAR)], scripted, effort(repeats=2, max_rejudge=0))
    assert replies_of(made.measurements) == [(0.7, 0.7)]
    assert (made.rejudged, made.warnings) == ((), ())


def test_what_is_in_doubt_is_settled_and_without_a_baseline_that_is_all() -> None:
    made = story([case("a", CLEAR)], ScriptedJudge({"a": [0.7, 1.0]}))
    assert (replies_of(made.measurements), made.rejudged) == ([(0.7, 1.0)], ())


def test_what_newly_fails_is_judged_again_on_both_sides() -> None:
    scripted = ScriptedJudge({"now": [0.2] * 7, "then": [0.8] * 6}, recorded={"then": [0.9]})
    made = story([case("a", CLEAR, answer="now")], scripted, baseline=earlier("then", 0.9))
    assert replies_of(made.measurements) == [(0.2,) * 7]
    (rejudged,) = made.rejudged
    assert isinstance(rejudged.result.outcome, Scored)
    assert rejudged.result.outcome.replies == (0.9, *[0.8] * 6)


def test_what_passes_as_before_is_not_judged_again() -> None:
    scripted = ScriptedJudge({"now": [0.9], "then": []})
    made = story([case("a", CLEAR, answer="now")], scripted, baseline=earlier("then", 0.9))
    assert (scripted.calls, made.rejudged) == (["now"], ())


def test_an_answer_that_did_not_change_is_not_judged_again_for_failing() -> None:
    scripted = ScriptedJudge({"same": [0.2] * 9})
    made = story([case("a", CLEAR, answer="same")], scripted, baseline=earlier("same", 0.9))
    assert (scripted.calls, made.rejudged) == (["same"], ())


def test_a_baseline_that_cannot_be_compared_with_is_not_judged_again() -> None:
    problem = BaselineProblem(cause="missing", message="it is not there")
    scripted = ScriptedJudge({"a": [0.2] * 9})
    made = story([case("a", CLEAR)], scripted, baseline=Baseline(problem=problem))
    assert (scripted.calls, made.rejudged) == (["a"], ())


def test_the_warnings_of_both_come_together() -> None:
    scripted = ScriptedJudge({"now": [0.2] * 7})
    before = earlier("then", 0.9)
    made = story([case("a", CLEAR, answer="now")], scripted, baseline=Baseline(run=before.run))
    (warning,) = made.warnings
    assert "1 result of the baseline that passed could not be judged again" in warning


def test_doubts_are_held_against_the_noise_that_the_baseline_measured() -> None:
    loud = ScriptedJudge({"now": [0.9, 0.9, 0.9]})
    made = story([case("a", CLEAR, answer="now")], loud, baseline=earlier("then", 0.9, sd=0.3))
    assert replies_of(made.measurements) == [(0.9, 0.9, 0.9)]
    quiet = ScriptedJudge({"now": [0.71]})
    made = story([case("a", CLEAR, answer="now")], quiet, baseline=earlier("then", 0.9, sd=0.001))
    assert replies_of(made.measurements) == [(0.71,)]
