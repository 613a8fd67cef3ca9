"""What is read by a model: items and sessions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from memassay.schemas.contracts.author_sections import ReaderSection
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.readings import Reading, session_reading_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.models.probe_tasks import item_reading, session_reading
from memassay.validators.reading.passages import Passage, Passages
from memassay.validators.reading.quotes import places_named

WRITTEN: Final = 350
"""Tokens of a reply that an estimate takes for granted (our choice)."""


@dataclass(frozen=True)
class ReadingUnit:
    """One item or session, and what its reader is shown.

    Attributes:
        record: Id of the item, or the name of the session among readings.
        passage: Gives what is shown; not held, since a whole history is much text.
        task: Makes the task from what is shown.
        of_session: Whether it is a session.
    """

    record: str
    passage: Callable[[], Passage]
    task: Callable[[Mapping[str, Any], Sequence[ShownImage], str], Task[Any]]
    of_session: bool = False

    def ask(self) -> Task[Any]:
        """What the model is asked for."""
        passage = self.passage()
        return self.task(passage.inputs, passage.images, self.record)

    def read(self, reader: str, reply: Any) -> Reading[Any]:
        """What the model says, to be held against what it was shown at the places it names."""
        passage = self.passage()
        named = {place for one in reply.defects for place in places_named(one)}
        shown = {place: passage.shown[place] for place in named & passage.shown.keys()}
        return Reading(reader, reply, shown, passage.seen)


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
    for item in bundle.questions if items is None else items:
        yield ReadingUnit(item.id, partial(passages.of_item, item), item_reading)
    for session in bundle.conversation.sessions if section.sessions and items is None else ():
        name = session_reading_key(bundle.conversation.id, session.id)
        yield ReadingUnit(name, partial(passages.of_session, session), session_reading, True)
