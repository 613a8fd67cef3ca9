"""What is read by a model: items and sessions, several of one history in a call."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memassay.schemas.contracts.author_sections import ReaderSection
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.readings import Reading, session_reading_key
from memassay.schemas.errors import MemassayError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.models.probe_tasks import item_reading, session_reading
from memassay.validators.reading.passages import SESSIONS, Passage, Passages
from memassay.validators.reading.quotes import places_named

WRITTEN: Final = 350
"""Tokens of a reply about one item or session that an estimate assumes (our choice)."""

Readings = dict[str, Reading[Any]]


@dataclass(frozen=True)
class ReadingUnit:
    """Items or sessions that one call asks about.

    Attributes:
        parts: The items or sessions, by the id that a reply gives.
        keys: Their names among readings, by the same id.
        passage: Gives what is shown; not kept, since a whole history is much text.
        task: Makes the task from what is shown.
        of_sessions: Whether they are sessions.
    """

    parts: Mapping[str, Any]
    keys: Mapping[str, str]
    passage: Callable[[Sequence[Any]], Passage]
    task: Callable[[Mapping[str, Any], Sequence[ShownImage], str], Task[Any]]
    of_sessions: bool = False

    @property
    def records(self) -> list[str]:
        """Ids of the items, or names of the sessions among readings."""
        return [self.keys[name] for name in self.parts]

    def ask(self) -> Task[Any]:
        """What the model is asked for."""
        shown = self._passage()
        return self.task(shown.inputs, shown.images, ", ".join(self.records))

    def outcome(
        self, reader: str, reply: Any | MemassayError
    ) -> tuple[Readings, list["ReadingUnit"]]:
        """What a reply says of each part, and what is to be asked again: all that it left out.

        Where nothing of a reply can be used, both halves are asked about, so that one item that
        a model cannot take costs no other.
        """
        readings = {} if isinstance(reply, MemassayError) else self._read(reader, reply.replies)
        missing = [name for name in self.parts if self.keys[name] not in readings]
        if readings or not missing:
            return readings, [self._part(missing)] if missing else []
        if len(missing) > 1:
            half = len(missing) // 2
            return {}, [self._part(missing[:half]), self._part(missing[half:])]
        why = str(reply) if isinstance(reply, MemassayError) else _left_out(self.records[0], reply)
        return {self.records[0]: Reading(reader, problem=why)}, []

    def _read(self, reader: str, replies: Sequence[Any]) -> Readings:
        """Replies about parts that are asked for, each with what its places show."""
        passage = self._passage()
        times = Counter(one.id for one in replies)
        found = {}
        for one in replies:
            # Of two replies about one item nobody knows which is meant.
            if one.id in self.parts and times[one.id] == 1:
                named = {place for defect in one.defects for place in places_named(defect)}
                shown = {place: passage.shown[place] for place in named & passage.shown.keys()}
                found[self.keys[one.id]] = Reading(reader, one, shown, passage.seen)
        return found

    def _part(self, names: Sequence[str]) -> "ReadingUnit":
        return replace(self, parts={name: self.parts[name] for name in names})

    def _passage(self) -> Passage:
        return self.passage(list(self.parts.values()))


def _left_out(record: str, reply: Any) -> str:
    named = ", ".join(one.id for one in reply.replies) or "none"
    return f"{record}: expected a reply about it, got {named}"


def reading_units(
    bundle: Bundle, section: ReaderSection, items: Sequence[QAItem] | None = None
) -> Iterator[ReadingUnit]:
    """What a reader of a conversation reads: its items, then its sessions.

    Args:
        bundle: The conversation.
        section: What is shown, and whether sessions are read.
        items: The items that are asked for, and no session; all of both if None.
    """
    passages = Passages(bundle, section.rounds)
    for batch in passages.batches(bundle.questions if items is None else items):
        names = {item.id: item.id for item in batch}
        parts = {item.id: item for item in batch}
        yield ReadingUnit(parts, names, passages.of_items, item_reading)
    sessions = bundle.conversation.sessions if section.sessions and items is None else []
    for at in range(0, len(sessions), SESSIONS):
        own = {one.id: one for one in sessions[at : at + SESSIONS]}
        names = {name: session_reading_key(bundle.conversation.id, name) for name in own}
        yield ReadingUnit(own, names, passages.of_sessions, session_reading, True)
