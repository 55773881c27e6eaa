"""A case from a test case and its transcript: which turns are judged, with what, by which metrics."""

import json
from collections.abc import Collection, Sequence

from holodeck_eval.cases._context import retrieval_context, retrieval_names
from holodeck_eval.domain.agent import Agent, MetricSpec, TestCase, ToolExpectation, TurnExpectation
from holodeck_eval.domain.case import Case, Turn
from holodeck_eval.domain.judgement import sha256_of
from holodeck_eval.domain.redaction import redact
from holodeck_eval.domain.transcript import RecordedTurn, Reference, Transcript
from holodeck_eval.errors import Place

_ID_DIGITS = 12
_EXPECTED_TOOLS = "expected_tools"


def missing(agent: Agent, test_case: TestCase) -> Case:
    """The case of a test case that nobody recorded: it has no turns."""
    inputs = [turn.input for turn in test_case.turns]
    return Case(
        id=_without_keys(test_case.name or _id_of(inputs)),
        agent=agent.name,
        name=test_case.name,
        turns=(),
        digest=_digest(test_case.turns),
        test_case=test_case.place,
    )


def build(
    agent: Agent,
    test_case: TestCase | None,
    transcript: Transcript,
    from_tools: Collection[str],
    warnings: list[str],
) -> Case:
    """The case of a transcript, with the expectations of its test case or, without one, of its file."""
    case_id = _case_id(test_case, transcript)
    pairs = _pairs(test_case, transcript, warnings)
    maker = _Maker(agent, test_case, transcript, case_id, retrieval_names(agent, from_tools))
    warnings.extend(f"{transcript.place}: {warning}" for warning in transcript.warnings)
    return Case(
        id=case_id,
        agent=agent.name,
        name=test_case.name if test_case is not None else transcript.test_case,
        turns=tuple(maker.turn(index, expected, recorded) for index, expected, recorded in pairs),
        digest=_digest_recorded(transcript) if test_case is None else _digest_linked(test_case, transcript),
        transcript=transcript.place,
        test_case=test_case.place if test_case is not None else None,
    )


def _case_id(test_case: TestCase | None, transcript: Transcript) -> str:
    name = transcript.test_case if test_case is None else test_case.name
    inputs = [turn.input for turn in (transcript if test_case is None else test_case).turns]
    return _without_keys(transcript.id or name or _id_of(inputs))


def _without_keys(case_id: str) -> str:
    """The id without what looks like a key. Reports show it so, and by it a later run pairs the case."""
    return redact(case_id, ())


def _id_of(inputs: Sequence[str | None]) -> str:
    return sha256_of(list(inputs))[:_ID_DIGITS]


_Pair = tuple[int, TurnExpectation, RecordedTurn]


def _pairs(test_case: TestCase | None, transcript: Transcript, warnings: list[str]) -> list[_Pair]:
    """The turns that are judged: index in the conversation, what was expected, what was recorded."""
    recorded = transcript.turns
    if test_case is None:
        every = [(index, _expected_by_file(turn), turn) for index, turn in enumerate(recorded)]
        return _judged(every, transcript.place, warnings) if transcript.multi_turn else [(0, *every[-1][1:])]
    if not test_case.multi_turn:
        pairs = [(0, test_case.turns[0], recorded[-1])]
    else:
        pairs = [
            (index, expected, recorded[index] if index < len(recorded) else _not_recorded(index))
            for index, expected in enumerate(test_case.turns)
        ]
        if len(recorded) > len(pairs):
            beyond = len(recorded) - len(pairs)
            warnings.append(f"{transcript.place}: {beyond} turn(s) beyond the test case's are left out")
    _warn_of_inputs(pairs, transcript.place, warnings)
    return _judged(pairs, transcript.place, warnings) if test_case.multi_turn else pairs


def _not_recorded(index: int) -> RecordedTurn:
    return RecordedTurn(input=None, output=None, no_answer=f"turn {index + 1} was not recorded")


def _warn_of_inputs(pairs: Sequence[_Pair], place: Place, warnings: list[str]) -> None:
    for index, expected, recorded in pairs:
        if recorded.input is not None and recorded.input != expected.input:
            where = f"turn {index + 1}" if len(pairs) > 1 else "the question"
            warnings.append(f"{place}: {where} is not what the test case asks; the recorded one is judged")


def _judged(pairs: list[_Pair], place: Place, warnings: list[str]) -> list[_Pair]:
    """Those with something expected of them, or never recorded; all where nothing is expected of any."""
    if not any(_expects(expected) for _, expected, _ in pairs):
        return pairs
    judged = [pair for pair in pairs if _expects(pair[1]) or pair[2].no_answer is not None]
    if len(judged) < len(pairs):
        left = len(pairs) - len(judged)
        warnings.append(f"{place}: nothing is expected of {left} of {len(pairs)} turns, which are not judged")
    return judged


def _expects(turn: TurnExpectation) -> bool:
    return turn.ground_truth is not None or turn.expected_tools is not None or bool(turn.metrics)


def _expected_by_file(turn: RecordedTurn) -> TurnExpectation:
    reference = turn.reference or Reference()
    return TurnExpectation(
        input=turn.input or "",
        ground_truth=reference.expected_output,
        expected_tools=reference.expected_tools,
    )


class _Maker:
    """Makes the turns of one case."""

    def __init__(
        self,
        agent: Agent,
        test_case: TestCase | None,
        transcript: Transcript,
        case_id: str,
        names: frozenset[str],
    ) -> None:
        self._agent = agent
        self._test_case = test_case
        self._transcript = transcript
        self._case_id = case_id
        self._names = names
        self._several = transcript.multi_turn if test_case is None else test_case.multi_turn

    def turn(self, index: int, expected: TurnExpectation, recorded: RecordedTurn) -> Turn:
        asked = expected.input if self._test_case is not None else None
        session = self._transcript.turns[:index] if self._several else ()
        return Turn(
            case_id=self._case_id,
            index=index,
            input=asked if recorded.input is None else recorded.input,
            actual_output=recorded.output,
            no_answer=recorded.no_answer,
            expected_output=expected.ground_truth,
            context=_given_texts(recorded),
            retrieval_context=retrieval_context(
                recorded, expected.retrieval_context, (*session, recorded), self._names
            ),
            tool_calls=recorded.tool_calls,
            expected_tools=expected.expected_tools,
            is_refusal=recorded.reference.is_refusal if recorded.reference is not None else None,
            metrics=self._metrics(expected),
            several=self._several,
        )

    def _metrics(self, expected: TurnExpectation) -> tuple[MetricSpec, ...]:
        """Turn over test case over agent, each replacing the next; an empty list falls through."""
        of_case = self._test_case.metrics if self._test_case is not None else None
        chosen = expected.metrics or of_case or self._agent.metrics
        enabled = tuple(metric for metric in chosen if metric.enabled)
        if expected.expected_tools is None:
            return enabled
        place = expected.place or (self._test_case.place if self._test_case else self._agent.place)
        return (*enabled, _expected_tools(place))


def _expected_tools(place: Place) -> MetricSpec:
    return MetricSpec(
        kind="expected_tools", type=_EXPECTED_TOOLS, name=_EXPECTED_TOOLS, threshold=1.0, place=place
    )


def _given_texts(recorded: RecordedTurn) -> tuple[str, ...] | None:
    if recorded.documents is not None:
        return recorded.documents
    return recorded.reference.context if recorded.reference is not None else None


def _digest(turns: Sequence[TurnExpectation]) -> str:
    """Of what is asked and expected, and of nothing that was recorded."""
    return sha256_of(
        [
            {
                "input": turn.input,
                "ground_truth": turn.ground_truth,
                "expected_tools": _tools(turn.expected_tools),
                "retrieval_context": list(turn.retrieval_context)
                if turn.retrieval_context is not None
                else None,
            }
            for turn in turns
        ]
    )


def _digest_linked(test_case: TestCase, transcript: Transcript) -> str:
    """That of a test case; with what its transcript's file expects beside it, where it says something."""
    turns = transcript.turns if test_case.multi_turn else transcript.turns[-1:]
    said = [_beside(turn.reference) for turn in turns]
    digest = _digest(test_case.turns)
    return sha256_of([digest, said]) if any(said) else digest


def _beside(reference: Reference | None) -> list[object] | None:
    """What a test case cannot say, so that a file may."""
    if reference is None or (reference.is_refusal is None and reference.context is None):
        return None
    return [reference.is_refusal, list(reference.context) if reference.context is not None else None]


def _tools(expected: Sequence[ToolExpectation] | None) -> list[object] | None:
    if expected is None:
        return None
    return [{"name": tool.name, "count": tool.count, "arguments": _arguments(tool)} for tool in expected]


def _arguments(tool: ToolExpectation) -> dict[str, object] | None:
    if tool.arguments is None:
        return None
    return {name: [match.how, _json_value(match.value)] for name, match in tool.arguments.items()}


def _json_value(value: object) -> object:
    """A value of the agent YAML, which may hold dates or NaN, as JSON."""
    made: object = json.loads(json.dumps(value, default=str), parse_constant=str)
    return made


def _digest_recorded(transcript: Transcript) -> str:
    """Of a transcript without a test case: what was asked, and what its file expects."""
    return sha256_of([[turn.input, _reference(turn)] for turn in transcript.turns])


def _reference(turn: RecordedTurn) -> list[object] | None:
    reference = turn.reference
    if reference is None:
        return None
    context = list(reference.context) if reference.context is not None else None
    return [reference.expected_output, context, reference.is_refusal, _tools(reference.expected_tools)]
