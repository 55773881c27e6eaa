import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holodeck_eval.domain.judgement import JudgeIdentity, Judgement, JudgementRequest, VerdictStore
from holodeck_eval.errors import VerdictFileError
from holodeck_eval.verdicts import VerdictFile, reading
from tests.fakes.keys import KEYS

HUMAN = JudgeIdentity(provider="human", name="ada")
GPT = JudgeIdentity(provider="openai", name="gpt-4o")
KEY = "a" * 64


def request(**changes: Any) -> JudgementRequest:
    return JudgementRequest(
        **{
            "metric": "quality",
            "metric_type": "geval",
            "configuration": {"criteria": "is it kind?"},
            "judge": GPT,
            "prompt_version": "1",
            "judged": {"actual_output": "hello"},
            "case_id": "greeting",
            **changes,
        }
    )


def steps_request() -> JudgementRequest:
    return request(judged={})


RATED = {"metric_type": "generation.completeness", "low": 1.0, "high": 3.0, "whole": True}


def judgement(score: float = 0.5, **changes: Any) -> Judgement:
    return Judgement(score=score, reason="so-so", **changes)


def opened(path: Path | None, **options: Any) -> VerdictFile:
    return VerdictFile.open(path, now=lambda: "2024-05-01T10:00:00Z", shown_as="v.jsonl", **options)


def line(asked: JudgementRequest | None = None, **changes: Any) -> str:
    return json.dumps({"key": (asked or request()).key(), "score": 0.5, "reason": "so-so", **changes})


def written(path: Path, *lines: str | bytes, end: bytes = b"\n") -> Path:
    texts = [item.encode() if isinstance(item, str) else item for item in lines]
    path.write_bytes(b"\n".join(texts) + end)
    return path


def sentences(path: Path) -> list[str]:
    with pytest.raises(VerdictFileError) as caught:
        opened(path)
    return [str(problem) for problem in caught.value.problems]


def test_a_judgement_is_recalled_by_the_next_run_as_it_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    kept = judgement(0.25, raw_score=2.5, details={"claims": ["a"]})
    opened(path).record(request(), kept)
    assert opened(path).recall(request()) == (kept,)


def test_a_line_says_for_people_what_was_judged_by_whom_and_when(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    opened(path).record(request(host="localhost:11434", scale="0 to 1"), judgement())
    record = json.loads(path.read_text())
    assert record == {
        "case": "greeting",
        "metric": "quality",
        "metric_type": "geval",
        "judge": {"provider": "openai", "name": "gpt-4o", "temperature": 0.0},
        "host": "localhost:11434",
        "scale": {"low": 0.0, "high": 1.0, "whole": False, "means": "0 to 1"},
        "score": 0.5,
        "reason": "so-so",
        "date": "2024-05-01T10:00:00Z",
        "key": request().key(),
        "digests": request().digests(),
    }


def test_a_judgement_is_on_disk_when_record_returns(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    store = opened(path)
    for number in range(3):
        store.record(request(), judgement())
        assert path.read_bytes().count(b"\n") == number + 1


def test_repeats_are_recalled_in_file_order_with_those_of_this_run_behind(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line(score=0.1), line(score=0.2))
    store = opened(path)
    store.record(request(), judgement(0.3))
    assert [item.score for item in store.recall(request())] == [0.1, 0.2, 0.3]


def test_without_a_path_judgements_are_kept_in_memory_alone() -> None:
    store: VerdictStore = opened(None)
    store.record(request(), judgement())
    store.record_steps(steps_request(), ("read",))
    assert store.recall(request()) == (replace(judgement(), fresh=True),)
    assert store.recall_steps(steps_request()) == ("read",)


def test_a_file_opened_for_reading_is_not_written(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line())
    before = path.read_bytes()
    store = opened(path, append=False)
    store.record(request(case_id="b", judged={}), judgement())
    store.record_steps(steps_request(), ("read",))
    assert path.read_bytes() == before


def test_a_missing_file_and_its_folder_are_created_before_anything_is_paid_for(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "v.jsonl"
    opened(path)
    assert path.read_bytes() == b""


def test_a_missing_file_opened_for_reading_holds_nothing_and_says_so(tmp_path: Path) -> None:
    store = opened(tmp_path / "no.jsonl", append=False)
    assert store.recall(request()) == ()
    assert store.warnings == ("v.jsonl: there is no such file, so no verdict is recorded",)


def test_verdicts_from_the_checkout_are_marked_and_those_of_this_run_are_not(tmp_path: Path) -> None:
    store = opened(written(tmp_path / "v.jsonl", line()), from_checkout=True)
    store.record(request(), judgement())
    assert [item.from_checkout for item in store.recall(request())] == [True, False]


def test_the_file_is_called_by_its_path_unless_told_otherwise(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", "[]")
    with pytest.raises(VerdictFileError) as caught:
        VerdictFile.open(path, now=lambda: "")
    assert str(caught.value).startswith(f"{path}:1: ")


@pytest.mark.parametrize(
    "extra",
    [
        b"\xef\xbb\xbf",
        b"\n  \n\r\n",
    ],
)
def test_a_byte_order_mark_blank_lines_and_crlf_are_fine(tmp_path: Path, extra: bytes) -> None:
    path = tmp_path / "v.jsonl"
    path.write_bytes(extra + line().encode() + b"\r\n\r\n" + line(score=1).encode() + b"\r\n")
    assert [item.score for item in opened(path).recall(request())] == [0.5, 1.0]


def test_line_separators_inside_a_text_do_not_end_a_line(tmp_path: Path) -> None:
    path = written(
        tmp_path / "v.jsonl",
        json.dumps({"key": request().key(), "score": 1, "reason": "a\u2028b"}, ensure_ascii=False),
    )
    assert opened(path).recall(request())[0].reason == "a\u2028b"


def test_lone_surrogates_are_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    odd = Judgement(score=1.0, reason="half \ud83d")
    opened(path).record(request(), odd)
    assert opened(path).recall(request()) == (odd,)


def test_text_in_other_scripts_is_written_readably(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    opened(path).record(request(), Judgement(score=1.0, reason="très bien"))
    assert "très bien" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("torn", [b'{"key": "abc', b'{"score": 1, "reason": "caf\xc3', b"{"])
def test_a_torn_last_line_is_skipped_with_a_warning_and_all_others_are_kept(
    tmp_path: Path, torn: bytes
) -> None:
    path = written(tmp_path / "v.jsonl", line(), torn, end=b"")
    store = opened(path)
    assert len(store.recall(request())) == 1
    assert store.warnings == ("v.jsonl:2: skipped, because the line was cut off when a run was killed",)


def test_what_is_appended_after_a_torn_line_is_read_by_every_later_run(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line(), b'{"key": "ab', end=b"")
    opened(path).record(request(), judgement(1.0))
    opened(path).record(request(), judgement(0.0))
    again = opened(path)
    assert [item.score for item in again.recall(request())] == [0.5, 1.0, 0.0]
    assert len(again.warnings) == 1


def test_a_whole_last_line_without_a_line_end_is_kept_and_appended_to(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line(), end=b"")
    store = opened(path)
    assert store.warnings == ()
    store.record(request(), judgement(1.0))
    assert [item.score for item in opened(path).recall(request())] == [0.5, 1.0]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("nonsense", "it is not JSON: Expecting value at column 1"),
        ("[1]", "it must be a JSON object"),
        (b'{"key": "\xff"}', "it is not UTF-8 text"),
        (line(score=True), '"score" must be a number or null, not true'),
        (line(score="3"), '"score" must be a number or null, not "3"'),
        (line(score=[1]), '"score" must be a number or null, not a list'),
        (line(score=float("nan")), "it holds NaN, which is not a number"),
        (line(score=float("-inf")), "it holds -Infinity, which is not a number"),
        (line().replace("0.5", "1e999"), "it holds a number too large to be one"),
        (line().replace("0.5", "1" + "0" * 400), '"score" is too large to be a number'),
        (line().replace("0.5", "1" * 5000), "it holds a number with too many digits"),
        (line(scale={"low": 1, "high": 3, "whole": True}, score=7), '"score" is 7, but must be a whole number from 1 to 3'),
        (line(scale={"low": 1, "high": 3, "whole": True}, score=2.5), '"score" is 2.5, but must be a whole number from 1 to 3'),
        (line(scale={"low": 0, "high": 1}, score=-0.1), '"score" is -0.1, but must be a number from 0 to 1'),
        (line(scale={"low": "0", "high": 1}), '"low" must be a number or null, not "0"'),
        (json.dumps({"key": KEY}), 'it has no "score"'),
        ('{"score": 1}', '"key" must be a SHA-256 of 64 lowercase hexadecimal digits'),
        (line(key="A" * 64), '"key" must be a SHA-256 of 64 lowercase hexadecimal digits'),
        (line()[:-1] + ', "score": 1}', '"score" is given twice'),
        (line(reason=3), '"reason" must be a text, not 3'),
        (line(case={}), '"case" must be a text, not an object'),
        (line(details=[]), '"details" must be an object, not a list'),
        (line(raw_score="x"), '"raw_score" must be a number or null, not "x"'),
        (line(kind="verdict"), '"kind" must be "judgement" (or absent) or "steps"'),
        (line(kind="steps"), '"steps" must be a list of texts'),
        (line(kind="steps", steps=["a", " "]), '"steps" must hold texts that are not blank'),
        (line(details={"a": None}).replace("null", "[" * 65 + "]" * 65), "it is nested more than 64 levels deep"),
        ("[" * 100_000, "it is nested more than 64 levels deep"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_used_is_an_error_that_says_why(
    tmp_path: Path, bad: str | bytes, why: str
) -> None:
    path = written(tmp_path / "v.jsonl", line(), bad)
    assert sentences(path) == [f"v.jsonl:2: this recorded verdict cannot be used: {why}"]


def test_all_bad_lines_are_named_at_once(tmp_path: Path) -> None:
    found = sentences(written(tmp_path / "v.jsonl", "x", line(), "y", line(score="1")))
    assert [item.split(": ")[0] for item in found] == ["v.jsonl:1", "v.jsonl:3", "v.jsonl:4"]


def test_after_a_hundred_bad_lines_the_others_are_counted(tmp_path: Path) -> None:
    found = sentences(written(tmp_path / "v.jsonl", *["x"] * 130))
    assert len(found) == 101
    assert found[-1] == "v.jsonl: 30 more lines cannot be used either"


def test_brackets_in_a_text_are_no_nesting(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line(reason='["{' * 100))
    assert opened(path).recall(request())[0].reason == '["{' * 100


def test_many_brackets_side_by_side_are_no_nesting(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line(details={"a": [[1]] * 100}))
    assert opened(path).recall(request())[0].details == {"a": [[1]] * 100}


def test_keys_that_people_add_are_let_be(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line(note="checked twice", by=["ada"]))
    assert len(opened(path).recall(request())) == 1


def test_what_people_leave_out_is_taken_as_empty(tmp_path: Path) -> None:
    path = written(
        tmp_path / "v.jsonl",
        json.dumps({"key": request().key(), "score": 1, "reason": None, "details": None}),
    )
    assert opened(path).recall(request()) == (Judgement(score=1.0, reason=""),)


@pytest.mark.parametrize("score", [7, 0, 2.5, -1])
@pytest.mark.parametrize("scale", [None, {"low": -10, "high": 10}, {"low": None, "high": 3}, "one to three"])
def test_a_score_off_the_requests_scale_is_never_recalled_whatever_its_line_says(
    tmp_path: Path, score: float, scale: object
) -> None:
    asked = request(**RATED)
    store = opened(written(tmp_path / "v.jsonl", line(asked, score=score, scale=scale), line(asked, score=3)))
    assert [item.score for item in store.recall(asked)] == [3.0]
    store.recall(asked)
    assert store.warnings == (
        f"v.jsonl:1: left out, because the score is {score:g}, but must be a whole number from 1 to 3",
    )


def test_a_score_off_the_scale_alone_is_a_miss(tmp_path: Path) -> None:
    store = opened(written(tmp_path / "v.jsonl", line(score=2)))
    assert store.recall(request()) == ()
    assert store.misses == (request(),)
    assert "must be a number from 0 to 1" in store.warnings[0]


def test_what_was_asked_in_vain_is_remembered_once_and_until_it_is_recorded() -> None:
    store = opened(None)
    other = request(judged={"actual_output": "bye"})
    for asked in (request(), request(), other):
        assert store.recall(asked) == ()
    assert store.misses == (request(), other)
    store.record(other, judgement())
    assert store.misses == (request(),)


def test_steps_are_recalled_as_they_were_recorded_first(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    store = opened(path)
    assert store.recall_steps(steps_request()) is None
    store.record_steps(steps_request(), ("read it", "weigh it"))
    store.record_steps(steps_request(), ("something else",))
    assert opened(path).recall_steps(steps_request()) == ("read it", "weigh it")
    assert opened(path).recall(steps_request()) == ()
    assert json.loads(path.read_text().splitlines()[0])["kind"] == "steps"


def test_a_path_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    assert sentences(tmp_path) == [
        "v.jsonl: the verdicts must be in a file, and this is none; check the path"
    ]


def test_a_path_that_cannot_be_written_is_refused_before_anything_is_paid_for(tmp_path: Path) -> None:
    blocking = written(tmp_path / "file", "x")
    found = sentences(blocking / "v.jsonl")
    assert len(found) == 1
    assert found[0].startswith("v.jsonl: the verdict file cannot be written: ")
    assert found[0].endswith("; give a path that can be written, or run offline")


def test_a_path_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(VerdictFileError, match="the verdict file cannot be read"):
        opened(Path("/proc/self/mem"), append=False)


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    with path.open("wb") as file:
        file.truncate(reading.MAX_BYTES + 1)
    assert sentences(path) == [
        "v.jsonl: the verdict file is larger than 256 MiB; split it by case or drop old lines"
    ]


def test_a_judgement_that_cannot_be_written_is_an_error_and_kept_for_this_run(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    store = opened(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(VerdictFileError, match=r"v\.jsonl: the verdict file cannot be written"):
        store.record(request(), judgement())
    assert store.recall(request()) == (replace(judgement(), fresh=True),)


def test_after_a_failed_write_the_next_line_stands_apart_from_what_may_be_torn(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    store = opened(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(VerdictFileError):
        store.record(request(), judgement())
    path.rmdir()
    path.write_bytes(b'{"key": "half a l')
    store.record(request(), judgement(1.0))
    again = opened(path)
    assert [item.score for item in again.recall(request())] == [1.0]
    assert len(again.warnings) == 1


def test_a_miss_names_the_nearest_line_and_what_about_it_differs(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    store = opened(path)
    store.record(request(judge=HUMAN, prompt_version="0", judged={"actual_output": "hi"}), judgement())
    store.record(request(judge=HUMAN, judged={"actual_output": "hi"}), judgement())
    assert opened(path).explain_miss(request()) == (
        "no verdict is recorded for case 'greeting', metric 'quality'; the nearest, v.jsonl:2, differs in"
        " the judge (recorded 'human/ada', now 'openai/gpt-4o') and the judged texts"
    )


def test_a_miss_without_any_line_of_its_case_and_metric_says_so(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    opened(path).record(request(case_id="other"), judgement())
    assert opened(path).explain_miss(request()) == (
        "no verdict is recorded for case 'greeting', metric 'quality', and none is near it"
    )


def test_a_miss_near_a_line_that_was_edited_says_what_can_be_said(tmp_path: Path) -> None:
    who = {"case": "greeting", "metric": "quality", "metric_type": "geval"}
    same = written(tmp_path / "v.jsonl", line(key=KEY, digests=request().digests(), **who))
    assert opened(same).explain_miss(request()).endswith("v.jsonl:1, differs in its key alone")
    odd = {**request().digests(), "judge": 7}
    edited = written(tmp_path / "w.jsonl", line(key=KEY, digests=odd, judge="me", **who))
    assert opened(edited).explain_miss(request()).endswith("v.jsonl:1, differs in the judge")


def test_a_line_still_to_be_scored_shows_what_is_judged_and_no_score() -> None:
    asked = request(
        judge=HUMAN, **RATED, judged={"actual_output": "x" * 5000, "context": ["a"], "flag": None}
    )
    record = json.loads(opened(None).unscored_lines([asked], "2024-06-01")[0])
    assert (record["score"], record["reason"], record["date"]) == (None, "", "2024-06-01")
    assert record["judged"] == {"actual_output": "x" * 1999 + "…", "context": ["a"], "flag": None}
    assert record["scale"] == {"low": 1.0, "high": 3.0, "whole": True, "means": asked.scale}
    assert record["key"] == asked.key()


def test_a_score_that_a_person_fills_in_is_recalled(tmp_path: Path) -> None:
    asked = request(judge=HUMAN, **RATED)
    path = written(tmp_path / "v.jsonl", line())
    store = opened(path, append=False)
    assert store.append_unscored([asked, asked], "2024-06-01") == 1
    assert opened(path).recall(asked) == ()
    path.write_text(
        path.read_text().replace('"score": null, "reason": ""', '"score": 2, "reason": "half of it"')
    )
    assert opened(path).recall(asked) == (Judgement(score=2.0, reason="half of it"),)


def test_what_the_file_holds_already_scored_or_not_is_not_asked_again(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line())
    other = request(judged={"actual_output": "bye"})
    assert opened(path).append_unscored([request(), other], "d") == 1
    before = path.read_bytes()
    assert opened(path).append_unscored([request(), other], "d") == 0
    assert path.read_bytes() == before


def test_lines_to_be_scored_are_put_behind_a_torn_line(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", b'{"ke', end=b"")
    opened(path, append=False).append_unscored([request()], "d")
    assert opened(path).recall(request()) == ()
    assert len(opened(path).unscored_lines([request()], "d")) == 0


def test_asking_in_memory_writes_nothing() -> None:
    assert opened(None).append_unscored([request()], "d") == 1


def test_what_the_judge_was_called_is_kept_with_the_judgement_and_is_no_part_of_its_key(
    tmp_path: Path,
) -> None:
    path = tmp_path / "v.jsonl"
    opened(path).record(request(), judgement(judge_version="gpt-4o-2024-08-06"))
    opened(path).record(request(), judgement(0.75))
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    assert [item.get("judge_version") for item in lines] == ["gpt-4o-2024-08-06", None]
    assert "judge_version" not in lines[1]
    assert lines[0]["key"] == lines[1]["key"]
    assert [item.judge_version for item in opened(path).recall(request())] == ["gpt-4o-2024-08-06", None]


def test_what_a_line_calls_the_judge_is_read_as_one_short_line(tmp_path: Path) -> None:
    hostile = written(tmp_path / "v.jsonl", line(judge_version="::error::\nx" + "y" * 500))
    version = opened(hostile).recall(request())[0].judge_version
    assert version is not None
    assert version.startswith(": :error:: xyyy")
    assert len(version) == 100


def test_a_judge_version_that_is_no_text_makes_a_line_a_bad_one(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", line(judge_version=4))
    assert sentences(path) == [
        'v.jsonl:1: this recorded verdict cannot be used: "judge_version" must be a text, not 4'
    ]


def test_no_line_that_is_written_holds_a_secret_or_a_key_and_each_is_found_again(tmp_path: Path) -> None:
    """A file of verdicts is kept in caches, which strangers' pull requests may read."""
    path, key, secret = tmp_path / "v.jsonl", KEYS["Anthropic key"][0], "known-to-this-job"
    said = f"it said {key} and {secret}"
    asked = request(case_id=said, judged={"actual_output": said})
    steps, owed = request(judged={}, metric=said), request(judged={"actual_output": f"other {said}"})
    store = opened(path, secrets={secret})
    store.record(asked, Judgement(score=0.5, reason=said, details={"claims": [said]}))
    store.record_steps(steps, (said,))
    store.append_unscored([owed], "2024-05-01")
    text = path.read_text(encoding="utf-8")
    assert key not in text
    assert secret not in text
    stars = "it said *** (Anthropic key) and ***"
    again = opened(path)
    assert [(found.reason, found.details) for found in again.recall(asked)] == [(stars, {"claims": [stars]})]
    assert again.recall_steps(steps) == (stars,)
    assert again.unscored_lines([owed], "2024-05-01") == []
