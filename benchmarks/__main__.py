"""`python -m benchmarks [NAME …]`: measures and prints ratios; ends in 1 when a target is missed.

Without a name it measures all but `gate`, which takes some 20 minutes.
"""

import sys
from collections.abc import Callable
from typing import Final

from benchmarks import compare, config, gate, live, render, replay

BENCHMARKS: Final[dict[str, Callable[[], bool]]] = {
    "replay": replay.main,
    "live": live.main,
    "config": config.main,
    "compare": compare.main,
    "render": render.main,
    "gate": gate.main,
}
LONG: Final = frozenset({"gate"})


def main(names: list[str]) -> int:
    """Run the benchmarks named, or all that are not long."""
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        print(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
        return 2
    kept = [BENCHMARKS[name]() for name in names or BENCHMARKS if names or name not in LONG]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
