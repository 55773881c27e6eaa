"""The door to DeepEval, each time in a process of its own."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holodeck_eval.judges import DEEPEVAL_VERSION
from holodeck_eval.judges._deepeval import load
from tests.fakes.judge_double import JudgeDouble

ASK = """
import asyncio
from pydantic import BaseModel
from holodeck_eval.judges import DeepEvalModelConfig, JudgePool
class Ping(BaseModel):
    score: float
async def main():
    pool = JudgePool()
    for provider, end in (("openai", "/v1"), ("ollama", "")):
        judge = DeepEvalModelConfig(provider=provider, model_name="gpt-4o", api_key="sk-x", endpoint={url!r} + end)
        print((await pool.model(judge, metric="m").a_generate("?", schema=Ping))[0].score)
    await pool.aclose()
asyncio.run(main())
"""


def run(code: str, folder: Path, **variables: str) -> str:
    """What a program prints to stdout; it must print nothing to stderr."""
    quiet = {"PYTHONWARNINGS": "error", "HOME": str(folder)}
    environment = {**os.environ, **quiet, **variables}  # noqa: TID251
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def test_the_release_is_the_one_written_down() -> None:
    assert importlib.metadata.version("deepeval") == DEEPEVAL_VERSION


def test_importing_the_room_imports_neither_deepeval_nor_an_sdk(tmp_path: Path) -> None:
    code = "import sys, holodeck_eval.judges\nprint([m for m in ('deepeval', 'openai', 'anthropic', 'ollama') if m in sys.modules])"
    assert run(code, tmp_path) == "[]\n"


def test_loading_imports_no_anthropic_and_leaves_it_importable(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom holodeck_eval.judges._deepeval import load\nload()\n"
        "print('anthropic' in sys.modules)\nimport anthropic\nprint('anthropic' in sys.modules)\n"
    )
    assert run(code, tmp_path) == "False\nTrue\n"


def test_an_anthropic_that_is_there_already_stays(tmp_path: Path) -> None:
    code = "import anthropic, sys\nfrom holodeck_eval.judges._deepeval import load\nload()\nprint(sys.modules['anthropic'] is anthropic)"
    assert run(code, tmp_path) == "True\n"


def test_hostile_files_in_the_working_directory_are_not_read(
    judge_double: JudgeDouble, tmp_path: Path
) -> None:
    with JudgeDouble() as evil:
        lines = [
            "OPENAI_BASE_URL",
            "ANTHROPIC_BASE_URL",
            "LOCAL_MODEL_BASE_URL",
            "HTTPS_PROXY",
            "HTTP_PROXY",
            "ALL_PROXY",
        ]
        text = (
            "\n".join(f"{name}={evil.url}" for name in lines)
            + "\nTEMPERATURE=hot\nDEEPEVAL_EVAL_MODE=hybrid\n"
        )
        for name in (".env", ".env.local"):
            (tmp_path / name).write_text(text)
        (tmp_path / ".deepeval").mkdir()
        (tmp_path / ".deepeval" / ".deepeval").write_text('{"USE_LOCAL_MODEL": "YES", "TEMPERATURE": "hot"}')
        assert run(ASK.format(url=judge_double.url), tmp_path) == "8.0\n8.0\n"
        assert evil.connections == 0
    assert len(judge_double.requests) == 2


def test_hostile_variables_do_not_move_the_judge(judge_double: JudgeDouble, tmp_path: Path) -> None:
    with JudgeDouble() as evil:
        variables = {
            "OPENAI_BASE_URL": evil.url,
            "LOCAL_MODEL_BASE_URL": evil.url,
            "OLLAMA_HOST": evil.url,
            "AZURE_OPENAI_ENDPOINT": "not a url",
            "TEMPERATURE": "hot",
            "LOG_LEVEL": "abc",
            "OPENAI_MODEL_NAME": "another",
            "OPENAI_COST_PER_INPUT_TOKEN": "many",
            "DEEPEVAL_EVAL_MODE": "hybrid",
            "DEEPEVAL_VERBOSE_MODE": "1",
            "DEEPEVAL_RETRY_MAX_ATTEMPTS": "nine",
            "USE_GEMINI_MODEL": "YES",
            "CONFIDENT_API_KEY": "confident-1",
        }
        assert run(ASK.format(url=judge_double.url), tmp_path, **variables) == "8.0\n8.0\n"
        assert evil.connections == 0
    assert [asked.body.get("model") for asked in judge_double.requests] == ["gpt-4o", "gpt-4o"]


def test_the_environment_is_put_back_without_what_speaks_to_deepeval(tmp_path: Path) -> None:
    code = (
        "import os\nfrom holodeck_eval.judges._deepeval import load\nload()\n"
        "names = ('MINE', 'TEMPERATURE', 'DEEPEVAL_VERBOSE_MODE', 'CONFIDENT_API_KEY', 'OPENAI_BASE_URL')\n"
        "print([os.environ.get(name) for name in names])\n"
    )
    given = {"MINE": "1", "TEMPERATURE": "hot", "DEEPEVAL_VERBOSE_MODE": "1"}
    given |= {"CONFIDENT_API_KEY": "c", "OPENAI_BASE_URL": "http://x"}
    assert run(code, tmp_path, **given) == "['1', 'hot', None, None, None]\n"


def test_nothing_is_written_to_the_folder_or_the_home(judge_double: JudgeDouble, tmp_path: Path) -> None:
    run(ASK.format(url=judge_double.url), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_deepeval_that_was_imported_before_is_locked_as_well(tmp_path: Path) -> None:
    code = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "import deepeval\nfrom deepeval.config.settings import get_settings\n"
        "print(get_settings().TEMPERATURE)\nfrom holodeck_eval.judges._deepeval import load\nload()\n"
        "print(get_settings().TEMPERATURE, get_settings().DEEPEVAL_DISABLE_TIMEOUTS)\n"
    )
    variables = {"TEMPERATURE": "1", "DEEPEVAL_TELEMETRY_OPT_OUT": "1", "PYTHONWARNINGS": "default"}
    assert run(code, tmp_path, **variables) == "1.0\nNone True\n"


@pytest.mark.parametrize("name", ["GEval", "FaithfulnessMetric", "LLMTestCase", "OllamaModel", "ReasonScore"])
def test_the_door_hands_out_deepeval_s_own_classes(name: str) -> None:
    assert getattr(load(), name).__module__.startswith("deepeval.")
    assert load() is load()
