"""Rounds of paper mode: a user simulator and an assistant walk along the events (M3Exam §2.2).

A window of events moves over the line: the trailing one may be followed up, the leading one
drives the query over its pictures. Every exchange is condensed into a line of running memory.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.ids import record_id, round_id, session_id, turn_id
from memassay.schemas.records.conversation import Attachment, Round, RoundKind, Turn
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Mention
from memassay.synth.extraction.quoting import shown_images
from memassay.synth.extraction.repair_tasks import round_summary
from memassay.synth.histories.streams import apportion
from memassay.synth.histories.turn_tasks import (
    Moment,
    assistant_turn,
    user_turn,
)
from memassay.synth.material.dealing import OwnFile, Shelf, caption_mention
from memassay.synth.world.persona_file import PersonaFile

_WINDOW = 4
_MEMORY = 80
_IMAGES = 8
"""Rounds shown as they were said, summaries, and images shown at most (our choice)."""

Write = Callable[[Task[Any]], Any]


class PaperTeller:
    """Tells the events of one history.

    Attributes:
        rounds: What is written, in time order.
        summaries: By round, its line of the running memory.
        mentions: Where the captions of the user's own files can be read.
    """

    def __init__(
        self,
        persona: PersonaFile,
        files: Mapping[str, Sequence[OwnFile]],
        blobs: Mapping[str, str],
        write: Write,
    ) -> None:
        """Take who speaks, what is shown, and who writes.

        Args:
            persona: The user.
            files: The user's own files by event.
            blobs: SHA-256 of the bytes by asset.
            write: Fulfils a task.
        """
        self.persona = persona
        self.files = files
        self.blobs = blobs
        self.write = write
        self.rounds: list[Round] = []
        self.summaries: dict[str, str] = {}
        self.mentions: list[Mention] = []
        self._images: list[ShownImage] = []
        self._numbers: dict[int, dict[str, int]] = {}
        self._noted: set[str] = set()

    def tell(self, events: Sequence[TimelineEvent], rounds: int) -> list[Round]:
        """So many rounds of events that are in time order, each event in one or more of them.

        Raises:
            AuthorError: The model gave no usable reply.
        """
        counts = apportion(rounds, len(events))
        for at, (event, count) in enumerate(zip(events, counts, strict=True)):
            numbers = self._numbers.setdefault(event.session, {})
            shelf = Shelf(self.files.get(event.id, ()), numbers)
            before = events[at - 1] if at else None
            for position in range(count):
                shown = shelf.take(session_id(event.session), last=position == count - 1)
                self._round(event, before, (position, count), shown)
        return self.rounds

    def _round(
        self,
        event: TimelineEvent,
        before: TimelineEvent | None,
        position: tuple[int, int],
        shown: Sequence[tuple[OwnFile, Attachment]],
    ) -> None:
        session = session_id(event.session)
        told = sum(one.id.partition(":")[0] == session for one in self.rounds)
        place = round_id(session, told + 1)
        moment = self._moment(place, event, before, position)
        attached = [one for _, one in shown]
        pages = any(file.is_document for file, _ in shown)
        self._images += shown_images(attached, self.blobs)
        # All images so far, as far as a request holds them (cumulative, M3Exam §2.2).
        images = self._images[-max(_IMAGES, len(attached)) :]
        fresh = [one for one in images if one.label in {each.id for each in attached}]
        user = self.write(user_turn(moment, [], attached, fresh, pages=pages)).text
        asked = assistant_turn(moment, user, [], [], images, pages=pages)
        assistant = self.write(asked).text
        kind = RoundKind.DOCUMENT if pages else RoundKind.EXCHANGE
        turns = [
            Turn(id=turn_id(place, 1), speaker="user", text=user, attachments=attached),
            Turn(id=turn_id(place, 2), speaker="assistant", text=assistant),
        ]
        self.rounds.append(Round(id=place, kind=kind, turns=turns, event=event.id))
        self._note(place, shown)
        summary = self.write(
            round_summary(self.persona.name, moment.record, user, assistant, attached)
        ).summary
        self.summaries[place] = f"{place} ({event.day}): {summary}"

    def _moment(
        self,
        place: str,
        event: TimelineEvent,
        before: TimelineEvent | None,
        position: tuple[int, int],
    ) -> Moment:
        described = {
            "round": place,
            "title": event.title,
            "query": event.query,
            "date": event.day,
            "part": f"{position[0] + 1} of {position[1]}",
            "just before": before.title if before else "",
        }
        return Moment(
            place=place,
            record=record_id(event.conversation, place),
            persona=self.persona,
            event=described,
            memory=[self.summaries[one.id] for one in self.rounds[-_MEMORY:]],
            recent=[_turns_of(one) for one in self.rounds[-_WINDOW:]],
            first=not self.rounds,
            follows_up=position[0] > 0,
        )

    def _note(self, place: str, shown: Sequence[tuple[OwnFile, Attachment]]) -> None:
        """A caption can be read where its file is first attached."""
        for file, attachment in shown:
            if file.caption is not None and file.caption.id not in self._noted:
                self._noted.add(file.caption.id)
                self.mentions.append(caption_mention(file.caption, place, attachment.id))


def _turns_of(round_: Round) -> dict[str, str]:
    return {"round": round_.id, **{turn.speaker: turn.text for turn in round_.turns}}
