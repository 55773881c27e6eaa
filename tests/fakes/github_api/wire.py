"""A request and a reply of the fake, whatever they are about."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as it arrived.

    Attributes:
        method: as in HTTP.
        origin: where it arrived, without a path.
        path: the whole path, without the query.
        query: parameters, the values of each.
        headers: by their names in small letters.
        raw: the body.
    """

    method: str
    origin: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    raw: bytes = b""

    @property
    def body(self) -> Any:
        """The body as JSON; None where there is none. A ValueError where it is something else."""
        return json.loads(self.raw) if self.raw else None

    @property
    def line(self) -> str:
        """Method and path, as a test compares them."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply.

    Attributes:
        status: as in HTTP.
        data: its JSON; None for an empty body.
        headers: on top of the usual ones.
        raw: sent in the place of JSON, whatever it is.
        drops: the connection is closed in the place of a reply.
        done: a fault comes after the request was done, in the place of its reply.
    """

    status: int = 200
    data: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    drops: bool = False
    done: bool = False

    @property
    def content(self) -> bytes:
        """The body that is sent."""
        if self.raw is not None:
            return self.raw
        return b"" if self.data is None else json.dumps(self.data).encode()


def error(status: int, message: str, **headers: str) -> Reply:
    """A refusal in GitHub's form."""
    data = {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}
    return Reply(status=status, data=data, headers={k.replace("_", "-"): v for k, v in headers.items()})
