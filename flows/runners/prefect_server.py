"""A Prefect server of our own, which lives exactly as long as the run that started it.

The server is a child process that ends with the run (see `standard_input`).
"""

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import IO, Any, Final

from memassay.flows.runners.garbage import collect_seldom
from memassay.flows.runners.prefect_database import DATABASE, prepare_database
from memassay.flows.runners.standard_input import when_parent_ends
from memassay.schemas.errors import MemassayError

HOST: Final = "127.0.0.1"
STARTUP_SECONDS: Final = 180.0
"""A first start migrates an empty database: seconds alone, much more on a busy machine."""
STOP_SECONDS: Final = 4.0
"""It keeps nothing that anybody needs: half of them to end in order, then it is killed."""
_LOOK_SECONDS: Final = 0.5

_QUIET: Final = {
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
}
_SILENT: Final = {
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
}
"""Nothing on the screen of a command; the user's server gets every line."""
_OURS: Final = {
    **_QUIET,
    "DO_NOT_TRACK": "1",
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    "PREFECT_CLI_PROMPT": "false",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_SERVER_UI_ENABLED": "false",
}


@contextmanager
def prefect_api(home: Path, when_lost: Callable[[], None] = lambda: None) -> Iterator[Event]:
    """Give Prefect a server for as long as the block runs.

    If the user has set one up, or Prefect's cloud, in any form that Prefect reads, that one is
    used as it is. Otherwise ours is started, with everything it writes in a folder of ours.

    Args:
        home: Folder for our server's database and settings.
        when_lost: Called in a thread of its own should our server end before the block does.

    Yields:
        What is set then; from that moment on, no call to the server is tried a second time.

    Raises:
        MemassayError: Our server did not start.
    """
    lost = Event()
    if has_server_of_the_user():
        with _environment(_SILENT), _events():
            yield lost
        return
    home.mkdir(parents=True, exist_ok=True)
    with _server(home) as server, _environment({**_settings(home), "PREFECT_API_URL": server.url}):
        server.wait_until_healthy()
        with _events(), _watch(server, lost, when_lost):
            yield lost


def has_server_of_the_user() -> bool:
    """Whether Prefect would talk to a server or cloud that the user has named.

    It is named in the environment, a profile, `.env`, `prefect.toml` or `pyproject.toml`; only
    Prefect itself reads all of them as Prefect does.
    """
    from prefect.settings.context import get_current_settings

    # An import long ago may have read another environment.
    _reread_settings()
    return bool(get_current_settings().api.url)


def _events() -> AbstractContextManager[None]:
    from memassay.flows.runners.prefect_events import passing_events

    return passing_events()


@contextmanager
def _watch(server: "_Server", lost: Event, when_lost: Callable[[], None]) -> Iterator[None]:
    """Notice within a second that a server has ended, while the block runs."""
    from prefect.settings.context import get_current_settings

    over, settings = Event(), get_current_settings()

    def look() -> None:
        while not over.wait(_LOOK_SECONDS):
            if server.process.poll() is not None:
                # Prefect tries each call for a minute, and makes several before it gives up.
                settings.client.max_retries = 0
                lost.set()
                when_lost()
                return

    watcher = threading.Thread(target=look, name="prefect-server-watcher", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _settings(home: Path) -> dict[str, str]:
    # Proxies are for other machines; the libraries would ask them for the loopback, too.
    direct = ",".join(filter(None, (os.environ.get("NO_PROXY"), HOST)))
    database = f"sqlite+aiosqlite:///{home / DATABASE}"
    return {
        **_OURS,
        "NO_PROXY": direct,
        "no_proxy": direct,
        "PREFECT_HOME": str(home),
        "PREFECT_PROFILES_PATH": str(home / "profiles.toml"),
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": database,
    }


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Change the environment, and what an already imported Prefect took from it, for a while."""
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        _reread_settings()
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        _reread_settings()


def _reread_settings() -> None:
    if "prefect" in sys.modules:
        from prefect.context import refresh_global_settings_context

        refresh_global_settings_context()


# --- the run's side ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Server:
    process: "subprocess.Popen[bytes]"
    port: int
    log: IO[bytes]

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/api"

    def wait_until_healthy(self) -> None:
        deadline = time.monotonic() + STARTUP_SECONDS
        while not self._is_healthy():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise MemassayError(
                    f"prefect: its server did not start ({self._last_words()}); "
                    "run with --runner plain, which needs none"
                )
            time.sleep(0.05)

    def _is_healthy(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=5)
        try:
            connection.request("GET", "/api/health")
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _last_words(self) -> str:
        self.log.seek(0)
        lines = self.log.read().decode("utf-8", "replace").split("\n")
        return next(
            (line.strip() for line in reversed(lines) if line.strip()), "it printed nothing"
        )

    def stop(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def _server(home: Path) -> Iterator[_Server]:
    """A server that runs while the block does; it may not answer yet."""
    with tempfile.TemporaryFile() as log, socket.socket() as listener:
        # Bound here and handed over, so that nobody can take the port in between.
        listener.bind((HOST, 0))
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(listener.fileno()), str(home)],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            env={**os.environ, **_settings(home)},
            pass_fds=(listener.fileno(),),
            # Ctrl-C is for the run, which still needs its server while it stops.
            start_new_session=True,
        )
        port = int(listener.getsockname()[1])
        listener.close()
        server = _Server(process, port, log)
        try:
            yield server
        finally:
            server.stop()


# --- the server's side ------------------------------------------------------------------------


def main(listener: int, home: Path) -> None:
    """Serve on a bound socket until standard input ends."""
    collect_seldom()  # loading it takes a sixth less of the processor
    server: list[Any] = []
    when_parent_ends(lambda: _stop(server))
    prepare_database(home)
    os.environ["PREFECT_API_DATABASE_MIGRATE_ON_START"] = "false"
    _reread_settings()
    import uvicorn
    from prefect.server.api.server import create_app

    app = create_app(ephemeral=True, final=True)
    server.append(uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="on")))
    server[0].run(sockets=[socket.socket(fileno=listener)])


def _stop(server: list[Any]) -> None:
    if server:
        server[0].should_exit = True
        time.sleep(STOP_SECONDS / 2)
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
