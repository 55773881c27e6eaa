"""What HoloDeck fills in where an agent YAML writes nothing, and which settings shape behaviour.

From the JSON Schema of the agent YAML that HoloDeck 0.7.1 publishes. A default that is changed here changes
digests, so that `digest.VERSION` must change with it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

IGNORED: Final = frozenset(
    {
        # how a service is reached, and by whom
        *("endpoint", "api_key", "api_version", "auth_provider", "username", "password", "secret"),
        *("connection_string", "headers", "env_file", "registry_name"),
        # where an index is kept, and how long is waited
        *("database", "keyword_index", "context_concurrency", "encoding", "terminate_on_close"),
        *("timeout", "sse_read_timeout", "request_timeout"),
        # how the agent is served or measured
        *("max_concurrent_sessions", "session_memory_estimate_mib", "i_understand_this_is_unsafe"),
        "is_retrieval",
    }
)
"""Keys that shape no behaviour, wherever HoloDeck knows what a mapping holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A mapping whose keys HoloDeck knows.

    Attributes:
        known: each key with what it is where nothing is written; None for nothing.
        inner: the shapes of values that are such mappings themselves, by key.
        each: the shape of every value, where the keys are names that people choose.
        filled: whether the mapping means the same when it is left out as when it is empty.
    """

    known: Mapping[str, object] = field(default_factory=dict)
    inner: Mapping[str, "Shape"] = field(default_factory=dict)
    each: "Shape | None" = None
    filled: bool = False

    def at(self, key: str) -> "Shape | None":
        """The shape of the value under a key; None where it is kept as it was written."""
        return self.inner.get(key, self.each)

    def knows(self, key: str) -> bool:
        """Whether HoloDeck knows the key, so that a value under it was written by someone."""
        return key in self.known or key in self.inner or self.each is not None


def _nothing(*names: str) -> dict[str, object]:
    return dict.fromkeys(names)


MODEL: Final = Shape(
    known={**_nothing("provider", "name", "top_p"), "temperature": 0.3, "max_tokens": 1000},
)
_TOOL: Final = {**_nothing("name", "description", "type"), "defer_loading": True}
_VECTORSTORE: Final = Shape(
    known={
        **_TOOL,
        **_nothing("source", "vector_field", "meta_fields", "chunk_size", "chunk_overlap", "embedding_model"),
        **_nothing("embedding_dimensions", "min_similarity_score", "record_path", "record_prefix"),
        **_nothing("meta_prefix", "id_field", "delimiter"),
        "top_k": 5,
        "field_separator": "\n",
    }
)
_MCP: Final = Shape(
    known={
        **_TOOL,
        **_nothing("command", "args", "env", "url", "config"),
        "transport": "stdio",
        "load_tools": True,
        "load_prompts": True,
    }
)
_DOCUMENT: Final = Shape(
    known={
        **_TOOL,
        **_nothing("source", "max_subsection_depth", "min_score", "embedding_model"),
        "chunking_strategy": "structure",
        "max_chunk_tokens": 800,
        "chunk_overlap": 50,
        "document_domain": "none",
        "search_mode": "hybrid",
        "top_k": 10,
        "semantic_weight": 0.5,
        "keyword_weight": 0.3,
        "exact_weight": 0.2,
        "rrf_k": 60,
        "contextual_embeddings": True,
        "context_max_tokens": 100,
        "extract_definitions": True,
        "extract_cross_references": True,
        "enable_reranking": False,
    },
    inner={"reranker_model": MODEL, "context_model": MODEL},
)
TOOLS: Final[Mapping[str, Shape]] = {
    "vectorstore": _VECTORSTORE,
    "function": Shape(known={**_TOOL, **_nothing("file", "function", "parameters")}),
    "mcp": _MCP,
    "prompt": Shape(known={**_TOOL, **_nothing("template", "file", "parameters")}, inner={"model": Shape()}),
    "hierarchical_document": _DOCUMENT,
}
_LIMITS: Final = _nothing("effort", "max_budget_usd", "fallback_model", "disallowed_tools")
_HOOKS: Final = {"disable_default_hooks": False, "disable_subprocess_env_scrub": False}
_CLAUDE: Final = Shape(
    known={
        **_LIMITS,
        **_HOOKS,
        **_nothing("working_directory", "max_turns", "allowed_tools", "setting_sources"),
        "permission_mode": "manual",
        "web_search": False,
    },
    inner={
        "extended_thinking": Shape(known={"enabled": False, "budget_tokens": 10000}, filled=True),
        "bash": Shape(known={"enabled": False, "excluded_commands": (), "allow_unsafe": False}, filled=True),
        "file_system": Shape(known={"read": False, "write": False, "edit": False}, filled=True),
        "agents": Shape(
            each=Shape(known=_nothing("description", "prompt", "prompt_file", "tools", "model")), filled=True
        ),
    },
    filled=True,
)
_OPENAI: Final = Shape(
    known={**_LIMITS, **_HOOKS, "max_turns": 20},
    inner={"permissions": Shape(known=_nothing("allowed_tools", "disallowed_tools"), filled=True)},
    filled=True,
)
SETTINGS: Final = Shape(
    known=_nothing("response_format"),
    inner={"claude": _CLAUDE, "openai": _OPENAI, "embedding_provider": MODEL},
)


def tool_shape(tool: Mapping[str, object]) -> Shape:
    """The shape of a tool, by its `type`; of an unknown one nothing is known."""
    kind = tool.get("type")
    return TOOLS.get(kind, Shape()) if isinstance(kind, str) else Shape()


def normal(written: Mapping[str, object], shape: Shape) -> dict[str, object]:
    """What a mapping comes to: HoloDeck's defaults filled in, nulls and what shapes no behaviour left out."""
    whole = {**shape.known, **dict.fromkeys(shape.inner), **written}
    made = {
        key: _value(value, shape.at(key), shape.known.get(key))
        for key, value in whole.items()
        if key not in IGNORED
    }
    return {key: value for key, value in made.items() if value is not None}


def _value(value: object, shape: Shape | None, default: object) -> object:
    if shape is not None and value is None and shape.filled:
        value = {}
    if shape is not None and isinstance(value, Mapping):
        return normal(value, shape)
    if isinstance(value, str) and isinstance(default, int | float):
        return _number(value)
    return plain(value)


def _number(text: str) -> object:
    """A number that was written as a text, which HoloDeck takes for one; any other text as it is."""
    try:
        number = float(text)
    except ValueError:
        return text
    return plain(number) if math.isfinite(number) else text


def plain(value: object) -> object:
    """A JSON value in which equal things are written equally: 1.0 as 1, line ends as line feeds."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return value.replace("\r\n", "\n")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value
