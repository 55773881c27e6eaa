from holodeck_eval.domain.agent import Secret
from holodeck_eval.domain.options import Environment, Options, PolicyOptions


def test_a_variable_is_its_text_and_an_unset_or_empty_one_is_none() -> None:
    environment = Environment(variables={"SET": Secret("text"), "EMPTY": Secret("")})
    assert environment.get("SET") == "text"
    assert environment.get("EMPTY") is None
    assert environment.get("UNSET") is None


def test_an_environment_does_not_print_its_values() -> None:
    assert "made-up-secret" not in repr(Environment(variables={"KEY": Secret("made-up-secret")}))


def test_options_ask_for_no_rule_unless_told() -> None:
    assert Options(agent=("a.yaml",), transcripts=("*.jsonl",)).rules == PolicyOptions()
