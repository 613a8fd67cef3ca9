"""The memory that somebody names: one of ours, one of a package, a class, or a program."""

import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from memassay.exports.lifecycle.memories.host import GROUP
from memassay.exports.lifecycle.memories.insiders import INSIDERS, LedgerMemory
from memassay.exports.lifecycle.memories.keepers import KEEPERS, RoundMemory, latest_sessions
from memassay.exports.lifecycle.memories.process import SECONDS, ProcessMemory
from memassay.schemas.errors import CodeError, UsageError
from memassay.schemas.registry import entries_of

_CLASS: Final = re.compile(r"[\w.]+:[\w.]+")
_HOST: Final = "memassay.exports.lifecycle.memories.host"


def memory_names() -> list[str]:
    """The names that memories are known by, `last-3-sessions` for any number."""
    own = {*KEEPERS, *INSIDERS, "last-3-sessions"}
    return sorted({*own, *(entry.name for entry in entries_of(GROUP))})


def open_memory(name: str, seconds: float = SECONDS) -> Any:
    """The memory of a name; ours is in this process, any other in one of its own.

    Args:
        name: That of a memory of ours or of an entry point; else `module:Class`; else a program
            with its arguments that speaks JSON, one object a line.
        seconds: How long one call of it may take.

    Raises:
        UsageError: There is none, several packages declare it, or it is no memory.
    """
    if name in KEEPERS:
        return RoundMemory(name, KEEPERS[name])
    if name in INSIDERS:
        return LedgerMemory(name, INSIDERS[name])
    if latest := latest_sessions(name):
        return latest()
    if words := _program(name):
        return ProcessMemory(name, words, seconds)
    if not _CLASS.fullmatch(name) and name not in _entry_names():
        raise UsageError(
            f"memory: expected one of {', '.join(memory_names())}, or module:Class, or a program "
            f"that is there and speaks JSON lines, got '{name}'"
        )
    memory = ProcessMemory(name, [sys.executable, "-m", _HOST, name], seconds)
    # One that dies or hangs already here is evaluated, and its report says so.
    with suppress(CodeError):
        memory.get_capabilities()
    return memory


def _entry_names() -> Iterable[str]:
    return [entry.name for entry in entries_of(GROUP)]


def _program(name: str) -> list[str]:
    """A program that is there, with its arguments; empty if the name is of none."""
    if name in _entry_names() or _CLASS.fullmatch(name):
        return []
    try:
        words = shlex.split(name)
    except ValueError:
        return []
    return words if words and shutil.which(words[0]) else []
