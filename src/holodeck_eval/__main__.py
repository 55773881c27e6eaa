"""`python -m holodeck_eval`, and the console script `holodeck-eval`."""

import gc
import os
import sys


def run() -> None:
    """Run the process's own command line and end the process.

    The cycle collector is off while modules load and seldom on after: a run makes few cycles and many
    values that live to its end, and searching them costs a tenth of a short run.
    """
    gc.disable()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else it reads every installed package
    from holodeck_eval.cli import main  # noqa: PLC0415 - after the collector is off

    gc.freeze()
    gc.set_threshold(100_000)
    gc.enable()
    exit_code = main()
    gc.freeze()  # nothing is left to be searched when the process ends
    sys.exit(exit_code)


if __name__ == "__main__":
    run()
