"""What keys look like: one table, and a search that takes time in proportion to the text, however hostile.

A shape wants what a made-up key lacks: enough letters and digits in a row. A key whose end was cut off is
still one where more than a few characters of it are left: what is missing must be past guessing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

_FREE: Final = r"(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))"
"""No letter or digit stands before, unless as the end of an escape in JSON or in a URL."""

_OUTSIDE: Final = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))"
"""As `_FREE`, and no base64url goes on here: a run of it is looked at once."""

_ENDS: Final = r"(?![A-Za-z0-9])"
_NUMBERED: Final = r"(?=[A-Za-z_-]{0,40}[0-9])"
"""A digit is near: words and names have none."""

_SAID: Final = r"""(?:[\s"'\\]|\\[nrt]){0,8}(?:=>|[:=])(?:[\s"'\\]|\\[nrt]){0,8}"""
"""Between a name and its value: `name = value`, `"name": "value"`, that within JSON."""

_BREAK: Final = r"(?:\s|\\+[nrt]|[>|#]){0,80}"
"""Between the lines of a key: line ends as they are and as JSON writes them, indented, quoted in Markdown."""

_JOINED: Final = r"""(?:\s|\\+[nrt"]|[>|#"',+]){0,80}"""
"""Between the lines of a key that a list or a program's source holds."""

_PRIVATE_KEY: Final = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    rf"(?:{_BREAK}[A-Z][A-Za-z-]{{2,30}}: [^\n\r\\]{{1,100}}){{0,4}}"
    rf"{_JOINED}[A-Za-z0-9+/]{{16,}}+={{0,2}}"
    rf"(?:{_JOINED}[A-Za-z0-9+/]{{40,}}+={{0,2}})*+"
    rf"(?:{_JOINED}[A-Za-z0-9+/]{{1,76}}+={{0,2}}(?={_JOINED}(?:=[A-Za-z0-9+/]{{4}}|-----END))"
    rf"|{_BREAK}[A-Za-z0-9+/]{{1,76}}+={{0,2}}(?=…|\s*\Z))?+"
    rf"(?:{_JOINED}=[A-Za-z0-9+/]{{4}})?+"
    rf"(?:{_JOINED}-----END (?:[A-Z0-9]{{1,12}} ){{0,4}}PRIVATE KEY(?: BLOCK)?-----)?"
)


@dataclass(frozen=True, slots=True)
class KeyShape:
    """How a kind of key looks.

    Attributes:
        pattern: the whole of it, from one of the texts in `begins`; where it has a group, that is what is
            secret. Compiled where such a text is found, and not before.
        begins: what is looked for first.
    """

    pattern: str
    begins: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A key in a text: its kind, and the characters from `start` up to `end`."""

    kind: str
    start: int
    end: int


def _shape(pattern: str, *begins: str) -> KeyShape:
    return KeyShape(pattern, begins)


KEY_SHAPES: Final[Mapping[str, KeyShape]] = {
    "private key": _shape(_PRIVATE_KEY, "-----BEGIN "),
    "Anthropic key": _shape(
        rf"{_FREE}sk-ant-(?:[a-z]{{3,8}}[0-9]{{2}}-)?+{_NUMBERED}[A-Za-z0-9_-]{{20,}}", "sk-ant-"
    ),
    "OpenRouter key": _shape(rf"{_FREE}sk-or-v1-[0-9a-f]{{32,}}", "sk-or-v1-"),
    "OpenAI key": _shape(
        rf"{_FREE}sk-(?:(?=[A-Za-z0-9_-]{{0,100}}T3BlbkFJ)"
        rf"|(?:[a-z0-9]{{2,8}}-){{0,3}}(?=[A-Za-z0-9]{{20}}){_NUMBERED})[A-Za-z0-9_-]{{20,}}",
        "sk-",
    ),
    "GitHub token": _shape(
        rf"{_FREE}(?:gh[oprsu]_|github_pat_)[A-Za-z0-9_-]{{20,}}+(?:\.[A-Za-z0-9_-]+)*",
        *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    ),
    "AWS access key id": _shape(rf"{_FREE}A[KS]IA[A-Z0-9]{{16}}{_ENDS}", "AKIA", "ASIA"),
    "AWS secret key": _shape(
        rf"(?:(?:aws_?|AWS_?)?[Ss][Ee][Cc][Rr][Ee][Tt](?:_access_key|_ACCESS_KEY|AccessKey)|aws_secret|AWS_SECRET)"
        rf"{_SAID}([A-Za-z0-9/+]{{20,}}+)={{0,2}}",
        *("aws_secret", "AWS_SECRET", "SecretAccessKey", "secretAccessKey"),
    ),
    "Google key": _shape(
        rf"{_FREE}(?:AIza|GOCSPX-|ya29\.){_NUMBERED}[A-Za-z0-9_-]{{18,}}", *("AIza", "GOCSPX-", "ya29.")
    ),
    "Slack token": _shape(
        rf"{_FREE}(?:xox[abeoprs](?:\.xox[bp])?-|xapp-)(?=[A-Za-z-]{{0,8}}[0-9])[A-Za-z0-9.-]{{16,}}",
        *("xox", "xapp-"),
    ),
    "Slack webhook": _shape(
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9]{8,}+/[A-Za-z0-9/_-]{16,})",
        "hooks.slack.com/",
    ),
    "Hugging Face token": _shape(rf"{_FREE}hf_[A-Za-z0-9]{{24,}}", "hf_"),
    "Groq key": _shape(rf"{_FREE}gsk_[A-Za-z0-9]{{24,}}", "gsk_"),
    "xAI key": _shape(rf"{_FREE}xai-[A-Za-z0-9]{{24,}}", "xai-"),
    "Perplexity key": _shape(rf"{_FREE}pplx-[A-Za-z0-9]{{24,}}", "pplx-"),
    "GitLab token": _shape(
        rf"{_FREE}gl(?:pat|ptt|rt|dt|cbt)-{_NUMBERED}[A-Za-z0-9_-]{{20,}}+(?:\.[A-Za-z0-9_-]+)*",
        *("glpat-", "glptt-", "glrt-", "gldt-", "glcbt-"),
    ),
    "npm token": _shape(rf"{_FREE}npm_[A-Za-z0-9]{{24,}}", "npm_"),
    "PyPI token": _shape(rf"{_FREE}pypi-AgE[A-Za-z0-9_-]{{24,}}", "pypi-AgE"),
    "Stripe key": _shape(rf"{_FREE}[rs]k_live_[A-Za-z0-9]{{16,}}", "sk_live_", "rk_live_"),
    "Azure key": _shape(
        r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{20,}+={0,2})", "AccountKey=", "SharedAccessKey="
    ),
    "Azure signature": _shape(r"(?<=[?&;])sig=((?:%[0-9A-Fa-f]{2}|[A-Za-z0-9+/=]){20,100}+)", "sig="),
    "JSON Web Token": _shape(
        rf"{_OUTSIDE}eyJ[A-Za-z0-9_-]{{8,}}+\.eyJ[A-Za-z0-9_-]{{8,}}+(?:\.[A-Za-z0-9_-]*)++", "eyJ"
    ),
    "bearer token": _shape(
        r"(?<=[Bb])earer(?: |%20|\+)(?=[A-Za-z._~+/-]{0,40}[0-9])([A-Za-z0-9._~+/-]{16,}+={0,2})",
        "earer",
    ),
    "authorization header": _shape(
        rf"(?<=[Aa])uthorization{_SAID}[Bb]asic ([A-Za-z0-9+/_-]{{8,}}+={{0,2}})", "uthorization"
    ),
    "password in a URL": _shape(
        r"://[^\s:/?#@\"'<>\\{}$*]{0,100}:(?!(?:pass(?:word|wd)?|pwd|secret|token|x+)@)([^\s:/@\"'<>\\{}$*]{4,200})@",
        "://",
    ),
}
"""By kind, in the order in which a text is taken for one of them."""


def find_keys(text: str) -> Iterator[Found]:
    """The keys in a text in order; none begins before another ends.

    Where two kinds see one in the same place, it is of the kind that stands first in the table.
    """
    return merged(_all(text))


def merged(found: Iterable[Found]) -> Iterator[Found]:
    """What was found, in order of place, with what overlaps as one: all that lies between its ends.

    Of the kinds in one place the first counts that is not "".
    """
    last: Found | None = None
    for one in sorted(found, key=attrgetter("start")):
        if last is not None and one.start < last.end:
            last = Found(kind=last.kind or one.kind, start=last.start, end=max(last.end, one.end))
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last


def holds_key(text: str) -> bool:
    """Whether there is any key in a text."""
    return next(_all(text), None) is not None


def _all(text: str) -> Iterator[Found]:
    for kind, shape in KEY_SHAPES.items():
        for begin in shape.begins:
            for start, end in _spans(text, begin, shape.pattern):
                yield Found(kind=kind, start=start, end=end)


def _spans(text: str, begin: str, pattern: str) -> Iterator[tuple[int, int]]:
    at = text.find(begin)
    match_at = re.compile(pattern).match if at >= 0 else None
    while match_at and at >= 0:
        match = match_at(text, at)
        if match:
            yield match.span(min(match.re.groups, 1))
        at = text.find(begin, match.end() if match else at + 1)
