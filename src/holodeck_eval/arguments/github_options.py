"""The options that only mean something in a workflow on GitHub."""

from typing import Final, get_args

import click

from holodeck_eval.arguments.params import GroupedOption
from holodeck_eval.domain.options import CommentMode

COMMENT_MODES: Final = get_args(CommentMode)


def github_options() -> list[GroupedOption]:
    """What is said on the pull request, and which checkout may be judged."""
    return [*comment_options(), head_option()]


def comment_options() -> list[GroupedOption]:
    """What is said on the pull request, and as whom."""
    group = "GitHub"
    return [
        GroupedOption(
            "comment",
            group=group,
            type=click.Choice(COMMENT_MODES),
            help="Comment on the pull request. Default update in the action, off elsewhere.",
        ),
        GroupedOption(
            "comment_key",
            group=group,
            metavar="TEXT",
            default="",
            help="Tells this comment from others of the same job, as in a matrix.",
        ),
        GroupedOption(
            "github_token",
            group=group,
            metavar="TOKEN",
            help="Token that comments. Default: the variable GITHUB_TOKEN.",
        ),
    ]


def head_option() -> GroupedOption:
    """Whether an event that runs with secrets may judge what a pull request proposes."""
    return GroupedOption(
        "allow_head_checkout",
        group="GitHub",
        is_flag=True,
        help="Judge a pull request's checkout also on events that run with secrets.",
    )
