from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodeck_eval.assemble.sharding import parse_shard, part_of, shard_info, shard_of, split
from holodeck_eval.domain.case import Case
from holodeck_eval.domain.result import CaseResult, WaivedCase
from holodeck_eval.errors import UsageError
from tests.fakes.measured import case
from tests.fakes.runs import build_case, build_run

WAIVING = "no transcript was recorded for this test case"


def cases(*ids: str, agent: str = "helper") -> tuple[Case, ...]:
    return tuple(case(id=name, agent=agent) for name in ids)


def result(id: str) -> CaseResult:  # noqa: A002 - as in the factories
    return build_case(id, agent="helper")


def waived(id: str) -> WaivedCase:  # noqa: A002 - as in the factories
    return WaivedCase(id=id, agent="helper", reason=WAIVING)


@pytest.mark.parametrize(
    ("text", "shard"),
    [("1/1", (1, 1)), ("2/5", (2, 5)), (" 3/3 ", (3, 3)), ("1000/1000", (1000, 1000)), ("01/02", (1, 2))],
)
def test_a_shard_is_written_as_its_number_and_how_many_there_are(text: str, shard: tuple[int, int]) -> None:
    assert parse_shard(text) == shard


@pytest.mark.parametrize(
    "text",
    ["", "1", "0/2", "3/2", "1/0", "1/1001", "-1/2", "1/2/3", "1.0/2", "a/b", "1 / 2", "١/٢", "9" * 5000],  # noqa: RUF001
)
def test_anything_else_is_refused_in_one_short_sentence(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_shard(text)
    (problem,) = refused.value.problems
    assert problem.message.startswith(
        "--shard takes I/N, part I of N, with 1 <= I <= N <= 1000, as in 2/5; not '"
    )
    assert len(problem.message) < 200


def test_the_part_of_a_case_is_fixed_for_good() -> None:
    found = [shard_of("helper", name, 5) for name in ("refund-window", "hours", "greeting", "\ud800", "")]
    assert found == [4, 5, 1, 4, 1]
    assert [shard_of("other", name, 5) for name in ("refund-window", "hours", "greeting")] != found[:3]


def test_parts_are_about_equally_large() -> None:
    sizes = [
        sum(shard_of("helper", str(number), 4) == index for number in range(4000)) for index in (1, 2, 3, 4)
    ]
    assert sum(sizes) == 4000
    assert min(sizes) > 900


@given(st.lists(st.text(max_size=5), unique=True, max_size=12), st.integers(1, 5))
def test_every_case_is_in_one_part_and_keeps_its_order(ids: list[str], count: int) -> None:
    every = cases(*ids)
    parts = [split(every, (index, count)) for index in range(1, count + 1)]
    assert sorted(place for _, places in parts for place in places) == list(range(len(every)))
    for chosen, places in parts:
        assert chosen == tuple(every[place] for place in places)
        assert list(places) == sorted(places)


@given(
    st.lists(st.text(max_size=5), unique=True, max_size=8), st.sets(st.text(max_size=5)), st.integers(1, 5)
)
def test_other_cases_come_and_go_without_moving_a_case(ids: list[str], gone: set[str], count: int) -> None:
    before, _ = split(cases(*ids), (1, count))
    after, _ = split(cases(*[name for name in ids if name not in gone], "one more"), (1, count))
    assert [one for one in after if one.id != "one more"] == [one for one in before if one.id not in gone]


def test_a_shard_knows_where_its_results_and_its_waived_cases_stand_among_all() -> None:
    every = cases("a", "b", "c", "d")
    shard = shard_info(every, (2, 3), [result("b"), result("d")], [waived("c")])
    assert (shard.index, shard.count, shard.total) == (2, 3, 4)
    assert (shard.cases, shard.waived) == ((1, 3), (2,))


def test_agents_may_share_an_id() -> None:
    every = (*cases("a"), *cases("a", agent="other"))
    shard = shard_info(every, (1, 2), [replace(result("a"), agent="other")], [])
    assert shard.cases == (1,)


def test_parts_of_one_run_share_a_digest_and_those_of_others_do_not() -> None:
    every = cases("a", "b")
    first, second = shard_info(every, (1, 2), [], []), shard_info(every, (2, 2), [], [])
    assert first.whole == second.whole
    edited = (every[0], replace(every[1], digest="other"))
    others = [cases("b", "a"), cases("a", "c"), cases("a", "b", agent="x"), cases("a"), edited]
    assert first.whole not in {shard_info(other, (1, 2), [], []).whole for other in others}
    assert len({shard_info(other, (1, 2), [], []).whole for other in others}) == 5


def test_a_part_of_a_baseline_holds_the_cases_that_the_part_of_the_run_would_judge() -> None:
    run = build_run(*(build_case(f"case {number}") for number in range(20)), waived_cases=(waived("lost"),))
    parts = [part_of(run, (index, 3)) for index in (1, 2, 3)]
    for index, part in enumerate(parts, start=1):
        assert [one.id for one in part.cases] == [
            one.id for one in run.cases if shard_of(one.agent, one.id, 3) == index
        ]
    assert sorted(len(part.waived_cases) for part in parts) == [0, 0, 1]
    assert replace(parts[0], cases=run.cases, waived_cases=run.waived_cases) == run
