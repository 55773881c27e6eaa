"""Every call to a judge goes through here: how many at once, how long, how often, for how much."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from holodeck_eval.domain.result import Usage
from holodeck_eval.domain.run import MetricUsage
from holodeck_eval.errors import ConfigError, JudgeError, Problem
from holodeck_eval.judges._deepeval import variable
from holodeck_eval.judges.call import Question, Reply
from holodeck_eval.judges.failures import Failure, classify, invalid_reply, no_key, timed_out
from holodeck_eval.judges.limits import Limits
from holodeck_eval.judges.model import judge_model
from holodeck_eval.judges.providers import PROVIDERS
from holodeck_eval.judges.reply import MalformedReplyError, parse
from holodeck_eval.judges.settings import JudgeSettings, RetryConfig
from holodeck_eval.judges.usage import Meter
