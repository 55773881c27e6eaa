"""The one door to PyGithub: `connect` gives a repository's pull requests and their comments.

PyGithub signs requests, builds addresses and keeps the connection. Its objects are not used, because they
send requests of their own for what an answer lacks, nor its retries, which have no bound in time.
"""

import time
from collections.abc import Callable, Mapping

from holodeck_eval.github import ports
from holodeck_eval.github._pygithub.trust import bundle_of, checked_token, server_of
from holodeck_eval.github.context import Context

__all__ = ["connect"]


def connect(
    token: str,
    context: Context,
    environ: Mapping[str, str],
    sleep: Callable[[float], object] = time.sleep,
) -> ports.Repository:
    """The repository that the job runs in, as this token sees it. Nothing is sent yet.

    Args:
        token: signs every request; no message ever holds it.
        context: the job; says where the API is, and whose.
        environ: may name a file of certificates to trust, as requests and curl know them.
        sleep: waits some seconds before a request is sent again.

    Raises:
        GitHubError: the token would travel in the clear, or cannot travel at all.
    """
    server = server_of(context)
    checked_token(token)
    from holodeck_eval.github._pygithub.api import Api  # noqa: PLC0415 - PyGithub takes 0.2 s to import
    from holodeck_eval.github._pygithub.client import client_of  # noqa: PLC0415 - as above
    from holodeck_eval.github._pygithub.repository import Repository  # noqa: PLC0415 - as above
    from holodeck_eval.github._pygithub.waiting import Patience  # noqa: PLC0415 - as above

    client = client_of(server, token, bundle_of(environ))
    return Repository(
        api=Api(client=client, token=token, patience=Patience(sleep=sleep)), name=server.repository
    )
