"""Serves the review pages of a workspace."""

import atexit
import ipaddress
import json
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memassay.annotation.review_desk import ReviewDesk
from memassay.annotation.web_app import create_app
from memassay.annotation.web_reviewers import ReviewerBook
from memassay.flows.probe_services import open_answerer
from memassay.flows.services import open_workspace
from memassay.flows.web_services import WorkspaceContent
from memassay.flows.workspace import Workspace
from memassay.schemas.errors import UsageError

if TYPE_CHECKING:
    from fastapi import FastAPI

_SERVED: Final = "MEMASSAY_REVIEW_SERVED"
"""Environment variable that tells the workers what to serve."""


def serve_workspace(
    folder: Path,
    host: str,
    port: int,
    *,
    users: bool,
    ready: Callable[[], None],
    workers: int = 1,
    control_rate: float = 0.0,
    repeat_rate: float = 0.0,
    answerer: Path | None = None,
) -> None:
    """Serve until interrupted.

    Args:
        folder: The workspace.
        host: Address to listen on.
        port: Port to listen on.
        users: Whether everybody logs in.
        ready: Called when nothing but listening is left.
        workers: Processes that serve.
        control_rate: Share of items whose answer is known, to measure reviewers.
        repeat_rate: Share of items that the reviewer has decided before.
        answerer: File that names the model which answers probes; None for no probes.

    Raises:
        UsageError: The folder is no workspace, the address is open to others without --users, or
            the rates leave no room for items that wait, or the answerer cannot be used.
    """
    if not users and not _is_loopback(host):
        raise UsageError(
            f"--host {host}: expected --users for an address that others can reach; invite them "
            "with `memassay review invite`"
        )
    if control_rate + repeat_rate >= 1:
        raise UsageError(
            f"--control-rate {control_rate:g} and --repeat-rate {repeat_rate:g}: expected less "
            "than 1 together, or nobody gets what waits"
        )
    # Opened once before all else: what is the matter with it is told here, not by a worker.
    with open_workspace(folder) as workspace:
        if answerer is not None:
            with open_answerer(answerer, workspace):
                pass
    given = {"folder": str(folder.resolve()), "users": users}
    rates = {"control_rate": control_rate, "repeat_rate": repeat_rate}
    asked = {"answerer": str(answerer.resolve())} if answerer is not None else {}
    os.environ[_SERVED] = json.dumps({**given, **rates, **asked})
    ready()
    serve_app(f"{__name__}:served_app", host, port, workers)


def served_app() -> "FastAPI":
    """The application over the workspace that the environment names; each worker makes its own."""
    given = json.loads(os.environ[_SERVED])
    workspace = Workspace(Path(given["folder"]), create=False)
    engine = workspace.queue.engine
    desk = ReviewDesk(engine, control_rate=given["control_rate"], repeat_rate=given["repeat_rate"])
    answerer = None
    if "answerer" in given:
        opened = ExitStack()
        answerer = opened.enter_context(open_answerer(Path(given["answerer"]), workspace))
        atexit.register(opened.close)
    content = WorkspaceContent(workspace, answerer)
    threading.Thread(target=content.warm, daemon=True).start()
    return create_app(desk, content, ReviewerBook(engine) if given["users"] else None)


def serve_app(factory: str, host: str, port: int, workers: int) -> None:
    """Serve what a factory (`module:function`) makes, in one process or in several."""
    import uvicorn

    uvicorn.run(
        factory,
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_level="warning",
        server_header=False,
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
