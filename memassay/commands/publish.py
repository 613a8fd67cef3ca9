"""The command that publishes a release on the Hugging Face Hub."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import PATH, common_options, example
from memassay.output import emit, say, table

if TYPE_CHECKING:
    from memassay.flows.publishing.publish import PublishReport

_MEGABYTE = 1_000_000


@click.command(epilog=example("publish path/to/release you/demo", "publish RELEASE you/demo --yes"))
@click.argument("release", type=PATH)
@click.argument("repository")
@click.option("--yes", is_flag=True, help="Upload; without it nothing is changed.")
@click.option("--public", is_flag=True, help="Make a new repository public; default is private.")
@click.option("--create-pr", is_flag=True, help="Put the commit into a pull request.")
@click.option("--gated", type=click.Choice(["auto", "manual"]), help="Readers must ask for access.")
@click.option("--allow-gold-change", is_flag=True, help="Golds may differ from the last version.")
@click.option("--check-croissant", is_flag=True, help="Check croissant.json with mlcroissant.")
@common_options
def publish(
    release: Path,
    repository: str,
    yes: bool,
    public: bool,
    create_pr: bool,
    gated: str | None,
    allow_gold_change: bool,
    check_croissant: bool,
    as_json: bool,
) -> int:
    """Publish a release on the Hugging Face Hub, as OWNER/NAME; by default only try it.

    Log in as for the Hub's own tools: `hf auth login`, or HF_TOKEN. Each version gets a tag, which
    is never moved. Killed, the same command goes on.
    """
    from memassay.flows.publishing.publish import Wish
    from memassay.flows.publishing.publish import publish as published

    wish = Wish(yes, public, create_pr, gated or "", allow_gold_change, check_croissant)
    report = published(release, repository, wish)
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        _print(report)
    return 0


def _print(report: "PublishReport") -> None:
    rows = [(one.name, one.split, one.rows, len(one.columns)) for one in report.tables]
    table("As `datasets` loads it", ("configuration", "split", "rows", "columns"), rows)
    what = f"{report.files} files, {report.size / _MEGABYTE:.1f} MB"
    if report.unknown:
        say(f"not looked up which versions are there: {report.unknown}")
    if report.before and report.before != report.tag:
        say(f"before it: {report.before}")
    if report.pull_request:
        say(f"{report.repository}: {what}, waits in {report.pull_request}; once it is merged, run")
        say("the same command without --create-pr, which gives it its tag")
    elif report.commit:
        say(f"{report.repository}: {what}, published as {report.tag}, commit {report.commit}")
        say(f'load_dataset("{report.repository}", revision="{report.tag}")')
    else:
        say(f"would upload {what} to {report.repository} ({report.visibility} if it is new), and")
        say(f"tag it {report.tag}; nothing was changed. Say --yes to do it")
