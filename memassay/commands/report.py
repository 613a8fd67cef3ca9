"""The command that draws a release: report."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import PATH, RELEASE, WORKSPACE, common_options, example
from memassay.output import emit, say

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place


@click.command(
    epilog=example(
        "report path/to/release --out report.html",
        "report path/to/release --workspace my-workspace",
    )
)
@click.argument("release", type=RELEASE)
@click.option(
    "--out",
    type=PATH,
    metavar="FILE",
    help="The page; default report-RELEASE.html in the working directory.",
)
@click.option(
    "--workspace",
    type=WORKSPACE,
    metavar="PLACE",
    help="Show the cost of its models and the agreement of its reviewers too.",
)
@common_options
def report(release: Path, out: Path | None, workspace: "Place | None", as_json: bool) -> int:
    """Write one HTML page about a release: tables, plots, sample items, certificates.

    The page needs no network and no other file; the release is not changed.
    """
    from memassay.flows.publishing.reporting import write_report

    written = write_report(release, out, workspace)
    if as_json:
        emit(written.model_dump(mode="json"))
    else:
        say(f"{written.samples} of {written.questions} questions shown, {written.bytes:,} bytes")
        say(written.report)
    return 0
