"""DeepEval models whose calls go through a pool: subclasses of its own, so that its metrics know them."""

import functools
import json
from typing import Any, Literal, NoReturn

from pydantic import BaseModel

from holodeck_eval.errors import JudgeError
from holodeck_eval.judges import _deepeval
from holodeck_eval.judges.call import Question
from holodeck_eval.judges.caller import Answer, Caller
from holodeck_eval.judges.probabilities import keep_those_of_the_score

ScoreSource = Literal["logprobs", "reply"]


class PooledJudge:
    """Put in front of a DeepEval model class: asks through a Caller instead of a client of its own.

    Attributes:
        score_source: where the latest GEval score comes from: weighted by the probabilities of the
            tokens, or as replied; None before the first.
        versions: what its replies called the model that answered.
    """

    caller: Caller
    score_source: ScoreSource | None = None
    versions: frozenset[str] = frozenset()

    def load_model(self, async_mode: bool = False) -> None:  # noqa: FBT001, FBT002  # its signature
        """Nothing: the pool has the client."""

    async def a_generate(
        self,
        prompt: str,
        schema: type[BaseModel] | None = None,
        audio: object = None,  # noqa: ARG002  # DeepEval's signature
    ) -> tuple[Any, float | None]:
        """The judge's answer, as an instance of the schema, and its cost in USD as DeepEval counts it.

        Raises:
            JudgeError: where there is no answer that fits.
            LimitReachedError: where the run's time or budget is used up.
        """
        answer = await self._ask(Question(prompt=prompt, schema=schema))
        if schema is not None and "score" in schema.model_fields:
            self.score_source = "reply"
        return answer.parsed, _cost(self, answer)

    def generate(self, *_: object, **__: object) -> NoReturn:
        """Refuses: a blocking call would stop all the others."""
        raise JudgeError("judges are asked asynchronously: await metric.a_measure(…)", kind="internal")

    async def _ask(self, question: Question) -> Answer:
        answer = await self.caller.ask(self, question)
        if answer.reply.version is not None:
            self.versions |= {answer.reply.version}
        return answer

    async def aclose(self) -> None:
        """Close the connections of this model's pool."""
        await self.caller.line.close()


class ProbableJudge(PooledJudge):
    """A judge that says how probable its tokens were, for GEval's weighted scores."""

    async def a_generate_raw_response(
        self,
        prompt: str,
        top_logprobs: int = 5,
        audio: object = None,  # noqa: ARG002  # DeepEval's signature
    ) -> tuple[Any, float | None]:
        """The SDK's response to a prompt for a reason and a score, and its cost.

        Its text is rewritten as plain JSON, which DeepEval reads again, and its probabilities are cut down
        to those that may weight the score.

        Raises:
            JudgeError: where there is no answer that fits.
            LimitReachedError: where the run's time or budget is used up.
        """
        schema = _deepeval.load().ReasonScore
        answer = await self._ask(Question(prompt=prompt, schema=schema, top_logprobs=top_logprobs))
        response = answer.reply.raw
        response.choices[0].message.content = json.dumps(answer.data)
        weighted = keep_those_of_the_score(response, answer.data["score"])
        self.score_source = "logprobs" if weighted else "reply"
        return response, _cost(self, answer)

    def generate_raw_response(self, *_: object, **__: object) -> NoReturn:
        """Refuses, as `generate` does."""
        self.generate()


def judge_model(caller: Caller, *, logprobs: bool) -> Any:
    """A DeepEval model that asks through a caller; without `logprobs` its scores are as replied."""
    native = caller.provider.native(_deepeval.load())
    model = _pooled(native)(**caller.provider.arguments(caller.settings))
    model.caller = caller
    if not logprobs:
        model.model_data.supports_log_probs = False
    return model


@functools.cache
def _pooled(native: Any) -> Any:
    base = ProbableJudge if hasattr(native, "a_generate_raw_response") else PooledJudge
    return type(f"Pooled{native.__name__}", (base, native), {})


def _cost(model: Any, answer: Answer) -> float | None:
    reply = answer.reply
    if reply.input_tokens is None or reply.output_tokens is None or not hasattr(model, "calculate_cost"):
        return None
    cost: float | None = model.calculate_cost(reply.input_tokens, reply.output_tokens)
    return cost
