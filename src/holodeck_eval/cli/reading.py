"""The commands that work on files of this program: results, agents' digests, schemas. They call no judge."""

import json
from pathlib import Path
from typing import Any, Final

import click

from holodeck_eval.action import commented, published
from holodeck_eval.application import SCHEMAS, ReportFolder, documents, secrets_of
from holodeck_eval.arguments import GroupedCommand, comment_options, rule_options, to_options, to_rules
from holodeck_eval.assemble.paths import Checkout, leads_out
from holodeck_eval.cli.judging import finish, show
from holodeck_eval.cli.session import Session
from holodeck_eval.domain.options import Options
from holodeck_eval.errors import Place, Problem, ResultsError, UsageError
from holodeck_eval.reports.results import parse as parse_results


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Report folder. Default: where RESULTS is.")
@click.pass_obj
def render(session: Session, results: Path, out: Path | None) -> None:
    """Write the reports of RESULTS, a report folder or its results.json, again."""
    results = results / "results.json" if results.is_dir() else results
    run = parse_results(_read(results), shown_as=str(results))
    path = out or results.parent
    if Checkout.of(session.environment).lets_out(path):
        raise UsageError(leads_out(str(path)))
    folder = ReportFolder(path)
    folder.make()
    texts = documents(run, secrets_of(session.environment))[1]
    texts.pop(results.name, None)
    folder.write(texts)
    for name in texts:
        session.console.say(f"wrote {folder.path / name}")


@click.command()
@click.argument("name", type=click.Choice(sorted(SCHEMAS)))
@click.pass_obj
def schema(session: Session, name: str) -> None:
    """Print the JSON Schema of a file this program reads or writes."""
    session.console.raw(json.dumps(SCHEMAS[name](), indent=2) + "\n")


@click.command()
@click.argument("agent", type=click.Path(path_type=Path))
@click.pass_obj
def digest(session: Session, agent: Path) -> None:
    """Print the digest of what shapes an agent's behaviour, for the agent_digest of its transcripts."""
    from holodeck_eval.application import digesting  # noqa: PLC0415 - a run does without it

    session.console.say(digesting.digest(agent, session.environment))


@click.command(cls=GroupedCommand)
@click.argument("baseline")
@click.argument("head")
@click.option("--out", metavar="DIR", help="Write the reports of HEAD with this comparison into DIR.")
@click.option("--rename-agent", metavar="OLD=NEW", multiple=True, help="An agent's name in BASELINE and now.")
@click.option("--trust-checkout", is_flag=True, help="In a workflow: believe a BASELINE in the checkout.")
@click.pass_obj
def compare(
    session: Session,
    /,
    baseline: str,
    head: str,
    out: str | None,
    rename_agent: tuple[str, ...],
    *,
    trust_checkout: bool,
    **rules: Any,  # noqa: ANN401 - click's parameters
) -> None:
    """Hold the report HEAD against the report BASELINE, and exit as the gate decides. Judges nothing.

    Each is a report folder or a results.json.
    """
    from holodeck_eval.application.comparing import compare_results  # noqa: PLC0415 - a run does without it
    from holodeck_eval.assemble.baseline import check_apart  # noqa: PLC0415 - a run does without it

    options = Options(
        agent=(),
        transcripts=(),
        baseline=baseline,
        rename_agent=rename_agent,
        trust_checkout=trust_checkout,
        rules=to_rules(rules),
        out=out or "",
    )
    if out is not None:
        check_apart(options)
    run = compare_results(head, options, session.environment)
    if out is not None:
        folder = ReportFolder.of(out, session.environment)
        folder.make()
        run, texts = documents(run, secrets_of(session.environment))
        folder.write(texts)
    show(session, run, out)


compare.params = [*compare.params, *rule_options()]


@click.command()
@click.argument("results", nargs=-1, required=True)
@click.option("--baseline", metavar="PATH", help="What the shards were compared with.")
@click.option("--out", metavar="DIR", default="eval-report", show_default=True, help="Report folder.")
@click.option("--rename-agent", metavar="OLD=NEW", multiple=True, help="As the shards had it.")
@click.option("--trust-checkout", is_flag=True, help="In a workflow: believe reports in the checkout.")
@click.pass_obj
def merge(session: Session, /, results: tuple[str, ...], **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Put the RESULTS of all shards of a run together, and exit as the gate decides on the whole.

    Each is a shard's report folder or its results.json.
    """
    from holodeck_eval.application.merging.folders import merge_folders  # noqa: PLC0415 - a run does without it

    session.options = options = session.with_token(to_options(params))
    run = merge_folders(results, options, session.environment)
    finish(session, commented(session.step, options, run, otherwise="off"), options.out)


@click.command(cls=GroupedCommand)
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--out", metavar="DIR", default="eval-report", show_default=True, help="Report folder.")
@click.pass_obj
def publish(session: Session, /, results: Path, **params: Any) -> None:  # noqa: ANN401 - click's parameters
    """Comment on a pull request from the RESULTS of an untrusted run, in a workflow on workflow_run.

    RESULTS is the results.json of the downloaded artifact, or its folder. Nothing else of it is read.
    """
    session.options = options = session.with_token(to_options(params))
    finish(session, published(session.step, results, options), options.out)


merge.params = [*merge.params, *comment_options()]
publish.params = [*publish.params, *comment_options()]

READING: Final = (render, schema, digest, compare, merge, publish)


def _read(path: Path) -> str:
    place = Place(file=str(path))
    from holodeck_eval.assemble.report_files import read_text  # noqa: PLC0415 - a run does without it
    from holodeck_eval.reports.reading import UnreadableError  # noqa: PLC0415 - a run does without it

    try:
        return read_text(path)
    except FileNotFoundError:
        raise ResultsError(Problem(message="there is no such file", place=place)) from None
    except UnreadableError as error:
        raise ResultsError(Problem(message=f"this file {error.clause}", place=place)) from None
