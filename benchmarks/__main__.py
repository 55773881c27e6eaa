"""`python -m benchmarks [NAME …]`: measures and prints ratios; ends in 1 when a target is missed."""

import sys
from collections.abc import Callable
from typing import Final

from benchmarks import config, gate, live, replay

BENCHMARKS: Final[dict[str, Callable[[], bool]]] = {
    "replay": replay.main,
    "live": live.main,
    "config": config.main,
    "gate": gate.main,
}


def main(names: list[str]) -> int:
    """Run the benchmarks named, or all of them."""
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        print(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
        return 2
    kept = [BENCHMARKS[name]() for name in names or BENCHMARKS]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
