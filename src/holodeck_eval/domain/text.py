"""Makes untrusted text safe to print in a log that a CI runner scans for commands."""

import re

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]+")


def log_line(text: str, limit: int = 1000) -> str:
    """The text on one line, cut at `limit` characters, holding no terminal or workflow command.

    Control characters, line ends and lone surrogates become a space. A runner takes `::name::` at
    the start of a line and `##[name]` anywhere for a command: both are broken by a space.
    """
    line = _UNPRINTABLE.sub(" ", text).strip().replace("##[", "## [")
    line = ": :" + line[2:] if line.startswith("::") else line
    return line if len(line) <= limit else line[: limit - 1] + "…"
