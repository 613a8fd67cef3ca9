"""From memory points to facts and mentions: nothing becomes a fact that its round does not say."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import locate
from memassay.schemas.contracts.authors import Task
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.conversation import Conversation, Turn
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactOperation,
    FactStatus,
    FactValue,
    Mention,
    MentionForm,
    ValueType,
)
from memassay.schemas.values.civil_time import is_when, strictly_after
from memassay.schemas.values.text import normalise
from memassay.synth.extraction.extraction_tasks import MemoryPoint, UpdateMark, entailment
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.world.values import spoken_value

UNSUPPORTED = SYNTHESIS_RULES.declare(
    "extraction.unsupported",
    Severity.WARNING,
    "A memory point is said, or at least entailed, in the round that it names.",
    "design, paper mode: what cannot be supported is a finding, never a fact",
)
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


@dataclass
class _Said:
    """A fact being collected, with the turns that say it: span and how fully."""

    point: MemoryPoint
    value: FactValue
    day: str
    seen: list[tuple[str, Turn, tuple[int, int], MentionForm]] = field(default_factory=list)


class FactCollector:
    """Collects the facts of one conversation.

    Attributes:
        findings: What was claimed and is not there.
    """

    def __init__(
        self, talk: Conversation, days: Mapping[str, str], write: Callable[[Task[Any]], Any]
    ) -> None:
        """Take the conversation, the day of each round, and who judges entailment."""
        self.talk = talk
        self.days = days
        self.write = write
        self.findings: list[Finding] = []
        self._said: dict[tuple[str, str, str], _Said] = {}
        self._rounds = {one.id: one for one in talk.rounds()}
        self._sessions = {
            round_.id: (s, r)
            for s, session in enumerate(talk.sessions)
            for r, round_ in enumerate(session.rounds)
        }

    def known_properties(self) -> list[tuple[str, str]]:
        """Subject and attribute of every property so far."""
        points = (one.point for one in self._said.values())
        return list(dict.fromkeys((point.subject, point.attribute) for point in points))

    def add(self, point: MemoryPoint) -> None:
        """Keep a memory point where its round supports it, else report it."""
        turn = self._turn(point)
        value = value_of(point)
        if turn is None:
            self._refuse(point, "a round and speaker of this conversation")
            return
        if value is None:
            self._refuse(point, f"a value of type {point.type}")
            return
        found = locate(turn.text, value)
        if found is not None:
            self._keep(point, value, turn, found, MentionForm.FULL)
        elif value.type is ValueType.TEXT:
            self._judge(point, value, turn)
        else:
            self._refuse(point, f"a turn that says {spoken_value(value)}")

    def _judge(self, point: MemoryPoint, value: FactValue, turn: Turn) -> None:
        """A text that is not said word for word: entailed, and shown by words that are there."""
        where = record_id(self.talk.id, point.round)
        reply = self.write(entailment(point.statement, turn.text, where))
        start = turn.text.find(reply.quote) if reply.quote.strip() else -1
        if reply.entailed and start >= 0:
            span = (start, start + len(reply.quote))
            # Not in these words: a reader concludes it, so no query may rest on it alone.
            self._keep(point, value, turn, span, MentionForm.PARTIAL)
        else:
            self._refuse(point, "a turn that entails it")

    def _turn(self, point: MemoryPoint) -> Turn | None:
        round_ = self._rounds.get(point.round)
        turns = round_.turns if round_ else []
        return next((turn for turn in turns if turn.speaker == point.speaker), None)

    def _keep(
        self,
        point: MemoryPoint,
        value: FactValue,
        turn: Turn,
        span: tuple[int, int],
        form: MentionForm,
    ) -> None:
        key = (normalise(point.subject), normalise(point.attribute), normalise(spoken_value(value)))
        said = self._said.setdefault(key, _Said(point, value, self.days.get(point.round, "")))
        if all(other.id != turn.id for _, other, _, _ in said.seen):
            said.seen.append((point.round, turn, span, form))

    def _refuse(self, point: MemoryPoint, expected: str) -> None:
        s, r = self._sessions.get(point.round, (0, 0))
        at = f"/sessions/{s}/rounds/{r}" if point.round in self._rounds else ""
        claim = f"{point.subject}, {point.attribute}: {point.value}"
        self.findings.append(
            UNSUPPORTED.finding(
                self.talk.id,
                at,
                f"{self.talk.id}: {point.round}: expected {expected}, got {claim!r}",
                "None: it is no fact of the ledger. Look for a model that reads more closely.",
            )
        )

    def facts(self) -> list[Fact]:
        """The facts in the order in which they are first said; none replaces another yet."""
        return [
            Fact(
                id=self._id(number),
                subject=one.point.subject,
                attribute=one.point.attribute,
                value=one.value,
                statement=one.point.statement,
                holder=FactHolder.SPEAKER,
                speaker=one.point.speaker,
                valid_from=one.day or None,
            )
            for number, one in enumerate(self._said.values(), start=1)
        ]

    def mentions(self) -> Iterator[Mention]:
        """Where each fact is said."""
        number = 0
        for at, one in enumerate(self._said.values(), start=1):
            for round_, turn, span, form in one.seen:
                number += 1
                yield Mention(
                    id=record_id(self.talk.id, f"M{number:05d}"),
                    fact=self._id(at),
                    round=round_,
                    turn=turn.id,
                    modality=Modality.TEXT,
                    speaker=turn.speaker,
                    span=list(span),
                    form=form,
                )

    def _id(self, number: int) -> str:
        return record_id(self.talk.id, f"F{number:04d}")


def value_of(point: MemoryPoint) -> FactValue | None:
    """The typed value of a memory point; None where it is none of its type."""
    text = point.value.strip()
    if point.type == "number":
        if not _NUMBER.fullmatch(text):
            return None
        return FactValue(type=ValueType.NUMBER, text=text, unit=point.unit.strip() or None)
    if point.type == "date":
        if not is_when(text) or len(text) != len("2024-03-14"):
            return None
        return FactValue(type=ValueType.DATE, text=text)
    return FactValue(type=ValueType.TEXT, text=text) if text else None


def contested_properties(facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """Properties with several values, as prompts quote them, oldest value first."""
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        key = (normalise(fact.subject), normalise(fact.attribute))
        groups.setdefault(key, []).append(fact)
    return [
        {
            "property": f"{some[0].attribute} of {some[0].subject}",
            "values": [
                {
                    "fact": fact.id.partition("/")[2],
                    "day": fact.valid_from or "",
                    "value": spoken_value(fact.value),
                    "statement": fact.statement or "",
                }
                for fact in some
            ],
        }
        for some in groups.values()
        if len(some) > 1
    ]


def mark_updates(facts: Sequence[Fact], marks: Sequence[UpdateMark]) -> list[Fact]:
    """The facts with updates and interference marked; a mark that cannot be is passed over.

    An update replaces an earlier value of its own property; interference replaces nothing.
    """
    by_local = {fact.id.partition("/")[2]: fact for fact in facts}
    rank = {fact.id: at for at, fact in enumerate(facts)}
    changed: dict[str, Fact] = {}
    for mark in marks:
        fact, other = by_local.get(mark.fact), by_local.get(mark.of)
        if fact is None or other is None or not _follows(fact, other, rank):
            continue
        if mark.relation == "interference":
            update: dict[str, Any] = {"status": FactStatus.INTERFERENCE}
        elif mark.relation == "update":
            update = {"operation": FactOperation.REVISE, "supersedes": [other.id]}
        else:
            continue
        changed[fact.id] = fact.model_copy(update=update)
    return [changed.get(fact.id, fact) for fact in facts]


def _follows(fact: Fact, other: Fact, rank: Mapping[str, int]) -> bool:
    """Whether a fact is a later value of the same property as another."""
    alike = (normalise(fact.subject), normalise(fact.attribute)) == (
        normalise(other.subject),
        normalise(other.attribute),
    )
    days = (other.valid_from, fact.valid_from)
    earlier = bool(days[0] and days[1] and strictly_after(days[0], days[1]))
    return alike and not earlier and rank[other.id] < rank[fact.id]
