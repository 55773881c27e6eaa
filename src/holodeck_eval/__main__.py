"""`python -m holodeck_eval`, and the console script `holodeck-eval`."""

import sys

from holodeck_eval.cli import main


def run() -> None:
    """Run the process's own command line and end the process."""
    sys.exit(main())


if __name__ == "__main__":
    run()
