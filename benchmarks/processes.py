"""Whole processes, started, waited for and weighed."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

MIB = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a process cost: wall and CPU seconds, and its peak resident memory in MiB."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def cost_of(command: Sequence[str], *, expect: int = 0) -> Cost:
    """Run a command to its end and weigh it.

    Raises:
        RuntimeError: when it ends in another exit code than expected.
    """
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=_compiling())
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode != expect:
        raise RuntimeError(
            f"exit {process.returncode}, not {expect}: {said.decode(errors='replace')[-2000:]}"
        )
    return Cost(wall_s=wall, cpu_s=used.ru_utime + used.ru_stime, peak_mib=used.ru_maxrss / MIB)


def _compiling() -> dict[str, str]:
    """The environment, in which modules stay compiled from one run to the next as they do in the image."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@contextmanager
def judge_double(latency_s: float) -> Iterator[str]:
    """The judge double in a process of its own; gives its address."""
    command = [sys.executable, "-m", "tests.fakes.judge_double", "--latency", str(latency_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield process.stdout.readline().strip()
        process.stdin.close()
        process.wait(10)
