"""Serves the review pages of a workspace."""

import ipaddress
import threading
from collections.abc import Callable
from pathlib import Path

from memassay.annotation.review_desk import ReviewDesk
from memassay.annotation.web_app import create_app
from memassay.annotation.web_reviewers import ReviewerBook
from memassay.flows.services import open_workspace
from memassay.flows.web_services import WorkspaceContent
from memassay.schemas.errors import UsageError


def serve_workspace(
    folder: Path, host: str, port: int, *, users: bool, ready: Callable[[], None]
) -> None:
    """Serve until interrupted.

    Args:
        folder: The workspace.
        host: Address to listen on.
        port: Port to listen on.
        users: Whether everybody logs in.
        ready: Called when nothing but listening is left.

    Raises:
        UsageError: The folder is no workspace, or the address is open to others without --users.
    """
    import uvicorn

    if not users and not _is_loopback(host):
        raise UsageError(
            f"--host {host}: expected --users for an address that others can reach; invite them "
            "with `memassay review invite`"
        )
    with open_workspace(folder) as workspace:
        desk = ReviewDesk(workspace.queue.engine)
        reviewers = ReviewerBook(workspace.queue.engine) if users else None
        content = WorkspaceContent(workspace)
        threading.Thread(target=content.warm, daemon=True).start()
        app = create_app(desk, content, reviewers)
        ready()
        uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
