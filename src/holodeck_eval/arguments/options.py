"""The options of a run, declared once: the command line and the action's inputs are both parsed by them."""

from dataclasses import fields
from typing import Any, Final

import click

from holodeck_eval.arguments.github_options import github_options
from holodeck_eval.arguments.params import RATE, GroupedOption, Number, Shard
from holodeck_eval.domain.options import Options
from holodeck_eval.domain.policy import PolicyOptions

RULES: Final = tuple(field.name for field in fields(PolicyOptions))
"""Options that are rules of the policy."""

_DEFAULTS: Final[dict[str, Any]] = {field.name: field.default for field in fields(Options)}


def run_options() -> list[click.Parameter]:
    """The options of `run`, freshly made: a parameter belongs to one command."""
    groups = (
        input_options,
        judging_options,
        limit_options,
        policy_options,
        comparison_options,
        output_options,
        github_options,
    )
    return [option for group in groups for option in group()]


def rule_options() -> list[click.Parameter]:
    """Those of them that are rules of the policy."""
    return [option for option in (*policy_options(), *comparison_options()) if option.name in RULES]


def input_options() -> list[GroupedOption]:
    """What is judged."""
    group = "What to judge"
    text: dict[str, Any] = {"group": group, "metavar": "FILE"}
    return [
        GroupedOption(
            "agent", multiple=True, required=True, help="Agent YAML, or a glob. Repeatable.", **text
        ),
        GroupedOption(
            "transcripts",
            group=group,
            metavar="[NAME=]GLOB",
            multiple=True,
            required=True,
            help="Recorded transcripts, for the agent NAME where there are several. Repeatable.",
        ),
        GroupedOption(
            "format", group=group, metavar="NAME", help="Transcript format, instead of detecting it."
        ),
        GroupedOption("policy", help="Policy file: the gate's rules, metrics, mapping.", **text),
        GroupedOption(
            "shard",
            group=group,
            type=Shard(),
            help="Judge the I-th of N parts alone; merge puts the parts together.",
        ),
        GroupedOption(
            "rename_agent",
            group=group,
            metavar="OLD=NEW",
            multiple=True,
            help="Transcripts that name agent OLD belong to agent NEW. Repeatable.",
        ),
        GroupedOption(
            "link_by_position",
            group=group,
            is_flag=True,
            help="Link what neither name nor input links by its position.",
        ),
        GroupedOption(
            "max_file_bytes",
            group=group,
            type=Number(1, whole=True),
            default=_DEFAULTS["max_file_bytes"],
            show_default=True,
            help="Largest transcript file.",
        ),
        GroupedOption(
            "max_text_chars",
            group=group,
            type=Number(1, whole=True),
            default=_DEFAULTS["max_text_chars"],
            show_default=True,
            help="Longest text in a transcript.",
        ),
    ]


def judging_options() -> list[GroupedOption]:
    """How it is judged."""
    group = "Judging"
    return [
        GroupedOption(
            "verdicts",
            group=group,
            metavar="FILE",
            help="Recorded verdicts: read, and new ones appended.",
        ),
        GroupedOption(
            "offline",
            group=group,
            is_flag=True,
            help="Never call a judge; what is not recorded is inconclusive.",
        ),
        GroupedOption(
            "repeats",
            group=group,
            type=Number(1, 100, whole=True),
            default=_DEFAULTS["repeats"],
            show_default=True,
            help="Judgements of everything, recorded ones included.",
        ),
        GroupedOption(
            "max_rejudge",
            group=group,
            type=Number(0, 100, whole=True),
            default=_DEFAULTS["max_rejudge"],
            show_default=True,
            help="Further judgements of what is in doubt.",
        ),
        GroupedOption(
            "trust_checkout",
            group=group,
            is_flag=True,
            help="In the action: believe verdicts, a baseline and a policy that lie in the checkout.",
        ),
        GroupedOption(
            "trusted_endpoint",
            group=group,
            metavar="URL",
            multiple=True,
            help="Scheme, host and port a judge's key may be sent to. Repeatable.",
        ),
        GroupedOption(
            "allow_env",
            group=group,
            metavar="NAME",
            multiple=True,
            help="A variable the agent YAML may use in its judge's fields. Repeatable.",
        ),
    ]


def limit_options() -> list[GroupedOption]:
    """How much judging may take and cost."""
    group = "Limits"
    return [
        GroupedOption(
            "max_concurrency",
            group=group,
            type=Number(1, 1000, whole=True),
            default=_DEFAULTS["max_concurrency"],
            show_default=True,
            help="Judge calls in flight.",
        ),
        GroupedOption(
            "timeout",
            group=group,
            type=Number(0, above=True),
            default=_DEFAULTS["timeout"],
            show_default=True,
            help="Seconds one judge call may take.",
        ),
        GroupedOption(
            "deadline",
            group=group,
            type=Number(0, above=True),
            help="Seconds after which no judge is called any more.",
        ),
        GroupedOption("max_cost", group=group, type=Number(0), help="USD the judges may cost."),
        GroupedOption(
            "max_tokens", group=group, type=Number(0, whole=True), help="Tokens the judges may use."
        ),
    ]


def policy_options() -> list[GroupedOption]:
    """What a run must reach."""
    group = "Policy"
    rate: dict[str, Any] = {"group": group, "type": RATE}
    return [
        GroupedOption("min_pass_rate", help="Least share of passed cases. Default 1.", **rate),
        GroupedOption("min_avg_score", help="Least mean of the cases' average scores.", **rate),
        GroupedOption("min_score", help="Least mean of the cases' rating scores.", **rate),
        GroupedOption("min_binary_score", help="Least share of cases rated good.", **rate),
        GroupedOption(
            "min_cases", group=group, type=Number(1, whole=True), help="Least number of cases. Default 1."
        ),
        GroupedOption("max_error_rate", help="Largest share of evaluations in error. Default 0.", **rate),
        GroupedOption(
            "on_missing_input",
            group=group,
            type=click.Choice(["inconclusive", "skip"]),
            help="A metric whose input was not recorded. Default inconclusive.",
        ),
        GroupedOption(
            "on_inconclusive",
            group=group,
            type=click.Choice(["fail", "pass"]),
            help="The exit code of an inconclusive run; its status stays. Default fail.",
        ),
        GroupedOption(
            "allow_missing/--no-allow-missing",
            group=group,
            is_flag=True,
            default=None,
            help="Waive test cases that have no transcript.",
        ),
    ]


def comparison_options() -> list[GroupedOption]:
    """What a run is compared with, and when that blocks."""
    group = "Baseline"
    alpha = Number(0, 0.5, above=True)
    finding = click.Choice(["block", "report"])
    return [
        GroupedOption(
            "baseline",
            group=group,
            metavar="PATH",
            help="An earlier report folder, or its results.json, to compare with.",
        ),
        GroupedOption("max_drop", group=group, type=RATE, help="A mean may fall by this much. Default 0.02."),
        GroupedOption(
            "metrics_alpha", group=group, type=alpha, help="False alarms of all means together. Default 0.03."
        ),
        GroupedOption(
            "cases_alpha", group=group, type=alpha, help="False alarms of all cases together. Default 0.003."
        ),
        GroupedOption(
            "allow_removed_cases/--no-allow-removed-cases",
            group=group,
            is_flag=True,
            default=None,
            help="Cases that passed in the baseline may be gone.",
        ),
        GroupedOption(
            "on_missing_baseline",
            group=group,
            type=click.Choice(["inconclusive", "report"]),
            help="A baseline that is not there. Default inconclusive.",
        ),
        GroupedOption(
            "on_gate_change",
            group=group,
            type=finding,
            help="A gate looser than the baseline's. Default block.",
        ),
        GroupedOption(
            "on_stale",
            group=group,
            type=finding,
            help="Transcripts recorded with another version of the agent. Default block.",
        ),
    ]


def output_options() -> list[GroupedOption]:
    """What is written."""
    group = "Output"
    return [
        GroupedOption(
            "out",
            group=group,
            metavar="DIR",
            default=_DEFAULTS["out"],
            show_default=True,
            help="Report folder.",
        ),
        GroupedOption(
            "no_cases",
            group=group,
            is_flag=True,
            help="Do not write cases.jsonl, which holds what was judged.",
        ),
    ]
