"""Live judging against the double, beside a bare loop of DeepEval's own metric on one pooled client."""

import asyncio
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from openai import AsyncOpenAI

from benchmarks.inputs import write_agent, write_transcripts
from benchmarks.processes import judge_double
from holodeck_eval.assemble import Plan, assemble
from holodeck_eval.domain.options import Environment, Options
from holodeck_eval.judges._deepeval import load
from holodeck_eval.pipeline import measure

LATENCY_S = 0.2
IN_FLIGHT = 16
JUDGEMENTS = 500
ROUNDS = 3
MOST_TIMES = 1.1
MOST_CPU_MS = 15.0
MOST_GROWTH_MIB = 20.0
BOUND_S = -(-JUDGEMENTS // IN_FLIGHT) * LATENCY_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Wall and CPU seconds of one go."""

    wall_s: float
    cpu_s: float


def main() -> bool:
    """Measure, print, and say whether the targets were met."""
    load()
    with judge_double(LATENCY_S) as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, bare = [], []
        for _ in range(ROUNDS):
            bare.append(asyncio.run(_spent(lambda: _bare(url))))
            ours.append(_gate(folder, url, JUDGEMENTS))
    with judge_double(0.0) as url, tempfile.TemporaryDirectory() as name:
        _gate(Path(name), url, 200)
        before = _resident_mib()
        _gate(Path(name), url, 1000)
        growth = _resident_mib() - before
    times = statistics.median(our.wall_s / base.wall_s for our, base in zip(ours, bare, strict=True))
    cpu = statistics.median(our.cpu_s for our in ours) / JUDGEMENTS * 1000
    over = statistics.median(base.wall_s for base in bare) / BOUND_S
    print(f"live: {JUDGEMENTS} one-call GEval judgements, {IN_FLIGHT} in flight, {ROUNDS} paired rounds")
    print(f"  wall {times:.2f} times a bare loop (at most {MOST_TIMES:g}), itself {over:.2f} times the bound")
    print(f"  CPU {cpu:.1f} ms a judgement (at most {MOST_CPU_MS:g})")
    print(f"  memory: 1,000 judgements take {growth:.1f} MiB more than 200 (at most {MOST_GROWTH_MIB:g})")
    return times <= MOST_TIMES and cpu <= MOST_CPU_MS and growth <= MOST_GROWTH_MIB


def _gate(folder: Path, url: str, judgements: int) -> Spent:
    """The gate's own path, from the plan to the measurements."""
    agent, transcripts = write_agent(folder, url, metrics=1), write_transcripts(folder, judgements)
    options = Options(agent=(str(agent),), transcripts=(str(transcripts),), max_concurrency=IN_FLIGHT)
    plan = assemble(options, Environment(), now=lambda: "2026-01-01T00:00:00Z")
    return asyncio.run(_spent(lambda: _measured(plan)))


async def _measured(plan: Plan) -> None:
    made = await measure(
        plan.cases, plan.evaluators, at_once=2 * IN_FLIGHT, progress=lambda _done, _all: None
    )
    await plan.pool.aclose()
    assert all(one.outcome.status == "scored" for one in made), made[0].outcome


async def _bare(url: str) -> None:
    """The same metric and client with nothing of the gate around it."""
    door = load()
    client = AsyncOpenAI(api_key="sk-bench", base_url=f"{url}/v1", max_retries=0)

    class Pooled(door.OpenAIModel):  # type: ignore[misc,name-defined]  # DeepEval's classes are untyped
        def load_model(self, async_mode: bool = False) -> AsyncOpenAI | None:  # noqa: FBT001, FBT002
            return client if async_mode else None

    slots = asyncio.Semaphore(IN_FLIGHT)

    async def judge(number: int) -> None:
        async with slots:
            metric = door.GEval(
                name="Metric0",
                criteria="Is the answer correct and to the point?",
                evaluation_steps=["Compare the answer with the question", "Look for errors of kind 0"],
                evaluation_params=[door.SingleTurnParams.INPUT, door.SingleTurnParams.ACTUAL_OUTPUT],
                model=Pooled(model="gpt-5", api_key="sk-bench"),
            )
            answer = f"Open the settings, choose plan {number}, confirm. " * 12
            case = door.LLMTestCase(input=f"How do I change plan number {number}?", actual_output=answer)
            await metric.a_measure(case, _show_indicator=False)

    await asyncio.gather(*(judge(number) for number in range(JUDGEMENTS)))
    await client.close()


async def _spent(work: Callable[[], Awaitable[None]]) -> Spent:
    wall, cpu = time.perf_counter(), time.process_time()
    await work()
    return Spent(wall_s=time.perf_counter() - wall, cpu_s=time.process_time() - cpu)


def _resident_mib() -> float:
    """Resident memory now, or its peak where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / 2**20
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)
