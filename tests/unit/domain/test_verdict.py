import pytest

from holodeck_eval.domain.verdict import EXIT_CODES, Status, Verdict


def test_exit_codes_are_those_that_workflows_rely_on() -> None:
    assert EXIT_CODES == {"passed": 0, "failed": 1, "error": 2, "inconclusive": 3, "bug": 4}


@pytest.mark.parametrize("status", sorted(EXIT_CODES))
def test_only_a_passed_verdict_has_passed_whatever_the_exit_code(status: Status) -> None:
    assert Verdict(status=status, causes=(), exit_code=0, waived=True).passed is (status == "passed")
