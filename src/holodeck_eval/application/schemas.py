"""The JSON Schemas of the files this program reads and writes."""

from collections.abc import Callable, Mapping
from typing import Final

from holodeck_eval.config import agent_schema
from holodeck_eval.reports.results import json_schema as results_schema
from holodeck_eval.transcripts import transcript_schema

SCHEMAS: Final[Mapping[str, Callable[[], dict[str, object]]]] = {
    "agent": agent_schema,
    "transcript": transcript_schema,
    "results": results_schema,
}
