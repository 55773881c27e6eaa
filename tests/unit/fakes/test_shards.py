from tests.fakes.measured import case, scored, spec
from tests.fakes.shards import build_baseline, build_part, build_parts

CASES = tuple(case([(spec(), None)], id=str(number)) for number in range(6))
OUTCOMES = {("helper", one.id, 0, "faithfulness"): scored(0.9) for one in CASES}


def test_a_whole_run_is_no_shard_and_judges_every_case() -> None:
    run = build_part(CASES, OUTCOMES)
    assert run.shard is None
    assert [one.status for one in run.cases] == ["passed"] * 6
    assert (run.agents[0].test_cases, run.agents[0].transcripts) == (6, 6)


def test_shards_share_the_agents_and_split_the_cases() -> None:
    parts = build_parts(CASES, OUTCOMES, 2)
    assert [name for name, _ in parts] == ["shard-1/results.json", "shard-2/results.json"]
    assert parts[0][1].agents == parts[1][1].agents
    assert sorted(one.id for _, run in parts for one in run.cases) == [str(number) for number in range(6)]
    assert [run.shard.index for _, run in parts if run.shard] == [1, 2]


def test_a_baseline_is_dated_before_the_run() -> None:
    baseline = build_baseline(CASES, OUTCOMES)
    assert baseline.run
    assert baseline.info
    assert baseline.info.started_at == baseline.run.started_at < build_part(CASES, OUTCOMES).started_at
