from dataclasses import replace

from holodeck_eval.assemble.wiring import describe
from holodeck_eval.domain.agent import Agent, JudgeSpec
from holodeck_eval.domain.fingerprint import digest_of
from tests.fakes.measured import HERE, config, generation, spec

JUDGE = JudgeSpec(provider="openai", name="gpt-4o")
PERSON = JudgeSpec(provider="human", name="ada")


def test_a_metric_is_described_by_what_shapes_it_and_what_it_must_reach() -> None:
    metric = generation(judge=JUDGE, options={"min_rating": "incomplete"})
    (described,) = describe(Agent(name="a", place=HERE, metrics=(metric,)), ())
    assert described == config(metric, prompt_version=described.prompt_version)
    assert described.configuration["min_rating"] == "incomplete"
    assert described.digest == digest_of(generation(judge=JUDGE))


def test_only_a_metric_whose_judge_is_prompted_has_a_version_of_prompts() -> None:
    metrics = (spec("a", judge=JUDGE), spec("b", judge=PERSON), spec("c"))
    judged, person, nobody = describe(Agent(name="a", place=HERE, metrics=metrics), ())
    assert (judged.prompt_version or "").startswith("holodeck-eval/")
    assert (person.judge, person.prompt_version) == ("human/ada", None)
    assert (nobody.judge, nobody.prompt_version) == (None, None)


def test_a_metric_of_the_agents_own_list_is_shared_and_is_the_one_described() -> None:
    own, other = spec("tone", threshold=0.8), spec("tone", threshold=0.1)
    brought = spec("extra")
    described = describe(
        Agent(name="a", place=HERE, metrics=(own, replace(own, name="off", enabled=False))), (other, brought)
    )
    assert {(metric.name, metric.threshold, metric.enabled, metric.shared) for metric in described} == {
        ("tone", 0.8, True, True),
        ("off", 0.8, False, True),
        ("extra", 0.8, True, False),
    }
