"""A process that works for this one, as this one sees it."""

import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import IO, Any, Final

END_SECONDS: Final = 5.0
"""How long a process has for its end, which takes it a moment."""
DEATHS: Final = 3
"""Processes that one piece of work may end before it counts as a failure."""


@dataclass
class Child:
    """One process, and what is known of it."""

    process: "subprocess.Popen[bytes]"
    connection: Connection
    log: IO[bytes]
    owner: str = ""

    def tell(self, message: Any) -> None:
        """Send a message; what a process that is dead is told, its successor will be."""
        with suppress(ConnectionError):
            self.connection.send(message)

    def last_words(self) -> str:
        """The last line that it printed."""
        self.log.seek(0)
        lines = [line.strip() for line in self.log.read().decode("utf-8", "replace").split("\n")]
        return next((line for line in reversed(lines) if line), "it printed nothing")

    def end(self) -> None:
        """End it, whatever it does."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        # Only now: a thread may wait for a message, which ends when the other side does.
        self.connection.close()
        self.log.close()


def start_child(command: Sequence[str]) -> Child:
    """Start a program, whose last argument is the descriptor of a pipe for messages."""
    ours, theirs = Pipe()
    log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
    process = subprocess.Popen(
        [*command, str(theirs.fileno())],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=log,
        pass_fds=(theirs.fileno(),),
    )
    theirs.close()
    return Child(process, ours, log)
