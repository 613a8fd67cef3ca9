"""A memory in a process of its own, spoken to in JSON, one object a line.

A request is `{"method": NAME, ...}`, its answer `{"result": ...}` or `{"error": TEXT}`. Whatever
the process does, the worst that comes of it is a `CodeError` with a line that says what.
"""

import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, Final

from memassay.exports.lifecycle.memories.shapes import NEEDED, SHOWING, MemoryTurn
from memassay.exports.lifecycle.memories.wire import turn_document
from memassay.schemas.errors import CodeError, UsageError

SECONDS: Final = 300.0
"""How long one call may take (WorldMemArena A)."""
MOST_BYTES: Final = 8 << 20
"""Longest answer."""
_CHUNK: Final = 1 << 16
_SHOWN: Final = 200


class ProcessMemory:
    """A memory that another program is.

    Attributes:
        name: What it is called in reports.
    """

    def __init__(self, name: str, command: Sequence[str], seconds: float = SECONDS) -> None:
        """Take a program; it is started when it is first needed.

        Args:
            name: What it is called in reports.
            command: The program and its arguments.
            seconds: How long one call may take.
        """
        self.name = name
        self._command = list(command)
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._rest = b""

    def reset(self) -> None:
        """Let it forget everything; a program that has ended is started again."""
        self.ask("reset")

    def ingest_turn(self, turn: MemoryTurn) -> None:
        """Give it a turn."""
        self.ask("ingest_turn", turn=turn_document(turn))

    def end_session(self, session_id: str) -> None:
        """Tell it that a session is over."""
        self.ask("end_session", session_id=session_id)

    def snapshot_memories(self) -> Any:
        """What it holds, as it says."""
        return self.ask("snapshot_memories")

    def export_memory_delta(self, session_id: str) -> Any:
        """What it wrote in a session, as it says."""
        return self.ask("export_memory_delta", session_id=session_id)

    def retrieve(self, query: str, top_k: int, **more: Any) -> Any:
        """What it finds, as it says."""
        return self.ask("retrieve", query=query, top_k=top_k, **more)

    def get_capabilities(self) -> dict[str, Any]:
        """What it says that it is; `methods` are all seven if it does not say."""
        said = self.ask("get_capabilities")
        given = said if isinstance(said, dict) else {}
        return {"methods": [*NEEDED, *SHOWING], **given}

    def ask(self, method: str, **arguments: Any) -> Any:
        """The result of one call.

        Raises:
            CodeError: It dies, hangs, or answers with something else than a result.
            UsageError: There is no memory of that name.
        """
        process = self._start()
        line = json.dumps({"method": method, **arguments}, ensure_ascii=False).encode() + b"\n"
        try:
            answer = self._exchange(process, line)
            return _result(answer)
        except CodeError as error:
            said = self._last_words()
            self.close()
            raise CodeError(f"{method}: {error}{said}") from None

    def close(self) -> None:
        """End the program, and whatever it has started."""
        process, self._process, self._rest = self._process, None, b""
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    stream.close()  # type: ignore[union-attr]
            process.wait()
        if self._log is not None:
            self._log.close()
            self._log = None

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            self._log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the program
            try:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._log,
                    start_new_session=True,
                )
            except OSError as error:
                raise CodeError(f"expected a program, got {error.strerror}") from error
            for stream in (self._process.stdin, self._process.stdout):
                os.set_blocking(stream.fileno(), False)  # type: ignore[union-attr]
        return self._process

    def _exchange(self, process: "subprocess.Popen[bytes]", line: bytes) -> bytes:
        """Write a line and read one, in the time that a call has."""
        assert process.stdin is not None
        assert process.stdout is not None
        ends, pending = time.monotonic() + self._seconds, memoryview(line)
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            ready.register(process.stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._rest:
                events = ready.select(max(0.0, ends - time.monotonic()))
                if not events:
                    raise CodeError(f"expected an answer in {self._seconds:g} seconds, got none")
                for key, _ in events:
                    if key.fileobj is process.stdout:
                        self._read(process.stdout.fileno())
                    else:
                        pending = pending[_write(process.stdin.fileno(), pending) :]
                        if not pending:
                            ready.unregister(process.stdin)
        answer, _, self._rest = self._rest.partition(b"\n")
        if self._rest:
            raise CodeError(f"expected one line, got a second: {self._rest[:_SHOWN]!r}")
        return answer

    def _read(self, stream: int) -> None:
        data = os.read(stream, _CHUNK)
        if not data:
            got = f", got {self._rest[:_SHOWN]!r}" if self._rest else ""
            raise CodeError(f"expected a line, but the program ended{got}")
        self._rest += data
        if len(self._rest) > MOST_BYTES:
            raise CodeError(f"expected at most {MOST_BYTES >> 20} MiB, got a longer answer")

    def _last_words(self) -> str:
        """The last line that the program wrote to standard error, if any."""
        if self._log is None:
            return ""
        self._log.seek(max(0, self._log.seek(0, os.SEEK_END) - _CHUNK))
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"; its last line: {last[:_SHOWN]}" if last else ""


def _write(stream: int, data: memoryview) -> int:
    try:
        return os.write(stream, data[:_CHUNK])
    except BlockingIOError:
        return 0
    except BrokenPipeError as error:
        raise CodeError("expected a program that reads, but it ended") from error


def _result(answer: bytes) -> Any:
    try:
        document = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise CodeError(f"expected a JSON object, got {answer[:_SHOWN]!r}") from error
    if not isinstance(document, dict):
        raise CodeError(f"expected a JSON object, got {answer[:_SHOWN]!r}")
    if "refused" in document:
        raise UsageError(str(document["refused"]))
    if "error" in document:
        raise CodeError(str(document["error"])[:_SHOWN])
    return document.get("result")
