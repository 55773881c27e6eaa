"""Files of a configuration: found, held inside the workspace, bounded, decoded, composed."""

import os
import posixpath
from pathlib import Path
from typing import Final

from holodeck_eval.config.composer import Composer
from holodeck_eval.config.document import Section, Spot
from holodeck_eval.config.findings import Findings
from holodeck_eval.errors import ConfigError, Place, Problem

MAX_BYTES: Final = 64 * 1024 * 1024


def read_document(path: Path, *, shown_as: str, findings: Findings, may_be_empty: bool = False) -> Section:
    """Read a YAML file.

    Args:
        path: the file.
        shown_as: its name in messages.
        findings: where problems that do not stop the reading are noted.
        may_be_empty: whether a file without a document reads as null.

    Raises:
        ConfigError: where the file cannot be read to its end, with what was found before too.
    """
    text = read_text(path, shown_as=shown_as)
    root = Composer(shown_as, findings).compose(text)
    if root is None and not may_be_empty:
        raise _refusal("the file is empty", shown_as)
    return root or Section(file=shown_as, value=None, spot=Spot(1, 1))


def beside(shown_as: str, name: str) -> str:
    """How a file named relative to another one is shown."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(shown_as), name))


def leaves_workspace(path: Path, *, home: Path, workspace: str | None) -> bool:
    """Whether a path, symlinks followed, ends outside the checkout and outside `home`.

    Args:
        path: the file that is asked for.
        home: the folder of the file that asks.
        workspace: the checkout in the action; None on a command line, where nothing is held back.
    """
    if workspace is None:
        return False
    real = os.path.realpath(path)
    return not any(_inside(real, os.path.realpath(folder)) for folder in (workspace, home))


def refuse_link(path: Path, *, shown_as: str, workspace: str | None) -> None:
    """Refuse a path that lies in the checkout and leads out of it by a symlink.

    Raises:
        ConfigError: if it does.
    """
    if workspace is None or not _inside(os.path.normpath(path.absolute()), os.path.normpath(workspace)):
        return
    if not _inside(os.path.realpath(path), os.path.realpath(workspace)):
        raise _refusal("this is a link that leads out of the workspace; put the file itself there", shown_as)


def _inside(path: str, folder: str) -> bool:
    return os.path.commonpath((path, folder)) == folder


def read_text(path: Path, *, shown_as: str, most: int = MAX_BYTES) -> str:
    """The text of a regular file in UTF-8, without a byte order mark.

    Args:
        path: the file.
        shown_as: its name in messages.
        most: bytes that it may have.

    Raises:
        ConfigError: where it is missing, no regular file, larger, or not UTF-8.
    """
    try:
        if not path.exists():
            raise _refusal("there is no such file", shown_as)
        if not path.is_file():
            raise _refusal("this is not a file", shown_as)
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise _refusal(f"the file cannot be read: {error.strerror or 'unknown reason'}", shown_as) from None
    if len(data) > most:
        raise _refusal(f"the file is larger than {most // 1024 // 1024} MiB; split it", shown_as)
    return _decoded(data, shown_as)


def _decoded(data: bytes, shown_as: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = Place(
            file=shown_as,
            line=before.count(b"\n") + 1,
            column=len(before[before.rfind(b"\n") + 1 :].decode(errors="ignore")) + 1,
        )
        message = f"the file is not UTF-8 (byte 0x{data[error.start]:02x} here); save it as UTF-8"
        raise ConfigError(Problem(message=message, place=place)) from None


def _refusal(message: str, shown_as: str) -> ConfigError:
    return ConfigError(Problem(message=message, place=Place(file=shown_as)))
