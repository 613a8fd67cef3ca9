"""An evaluation that goes on where it was stopped, and what it writes."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.project_life import project_life
from support.release_builder import content

from memassay.exports.lifecycle.evaluation import MemoryRun
from memassay.exports.lifecycle.memories.shapes import (
    MemoryDeltaRecord,
    MemorySnapshotRecord,
    MemoryTurn,
    RetrievalItem,
    RetrievalRecord,
)
from memassay.exports.lifecycle.tally import MemoryTally
from memassay.exports.release.reader import Release, open_release
from memassay.exports.release.writer import write_release
from memassay.flows.evaluation.evaluate import MemoryOptions, evaluate_release, memory_options
from memassay.flows.evaluation.kept_scores import ScoresFolder
from memassay.schemas.contracts.blobs import NoBytes
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle

_NAMES = ("a", "b", "c", "d")


class Stopped(BaseException):
    """What a kill is to the process that it ends."""


class Counting:
    """A memory that notes whose turns it is given, and may be killed at its n-th call."""

    def __init__(self, kill_at: int | None = None) -> None:
        """Begin to count."""
        self.calls, self.kill_at = 0, kill_at
        self.given: list[str] = []
        self.turns: list[MemoryTurn] = []

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self.kill_at:
            raise Stopped

    def reset(self) -> None:
        """Forget."""
        self._count()
        self.turns = []

    def ingest_turn(self, turn: MemoryTurn) -> None:
        """Keep it, and note its conversation."""
        self._count()
        self.turns.append(turn)
        if turn.sample_id not in self.given:
            self.given.append(turn.sample_id)

    def end_session(self, session_id: str) -> None:  # noqa: ARG002
        """Count."""
        self._count()

    def snapshot_memories(self) -> list[MemorySnapshotRecord]:
        """All turns."""
        self._count()
        return [MemorySnapshotRecord(one.turn_id, one.text, one.session_id) for one in self.turns]

    def export_memory_delta(self, session_id: str) -> list[MemoryDeltaRecord]:
        """The turns of the session."""
        own = [one for one in self.turns if one.session_id == session_id]
        return [MemoryDeltaRecord(session_id, "add", one.text) for one in own]

    def retrieve(self, query: str, top_k: int) -> RetrievalRecord:
        """The latest turns."""
        self._count()
        items = [
            RetrievalItem(at, one.turn_id, one.text, 1.0)
            for at, one in enumerate(self.turns[::-1][:top_k], start=1)
        ]
        return RetrievalRecord(query, top_k, items)


def _reader() -> Any:
    one = project_life()
    bundles = [
        one.model_copy(update={"conversation": one.conversation.model_copy(update={"id": name})})
        for name in _NAMES
    ]

    def read(_tables: Sequence[str] = ()) -> Iterator[Bundle]:
        return iter(bundles)

    manifest = SimpleNamespace(name="x", version="1", content_sha256="0")
    return SimpleNamespace(bundles=read, blobs=NoBytes(), manifest=manifest)


def _evaluated(memory: Counting, folder: Path | None = None) -> str:
    """The report of a memory as JSON."""
    reader, run = _reader(), MemoryRun(memory)
    tally = MemoryTally([10])
    kept = ScoresFolder(folder, {"release": "0"}) if folder else None
    for _, scores in run.scores(reader, kept):
        tally.add(scores)
    return tally.report(reader, run).model_dump_json()


@pytest.fixture(scope="module")
def whole() -> tuple[str, int]:
    """The report of an evaluation that nothing stopped, and how many calls it took."""
    memory = Counting()
    return _evaluated(memory), memory.calls


@pytest.mark.parametrize("moment", range(10))
def test_a_killed_evaluation_goes_on(tmp_path: Path, whole: tuple[str, int], moment: int) -> None:
    """No conversation that is done is given again, and the report has the same bytes."""
    report, calls = whole
    first, second = Counting(kill_at=1 + calls * moment // 10), Counting()
    with pytest.raises(Stopped):
        _evaluated(first, tmp_path)
    done = {file.stem for file in (tmp_path / "conversations").glob("*.json")}
    assert _evaluated(second, tmp_path) == report
    assert done.isdisjoint(second.given)
    assert done | set(second.given) == set(_NAMES)


def test_a_conversation_that_failed_is_given_again(tmp_path: Path) -> None:
    """Its memory may have been mended; what went well is not done twice."""

    class Failing(Counting):
        def end_session(self, session_id: str) -> None:  # noqa: ARG002
            if self.given[-1] == "b":
                raise MemoryError

    _evaluated(Failing(), tmp_path)
    mended = Counting()
    report = _evaluated(mended, tmp_path)
    assert mended.given == ["b"]
    assert json.loads(report)["failures"] == []


def test_the_time_of_a_call_is_a_number() -> None:
    """`nan` passes every bound."""
    with pytest.raises(UsageError, match="--timeout: expected seconds, got nan"):
        memory_options({"timeout": float("nan")})


def test_a_folder_of_another_evaluation_is_refused(tmp_path: Path) -> None:
    """Its scores are of something else."""
    ScoresFolder(tmp_path, {"release": "0"})
    with pytest.raises(UsageError, match=r"expected a new folder .* got another evaluation"):
        ScoresFolder(tmp_path, {"release": "1"})
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear Ines", encoding="utf-8")
    with pytest.raises(UsageError, match="got something else"):
        ScoresFolder(tmp_path / "mine", {"release": "0"})


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release."""
    folder = tmp_path_factory.mktemp("releases") / "tiny"
    write_release(folder, content())
    return folder


def test_an_evaluation_writes_a_page_and_a_report(release: Path, tmp_path: Path) -> None:
    """The report is the document that the command prints; time is on the page alone."""
    opened: Release = open_release(release)
    options = MemoryOptions(out=tmp_path / "out")
    printed = evaluate_release(release, memory="append-everything", options=options)
    written = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert written == printed
    assert written["conversations"] == len(opened.ids())
    assert "seconds" not in json.dumps(written)
    assert "seconds" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_options_of_memories_are_not_for_answers(release: Path, tmp_path: Path) -> None:
    """They would be without effect."""
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "alex/Q0001", "answer": "Luna"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="with --memory, got them with answers"):
        evaluate_release(release, predictions=answers, options=MemoryOptions(top_k=3))
