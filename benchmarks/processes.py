"""Whole processes, started, waited for and weighed."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
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
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
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


def with_environment(command: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    """A command that runs another with these variables set."""
    return ["env", *(f"{name}={value}" for name, value in variables.items()), *command]
