"""HoloDeck's own test reports, bare or as a saved run with its metadata, of any version."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from holodeck_eval.domain.behaviour import Behaviour
from holodeck_eval.domain.transcript import ContextChunk, RecordedTurn, Reference, ToolCall, Transcript
from holodeck_eval.domain.wording import quoted
from holodeck_eval.transcripts._fields import as_id, as_text, chunks, failure, head, no_answer
from holodeck_eval.transcripts._record import Job, Record, RecordError, Sample
from holodeck_eval.transcripts._recorded_agent import recorded_agent

_JOINT = "\n---\n"
"""Between the questions of a multi-turn test, where a report gives them as one text."""

_UNPAIRED = "no result received"
_KEPT = ("timestamp", "execution_time_ms", "token_usage", "errors")


def recognises(sample: Sample) -> bool:
    """Whether each record is a report, or a run that holds one."""
    return bool(sample.records) and all(_report(record) is not None for record in sample.records)


def _report(record: object) -> Mapping[str, object] | None:
    """The report in a record; None where there is none."""
    if not isinstance(record, Mapping):
        return None
    inner = record.get("report")
    report = inner if isinstance(inner, Mapping) else record
    known = isinstance(report.get("agent_name"), str) and isinstance(report.get("results"), list)
    return report if known else None


def read(records: Iterator[Record], job: Job) -> Iterator[Transcript]:
    """One transcript a test result, of all reports in the file."""
    return job.each(_results(records, job), _transcripts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """A test result with what the report says around it."""

    result: object
    agent: str | None
    recorded: Behaviour | None
    model: str | None
    expectation: Mapping[str, object] | None
    run: str | None


def _results(records: Iterator[Record], job: Job) -> Iterator[Record]:
    """The test results of all reports. Where there are several, each carries the time of its run.

    A report is small, so that all of them are held at once to tell whether there are several.
    """
    number = 0
    reports = list(records)
    for record in reports:
        report = _report(record.value)
        if report is None or not isinstance(record.value, Mapping):
            job.problems.add(
                "this is no HoloDeck report: `agent_name` and `results` are missing", record.place
            )
            continue
        metadata = _mapping(record.value.get("metadata"))
        recorded = recorded_agent(metadata)
        snapshot = _Snapshot(_list(_mapping(metadata.get("agent_config")).get("test_cases")))
        for result in _list(report.get("results")):
            number += 1
            read = _Result(
                result=result,
                agent=as_text(report.get("agent_name")),
                recorded=recorded,
                model=as_text(_mapping(_mapping(metadata.get("agent_config")).get("model")).get("name")),
                expectation=snapshot.expectation(_mapping(result)),
                run=as_text(report.get("timestamp")) if len(reports) > 1 else None,
            )
            yield Record(value=read, place=replace(record.place, record=number))


class _Snapshot:
    """The test cases of a run's snapshot: by name and input, else by either alone where only one has it."""

    def __init__(self, cases: Sequence[object]) -> None:
        self._found: dict[str, Mapping[str, object] | None] = {}
        for case in cases:
            if isinstance(case, Mapping):
                for key in _keys(case.get("name"), _asked(case)):
                    self._found[key] = None if key in self._found else case

    def expectation(self, result: Mapping[str, object]) -> Mapping[str, object] | None:
        """The test case a result belongs to."""
        keys = _keys(result.get("test_name"), result.get("test_input"))
        return next((case for key in keys if (case := self._found.get(key)) is not None), None)


def _keys(name: object, asked: object) -> list[str]:
    """What a test case is found by, best first."""
    pairs = [[name, asked], [name], [None, asked]] if name is not None else [[None, asked]]
    return [json.dumps(pair, sort_keys=True) for pair in pairs]


def _id(result: Mapping[str, object], run: str | None) -> str | None:
    """An id where several runs of the same tests stand in one file: the test and when it was run."""
    name = as_id(result.get("test_name"), "test_name") or as_text(result.get("test_input"))
    return f"{name} @ {run}" if name and run else None


def _asked(case: Mapping[str, object]) -> object:
    turns = case.get("turns")
    if not isinstance(turns, list):
        return case.get("input")
    return _JOINT.join(str(_mapping(turn).get("input")) for turn in turns)


def _transcripts(record: Record) -> Iterable[Transcript]:
    given = record.value
    if not isinstance(given, _Result) or not isinstance(given.result, Mapping):
        raise RecordError("a test result must be an object")
    result = given.result
    if "agent_response" not in result and "turns" not in result:
        raise RecordError("this test result has no `agent_response`")
    turns, warnings = _turns(result, given.expectation or {})
    yield Transcript(
        format="holodeck",
        place=record.place,
        turns=turns,
        id=_id(result, given.run),
        test_case=as_id(result.get("test_name"), "test_name"),
        agent=given.agent,
        recorded_agent=given.recorded,
        model=given.model,
        extra={name: result[name] for name in _KEPT if result.get(name)},
        warnings=tuple(warnings),
        multi_turn=bool(_list(result.get("turns"))),
    )


def _turns(
    result: Mapping[str, object], expected: Mapping[str, object]
) -> tuple[tuple[RecordedTurn, ...], list[str]]:
    several = _list(result.get("turns"))
    if not several:
        turn, warnings = _turn(result, "test_input", "agent_response", expected)
        return (replace(turn, documents=_documents(result)),), warnings
    wanted = _list(expected.get("turns"))
    made = [
        _turn(_turn_result(item), "input", "response", _mapping(wanted[index]) if index < len(wanted) else {})
        for index, item in enumerate(several)
    ]
    documents = _documents(result)
    turns = tuple(replace(turn, documents=documents) for turn, _ in made)
    return turns, [warning for _, found in made for warning in found]


def _turn_result(item: object) -> Mapping[str, object]:
    if not isinstance(item, Mapping):
        raise RecordError("a turn of a test result must be an object")
    return item


def _turn(
    result: Mapping[str, object], asked: str, answered: str, expected: Mapping[str, object]
) -> tuple[RecordedTurn, list[str]]:
    output = as_text(result.get(answered))
    errors = [text for text in map(as_text, _list(result.get("errors"))) if text]
    clause = "the turn was skipped" if result.get("skipped") is True else no_answer(output, "; ".join(errors))
    calls, warnings = _calls(result)
    if errors and clause is None:
        warnings.append(f"the run has an answer and also recorded errors: {head('; '.join(errors))}")
    truth = as_text(result.get("ground_truth"))
    turn = RecordedTurn(
        input=as_text(result.get(asked)),
        output=output,
        no_answer=clause,
        context=_context(expected),
        tool_calls=calls,
        reference=Reference(expected_output=truth) if truth is not None else None,
    )
    return turn, warnings


def _context(expected: Mapping[str, object]) -> tuple[ContextChunk, ...] | None:
    """The context the test case gave; an empty one gives none, as for HoloDeck."""
    given = expected.get("retrieval_context")
    return chunks(given, "retrieval_context") if given else None


def _documents(result: Mapping[str, object]) -> tuple[str, ...] | None:
    texts = (_mapping(item).get("markdown_content") for item in _list(result.get("processed_files")))
    return tuple(text for text in texts if isinstance(text, str)) or None


def _calls(result: Mapping[str, object]) -> tuple[tuple[ToolCall, ...] | None, list[str]]:
    """The calls: in full where the report has them, else their names alone."""
    full, names = result.get("tool_invocations"), result.get("tool_calls")
    if isinstance(full, list) and full:
        calls = tuple(_call(item) for item in full)
        return calls, [
            f"a call of the tool {quoted(call.name, 40)} has no recorded result"
            for call in _lost(calls, full)
        ]
    if isinstance(names, list):
        return tuple(ToolCall(name=_tool_name(name)) for name in names), []
    return (() if isinstance(full, list) else None), []


def _lost(calls: Sequence[ToolCall], recorded: Sequence[object]) -> list[ToolCall]:
    return [
        call for call, item in zip(calls, recorded, strict=True) if _mapping(item).get("error") == _UNPAIRED
    ]


def _call(item: object) -> ToolCall:
    call = _mapping(item)
    error = call.get("error")
    return ToolCall(
        name=_tool_name(call.get("name")),
        arguments=call.get("args"),
        result=call.get("result"),
        error=None if error == _UNPAIRED else failure(error),
    )


def _tool_name(name: object) -> str:
    if not isinstance(name, str) or not name.strip():
        raise RecordError("a tool call has no name")
    return name


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
