"""One request to GitHub: sent again where that helps, and answered by JSON or by one sentence."""

from dataclasses import dataclass, field
from typing import Final

from holodeck_eval.domain.text import log_line
from holodeck_eval.domain.wording import quoted
from holodeck_eval.errors import GitHubError
from holodeck_eval.github._pygithub.answers import strange
from holodeck_eval.github._pygithub.client import Client, UnusableAnswerError
from holodeck_eval.github._pygithub.exchange import Answer, Ask, NoAnswer, answer_of, no_answer
from holodeck_eval.github._pygithub.waiting import PATIENCE, TRIES, Patience, backoff, is_limited, pause_after

MESSAGE_LIMIT: Final = 200
"""Characters of GitHub's own sentence that are shown."""

_FAILED: Final = 400
_GONE: Final = 404
_LIMITED: Final = 429
_BROKEN: Final = 500
_TOO_LONG: Final = (
    "; another try would wait {:.0f} s, more than is left of the {:.0f} s that are waited in all"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """GitHub's API, asked with one token.

    Attributes:
        client: sends requests.
        token: what no message may hold.
        patience: how long it may still wait.
    """

    client: Client
    token: str = field(repr=False)
    patience: Patience

    def ask(self, ask: Ask) -> Answer:
        """The answer to a request that GitHub did.

        Raises:
            GitHubError: GitHub did not do it. Its status is that of the last answer, but 429 for every limit,
                where GitHub may say 403. None, where no answer could be read, and 500 or more mean that it
                may have been done all the same.
        """
        for tries in range(1, TRIES):
            outcome = self._sent(ask)
            pause = _pause(ask, outcome, tries)
            if pause is None:
                return self._accepted(ask, outcome)
            if not self.patience.wait(pause):
                raise self._refusal(ask, outcome, _TOO_LONG.format(pause, PATIENCE))
        return self._accepted(ask, self._sent(ask), f"; it was asked {TRIES} times")

    def ask_unless_gone(self, ask: Ask) -> Answer | None:
        """As `ask`; None where there is no such thing.

        Raises:
            GitHubError: as `ask`.
        """
        try:
            return self.ask(ask)
        except GitHubError as error:
            if error.status != _GONE:
                raise
            return None

    def _sent(self, ask: Ask) -> Answer | NoAnswer:
        query = dict(ask.query or {})
        body = None if ask.body is None else dict(ask.body)
        headers = {"Accept": "application/vnd.github+json"}
        try:
            return answer_of(*self.client.requester.requestJson(ask.method, ask.path, query, headers, body))
        except UnusableAnswerError as error:
            raise GitHubError(f"GitHub {error.why} when asked to {ask.doing}", status=error.status) from None
        except OSError as error:
            return no_answer(error)
        except ValueError:
            raise GitHubError(f"GitHub cannot be asked to {ask.doing}: it is no text") from None

    def _accepted(self, ask: Ask, outcome: Answer | NoAnswer, more: str = "") -> Answer:
        if isinstance(outcome, NoAnswer) or outcome.status >= _FAILED or outcome.is_graphql_failure:
            raise self._refusal(ask, outcome, more)
        if not outcome.is_json:
            raise strange(ask, "no JSON")
        return outcome

    def _refusal(self, ask: Ask, outcome: Answer | NoAnswer, more: str = "") -> GitHubError:
        if isinstance(outcome, NoAnswer):
            return GitHubError(f"GitHub cannot be asked to {ask.doing}: {outcome.why}{more}")
        limited = is_limited(outcome.status, outcome.headers, outcome.message)
        said = f"limits requests ({outcome.status})" if limited else f"answers {outcome.status}"
        message = log_line(outcome.message.replace(self.token, "***"))
        told = f": {quoted(message, MESSAGE_LIMIT)}" if message else ""
        return GitHubError(
            f"GitHub {said} when asked to {ask.doing}{told}{more}",
            status=_LIMITED if limited else outcome.status,
        )


def _pause(ask: Ask, outcome: Answer | NoAnswer, tries: int) -> float | None:
    """Seconds to wait before another try; None for none."""
    if isinstance(outcome, NoAnswer):
        return backoff(tries) if outcome.passes and (outcome.unsent or not ask.adds) else None
    if ask.adds and outcome.status >= _BROKEN:
        return None
    return pause_after(outcome.status, outcome.headers, outcome.message, tries)
