"""Runs a memory of Python and speaks for it: `python -m ...host NAME`.

NAME is `module:Class` or that of an entry point of the group `memassay.memories`. The program reads
requests and writes answers as `process.py` says. An adapter of upstream imports `eval_framework`;
where that is not installed, the few names that adapters need of it are ours.
"""

import json
import os
import sys
import traceback
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from memassay.exports.lifecycle.memories import shapes
from memassay.exports.lifecycle.memories.wire import plain
from memassay.schemas.errors import CodeError, UsageError
from memassay.schemas.registry import entries_of

GROUP: Final = "memassay.memories"
"""Entry points that declare memories: a class, or a function that makes one."""


def load_memory(name: str) -> Any:
    """The memory of a name.

    Raises:
        UsageError: It cannot be made, or is no memory.
    """
    _lend_upstream_names()
    own = [entry for entry in entries_of(GROUP) if entry.name == name]
    if ":" in name:
        # The command line does not look for modules where it is started.
        sys.path.append("")
        own = [EntryPoint(name, name, GROUP)]
    if len(own) != 1:
        raise UsageError(
            f"memory {name}: expected one package that declares it, got {len(own)}; uninstall one"
        )
    try:
        memory = own[0].load()()
    except Exception as error:  # whatever a foreign module raises, it is to blame
        raise UsageError(
            f"memory {name}: expected {own[0].value} to make a memory, got "
            f"{type(error).__name__}: {error}; a module is looked for in the working directory and "
            "where PYTHONPATH says"
        ) from error
    return check_memory(memory)


def check_memory(memory: Any) -> Any:
    """A memory, if it has what a memory must have.

    Raises:
        UsageError: A method is missing.
    """
    if isinstance(memory, type):
        raise UsageError(
            f"memory {memory.__name__}: expected a memory, got its class; make one: "
            f"{memory.__name__}()"
        )
    missing = [name for name in shapes.NEEDED if not has_method(memory, name)]
    if missing:
        raise UsageError(
            f"memory {memory_name(memory)}: expected the methods {', '.join(shapes.NEEDED)}, got "
            f"none called {', '.join(missing)}; docs/python.md shows one"
        )
    said = capabilities_of(memory)
    if said.get("available") is False:
        why = (
            said.get("integration_error") or said.get("integration_status") or "it gives no reason"
        )
        raise UsageError(f"memory {memory_name(memory)}: expected one that is available: {why}")
    return memory


def has_method(memory: Any, name: str) -> bool:
    """Whether a memory has a method."""
    return callable(getattr(memory, name, None))


def capabilities_of(memory: Any) -> dict[str, Any]:
    """What a memory says that it is, with the names of its methods.

    Raises:
        CodeError: It gives something else than names as its methods.
    """
    said = memory.get_capabilities() if has_method(memory, "get_capabilities") else {}
    methods = [name for name in (*shapes.NEEDED, *shapes.SHOWING) if has_method(memory, name)]
    known = {"methods": methods, **(said if isinstance(said, dict) else {})}
    if not isinstance(known["methods"], list | tuple | set | frozenset):
        raise CodeError(f"expected `methods` to be a list of names, got {known['methods']!r:.80}")
    return known


def memory_name(memory: Any) -> str:
    """Its own name, else that of its class."""
    name = getattr(memory, "name", None)
    return name if isinstance(name, str) else type(memory).__name__


def _lend_upstream_names() -> None:
    if "eval_framework" in sys.modules or find_spec("eval_framework") is not None:
        return
    config = {
        "resolve_baseline_param": lambda _baseline, _name, usual=None: usual,
        "resolve_retrieval_top_k": lambda: 10,
    }
    names: dict[str, dict[str, Any]] = {
        "": {},
        ".config": config,
        ".datasets": {},
        ".datasets.schemas": {
            "Attachment": shapes.MemoryAttachment,
            "NormalizedTurn": shapes.MemoryTurn,
            "MemorySnapshotRecord": shapes.MemorySnapshotRecord,
            "MemoryDeltaRecord": shapes.MemoryDeltaRecord,
            "RetrievalItem": shapes.RetrievalItem,
            "RetrievalRecord": shapes.RetrievalRecord,
        },
        ".memory_adapters": {},
        ".memory_adapters.base": {"MemoryAdapter": object},
    }
    for ending, own in names.items():
        module = ModuleType(f"eval_framework{ending}")
        module.__path__ = []
        vars(module).update(own)
        sys.modules[module.__name__] = module


def _turn(given: dict[str, Any]) -> shapes.MemoryTurn:
    shown = tuple(map(_attachment, given.pop("attachments")))
    return shapes.MemoryTurn(**given, attachments=shown)


def _attachment(given: dict[str, Any]) -> shapes.MemoryAttachment:
    path = given["file_path"]
    return shapes.MemoryAttachment(given["caption"], given["image_id"], given["type"], lambda: path)


def _call(memory: Any, request: dict[str, Any]) -> Any:
    method = request.pop("method")
    if method == "get_capabilities":
        return capabilities_of(memory)
    if method == "ingest_turn":
        return memory.ingest_turn(_turn(request["turn"]))
    if method == "retrieve":
        query, top_k = request.pop("query"), request.pop("top_k")
        return memory.retrieve(query, top_k, **request)
    return getattr(memory, method)(*request.values())


def _answer(memory: Any, line: bytes) -> str:
    """The answer of a memory to a request, as a line of JSON."""
    try:
        return _as_line({"result": _call(memory, json.loads(line))})
    except Exception as error:  # noqa: BLE001 - it is the memory's own score
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}, line {frame.lineno}"
        return _as_line({"error": f"{type(error).__name__}: {error} ({place})"})


def _as_line(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False, default=plain)


def main(name: str) -> None:
    """Answer requests until there is none."""
    # What a memory prints must not come between our lines.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    refused, memory = "", None
    try:
        memory = load_memory(name)
    except UsageError as error:
        refused = str(error)
    for line in sys.stdin.buffer:  # UTF-8, whatever the locale
        answer = _as_line({"refused": refused}) if refused else _answer(memory, line)
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
