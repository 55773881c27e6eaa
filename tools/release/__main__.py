"""The command line of `python3 -m tools.release`: ends in 1 with a sentence when a release is refused."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.release import rules
from tools.release.repository import Repository
from tools.release.rules import Refusal, Source, Version
from tools.release.smoke import smoke

ROOT: Final = Path(__file__).resolve().parents[2]
# Stands for the digest in a dry run, where no image is published.
NO_DIGEST: Final = "sha256:" + "0" * 64


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Run one command on a clone; 0, or 1 where the answer is no."""
    asked = _parser().parse_args(arguments)
    try:
        sys.stdout.write(_COMMANDS[asked.command](asked, Repository(folder=root)))
    except Refusal as error:
        sys.stderr.write(f"no release: {error}\n")
        return 1
    return 0


def plan(asked: argparse.Namespace, repository: Repository) -> str:
    """Whether the version may be released: its names, as step outputs."""
    version = Version.read(asked.version)
    image = rules.repository_image(asked.repository)
    _refuse(rules.refusals(version, _source(asked, repository)))
    return f"version={version}\ntag={version.tag}\nmoving={version.moving}\nimage={image}\n"


def show(asked: argparse.Namespace, repository: Repository) -> str:
    """What the release's commit would change; nothing is pushed."""
    return repository.changes(_commit(asked, repository))


def tag(asked: argparse.Namespace, repository: Repository) -> str:
    """Make the release's commit and set the tags; again, where a run before it was cut off."""
    version, commit = Version.read(asked.version), _commit(asked, repository)
    _refuse(rules.refusals(version, _source(asked, repository), commit))
    repository.push(version, commit)
    return f"commit={commit}\n"


def notes(asked: argparse.Namespace, repository: Repository) -> str:
    """The changelog's entries for the version."""
    return rules.notes(Version.read(asked.version), _text(repository, "CHANGELOG.md")) + "\n"


def check_image(asked: argparse.Namespace, repository: Repository) -> str:
    """Run an image on the example."""
    version = Version.read(asked.version)
    smoke(asked.image, version, repository.folder / "examples" / "support-agent")
    return f"{asked.image} judges the example as it should\n"


_COMMANDS: Final = {"plan": plan, "show": show, "tag": tag, "notes": notes, "smoke": check_image}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m tools.release", allow_abbrev=False)
    parser.add_argument("command", choices=_COMMANDS)
    parser.add_argument("--version", required=True, help="the version, as 1.2.3")
    parser.add_argument("--repository", default="", help="OWNER/NAME on GitHub")
    parser.add_argument("--ref", default="", help="the full name of what is checked out")
    parser.add_argument("--digest", default=NO_DIGEST, help="of the published image")
    parser.add_argument("--image", default="", help="that smoke runs")
    return parser


def _commit(asked: argparse.Namespace, repository: Repository) -> str:
    version = Version.read(asked.version)
    image = rules.pinned(rules.repository_image(asked.repository), version, asked.digest)
    return repository.commit(version, rules.pointed(_text(repository, "action.yml"), image))


def _source(asked: argparse.Namespace, repository: Repository) -> Source:
    return Source(
        ref=asked.ref,
        written=_text(repository, "src/holodeck_eval/__init__.py"),
        changelog=_text(repository, "CHANGELOG.md"),
        action=_text(repository, "action.yml"),
        tags=repository.tags(),
        clean=repository.clean(),
    )


def _text(repository: Repository, name: str) -> str:
    return (repository.folder / name).read_text(encoding="utf-8")


def _refuse(reasons: Sequence[str]) -> None:
    if reasons:
        raise Refusal("; ".join(reasons))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
