"""What may be released, and what a release's files say. Nothing here reads or writes anything."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

MAX_SHOWN: Final = 60
_NUMBER: Final = "(0|[1-9][0-9]{0,5})"
_VERSION: Final = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}")
_REPOSITORY: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,38}/[a-z0-9._-]{1,100}")
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")
_WRITTEN: Final = re.compile(r'^__version__ = "([^"\n]+)"$', re.MULTILINE)
_DOCKERFILE: Final = re.compile(r"^  image: Dockerfile$", re.MULTILINE)
_MAIN: Final = "refs/heads/main"


class Refusal(Exception):  # noqa: N818 - nothing went wrong: the answer is no
    """Why a release is not made: sentences, one cause each, that say what to do."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Version:
    """A version of three numbers. There are no pre-releases: a gate is either to be trusted or not out."""

    major: int
    minor: int
    patch: int

    @classmethod
    def read(cls, text: str) -> "Version":
        """The version a text says.

        Raises:
            Refusal: for anything but three plain decimal numbers with points between them.
        """
        found = _VERSION.fullmatch(text)
        if not found:
            raise Refusal(f"{shown(text)} is no version: write it as 1.2.3, without v and without more")
        major, minor, patch = (int(number) for number in found.groups())
        return cls(major=major, minor=minor, patch=patch)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def tag(self) -> str:
        """The tag that never moves."""
        return f"v{self}"

    @property
    def moving(self) -> str:
        """The tag that every release of the major version moves."""
        return f"v{self.major}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What is about to be released, as the checkout holds it.

    Attributes:
        ref: the full name of what was checked out, as GitHub says it.
        written: the text of the file with `__version__`.
        changelog: the text of CHANGELOG.md.
        action: the text of action.yml.
        tags: each tag and the commit it stands on.
        clean: whether the checkout is as it was committed.
    """

    ref: str
    written: str
    changelog: str
    action: str
    tags: Mapping[str, str]
    clean: bool = True


def refusals(version: Version, source: Source, commit: str | None = None) -> tuple[str, ...]:
    """Every reason not to release a version; empty where there is none.

    Args:
        version: what is asked for.
        source: what would be released.
        commit: the release's commit where it is made already: its own tag is then no reason, since a run that
            is repeated makes the same commit.
    """
    reasons = (
        _wrong_branch(source.ref),
        None if source.clean else "the checkout has changes that are not committed: commit or drop them",
        _other_version(version, source.written),
        _unnoted(version, source.changelog),
        None if _DOCKERFILE.search(source.action) else _NOT_BUILT_HERE,
        _tagged(version, source.tags, commit),
        _backwards(version, source.tags),
    )
    return tuple(reason for reason in reasons if reason)


def notes(version: Version, changelog: str) -> str:
    """The changelog's entries for a version, without their heading; "" where there are none."""
    heading = re.escape(f"## [{version}] - ") + r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    section = re.search(rf"^{heading}\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    text = section[1].strip() if section else ""
    return text if re.search(r"^- \S", text, re.MULTILINE) else ""


def repository_image(repository: str) -> str:
    """The image of a repository OWNER/NAME: image names are lower case, repositories' need not be.

    Raises:
        Refusal: for what is no repository's name.
    """
    lower = repository.lower()
    if not _REPOSITORY.fullmatch(lower) or not repository.isascii():
        raise Refusal(f"{shown(repository)} is no repository: write it as OWNER/NAME")
    return f"ghcr.io/{lower}"


def pinned(image: str, version: Version, digest: str) -> str:
    """The one image that a release runs: the tag is for people, the digest decides.

    Raises:
        Refusal: for what is no digest.
    """
    if not _DIGEST.fullmatch(digest):
        raise Refusal(f"{shown(digest)} is no digest: it is sha256: and 64 hexadecimal digits")
    return f"{image}:{version}@{digest}"


def pointed(action: str, image: str) -> str:
    """The text of action.yml that runs a published image instead of building one.

    Raises:
        Refusal: when the text does not name its Dockerfile exactly once.
    """
    text, count = _DOCKERFILE.subn(f"  image: docker://{image}", action)
    if count != 1:
        raise Refusal(_NOT_BUILT_HERE)
    return text


def shown(text: str) -> str:
    """A text that was given, on one line of plain characters, and short: it may be anything."""
    cut = text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."
    return ascii(cut).replace("::", ": :").replace("##[", "# #[")


_NOT_BUILT_HERE: Final = "action.yml does not say `image: Dockerfile` once: release from the main branch"


def _wrong_branch(ref: str) -> str | None:
    return None if ref == _MAIN else f"{shown(ref)} is not {_MAIN}: start the release from there"


def _other_version(version: Version, written: str) -> str | None:
    said = _WRITTEN.findall(written)
    if said == [str(version)]:
        return None
    return f"the package says {shown(said[0] if said else '')}, not {version}: change one of the two"


def _unnoted(version: Version, changelog: str) -> str | None:
    if notes(version, changelog):
        return None
    return f"CHANGELOG.md has no entries under `## [{version}] - YYYY-MM-DD`: write them, and the date"


def _tagged(version: Version, tags: Mapping[str, str], commit: str | None) -> str | None:
    stands = tags.get(version.tag)
    if stands is None or (commit is not None and stands == commit):
        return None
    where = stands[:12] if _COMMIT.fullmatch(stands) else "another commit"
    return f"{version.tag} exists and stands on {where}: a release is never made again, take the next number"


def _backwards(version: Version, tags: Iterable[str]) -> str | None:
    released = [found for found in _released(tags) if found.major == version.major]
    newest = max(released, default=version)
    if newest <= version:
        return None
    return f"{newest.tag} is out: {version.moving} would move backwards to {version.tag}"


def _released(tags: Iterable[str]) -> tuple[Version, ...]:
    """The versions among tags; what else is tagged does not matter here."""
    return tuple(Version.read(tag[1:]) for tag in tags if tag[:1] == "v" and _VERSION.fullmatch(tag[1:]))
