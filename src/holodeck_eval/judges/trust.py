"""Where a judge may be asked, and so where its key may go. Pure: the environment is an argument."""

import ipaddress
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from holodeck_eval.domain.agent import JudgeSpec
from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import Problem
from holodeck_eval.judges.kinds import ProviderEnum, own_endpoint

_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>(?:/[a-z0-9._~-]*)*)",
    re.IGNORECASE | re.ASCII,
)
"""All of a URL that is taken. No user name, query, escape, backslash, blank or letter beyond ASCII is:
what this pattern and an HTTP client read differently can name two hosts."""

_PORTS: Final = {"http": 80, "https": 443}
_OLLAMA_PORT: Final = 11434
_FORM = "a plain URL such as https://host:8443/path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Scheme, host and port of a URL in lower case. An IPv6 host keeps its brackets."""

    scheme: str
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine."""
        return is_loopback(self.host)

    def __str__(self) -> str:
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


def is_loopback(host: str) -> bool:
    """Whether a host is this machine: localhost, 127.0.0.0/8 or ::1, with or without a port."""
    name = host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def origin_of(url: str) -> Origin | None:
    """The origin of a plain http or https URL; None for anything else."""
    match = _URL.fullmatch(url)
    if match is None:
        return None
    scheme = match["scheme"].lower()
    port = int(match["port"]) if match["port"] else _PORTS[scheme]
    return Origin(scheme=scheme, host=match["host"].lower(), port=port) if 0 < port < 2**16 else None


def check_trusted(trusted: Collection[str]) -> tuple[Problem, ...]:
    """What is wrong with the values of `--trusted-endpoint`."""
    message = "--trusted-endpoint needs scheme, host and port, as in https://host:8443"
    return tuple(
        Problem(message=f"{message} (number {at})") for at, url in enumerate(trusted, 1) if not origin_of(url)
    )


def resolve_endpoint(spec: JudgeSpec, environment: Environment, trusted: Collection[str]) -> str | Problem:
    """The URL a judge is asked at, or why it is not asked.

    A key goes over https to the provider's own host, over http or https to this machine, and to the
    origins in `trusted`. Azure's own host is that of AZURE_OPENAI_ENDPOINT in the environment, Ollama's
    that of OLLAMA_HOST, which also wins over an endpoint on this machine.

    Args:
        spec: the judge, not a human one.
        environment: the process's environment.
        trusted: URLs given with `--trusted-endpoint`; only their origins count.
    """
    provider = ProviderEnum(spec.provider)
    own = _own(provider, environment)
    if isinstance(own, Problem):
        return own
    url = own if spec.endpoint is None or _moved(spec, environment) else spec.endpoint
    if spec.endpoint is None and not url:
        return Problem(
            message=f"{_judge(spec)} needs an endpoint: set AZURE_OPENAI_ENDPOINT", place=spec.place
        )
    origin = origin_of(url)
    if origin is None:
        return Problem(message=f"the endpoint of {_judge(spec)} is not {_FORM}", place=spec.place)
    if _may(origin, provider, own, trusted):
        return _plain(url)
    return Problem(message=_refusal(spec, origin), place=spec.place)


def _own(provider: ProviderEnum, environment: Environment) -> str | Problem:
    """The provider's own URL, as far as the project or the workflow says it; "" where it does not."""
    if provider is ProviderEnum.AZURE_OPENAI:
        return _checked("AZURE_OPENAI_ENDPOINT", environment.get("AZURE_OPENAI_ENDPOINT") or "")
    host = environment.get("OLLAMA_HOST") if provider is ProviderEnum.OLLAMA else None
    return _checked("OLLAMA_HOST", _ollama_url(host)) if host else own_endpoint(provider)


def _checked(name: str, url: str) -> str | Problem:
    return url if not url or origin_of(url) else Problem(message=f"{name} in the environment is not {_FORM}")


def _ollama_url(host: str) -> str:
    """OLLAMA_HOST as a URL, read as Ollama reads it: the scheme and the port may be left out."""
    if "://" in host:
        url = host
    else:
        name, slash, path = host.partition("/")
        name = name or "127.0.0.1"
        name = f"127.0.0.1{name}" if name.startswith(":") else name
        has_port = re.search(r":[0-9]+$", name) and (not name.startswith("[") or "]:" in name)
        url = f"http://{name}" + ("" if has_port else f":{_OLLAMA_PORT}") + slash + path
    return re.sub(r"//(?:0\.0\.0\.0|\[::\])(?=[:/]|$)", "//127.0.0.1", url)


def _moved(spec: JudgeSpec, environment: Environment) -> bool:
    """Whether OLLAMA_HOST takes the place of an endpoint on this machine."""
    origin = origin_of(spec.endpoint or "")
    here = spec.provider == "ollama" and origin is not None and origin.is_loopback
    return here and environment.get("OLLAMA_HOST") is not None


def _may(origin: Origin, provider: ProviderEnum, own: str, trusted: Collection[str]) -> bool:
    if origin.is_loopback or origin in {origin_of(url) for url in trusted}:
        return True
    return origin == origin_of(own) and (origin.scheme == "https" or provider is ProviderEnum.OLLAMA)


def _plain(url: str) -> str:
    match = _URL.fullmatch(url)
    return f"{origin_of(url)}{match['path'].rstrip('/')}" if match else url


def _judge(spec: JudgeSpec) -> str:
    return f"the judge {spec.provider}/{spec.name}"


def _refusal(spec: JudgeSpec, origin: Origin) -> str:
    if spec.provider == "ollama":
        return (
            f"the endpoint {origin} of {_judge(spec)} is not trusted with what is judged: set OLLAMA_HOST, "
            f"or pass --trusted-endpoint {origin}"
        )
    return (
        f"the endpoint {origin} of {_judge(spec)} is not trusted with an API key: if it is yours, "
        f"pass --trusted-endpoint {origin}"
    )
