import json
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.errors import TranscriptError
from holodeck_eval.transcripts import Reading, read
from tests.unit.transcripts.kinds import Reads, Refused


@pytest.fixture
def reads(tmp_path: Path) -> Reads:
    """Writes a value (or text, or bytes) to a file and reads it back as transcripts."""

    def run(value: object, name: str = "t.json", **options: Any) -> Reading:
        path = tmp_path / name
        path.write_bytes(as_bytes(value, name))
        return read(path, shown_as=name, **options)

    return run


@pytest.fixture
def refused(reads: Reads) -> Refused:
    """The problems a file is refused with, each as its place and sentence."""

    def run(value: object, name: str = "t.json", **options: Any) -> list[str]:
        with pytest.raises(TranscriptError) as caught:
            reads(value, name, **options)
        return [str(problem) for problem in caught.value.problems]

    return run


def as_bytes(value: object, name: str) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    if name.endswith(".jsonl") and isinstance(value, list):
        return "".join(json.dumps(item) + "\n" for item in value).encode()
    return json.dumps(value).encode()
