"""Serves the review pages of a workspace."""

import atexit
import errno
import ipaddress
import json
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memassay.annotation.pages.content import ReviewContent
from memassay.annotation.storage.reviewers import ReviewerAccounts
from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.web.app import create_app
from memassay.flows.calls.answerer import open_answerer
from memassay.flows.recipes.registry import PATHS
from memassay.flows.review.page_content import review_content, warm
from memassay.flows.store.places.address import Place, address_text, place_of
from memassay.flows.store.workspace import Workspace, open_workspace
from memassay.schemas.contracts.paths import benchmark_of
from memassay.schemas.errors import Terminated, UsageError

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from fastapi import FastAPI

_SERVED: Final = "MEMASSAY_REVIEW_SERVED"
"""Environment variable that tells the workers what to serve."""

_WAITING: Final = 2048
"""Connections that wait until a worker takes them."""

_HUNG_SECONDS: Final = 120
"""A worker that says nothing for so long is replaced; one that loads on a busy machine is not."""


def serve_workspace(
    place: Place,
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
        place: The workspace.
        host: Address to listen on.
        port: Port to listen on.
        users: Whether everybody logs in.
        ready: Called once browsers can connect.
        workers: Processes that serve.
        control_rate: Share of items whose answer is known, to measure reviewers.
        repeat_rate: Share of items that the reviewer has decided before.
        answerer: File that names the model which answers probes; None for no probes.

    Raises:
        UsageError: There is no workspace, the address is open to others without --users, or
            the rates leave no room for items that wait, the answerer cannot be used, or the
            port is taken.
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
    # Opened once before all else: what is the matter with it is reported here, not by a worker.
    with open_workspace(place) as workspace:
        if answerer is not None:
            with open_answerer(answerer, workspace):
                pass
    given = {"place": address_text(place), "users": users}
    rates = {"control_rate": control_rate, "repeat_rate": repeat_rate}
    asked = {"answerer": str(answerer.resolve())} if answerer is not None else {}
    os.environ[_SERVED] = json.dumps({**given, **rates, **asked})
    with open_port(host, port) as listening:
        ready()
        serve_app(f"{__name__}:served_app", listening, workers)


def served_app() -> "FastAPI":
    """The application over the workspace that the environment names; each worker makes its own."""
    given = json.loads(os.environ[_SERVED])
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        threading.Thread(target=_end_with, args=(supervisor,), daemon=True).start()
    workspace = Workspace(place_of(given["place"]), create=False)
    engine = workspace.queue.engine
    desk = ReviewDesk(engine, control_rate=given["control_rate"], repeat_rate=given["repeat_rate"])
    answerer = None
    if "answerer" in given:
        opened = ExitStack()
        answerer = opened.enter_context(open_answerer(Path(given["answerer"]), workspace))
        atexit.register(opened.close)
    content = review_content(workspace, answerer, partial(benchmark_of, paths=PATHS))
    _warm(content)
    return create_app(desk, content, ReviewerAccounts(engine) if given["users"] else None)


def _warm(content: ReviewContent) -> None:
    """Warm the content beside the serving; no thread parses records while the process ends."""
    stopped = threading.Event()
    warming = threading.Thread(target=warm, args=(content, stopped), daemon=True)
    warming.start()

    def end() -> None:
        stopped.set()
        warming.join()

    # Python ends what a daemon thread does in the middle of foreign code, which aborts.
    atexit.register(end)


def _end_with(supervisor: "BaseProcess") -> None:
    """End this worker when its supervisor is gone, killed perhaps: it would keep the port."""
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)


def open_port(host: str, port: int) -> socket.socket:
    """A socket that listens: who connects from now on waits until a worker serves.

    Raises:
        UsageError: The address is not of this machine, or its port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_WAITING)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            message = f"--host: expected an address of this machine, got '{host}'"
            raise UsageError(f"{message}; 127.0.0.1 is for browsers on it alone") from None
        why = os.strerror(error.errno)
        raise UsageError(
            f"--port: expected a free port of {host}, got '{port}' ({why}); choose another, or "
            "end what listens there"
        ) from None


def serve_app(factory: str, listening: socket.socket, workers: int) -> None:
    """Serve what a factory (`module:function`) makes, in one process or in several.

    Raises:
        Terminated: SIGTERM ended it; Ctrl-C is how it is meant to end.
    """
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    config = uvicorn.Config(
        factory,
        factory=True,
        workers=workers,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_worker_healthcheck=_HUNG_SECONDS,
    )

    class Supervisor(Multiprocess):
        """Ends its workers, and then itself, as one process alone does."""

        def handle_term(self) -> None:
            super().handle_term()
            ended.append(signal.SIGTERM)

    ended: list[signal.Signals] = []
    try:
        if workers > 1:
            Supervisor(config, sockets=[listening]).run()
        else:
            uvicorn.Server(config).run(sockets=[listening])
    except Terminated:
        raise
    except KeyboardInterrupt:
        return
    if ended:
        raise Terminated


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
