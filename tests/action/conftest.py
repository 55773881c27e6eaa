import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--container-check",
        help="the script that builds an action's Dockerfile and runs it as GitHub does",
    )
