"""How long a server asked to wait before it is asked again."""

import email.utils
import time
from collections.abc import Mapping


def retry_after(error: Exception) -> float | None:
    """Seconds asked for by `retry-after-ms` or `Retry-After`, which is a number or an HTTP date.

    None where the server asked for nothing that can be waited for.
    """
    headers = _headers(error)
    try:
        if "retry-after-ms" in headers:
            seconds = float(headers["retry-after-ms"]) / 1000
        else:
            seconds = float(headers["retry-after"])
    except KeyError:
        return None
    except ValueError:
        return _until(headers.get("retry-after", ""))
    return seconds if 0 <= seconds < float("inf") else None


def _until(date: str) -> float | None:
    try:
        then = email.utils.parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, then - time.time())


def _headers(error: Exception) -> Mapping[str, str]:
    """The headers of the refusal. Ollama's SDK raises its error over the one that has them."""
    for source in (error, error.__context__):
        response = getattr(source, "response", None)
        if response is not None:
            return {str(name).lower(): str(text) for name, text in response.headers.items()}
    return {}
