"""A judged metric with one score, as the gate runs it: missing inputs, recorded verdicts, then the judge."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.agent import JudgeSpec, MetricSpec
from holodeck_eval.domain.case import Turn
from holodeck_eval.domain.judgement import JudgeIdentity, Judgement, JudgementRequest
from holodeck_eval.domain.outcome import Errored, Outcome, Scored, SkipCause, Skipped
from holodeck_eval.evaluators.base import EvaluationResult
from holodeck_eval.evaluators.generation_prompts import PROMPT_VERSION
from holodeck_eval.evaluators.inputs import Inputs, how_to_record
from holodeck_eval.evaluators.ports import Judges
from holodeck_eval.evaluators.recorded import read
from holodeck_eval.evaluators.toolbox import Toolbox
from holodeck_eval.judges.trust import origin_of
from holodeck_eval.judges.version import DEEPEVAL_VERSION

NOTHING_RETRIEVED: Final = "Nothing was retrieved: `retrieval_context` holds no text to judge by."

AskJudge = Callable[[Inputs, Judges], Awaitable[EvaluationResult]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMetric:
    """A `geval` or `rag` metric on one turn (an `Evaluator` of the domain).

    Attributes:
        needs: the inputs without which there is no measuring.
        judged: the inputs the score depends on.
        configuration: what was written that shapes the prompt.
        ask: the judge's result for some inputs.
        empty_context: whether a context that holds no text can be judged.
    """

    spec: MetricSpec
    toolbox: Toolbox
    needs: Sequence[str]
    judged: Sequence[str]
    configuration: Mapping[str, object]
    ask: AskJudge
    empty_context: bool = False

    async def measure(self, turn: Turn, *, replies: int = 1) -> Outcome:
        """The outcome of this metric on this turn, on at least so many judgements where they can be had."""
        inputs = Inputs.of_turn(turn)
        skipped = self._lacking(turn, inputs)
        if skipped:
            return skipped
        judge = judge_of(self.spec)
        request = JudgementRequest(
            metric=self.spec.name,
            metric_type=self.spec.type,
            configuration=self.configuration,
            judge=JudgeIdentity.of(judge),
            prompt_version=prompt_version(judge),
            judged=inputs.shown(self.judged),
            case_id=turn.case_id,
            host=host_of(judge),
        )

        async def ask() -> Judgement:
            pool = self.toolbox.judges_for(self.spec)
            return judgement_of(await self.ask(inputs, pool), pool.version)

        reading = await read(request, self.toolbox, ask, replies)
        if isinstance(reading, Skipped | Errored):
            return reading
        return Scored(
            score=reading.score,
            reason=reading.reason,
            raw_score=reading.raw_score,
            judge=str(request.judge),
            recorded=reading.recorded,
            from_checkout=reading.from_checkout,
            details=reading.details,
            replies=reading.replies,
            key=reading.key,
            judge_version=reading.judge_version,
        )

    def _lacking(self, turn: Turn, inputs: Inputs) -> Skipped | None:
        missing = inputs.missing(self.needs)
        if missing:
            return Skipped(cause=missing_cause(turn, missing), reason=how_to_record(missing))
        if "retrieval_context" in self.needs and not self.empty_context and inputs.nothing_retrieved():
            return Skipped(cause="missing_input", reason=NOTHING_RETRIEVED)
        return None


def missing_cause(turn: Turn, missing: Sequence[str]) -> SkipCause:
    """Why a turn that lacks these inputs is skipped: a turn among several need not expect an answer."""
    return "not_applicable" if turn.several and tuple(missing) == ("expected_output",) else "missing_input"


def judge_of(spec: MetricSpec) -> JudgeSpec:
    """The judge of a judged metric, which configuration always sets."""
    if spec.judge is None:
        raise ValueError(f"metric {spec.name!r} is judged but has no judge")
    return spec.judge


def host_of(judge: JudgeSpec) -> str | None:
    """Where a judge is asked, for people: scheme, host and port; None where no endpoint is known."""
    origin = origin_of(judge.endpoint) if judge.endpoint else None
    return str(origin) if origin else None


def prompt_version(judge: JudgeSpec) -> str:
    """What our prompts and DeepEval's are called together; people are not prompted."""
    return "" if judge.provider == "human" else f"holodeck-eval/{PROMPT_VERSION} deepeval/{DEEPEVAL_VERSION}"


def judgement_of(result: EvaluationResult, judge_version: str | None) -> Judgement:
    """An evaluator's result as it is recorded, with what the judge's replies called it."""
    steps = result["evaluation_steps"]
    details = result["metadata"] | ({"evaluation_steps": steps} if steps else {})
    return Judgement(
        score=result["score"],
        reason=result["reasoning"],
        raw_score=result["raw_score"],
        details={name: _json(value) for name, value in details.items()},
        judge_version=judge_version,
    )


def _json(value: object) -> object:
    """A detail as JSON has it, whose keys are texts."""
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else value
