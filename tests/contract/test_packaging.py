"""What is built and shipped: the sdist, the wheel made from it, the locks, the versions, the image's recipe."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from coverage.files import GlobMatcher

import holodeck_eval

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-build.lock")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PIN = re.compile(r"([a-z0-9][a-z0-9-]*)==(\S+)(?: ; [^\\\n]+)? \\")

OPENS_EVERY_TEMPLATE = """
import json, importlib.resources, pathlib, holodeck_eval
folder = importlib.resources.files("holodeck_eval") / "templates"
texts = {item.name: item.read_text("utf-8") for item in folder.iterdir() if item.name.endswith(".j2")}
print(json.dumps({"from": holodeck_eval.__file__, "texts": texts}))
"""


def python(*arguments: str, path: Path | None = None) -> str:
    """The output of this Python; `path` comes before everything installed."""
    command = [sys.executable, *arguments]
    where = {"PYTHONPATH": str(path)} if path else {}
    done = subprocess.run(  # noqa: S603 - it starts this very Python
        ["/usr/bin/env", *(f"{name}={value}" for name, value in where.items()), *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that was built from it, offline."""
    folder = tmp_path_factory.mktemp("dist")
    python("-m", "build", "--no-isolation", "--outdir", str(folder))
    return folder


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but the wheel installed into it."""
    folder = tmp_path_factory.mktemp("installed")
    (wheel,) = dist.glob("*.whl")
    offline = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    python("-m", "pip", "install", *offline, "--target", str(folder), str(wheel))
    return folder


def pins(lock: str) -> dict[str, str]:
    return dict(PIN.findall((ROOT / lock).read_text(encoding="utf-8")))


def names_in(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=\s]", text, maxsplit=1)[0].lower().replace("_", "-") for text in requirements}


def test_every_template_opens_from_the_installed_wheel(installed: Path) -> None:
    opened = json.loads(python("-c", OPENS_EVERY_TEMPLATE, path=installed))
    assert Path(opened["from"]).is_relative_to(installed)
    assert opened["texts"] == {
        path.name: path.read_text(encoding="utf-8") for path in (ROOT / "templates").glob("*.j2")
    }
    assert {"comment.md.j2", "summary.md.j2"} <= set(opened["texts"])


def test_the_installed_program_knows_its_version(installed: Path) -> None:
    said = python("-m", "holodeck_eval", "--version", path=installed)
    assert said.strip().endswith(holodeck_eval.__version__)


def test_the_wheel_holds_the_package_its_typing_mark_and_its_licence_and_nothing_else(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/", 1)[0] for name in names} == {
        "holodeck_eval",
        f"holodeck_eval-{holodeck_eval.__version__}.dist-info",
    }
    assert "holodeck_eval/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_sdist_holds_what_its_own_dockerfile_copies(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.split("/", 1)[1].split("/", 1)[0] for name in archive.getnames() if "/" in name}
    assert copied_from_the_context() | {"action.yml", "Dockerfile", "Makefile", "examples", "docs"} <= held


def test_the_templates_folder_of_the_package_is_a_link_to_the_one_at_the_top() -> None:
    link = ROOT / "src" / "holodeck_eval" / "templates"
    assert link.is_symlink()
    assert link.readlink() == Path("../../templates")


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_each_package_by_hashes_and_names_no_place(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = re.split(r"\n(?! )", text.strip())
    assert all(PIN.match(entry) and re.search(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)
    assert not re.search(r"://|--index|--find-links|(^|\s)[./]\S*/", text)


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = PROJECT["project"]
    extras = [name for extra in project["optional-dependencies"].values() for name in extra]
    runtime = names_in(project["dependencies"] + extras)
    assert runtime <= set(pins("requirements.lock"))
    assert runtime | names_in(PROJECT["dependency-groups"]["dev"]) <= set(pins("requirements-dev.lock"))
    assert names_in(["hatchling"]) <= set(pins("requirements-build.lock"))


def test_the_locks_agree_with_one_another() -> None:
    everything = pins("requirements-dev.lock")
    assert pins("requirements.lock").items() <= everything.items()
    assert pins("requirements-build.lock").items() <= everything.items()


def test_deepeval_is_locked_to_the_one_release_its_scores_belong_to() -> None:
    (written,) = [text for text in PROJECT["project"]["dependencies"] if text.startswith("deepeval")]
    assert written == f"deepeval=={pins('requirements.lock')['deepeval']}"


def test_nothing_huge_is_pulled_in() -> None:
    assert not {"torch", "transformers", "tensorflow", "semantic-kernel", "holodeck-ai"} & set(
        pins("requirements.lock")
    )


def test_the_newest_heading_of_the_changelog_is_this_version() -> None:
    headings = re.findall(
        r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert next(heading for heading in headings if heading != "Unreleased") == holodeck_eval.__version__


def copied_from_the_context() -> set[str]:
    """The first path components of what the Dockerfile copies from its context."""
    lines = re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, flags=re.MULTILINE)
    return {source.split("/", 1)[0] for line in lines for source in line.split()[:-1]}


def test_the_image_is_built_from_no_more_than_the_context_lets_in() -> None:
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line.removeprefix("!") for line in ignore if line.startswith("!")} == copied_from_the_context()
    assert all((ROOT / name).exists() for name in copied_from_the_context())


def test_the_image_installs_from_locks_alone() -> None:
    installs = re.findall(r"install [^&\n]*", DOCKERFILE)
    assert installs
    assert all("--require-hashes" in line or "--no-index" in line for line in installs)


def test_the_image_runs_as_github_asks() -> None:
    instructions = set(re.findall(r"^([A-Z]+) ", DOCKERFILE, flags=re.MULTILINE))
    assert not instructions & {"USER", "WORKDIR", "CMD", "VOLUME"}
    (entry,) = re.findall(r"^ENTRYPOINT (.+)$", DOCKERFILE, flags=re.MULTILINE)
    assert json.loads(entry) == ["/opt/venv/bin/holodeck-eval", "action"]


def test_the_readme_is_short_enough_to_be_read() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 250


def test_every_file_the_readme_links_to_is_there() -> None:
    targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("room", ["aggregate", "compare", "gate", "domain"])
def test_every_file_that_decides_is_held_to_full_coverage(room: str) -> None:
    """A pattern that reaches no file is kept by any coverage."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (patterns,) = re.findall(r"--fail-under=100 --include='([^']+)'", makefile)
    files = [str(path) for path in (ROOT / "src" / "holodeck_eval" / room).rglob("*.py")]
    reached = GlobMatcher(patterns.split(","), "include")
    assert files
    assert [file for file in files if not reached.match(file)] == []
