"""What is judged again is read by every case that shares a judgement, with the real evaluators."""

import asyncio
from dataclasses import replace

from holodeck_eval.domain.agent import GenerationOptions
from holodeck_eval.domain.outcome import Scored
from holodeck_eval.evaluators import METRICS, Toolbox
from holodeck_eval.judges import JudgePool, RetryConfig
from holodeck_eval.pipeline import Effort, measure, settle_doubts
from tests.fakes.evaluation import judge_spec, metric_spec, toolbox
from tests.fakes.judge_double import JudgeDouble
from tests.fakes.judge_wire import Asked
from tests.unit.evaluators.test_metrics import generation_answers
from tests.unit.pipeline.support import case, replies_of

PARTS = ("groundedness", "language_consistency")
EFFORT = Effort(at_once=1, max_rejudge=3)


def test_cases_that_share_a_part_of_generation_share_its_new_verdicts_as_a_later_run_will(
    judge_double: JudgeDouble,
) -> None:
    wavering = [2, 3]

    def answer(asked: Asked) -> dict[str, object]:
        doubtful = "fully grounded" in asked.prompt and "wavering" in asked.prompt
        return {"score": wavering.pop(0), "reason": "r"} if doubtful else generation_answers()(asked)

    judge_double.answer(answer)
    pool = JudgePool(retry=RetryConfig(max_retries=1))
    tools = Toolbox(pool=pool, store=toolbox().store)
    options = GenerationOptions(metrics=PARTS)
    spec = metric_spec("generation", threshold=0.7, judge=judge_spec(judge_double), options=options)
    cases = [
        case("a", spec, answer="Nine.", retrieval_context=("wavering",)),
        case("b", spec, answer="Nine.", retrieval_context=("sure",)),
    ]

    async def story() -> tuple[Scored, ...]:
        evaluators = {spec: METRICS["generation"](spec, tools)}
        first = await measure(cases, evaluators, at_once=1, progress=lambda _done, _total: None)
        made, _ = await settle_doubts(first, cases, evaluators, EFFORT)
        assert replies_of(first) == [(0.75,), (1.0,)]
        await pool.aclose()
        return tuple(one.outcome for one in made if isinstance(one.outcome, Scored))

    async def replay() -> tuple[Scored, ...]:
        offline = Toolbox(pool=None, store=tools.store, offline=True)
        evaluators = {spec: METRICS["generation"](spec, offline)}
        made = await measure(cases, evaluators, at_once=1, progress=lambda _done, _total: None)
        return tuple(one.outcome for one in made if isinstance(one.outcome, Scored))

    live, later = asyncio.run(story()), asyncio.run(replay())
    assert [outcome.replies for outcome in live] == [(0.75, 1.0), (1.0,)]
    assert [part.replies for part in live[1].parts] == [(3,), (1, 1)]
    assert len(judge_double.requests) == 3 + 2
    assert [replace(outcome, recorded=0) for outcome in later] == [
        replace(outcome, recorded=0) for outcome in live
    ]
