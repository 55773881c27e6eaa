"""The docker double keeps what it was asked and answers as the workflows need it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.fakes.docker_double import ARM64, INDEX, DockerDouble


@pytest.fixture
def docker(tmp_path: Path) -> DockerDouble:
    return DockerDouble(tmp_path / "bin")


def ask(docker: DockerDouble, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - the double this test wrote
        [str(docker.folder / "docker"), *arguments], input=stdin, capture_output=True, text=True, check=False
    )


def test_calls_are_kept_in_order_and_found_by_their_first_words(docker: DockerDouble) -> None:
    assert docker.asked() == []
    for words in (["buildx", "create"], ["login", "ghcr.io"], ["buildx", "build", "."]):
        assert ask(docker, *words).returncode == 0
    assert docker.asked("buildx") == [["buildx", "create"], ["buildx", "build", "."]]


def test_passwords_are_kept_apart_from_arguments(docker: DockerDouble) -> None:
    ask(docker, "login", "--password-stdin", stdin="secret\n")
    ask(docker, "login", "ghcr.io", stdin="not read\n")
    assert docker.passwords() == ["secret\n"]


def test_a_build_writes_the_digest_of_its_platform(docker: DockerDouble, tmp_path: Path) -> None:
    metadata = tmp_path / "built.json"
    ask(docker, "buildx", "build", "--platform", "linux/arm64", "--metadata-file", str(metadata), ".")
    assert json.loads(metadata.read_text(encoding="utf-8")) == {"containerimage.digest": ARM64}


def test_an_index_has_its_digest(docker: DockerDouble) -> None:
    assert json.loads(ask(docker, "buildx", "imagetools", "inspect", "x").stdout) == {"digest": INDEX}


def test_a_container_is_the_program_in_the_mounted_folder_with_the_given_variables(
    docker: DockerDouble, tmp_path: Path
) -> None:
    variables = (
        "--env",
        "GITHUB_WORKSPACE=/inside",
        "--env",
        "INPUT_AGENT=agent.yaml",
        "--env",
        "INPUT_NOSUCH=1",
    )
    ended = ask(docker, "run", "--volume", f"{tmp_path}:/inside", *variables, "image")
    assert ended.returncode == 2
    assert "nosuch" in ended.stdout + ended.stderr
    assert (tmp_path / "eval-report" / "results.json").is_file()
