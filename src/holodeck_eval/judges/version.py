"""The DeepEval release this program is written for; importing this imports none of it."""

from typing import Final

DEEPEVAL_VERSION: Final = "4.3.1"
