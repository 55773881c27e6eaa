"""Types of the fixtures that write a file and read it back."""

from collections.abc import Callable

from holodeck_eval.transcripts import Reading

Reads = Callable[..., Reading]
Refused = Callable[..., list[str]]
