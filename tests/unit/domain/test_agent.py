from holodeck_eval.domain.agent import Agent, MetricSpec, Secret
from holodeck_eval.errors import Place


def test_a_secret_shows_stars_wherever_it_is_printed() -> None:
    secret = Secret("sk-123")
    assert [str(secret), repr(secret), f"{secret}", f"{[secret]}"] == ["***", "***", "***", "[***]"]


def test_a_secret_reveals_its_text_to_who_asks() -> None:
    assert Secret("sk-123").reveal() == "sk-123"


def test_secrets_are_equal_by_their_text_and_to_secrets_alone() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert {Secret("a"), Secret("a")} == {Secret("a")}


def test_a_metric_can_be_the_key_of_a_table() -> None:
    place = Place(file="agent.yaml", line=2)
    one, same = (MetricSpec(kind="rag", type="a", name="a", threshold=0.5, place=place) for _ in range(2))
    assert {one: "evaluator"}[same] == "evaluator"


def test_an_agent_starts_without_metrics_and_warnings() -> None:
    agent = Agent(name="helper", place=Place(file="agent.yaml"))
    assert (agent.metrics, agent.test_cases, agent.warnings) == ((), (), ())
