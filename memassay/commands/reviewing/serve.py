"""`memassay review serve`, the review pages in a browser, and what is mixed in there."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import GO_ON, PATH, common_options, example, workspace_option
from memassay.output import emit, note, say

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place


@click.command(epilog=example("review serve --workspace my-workspace"))
@workspace_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True)
@click.option("--users", is_flag=True, help="Ask for a login; needed beyond this machine.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=None,
    help="Processes that serve; with --users 2, where there are as many processors, else 1.",
)
@click.option(
    "--control-rate",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Share of items whose answer is known (`review control`), to measure reviewers.",
)
@click.option(
    "--repeat-rate",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Share of items that the reviewer has decided before.",
)
@click.option(
    "--answerer",
    type=PATH,
    help="YAML file that names a model (`provider`, `model`, `base_url`, `budget`): it answers the "
    "probes of questions that people write.",
)
@common_options
def serve(
    workspace: "Place",
    host: str,
    port: int,
    users: bool,
    workers: int | None,
    control_rate: float,
    repeat_rate: float,
    answerer: Path | None,
    as_json: bool,
) -> int:
    """Serve the review pages until Ctrl-C.

    On a loopback address one person works without a login. For more people, invite them
    (`memassay review invite`) and serve with --users. Sessions outlive the server.
    """
    from memassay.flows.services.serving import serve_workspace

    address = f"http://{host}:{port}"
    serve_workspace(
        workspace,
        host,
        port,
        users=users,
        workers=workers or (2 if users and (os.cpu_count() or 1) > 1 else 1),
        control_rate=control_rate,
        repeat_rate=repeat_rate,
        answerer=answerer,
        ready=lambda: (
            emit({"address": address}) if as_json else say(f"review pages: {address} (Ctrl-C ends)")
        ),
    )
    note(f"review pages: ended; {GO_ON}")
    return 0


@click.command("control", epilog=example("review control R0123456789ab"))
@click.argument("item")
@workspace_option
@common_options
def review_control(item: str, workspace: "Place", as_json: bool) -> int:
    """Make a decided item a control: others get it too, and are measured against its decision.

    `review serve --control-rate` says how often; `review stats` shows how many were right.
    """
    from memassay.flows.review.decisions import WorkspaceReview
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        WorkspaceReview(opened).make_control(item)
    if as_json:
        emit({"item": item, "control": True})
    else:
        say(f"{item}: a control from now on")
    return 0
