"""`memassay review serve`: the review pages in a browser."""

from pathlib import Path

import click

from memassay.commands_base import common_options, example, workspace_option
from memassay.output import emit, say


@click.command(epilog=example("review serve --workspace my-workspace"))
@workspace_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True)
@click.option("--users", is_flag=True, help="Ask for a login; needed beyond this machine.")
@common_options
def serve(workspace: Path, host: str, port: int, users: bool, as_json: bool) -> int:
    """Serve the review pages until Ctrl-C.

    On a loopback address one person works without a login. For more people, invite them
    (`memassay review invite`) and serve with --users.
    """
    from memassay.flows.web_serving import serve_workspace

    address = f"http://{host}:{port}"
    serve_workspace(
        workspace,
        host,
        port,
        users=users,
        ready=lambda: (
            emit({"address": address}) if as_json else say(f"review pages: {address} (Ctrl-C ends)")
        ),
    )
    return 0
