"""The text an agent is told, from its YAML or from the file it names, with what HoloDeck records of it."""

import hashlib
import re
from collections.abc import Mapping
from typing import Final

from holodeck_eval.config.composer import Composer
from holodeck_eval.config.document import Section
from holodeck_eval.config.files import beside, read_text
from holodeck_eval.config.findings import Findings
from holodeck_eval.config.source import AgentSource
from holodeck_eval.domain.behaviour import Instructions
from holodeck_eval.errors import ConfigError

MAX_BYTES: Final = 1024 * 1024
_BOUNDARY: Final = re.compile(r"^-{3,}\s*$", re.MULTILINE)
_OTHER_FRONT: Final = re.compile(r"^(?:\{$|\+{3,}\s*$)", re.MULTILINE)
"""The first line of front matter in JSON or TOML, which HoloDeck's parser knows too."""

_OWN_FIELDS: Final = ("version", "author", "description", "tags")
_MARK: Final = "\ufeff"


def read_instructions(root: Section, source: AgentSource, findings: Findings) -> Instructions | None:
    """The agent's instructions; None, with a problem noted, where they cannot be told.

    Args:
        root: the agent YAML's root.
        source: where the agent lies.
        findings: where problems are noted.
    """
    section = root.child("instructions")
    file = section.child("file") if section is not None else None
    inline = section.child("inline") if section is not None else None
    named = file or inline
    if section is None or named is None or (file and inline) or not isinstance(named.value, str):
        place = section.place if section is not None else root.place
        findings.problem(place, "`instructions` must have a `file` or `inline` text, one of the two")
        return None
    if inline is not None:
        return instructions_of(named.value, inline=True)
    text = read_named(named, "instructions.file", source, findings)
    return instructions_of(text) if text is not None else None


def read_named(named: Section, key: str, source: AgentSource, findings: Findings) -> str | None:
    """The text of a file that the agent names, line ends as line feeds; None where it cannot be read.

    Args:
        named: the text that names it.
        key: the key it is written under, for the sentence.
        source: where the agent lies; in the action no file outside the workspace is read.
        findings: where problems are noted, at the place of the name.
    """
    path = source.path_of(named, key, findings)
    if path is None:
        return None
    try:
        text = read_text(path, shown_as=beside(source.shown_as, str(named.value)), most=MAX_BYTES)
    except ConfigError as error:
        for problem in error.problems:
            findings.problem(named.place, f"`{key}` cannot be used: {problem}")
        return None
    return text.replace("\r\n", "\n")


def instructions_of(text: str, *, inline: bool = False) -> Instructions:
    """Instructions with their hashes and front matter as HoloDeck records them (its `prompt_version`).

    HoloDeck parses files with python-frontmatter: YAML between two lines of dashes at the top, both ends of
    the rest stripped. A byte order mark, which is no part of `text` here, hides front matter from it.
    """
    whole = text.strip()
    if _OTHER_FRONT.match(whole):
        return Instructions(text=text, inline=inline)
    parts = _BOUNDARY.split(whole, 2) if _BOUNDARY.match(whole) else []
    front, body = (parts[1], parts[2].strip()) if len(parts) > 2 else ("", whole)  # noqa: PLR2004 - before, front, body
    bodies = (_sha256(body), _sha256((_MARK + text).strip()))
    return Instructions(text=text, inline=inline, bodies=bodies, front=_front(front, bodies[0]))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _front(text: str, body: str) -> Mapping[str, object] | None:
    """Front matter as HoloDeck records it; None where it is no YAML."""
    findings = Findings()
    try:
        root = Composer("", findings).compose(text)
    except ConfigError:
        return None
    given = root.value if root is not None and isinstance(root.value, dict) else {}
    return {
        "version": str(given.get("version") or f"auto-{body[:8]}"),
        "author": given.get("author"),
        "description": given.get("description"),
        "tags": given.get("tags") or [],
        "extra": {key: value for key, value in given.items() if key not in _OWN_FIELDS},
    }
