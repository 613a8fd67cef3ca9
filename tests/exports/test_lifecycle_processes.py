"""Memories in processes of their own: upstream's adapters, programs, and all that goes wrong."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from support.project_life import project_life

from memassay.exports.lifecycle.feeding import Asking, MemoryTrace, feed_memory
from memassay.exports.lifecycle.memories.named import open_memory
from memassay.exports.lifecycle.memories.shapes import MemoryTurn
from memassay.exports.lifecycle.memories.wire import plain, read_finds
from memassay.schemas.errors import CodeError, UsageError

_UPSTREAM = '''
"""Dense rounds, written as an adapter of upstream: nothing in it knows of us."""
from typing import Any

import numpy as np

from eval_framework.config import resolve_baseline_param
from eval_framework.datasets.schemas import (
    MemoryDeltaRecord,
    MemorySnapshotRecord,
    NormalizedTurn,
    RetrievalItem,
    RetrievalRecord,
)
from eval_framework.memory_adapters.base import MemoryAdapter


class DenseAdapter(MemoryAdapter):
    def __init__(self, **kwargs: Any) -> None:
        self._batch = int(resolve_baseline_param("Dense", "batch_size", 8))
        self.reset()

    def reset(self) -> None:
        self._session_id = ""
        self._pending: NormalizedTurn | None = None
        self._rounds: list[dict[str, Any]] = []
        self._seen: set[str] = set()

    def ingest_turn(self, turn: NormalizedTurn) -> None:
        print("noise on standard output")
        self._session_id = turn.session_id
        if turn.role == "user":
            self._pending = turn
            return
        parts = []
        for each in (self._pending, turn):
            if each is not None:
                parts.append(f"{each.role}: {each.text}")
                parts += [f"[{a.type}] {a.caption}" for a in each.attachments if a.caption]
        self._rounds.append(
            {"id": f"r{len(self._rounds):05d}", "text": "\\n".join(parts),
             "session": turn.session_id}
        )
        self._pending = None

    def end_session(self, session_id: str) -> None:
        self._session_id = session_id

    def _vector(self, text: str) -> np.ndarray:
        vector = np.zeros(64, dtype="float32")
        for word in text.lower().replace("?", "").split():
            vector[sum(map(ord, word)) % 64] += 1
        return vector / max(1e-12, np.linalg.norm(vector))

    def snapshot_memories(self) -> list[MemorySnapshotRecord]:
        return [
            MemorySnapshotRecord(
                memory_id=one["id"], text=one["text"], session_id=one["session"], status="active",
                source="Dense", raw_backend_id=one["id"], raw_backend_type="round",
                metadata={"vector": self._vector(one["text"])},
            )
            for one in self._rounds
        ]

    def export_memory_delta(self, session_id: str) -> list[MemoryDeltaRecord]:
        new = [s for s in self.snapshot_memories() if s.memory_id not in self._seen]
        self._seen |= {s.memory_id for s in new}
        return [
            MemoryDeltaRecord(session_id=session_id, op="add", text=s.text, linked_previous=(),
                              raw_backend_id=s.raw_backend_id, metadata={"baseline": "Dense"})
            for s in new
        ]

    def retrieve(self, query: str, top_k: int, **_: Any) -> RetrievalRecord:
        if not self._rounds:
            return RetrievalRecord(query=query, top_k=top_k, items=[], raw_trace={"reason": "none"})
        scores = np.stack([self._vector(r["text"]) for r in self._rounds]) @ self._vector(query)
        order = np.argsort(-scores)[:top_k]
        items = [
            RetrievalItem(rank=rank, memory_id=self._rounds[int(at)]["id"],
                          text=self._rounds[int(at)]["text"], score=float(scores[int(at)]),
                          raw_backend_id=self._rounds[int(at)]["id"], image_path=None)
            for rank, at in enumerate(order)
        ]
        return RetrievalRecord(query=query, top_k=top_k, items=items, raw_trace={"n": len(items)})

    def get_capabilities(self) -> dict[str, Any]:
        return {"backend": "Dense", "available": True, "snapshot_mode": "full"}
'''

_PROGRAM = """
import json, os, sys, time
texts = []
for line in sys.stdin:
    request = json.loads(line)
    method, result = request["method"], None
    if method == "reset":
        texts = []
    elif method == "ingest_turn":
        texts.append([request["turn"]["round_id"], request["turn"]["text"]])
        if request["turn"]["session_id"] == "D3":
            {fault}
    elif method == "retrieve":
        words = set(request["query"].lower().strip("?").split())
        best = sorted(texts, key=lambda one: -len(words & set(one[1].lower().split())))
        items = [dict(memory_id=a, text=b) for a, b in best[: request["top_k"]]]
        result = dict(items=items)
    elif method == "get_capabilities":
        result = dict(methods=["reset", "ingest_turn", "end_session", "retrieve"])
    print(json.dumps(dict(result=result)), flush=True)
"""


def _traced(name: str, seconds: float = 20.0) -> MemoryTrace:
    """What a memory does with the project."""
    bundle = project_life()
    memory = open_memory(name, seconds)
    try:
        return feed_memory(memory, bundle, bundle.questions, Asking())
    finally:
        memory.close()


def _program(folder: Path, fault: str) -> str:
    """A command that starts a program which does something at the beginning of session D3."""
    file = folder / "mine.py"
    file.write_text(_PROGRAM.replace("{fault}", fault), encoding="utf-8")
    return f"{sys.executable} -I {file}"


def test_an_adapter_of_upstream_runs_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It imports names of `eval_framework`, which is not installed, prints, and has own ids."""
    (tmp_path / "dense_adapter.py").write_text(_UPSTREAM, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    trace = _traced("dense_adapter:DenseAdapter")
    assert trace.failure == ""
    first = trace.sessions[0]
    assert [entry.ids for entry in first.written or ()] == [("r00000",), ("r00001",)]
    assert [entry.session for entry in first.held or ()] == ["D1", "D1"]
    assert "Ines Roth" in "".join(one.text for one in trace.finds["norvik/Q0002"].items)


def test_a_program_in_another_interpreter_is_a_memory(tmp_path: Path) -> None:
    """It says which methods it has; what it cannot show is left out."""
    trace = _traced(_program(tmp_path, "pass"))
    assert trace.failure == ""
    assert all(session.written is None and session.held is None for session in trace.sessions)
    assert all(find.items for find in trace.finds.values())


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("time.sleep(60)", "expected an answer in 2 seconds, got none"),
        ("sys.exit('out of memory')", "the program ended; its last line: out of memory"),
        ("os.kill(os.getpid(), 9)", "expected a line, but the program ended"),
        (
            "os.write(1, b'{\"result\": nu'); sys.exit()",
            "the program ended, got b'{\"result\": nu'",
        ),
        ("print('hello', flush=True); continue", "expected a JSON object, got b'hello'"),
        ("print('[1]', flush=True); continue", "expected a JSON object, got b'[1]'"),
        ("print('[' * 100000, flush=True); continue", "expected a JSON object"),
        (
            "print('{}\\n{}', flush=True); continue",
            "ingest_turn: expected one line, got a second: b'{}",
        ),
        (r"print('{\"error\": \"\\ud800 no\\nroom\"}', flush=True); continue", "\ufffd no room"),
        ("print('x' * 10_000_000); continue", "expected at most 8 MiB, got a longer answer"),
        ("print(json.dumps(dict(error='no room')), flush=True); continue", "ingest_turn: no room"),
    ],
)
def test_what_a_program_does_wrong_is_a_line(tmp_path: Path, fault: str, said: str) -> None:
    """What came before counts; what comes after is nothing, and the line says when it was."""
    trace = _traced(_program(tmp_path, fault), seconds=2.0 if "sleep" in fault else 20.0)
    assert "norvik, given session D3: " in trace.failure
    assert said in trace.failure
    assert trace.finds["norvik/Q0001"].items
    assert not trace.finds["norvik/Q0008"].items


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("7", "expected `retrieve` to give a RetrievalRecord"),
        ("dict(items=[dict(memory_id='a')])", "expected `retrieve` to give records with a text"),
        (
            "dict(items=[dict(memory_id='a', text='b', rounds='D1:1')])",
            "expected `retrieve` to give a list of rounds, got 'D1:1'",
        ),
        ("dict(items='abc')", "expected `retrieve` to give a list of records"),
    ],
)
def test_rubbish_is_a_line(tmp_path: Path, given: str, said: str) -> None:
    """A result of another shape names the question that was asked."""
    command = _program(tmp_path, "pass")
    file = tmp_path / "mine.py"
    text = file.read_text("utf-8").replace("result = dict(items=items)", f"result = {given}")
    file.write_text(text, encoding="utf-8")
    trace = _traced(command)
    assert f"norvik, asked norvik/Q0001: {said}" in trace.failure


def test_methods_that_are_no_list_are_a_line(tmp_path: Path) -> None:
    """What a memory says of itself may be rubbish, too."""
    command = _program(tmp_path, "pass")
    file = tmp_path / "mine.py"
    text = file.read_text("utf-8").replace(
        "result = dict(methods=[", "result = dict(methods=7, x=["
    )
    file.write_text(text, encoding="utf-8")
    assert "get_capabilities: expected `methods` to be a list of names, got 7" in (
        _traced(command).failure
    )


@pytest.mark.parametrize(
    "name", ["append everything", "no-such-program --flag", "my mod:Class", "module:", ":Class"]
)
def test_what_is_no_memory_is_refused(name: str) -> None:
    """A slip of the pen is no memory that fails, and its user learns what could be meant."""
    with pytest.raises(UsageError, match="expected one of append-everything, "):
        open_memory(name)


def test_a_generator_is_a_list() -> None:
    """In another process as in ours."""
    assert json.loads(json.dumps({"result": (at for at in range(2))}, default=plain)) == {
        "result": [0, 1]
    }


def test_half_of_a_character_is_replaced() -> None:
    """No file and no request can hold one."""
    given = {"items": [{"memory_id": "a", "text": "\ud83d left"}]}
    assert read_finds(given, 1)[0].text == "\ufffd left"


def test_a_class_reads_whole_characters_in_any_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines are UTF-8, whatever the terminal speaks."""
    text = _UPSTREAM.replace("[:top_k]\n", "[:top_k]\n        assert query != 'Z\xfcrich?'\n")
    (tmp_path / "dense_locale.py").write_text(text, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    memory = open_memory("dense_locale:DenseAdapter", 20.0)
    try:
        memory.ingest_turn(MemoryTurn("a", "D1", 0, "assistant", "Zürich"))
        with pytest.raises(CodeError, match="AssertionError"):
            memory.retrieve("Zürich?", 1)
    finally:
        memory.close()


def test_a_program_that_fails_once_is_there_for_the_next_conversation(tmp_path: Path) -> None:
    """It is started again."""
    flag = tmp_path / "flag"
    fault = f"os.path.exists({str(flag)!r}) or (open({str(flag)!r}, 'w'), os._exit(1))"
    bundle, memory = project_life(), open_memory(_program(tmp_path, fault))
    traces: list[Any] = []
    try:
        traces += [feed_memory(memory, bundle, bundle.questions, Asking()) for _ in range(2)]
    finally:
        memory.close()
    assert [bool(trace.failure) for trace in traces] == [True, False]


def test_a_memory_that_is_not_available_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As upstream does, with the reason that it gives."""
    (tmp_path / "away.py").write_text(
        _UPSTREAM.replace('"available": True', '"available": False, "integration_error": "no key"'),
        encoding="utf-8",
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    with pytest.raises(UsageError, match="expected one that is available: no key"):
        open_memory("away:DenseAdapter")
