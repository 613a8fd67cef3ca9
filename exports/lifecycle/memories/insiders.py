"""Memories of ours that write the ledger itself, rightly or wrongly, to show what scores mean."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from memassay.exports.lifecycle.memories.keepers import InsiderMemory
from memassay.exports.lifecycle.memories.retrievers import Document, RetrievalQuery, build_retriever
from memassay.exports.lifecycle.memories.shapes import (
    MemoryDeltaRecord,
    MemorySnapshotRecord,
    MemoryTurn,
    RetrievalItem,
    RetrievalRecord,
)
from memassay.exports.lifecycle.points import LedgerPoints, Point
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactOperation, ValueType
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import is_day


@dataclass(frozen=True)
class Habits:
    """What a memory does with the points of a session.

    Attributes:
        lies: Whether it writes other values than the right ones.
        keeps_claims: Whether it writes interference as if it were true.
        keeps_old: Whether it leaves what has been replaced.
        knows_evidence: Whether it finds the evidence of a question first.
    """

    lies: bool = False
    keeps_claims: bool = False
    keeps_old: bool = False
    knows_evidence: bool = False


INSIDERS: Final[Mapping[str, Habits]] = MappingProxyType(
    {
        "oracle": Habits(knows_evidence=True),
        "liar": Habits(lies=True),
        "hoarder": Habits(keeps_claims=True),
        "never-overwrites": Habits(keeps_old=True),
    }
)
"""By name, what each of them does."""


class LedgerMemory(InsiderMemory):
    """A memory that writes sentences of the ledger when their session ends.

    The oracle also keeps the rounds of the history, so that it finds evidence that no fact is.
    """

    def __init__(self, name: str, habits: Habits) -> None:
        """Hold nothing yet."""
        self.name = name
        self._habits = habits
        self._evidence: Sequence[str] = ()
        self._facts: Sequence[str] = ()
        self._points: LedgerPoints | None = None
        self.reset()

    def learn(self, bundle: Bundle) -> None:
        """Look at the ledger."""
        self._points = LedgerPoints(bundle)

    def hear(self, item: QAItem, evidence: Sequence[str]) -> None:
        """Look at what the answer rests on, if it is the oracle."""
        if self._habits.knows_evidence:
            self._evidence, self._facts = evidence, item.evidence.facts

    def reset(self) -> None:
        """Forget everything."""
        self._notes: dict[str, MemorySnapshotRecord] = {}
        self._rounds: dict[str, list[str]] = {}
        self._written: list[MemoryDeltaRecord] = []

    def ingest_turn(self, turn: MemoryTurn) -> None:
        """Keep what is spoken, which only the oracle finds again."""
        self._rounds.setdefault(turn.round_id, []).append(f"{turn.speaker}: {turn.text}")

    def end_session(self, session_id: str) -> None:
        """Write the points of the session."""
        self._written = []
        for point in self._points.by_session.get(session_id, ()) if self._points else ():
            if point.is_interference and not self._habits.keeps_claims:
                continue
            if not self._habits.keeps_old and not point.is_interference:
                for old in point.fact.supersedes:
                    self._notes.pop(old, None)
            text = _lie(point) if self._habits.lies else point.content
            # What lies must not be right by its id.
            name = f"note-{len(self._notes)}" if self._habits.lies else point.id
            self._notes[point.id] = MemorySnapshotRecord(name, text, session_id)
            self._written.append(MemoryDeltaRecord(session_id, "add", text, (), name))

    def snapshot_memories(self) -> list[MemorySnapshotRecord]:
        """Its notes."""
        return list(self._notes.values())

    def export_memory_delta(self, session_id: str) -> list[MemoryDeltaRecord]:  # noqa: ARG002
        """The notes of the session."""
        return self._written

    def retrieve(self, query: str, top_k: int) -> RetrievalRecord:
        """The notes that share the words of a question; of the oracle, the evidence before them."""
        own = [
            RetrievalItem(1, note.memory_id, note.text, 1.0, rounds=self._evidence_of(name))
            for name in self._facts
            if (note := self._notes.get(name))
        ]
        covered = {place for item in own for place in item.rounds}
        own += [
            RetrievalItem(1, name, "\n".join(self._rounds[name]), 1.0)
            for name in self._evidence
            if name in self._rounds and name not in covered
        ]
        rest = [name for name in self._notes if name not in set(self._facts)]
        if not self._habits.knows_evidence:
            documents = [Document(name, self._notes[name].text, 0) for name in rest]
            ranked = build_retriever("bm25", documents).rank(RetrievalQuery(query))
            own = [
                RetrievalItem(1, note.memory_id, note.text, 1.0)
                for note in map(self._notes.__getitem__, ranked)
            ]
        return RetrievalRecord(query, top_k, own[:top_k])

    def _evidence_of(self, name: str) -> tuple[str, ...]:
        """The rounds of the evidence that show a point."""
        point = self._points.by_id.get(name) if self._points else None
        shown = set(point.rounds) if point else set()
        return tuple(place for place in self._evidence if place in shown)


def _lie(point: Point) -> str:
    """The sentence of a point with another value."""
    fact = point.fact
    false = _OTHERS.get(fact.value.type, _other_text)(fact)
    if fact.operation is not FactOperation.DELETE and fact.value.text in point.content:
        return point.content.replace(fact.value.text, false)
    return f"The {fact.attribute} of {fact.subject} is {false}."


def _other_number(fact: Fact) -> str:
    text = fact.value.text
    return f"{text}7" if text.replace(".", "").isdecimal() else f"not {text}"


def _other_date(fact: Fact) -> str:
    if not is_day(fact.value.text):
        return "1901-02-03"
    return (date.fromisoformat(fact.value.text) + timedelta(days=9)).isoformat()


def _other_text(fact: Fact) -> str:  # noqa: ARG001
    return "a heap of blue gravel"


_OTHERS: Final[Mapping[ValueType, Callable[[Fact], str]]] = MappingProxyType(
    {ValueType.NUMBER: _other_number, ValueType.DATE: _other_date}
)
