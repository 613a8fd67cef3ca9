"""Ctrl-C and SIGTERM: raised in the main thread as always, and remembered, as raising may fail.

A signal is raised wherever the main thread happens to be. Inside an import, a callback of a library
written in Rust or C, or a finalizer, the exception can be swallowed, or come out as another error.
So it is remembered, too: the engine asks at safe points, before it stores what a unit made, and
raises it there; and a command that fails after it was asked to end was interrupted. A second
signal ends the process at once, which a workspace survives like any kill.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final, NoReturn

from memassay.schemas.errors import StoppedError, Terminated

_SAME_SECONDS: Final = 1.0
"""What comes sooner is the same wish: a terminal and a wrapper may both send it."""
_AT_ONCE: Final = b"memassay: ended at once; run the same command again, finished work is kept\n"


@dataclass
class _Asked:
    """Which signal asked the process to end, 0 for none, when, and whether it is raised later."""

    number: int = 0
    at: float = 0.0
    deferred: bool = False


_ASKED: Final = _Asked()


def asked_to_end() -> bool:
    """Whether somebody asked the process to end."""
    return _ASKED.number != 0


def raise_if_asked_to_end() -> None:
    """Raise what a signal raised, in case that was swallowed.

    Raises:
        KeyboardInterrupt: In the main thread, after Ctrl-C; `Terminated` after SIGTERM.
        StoppedError: In any other thread.
    """
    if not asked_to_end():
        return
    if threading.current_thread() is threading.main_thread():
        raise interruption()
    raise StoppedError("the run ends")


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Raise what asks to end after the block: for short work of libraries, which may swallow it.

    Raises:
        KeyboardInterrupt: In the main thread, after Ctrl-C; `Terminated` after SIGTERM.
    """
    _ASKED.deferred = True
    try:
        yield
    finally:
        _ASKED.deferred = False
        raise_if_asked_to_end()


def interruption() -> KeyboardInterrupt:
    """What the signal that asked the process to end raises."""
    return Terminated() if _ASKED.number == signal.SIGTERM else KeyboardInterrupt()


def _ask(number: int, frame: FrameType | None) -> None:
    now = time.monotonic()
    if not asked_to_end():
        _ASKED.number, _ASKED.at = number, now
        if not (_ASKED.deferred or _finalizes(frame)):
            raise interruption()
        return
    if now - _ASKED.at >= _SAME_SECONDS:
        _end_at_once(number)


def _finalizes(frame: FrameType | None) -> bool:
    """Whether a finalizer runs: Python prints what is raised there, and goes on."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


def _end_at_once(number: int) -> NoReturn:
    os.write(2, _AT_ONCE)
    os._exit(128 + number)


def listen() -> None:
    """Take Ctrl-C and SIGTERM from now on, unless the process was started with them ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _ask)


@contextmanager
def listening() -> Iterator[None]:
    """Take them while the block runs; what came before it stays remembered."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    listen()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _ASKED.number = 0
