"""Where a key may go."""

import pytest

from holodeck_eval.domain.agent import JudgeSpec, Secret
from holodeck_eval.domain.options import Environment
from holodeck_eval.errors import Place, Problem
from holodeck_eval.judges.trust import check_trusted, is_loopback, resolve_endpoint

HERE = Place(file="agent.yaml", line=4, column=7)
AZURE = "https://mine.openai.azure.com"


def resolve(
    provider: str, endpoint: str | None, *, trusted: tuple[str, ...] = (), **variables: str
) -> str | Problem:
    spec = JudgeSpec(provider=provider, name="j", endpoint=endpoint, place=HERE)
    environment = Environment(variables={name: Secret(text) for name, text in variables.items()})
    return resolve_endpoint(spec, environment, trusted)


@pytest.mark.parametrize(
    ("provider", "endpoint", "url"),
    [
        ("openai", None, "https://api.openai.com/v1"),
        ("openai", "https://api.openai.com/v1/", "https://api.openai.com/v1"),
        ("openai", "HTTPS://API.OpenAI.com:443/v1", "https://api.openai.com/v1"),
        ("anthropic", None, "https://api.anthropic.com"),
        ("anthropic", "https://api.anthropic.com", "https://api.anthropic.com"),
        ("openai", "http://localhost:8000/v1", "http://localhost:8000/v1"),
        ("openai", "http://127.0.0.2:8000", "http://127.0.0.2:8000"),
        ("anthropic", "http://[::1]:9", "http://[::1]:9"),
        ("ollama", None, "http://localhost:11434"),
        ("ollama", "http://127.0.0.1:5", "http://127.0.0.1:5"),
    ],
)
def test_a_provider_s_own_host_and_this_machine_are_trusted(
    provider: str, endpoint: str | None, url: str
) -> None:
    assert resolve(provider, endpoint) == url


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "https://api.openai.com.evil.example",
        "https://api.openai.com.",
        "https://evil.example/api.openai.com",
        "https://api.anthropic.com",
        "https://mine.openai.azure.com",
        "http://localhost.evil.example",
        "http://localhost.",
        "http://127.0.0.1.evil.example",
        "http://127.1",
        "http://2130706433",
        "http://0x7f000001",
        "http://0.0.0.0",
        "http://[::ffff:127.0.0.1]",
        "http://192.168.0.1",
        "http://169.254.169.254",
    ],
)
def test_any_other_host_is_refused_with_the_way_to_trust_it(endpoint: str) -> None:
    problem = resolve("openai", endpoint)
    assert isinstance(problem, Problem)
    assert problem.place == HERE
    assert "--trusted-endpoint http" in problem.message
    assert "openai/j" in problem.message


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://api.openai.com@evil.example",
        "https://user:secret@api.openai.com/v1",
        "https://api.openai.com\\@evil.example",
        "https://evil.example\\.api.openai.com",
        "https://api.openai.com\t.evil.example",
        "https://api.openai.com\n",
        " https://api.openai.com",
        "https://api.openai.com#@evil.example",
        "https://api.openai.com?x=y",
        "https://api.openai.com/%2e%2e",
        "https://\u0430pi.openai.com",
        "https://api。openai.com",
        "https:api.openai.com",
        "https:///v1",
        "https://[::1%25eth0]/",
        "https://api.openai.com:0",
        "https://api.openai.com:99999",
        "https://api.openai.com:abc",
        "file:///etc/passwd",
        "ftp://api.openai.com",
        "api.openai.com",
        "",
        "https://" + "a" * 10_000,
    ],
)
def test_what_is_no_plain_url_is_refused_without_being_repeated(endpoint: str) -> None:
    problem = resolve("openai", endpoint)
    assert problem == Problem(
        message="the endpoint of the judge openai/j is not a plain URL such as https://host:8443/path",
        place=HERE,
    )


@pytest.mark.parametrize("provider", ["openai", "anthropic", "azure_openai", "ollama"])
def test_a_trusted_endpoint_is_trusted_with_all_its_paths(provider: str) -> None:
    trusted = ("https://other.example", "https://Gateway.example:8443")
    assert resolve(provider, "https://gateway.example:8443/llm/v1", trusted=trusted) == (
        "https://gateway.example:8443/llm/v1"
    )


@pytest.mark.parametrize(
    "endpoint",
    ["http://gateway.example:8443", "https://gateway.example", "https://x.gateway.example:8443"],
)
def test_trust_holds_for_one_scheme_host_and_port(endpoint: str) -> None:
    assert isinstance(resolve("openai", endpoint, trusted=("https://gateway.example:8443",)), Problem)


def test_a_plain_http_gateway_is_trusted_only_when_named_so() -> None:
    assert resolve("openai", "http://vllm:8000/v1", trusted=("http://vllm:8000",)) == "http://vllm:8000/v1"


def test_an_untrusted_form_of_trust_is_reported() -> None:
    assert [
        str(problem) for problem in check_trusted(("https://ok.example", "ok.example", "https://a@b"))
    ] == [
        "--trusted-endpoint needs scheme, host and port, as in https://host:8443 (number 2)",
        "--trusted-endpoint needs scheme, host and port, as in https://host:8443 (number 3)",
    ]
    assert isinstance(resolve("openai", "https://ok.example", trusted=("ok.example",)), Problem)


def test_azure_is_asked_where_the_environment_says() -> None:
    assert resolve("azure_openai", None, AZURE_OPENAI_ENDPOINT=AZURE + "/") == AZURE
    assert resolve("azure_openai", AZURE, AZURE_OPENAI_ENDPOINT=AZURE) == AZURE


def test_azure_elsewhere_is_refused_even_under_azure_com() -> None:
    problem = resolve("azure_openai", "https://yours.openai.azure.com", AZURE_OPENAI_ENDPOINT=AZURE)
    assert isinstance(problem, Problem)
    assert "--trusted-endpoint https://yours.openai.azure.com" in problem.message


def test_azure_without_any_endpoint_says_what_to_set() -> None:
    assert resolve("azure_openai", None) == Problem(
        message="the judge azure_openai/j needs an endpoint: set AZURE_OPENAI_ENDPOINT", place=HERE
    )
    assert isinstance(resolve("azure_openai", AZURE), Problem)


def test_azure_over_plain_http_is_refused() -> None:
    plain = "http://mine.openai.azure.com"
    assert isinstance(resolve("azure_openai", plain, AZURE_OPENAI_ENDPOINT=plain), Problem)


def test_a_broken_variable_is_named() -> None:
    assert str(resolve("azure_openai", None, AZURE_OPENAI_ENDPOINT="mine")) == (
        "AZURE_OPENAI_ENDPOINT in the environment is not a plain URL such as https://host:8443/path"
    )
    assert "OLLAMA_HOST in the environment" in str(resolve("ollama", None, OLLAMA_HOST="a b"))


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("ollama", "http://ollama:11434"),
        ("ollama:80", "http://ollama"),
        ("10.0.0.7", "http://10.0.0.7:11434"),
        ("http://ollama", "http://ollama"),
        ("https://ollama.example/base/", "https://ollama.example/base"),
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104  # nothing is bound
        ("0.0.0.0:9", "http://127.0.0.1:9"),
        (":9", "http://127.0.0.1:9"),
        ("[::1]", "http://[::1]:11434"),
        ("[::1]:9", "http://[::1]:9"),
        ("[::]", "http://127.0.0.1:11434"),
        ("ollama/base", "http://ollama:11434/base"),
        ("http://localhost:11434", "http://localhost:11434"),
    ],
)
@pytest.mark.parametrize("endpoint", [None, "http://localhost:11434", "http://127.0.0.1:5"])
def test_ollama_host_wins_over_this_machine(host: str, url: str, endpoint: str | None) -> None:
    assert resolve("ollama", endpoint, OLLAMA_HOST=host) == url


def test_ollama_elsewhere_is_refused_whatever_ollama_host_says() -> None:
    problem = resolve("ollama", "http://evil.example:11434", OLLAMA_HOST="http://ollama:11434")
    assert isinstance(problem, Problem)
    assert "set OLLAMA_HOST, or pass --trusted-endpoint http://evil.example:11434" in problem.message
    assert resolve("ollama", "http://ollama:11434/", OLLAMA_HOST="ollama") == "http://ollama:11434"


@pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"])
def test_base_urls_of_the_environment_count_for_nothing(variable: str) -> None:
    provider = variable.partition("_")[0].lower()
    variables = {variable: "https://elsewhere.example"}
    assert "elsewhere" not in str(resolve(provider, None, **variables))
    assert isinstance(resolve(provider, "https://elsewhere.example", **variables), Problem)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.9.9.9:80", "[::1]:443", "[::1]"])
def test_this_machine_has_many_names(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "localhost.evil", "127.0.0.1.nip.io", "10.0.0.1:80", "[fe80::1]"])
def test_other_machines_are_not_this_one(host: str) -> None:
    assert not is_loopback(host)
