"""The gate's judged metrics, built from METRICS, on recorded turns."""

import asyncio
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from holodeck_eval.domain.agent import GenerationOptions, GEvalOptions, JudgeSpec, RagOptions
from holodeck_eval.domain.judgement import Judgement, JudgementRequest
from holodeck_eval.domain.outcome import Errored, Outcome, Scored, Skipped
from holodeck_eval.domain.rating import GENERATION
from holodeck_eval.errors import JudgeError
from holodeck_eval.evaluators import METRICS, Toolbox
from holodeck_eval.judges import JudgePool, RetryConfig
from tests.fakes.evaluation import PROVIDERS, judge_spec, metric_spec, toolbox, turn
from tests.fakes.judge_answers import sensible
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked, Reply

RAG = [
    "faithfulness",
    "answer_relevancy",
    "contextual_relevancy",
    "contextual_precision",
    "contextual_recall",
]
FIVE = tuple(scale.name for scale in GENERATION)
GEVAL = GEvalOptions(criteria="Is it clear?", evaluation_params=("input", "actual_output"))
GENERATION_OPTIONS = GenerationOptions(metrics=FIVE)
OPTIONS: dict[str, Any] = {"geval": GEVAL, "generation": GENERATION_OPTIONS}
ADA = JudgeSpec(provider="human", name="Ada")


class Watched:
    """A store that keeps what it was asked for."""

    def __init__(self, tools: Toolbox) -> None:
        self.asked: list[JudgementRequest] = []
        self.steps_asked: list[JudgementRequest] = []
        self.inner = tools.store

    def recall(self, request: JudgementRequest) -> tuple[Judgement, ...]:
        self.asked.append(request)
        return self.inner.recall(request)

    def record(self, request: JudgementRequest, judgement: Judgement) -> None:
        self.inner.record(request, judgement)

    def recall_steps(self, request: JudgementRequest) -> tuple[str, ...] | None:
        self.steps_asked.append(request)
        return self.inner.recall_steps(request)

    def record_steps(self, request: JudgementRequest, steps: tuple[str, ...]) -> None:
        self.inner.record_steps(request, steps)


class Gate:
    """Measures turns with one toolbox."""

    def __init__(self, double: JudgeDouble | None, *, offline: bool = False) -> None:
        self.double = double
        self.pool = JudgePool(retry=RetryConfig(max_retries=1)) if double else None
        self.store = Watched(toolbox())
        self.tools = Toolbox(pool=self.pool, store=self.store, offline=offline)

    async def measure(
        self, kind: str, this: Any = None, provider: Any = "openai", replies: int = 1, **changes: Any
    ) -> Outcome:
        given = {"judge": judge_spec(self.double, provider), "options": OPTIONS.get(kind, RagOptions())}
        spec = metric_spec(kind, **(given | changes))
        outcome = await METRICS[kind](spec, self.tools).measure(this or turn(), replies=replies)
        if self.pool:
            await self.pool.aclose()
        return outcome


@pytest.fixture
def gate(judge_double: JudgeDouble) -> Gate:
    return Gate(judge_double)


def test_the_table_has_every_metric_a_person_can_configure() -> None:
    assert set(METRICS) == {"geval", "generation", "equality", "numeric", "expected_tools", *RAG}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("kind", [*RAG, "geval"])
async def test_a_metric_is_judged_once_and_then_recalled(gate: Gate, kind: str, provider: str) -> None:
    live = await gate.measure(kind, provider=provider)
    calls = len(gate.double.requests) if gate.double else 0
    again = await gate.measure(kind, provider=provider)
    assert isinstance(live, Scored)
    assert isinstance(again, Scored)
    assert (live.score, live.recorded) == (0.8 if kind == "geval" else 1.0, 0)
    assert live.judge == f"{provider}/{PROVIDERS[provider]}"
    assert again == replace(live, recorded=1)
    assert gate.double
    assert len(gate.double.requests) == calls > 0


@pytest.mark.parametrize(
    ("kind", "judged", "configuration"),
    [
        ("faithfulness", {"input", "actual_output", "retrieval_context"}, {"include_reason": True}),
        ("answer_relevancy", {"input", "actual_output"}, {"include_reason": True}),
        ("contextual_relevancy", {"input", "retrieval_context"}, {"include_reason": True}),
        (
            "contextual_precision",
            {"input", "expected_output", "retrieval_context"},
            {"include_reason": True},
        ),
        ("contextual_recall", {"input", "expected_output", "retrieval_context"}, {"include_reason": True}),
        (
            "geval",
            {"input", "actual_output"},
            {
                "criteria": "Is it clear?",
                "evaluation_steps": None,
                "evaluation_params": ["input", "actual_output"],
                "strict_mode": False,
            },
        ),
    ],
)
async def test_a_verdict_is_kept_under_what_was_shown_and_how_it_was_asked(
    kind: str, judged: set[str], configuration: dict[str, object]
) -> None:
    gate = Gate(None, offline=True)
    await gate.measure(kind, threshold=0.9)
    (request,) = gate.store.asked
    assert set(request.judged) == judged
    assert request.configuration == configuration
    assert (request.metric_type, request.case_id) == (kind, "hours")
    assert request.prompt_version == "holodeck-eval/1 deepeval/4.3.1"
    assert (request.low, request.high, request.whole) == (0.0, 1.0, False)


async def test_a_threshold_is_no_part_of_the_key() -> None:
    gate = Gate(None, offline=True)
    await gate.measure("faithfulness", threshold=0.9)
    await gate.measure("faithfulness", threshold=0.1, name="other")
    first, second = gate.store.asked
    assert first.key() == second.key()


@pytest.mark.parametrize("kind", [*RAG, "geval", "generation"])
async def test_a_person_judges_without_a_prompt_version_and_without_a_call(
    judge_double: JudgeDouble, kind: str
) -> None:
    gate = Gate(judge_double)
    outcome = await gate.measure(kind, judge=ADA)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "unlabelled"
    assert {request.prompt_version for request in gate.store.asked} == {""}
    assert judge_double.requests == []


@pytest.mark.parametrize("kind", [*RAG, "geval", "generation"])
async def test_offline_nothing_is_called(judge_double: JudgeDouble, kind: str) -> None:
    outcome = await Gate(judge_double, offline=True).measure(kind)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "offline"
    assert judge_double.requests == []


@pytest.mark.parametrize(
    ("kind", "changes", "cause", "sentence"),
    [
        ("faithfulness", {"retrieval_context": None}, "missing_input", "`retrieval_context` is missing"),
        ("faithfulness", {"retrieval_context": ()}, "missing_input", "Nothing was retrieved"),
        ("contextual_recall", {"retrieval_context": ("", " ")}, "missing_input", "Nothing was retrieved"),
        ("contextual_recall", {"expected_output": None}, "missing_input", "write `ground_truth`"),
        (
            "contextual_recall",
            {"expected_output": None, "several": True},
            "not_applicable",
            "`expected_output`",
        ),
        (
            "faithfulness",
            {"retrieval_context": None, "several": True},
            "missing_input",
            "`retrieval_context`",
        ),
        ("answer_relevancy", {"input": None}, "missing_input", "`input` is missing"),
        ("geval", {"input": None}, "missing_input", "`input` is missing"),
    ],
)
async def test_a_metric_without_its_inputs_is_skipped_and_says_how_to_record_them(
    gate: Gate, kind: str, changes: dict[str, Any], cause: str, sentence: str
) -> None:
    outcome = await gate.measure(kind, turn(**changes))
    assert isinstance(outcome, Skipped)
    assert outcome.cause == cause
    assert sentence in outcome.reason


async def test_geval_judges_an_empty_context(gate: Gate) -> None:
    options = replace(
        GEVAL, evaluation_params=("actual_output", "retrieval_context"), evaluation_steps=("Look.",)
    )
    outcome = await gate.measure("geval", turn(retrieval_context=()), options=options)
    assert isinstance(outcome, Scored)


async def test_nothing_to_judge_is_a_skip(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(lambda asked: {"claims": []} if asked.schema_name == "Claims" else sensible(asked))
    outcome = await gate.measure("faithfulness")
    assert outcome == Skipped(
        cause="nothing_to_judge", reason="Nothing to judge: the judge found no claim in the answer."
    )


@pytest.mark.parametrize("kind", [*RAG, "geval", "generation"])
async def test_a_judge_that_is_down_is_an_error_and_nothing_is_recorded(
    gate: Gate, judge_double: JudgeDouble, kind: str
) -> None:
    judge_double.answer(Reply(status=500))
    outcome = await gate.measure(kind)
    assert isinstance(outcome, Errored)
    assert outcome.kind == "judge_unavailable"
    judge_double.answer({"score": 1, "reason": "r"} if kind == "generation" else sensible)
    assert isinstance(await gate.measure(kind), Scored)


async def test_a_metric_may_retry_more_than_the_run(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer_next("no JSON", "no JSON")
    assert isinstance(await gate.measure("answer_relevancy", retries=2), Scored)


async def test_a_metric_has_its_own_time(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(Reply(fault="hang"))
    outcome = await gate.measure("answer_relevancy", timeout_s=0.2)
    assert isinstance(outcome, Errored)
    assert outcome.kind == "timeout"


async def test_calls_are_counted_under_the_metrics_own_name(gate: Gate) -> None:
    await gate.measure("answer_relevancy", name="On topic")
    assert gate.pool
    assert [(each.metric, each.usage.calls) for each in gate.pool.usage()[1]] == [("On topic", 3)]


async def test_no_pool_is_the_same_as_offline() -> None:
    outcome = await Gate(None).measure("faithfulness")
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "offline"


async def test_precision_at_k_is_recorded_as_json(gate: Gate) -> None:
    outcome = await gate.measure("contextual_precision")
    assert isinstance(outcome, Scored)
    assert outcome.details == {"precision_at_k": {"1": 1.0, "2": 1.0}}


def test_replaying_recorded_verdicts_imports_no_deepeval_and_no_sdk() -> None:
    code = """
import asyncio, sys
from dataclasses import replace
from holodeck_eval.domain.judgement import Judgement
from holodeck_eval.evaluators import METRICS
from tests.fakes.evaluation import metric_spec, toolbox, turn
tools = toolbox(offline=True)
metric = METRICS["faithfulness"](metric_spec(), tools)
class Store:
    recall = lambda self, request: (Judgement(score=0.5, reason="r"),)
metric = replace(metric, toolbox=replace(tools, store=Store()))
print(asyncio.run(metric.measure(turn())).score)
heavy = {"deepeval", "openai", "anthropic", "ollama", "httpx", "httpx2", "aiohttp", "numpy", "requests"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own text
    assert done.stdout.split("\n")[:2] == ["0.5", "[]"]


def generation_answers(**changes: Any) -> Any:
    """An answer by the words of each rubric, good but for the changes."""
    good = {
        "complete:": 3,
        "fully grounded": 3,
        "high redundancy": 1,
        "consistent:": 1,
        "aligned:": 1,
    } | changes
    return lambda asked: {
        "score": next(score for words, score in good.items() if words in asked.prompt),
        "reason": "r",
    }


async def test_generation_records_each_part_on_its_own_scale(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(generation_answers())
    outcome = await gate.measure("generation")
    assert isinstance(outcome, Scored)
    assert [part.name for part in outcome.parts] == list(FIVE)
    assert len(judge_double.requests) == 5
    requests = {request.metric_type: request for request in gate.store.asked}
    assert set(requests) == {f"generation.{name}" for name in FIVE}
    completeness = requests["generation.completeness"]
    assert (completeness.low, completeness.high, completeness.whole) == (1, 3, True)
    assert completeness.scale.startswith("1: not complete")
    assert completeness.metric == "generation.completeness"
    assert set(completeness.judged) == {"input", "actual_output", "expected_output"}
    assert requests["generation.language_consistency"].high == 1
    assert gate.store.recall(completeness)[0].score == 3


async def test_generation_is_rated_by_its_parts_and_replays_the_same(
    gate: Gate, judge_double: JudgeDouble
) -> None:
    judge_double.answer(generation_answers(**{"complete:": 2}))
    live = await gate.measure("generation")
    again = await gate.measure("generation")
    assert isinstance(live, Scored)
    assert (live.score, live.rating, live.recorded) == (0.9, "incomplete", 0)
    assert live.reason.endswith("1. Completeness is 2 (should be 3)")
    assert live.details == {"possible_issues": ["Retrieval Issue", "Generation Issue"]}
    assert again == replace(live, recorded=5)
    assert live.parts[0].score == 2
    assert live.parts[3].success is True
    assert len(judge_double.requests) == 5


async def test_generation_skips_what_its_default_parts_lack(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(generation_answers())
    outcome = await gate.measure("generation", turn(expected_output=None, retrieval_context=None))
    assert isinstance(outcome, Scored)
    causes = {part.name: part.cause for part in outcome.parts if part.status == "skipped"}
    assert causes == dict.fromkeys(["completeness", "groundedness", "refusal_alignment"], "not_applicable")
    assert outcome.rating == "good"


@pytest.mark.parametrize(("several", "cause"), [(False, "missing_input"), (True, "not_applicable")])
async def test_generation_reports_a_missing_input_of_a_part_that_was_named(
    gate: Gate, judge_double: JudgeDouble, cause: str, *, several: bool
) -> None:
    judge_double.answer(generation_answers())
    options = GenerationOptions(metrics=("completeness", "redundancy"), named=True)
    outcome = await gate.measure("generation", turn(expected_output=None, several=several), options=options)
    assert isinstance(outcome, Scored)
    assert [(part.name, part.cause) for part in outcome.parts] == [
        ("completeness", cause),
        ("redundancy", None),
    ]


async def test_generation_without_any_score_says_what_is_missing(gate: Gate) -> None:
    options = GenerationOptions(metrics=("completeness", "groundedness"), named=True)
    this = turn(expected_output=None, retrieval_context=None, several=True)
    outcome = await gate.measure("generation", this, options=options)
    assert isinstance(outcome, Skipped)
    assert outcome.cause == "missing_input"
    assert "`retrieval_context` is missing" in outcome.reason
    assert len(outcome.parts) == 2


async def test_generation_with_one_part_in_error_has_no_rating(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(generation_answers(**{"complete:": 7}))
    outcome = await gate.measure("generation")
    assert isinstance(outcome, Scored)
    assert (outcome.rating, outcome.score) == (None, 1.0)
    assert (outcome.parts[0].status, outcome.parts[0].cause) == ("errored", "invalid_reply")
    assert "1. Completeness could not be judged" in outcome.reason


async def test_generation_is_judged_on_an_empty_context(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(generation_answers(**{"fully grounded": 1}))
    outcome = await gate.measure("generation", turn(retrieval_context=()))
    assert isinstance(outcome, Scored)
    assert (outcome.parts[1].status, outcome.rating) == ("scored", "bad")


async def test_a_known_refusal_status_is_a_part_of_what_is_judged(
    gate: Gate, judge_double: JudgeDouble
) -> None:
    judge_double.answer(generation_answers())
    options = GenerationOptions(metrics=("refusal_alignment",), named=True)
    outcome = await gate.measure("generation", turn(is_refusal=True, expected_output=None), options=options)
    assert isinstance(outcome, Scored)
    request = gate.store.asked[-1]
    assert (request.judged["is_refusal"], request.judged["expected_output"]) == (True, None)
    assert "a refusal is expected" in judge_double.last.prompt


async def test_half_recorded_is_not_recorded(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(generation_answers())
    await gate.measure("generation", options=GenerationOptions(metrics=("redundancy",)))
    outcome = await gate.measure("generation")
    assert isinstance(outcome, Scored)
    assert outcome.recorded == 0
    assert len(judge_double.requests) == 5


async def test_a_mean_of_recorded_parts_is_rated_between(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(generation_answers())
    options = GenerationOptions(metrics=("redundancy",))
    await gate.measure("generation", options=options)
    gate.store.record(gate.store.asked[0], Judgement(score=2, reason="again"))
    outcome = await gate.measure("generation", options=options)
    assert isinstance(outcome, Scored)
    assert (outcome.parts[0].score, outcome.rating, outcome.score, outcome.recorded) == (
        1.5,
        "incomplete",
        0.75,
        2,
    )


async def test_geval_generates_its_steps_once_for_all_cases(gate: Gate, judge_double: JudgeDouble) -> None:
    judge_double.answer(lambda asked: {"steps": ["Look."]} if _asks_for_steps(asked) else sensible(asked))
    outcomes = [
        await gate.measure("geval", turn(case_id=str(number), input=f"Q{number}")) for number in range(3)
    ]
    assert all(isinstance(outcome, Scored) for outcome in outcomes)
    assert [_asks_for_steps(asked) for asked in judge_double.requests] == [True, False, False, False]
    assert all("1. Look." in asked.prompt for asked in judge_double.requests[1:])
    first = outcomes[0]
    assert isinstance(first, Scored)
    assert first.details["evaluation_steps"] == ["Look."]
    assert first.details["auto_generated_steps"] is True


async def test_geval_generates_its_steps_once_for_cases_at_the_same_time(judge_double: JudgeDouble) -> None:
    gate = Gate(judge_double)
    spec = metric_spec("geval", judge=judge_spec(judge_double), options=GEVAL)
    metric = METRICS["geval"](spec, gate.tools)
    await asyncio.gather(*(metric.measure(turn(input=f"Q{number}")) for number in range(8)))
    assert gate.pool
    await gate.pool.aclose()
    assert [_asks_for_steps(asked) for asked in judge_double.requests].count(True) == 1
    assert len(judge_double.requests) == 9


async def test_cases_that_wait_for_steps_share_the_failure_to_make_them(judge_double: JudgeDouble) -> None:
    judge_double.answer("no steps")
    gate = Gate(judge_double)
    spec = metric_spec("geval", judge=judge_spec(judge_double), options=GEVAL, retries=0)
    metric = METRICS["geval"](spec, gate.tools)
    outcomes = await asyncio.gather(*(metric.measure(turn(input=f"Q{number}")) for number in range(8)))
    assert gate.pool
    await gate.pool.aclose()
    assert [outcome.status for outcome in outcomes] == ["errored"] * 8
    assert len(judge_double.requests) == 1


async def test_geval_keeps_its_steps_under_criteria_inputs_and_judge(gate: Gate) -> None:
    await gate.measure("geval")
    (request,) = {request.key(): request for request in gate.store.steps_asked}.values()
    assert request.configuration == {
        "criteria": "Is it clear?",
        "evaluation_params": ["input", "actual_output"],
    }
    assert request.judged == {}
    assert request.judge.name == "gpt-4o"


async def test_geval_with_written_steps_generates_none(gate: Gate, judge_double: JudgeDouble) -> None:
    outcome = await gate.measure("geval", options=replace(GEVAL, evaluation_steps=("Read.", "Score.")))
    assert isinstance(outcome, Scored)
    assert outcome.details["auto_generated_steps"] is False
    assert len(judge_double.requests) == 1
    assert gate.store.steps_asked == []


async def test_geval_whose_steps_cannot_be_generated_is_an_error(
    gate: Gate, judge_double: JudgeDouble
) -> None:
    judge_double.answer({"steps": []})
    outcome = await gate.measure("geval")
    assert isinstance(outcome, Errored)
    assert outcome.kind == "invalid_reply"


def test_geval_without_criteria_is_refused() -> None:
    with pytest.raises(ValueError, match="has no criteria"):
        METRICS["geval"](metric_spec("geval", options=None), toolbox())


async def test_a_judged_metric_without_a_judge_is_refused() -> None:
    with pytest.raises(ValueError, match="has no judge"):
        await METRICS["faithfulness"](metric_spec(judge=None), toolbox()).measure(turn())


async def test_generation_without_options_is_all_five() -> None:
    gate = Gate(None, offline=True)
    await gate.measure("generation", options=None)
    assert len(gate.store.asked) == 5


async def test_rag_without_options_asks_for_a_reason() -> None:
    gate = Gate(None, offline=True)
    await gate.measure("faithfulness", options=None)
    assert gate.store.asked[0].configuration == {"include_reason": True}


def test_a_toolbox_without_a_pool_has_no_judges() -> None:
    with pytest.raises(JudgeError, match="no judge can be called"):
        toolbox().judges_for(metric_spec())


def _asks_for_steps(asked: Asked) -> bool:
    return "generate 3-4 concise evaluation steps" in asked.prompt
