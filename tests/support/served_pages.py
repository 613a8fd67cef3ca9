"""Runs `memassay review serve` as a person would: in a process of its own, until Ctrl-C."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

_PATIENCE_SECONDS = 120


def served_until_interrupted(
    arguments: Sequence[str], folder: Path, number: int = signal.SIGINT
) -> tuple[int, str, str]:
    """Serve, fetch the first page, press Ctrl-C.

    Args:
        arguments: Of the command line, `--port` excepted.
        folder: The working directory.
        number: Of the signal; that of Ctrl-C by default.

    Returns:
        Exit code, standard output, and the page.
    """
    port = free_port()
    command = [sys.executable, "-m", "memassay", *arguments, "--port", str(port)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        page = _first_page(process, port)
        process.send_signal(number)
        output, _ = process.communicate(timeout=_PATIENCE_SECONDS)
    finally:
        process.kill()
        process.communicate()
    return process.returncode, output, page


def workers_of_a_killed_server(arguments: Sequence[str], folder: Path) -> list[int]:
    """Serve, fetch the first page, kill -9 the server; its processes that live on for long.

    Args:
        arguments: Of the command line, `--port` excepted.
        folder: The working directory.
    """
    port = free_port()
    command = [sys.executable, "-m", "memassay", *arguments, "--port", str(port)]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        assert _first_page(process, port)
        process.kill()
        process.wait()
        until = time.monotonic() + _PATIENCE_SECONDS
        while (left := _group(process.pid)) and time.monotonic() < until:
            threading.Event().wait(0.1)
        return left
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _group(number: int) -> list[int]:
    """Processes of a group that live."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, group = path.read_text(errors="replace").rpartition(")")[2].split()[:3]
            if int(group) == number and state != "Z":
                found.append(int(path.parent.name))
    return found


def free_port() -> int:
    """A port below those that the system gives away by itself, so that it stays free."""
    for port in range(20_000 + os.getpid() % 10_000, 32_768):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("expected a free port")


def _first_page(process: subprocess.Popen[Any], port: int) -> str:
    """The first page as a browser gets it, once the server listens; empty if it ended before."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    while process.poll() is None:
        try:
            with browser.open(f"http://127.0.0.1:{port}/", timeout=_PATIENCE_SECONDS) as answer:
                return str(answer.read().decode())
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    return ""
