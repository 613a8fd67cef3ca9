"""A conversation with everything that belongs to it: the unit that stages and rules work on."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Self

from memassay.schemas.base import Record, Shape
from memassay.schemas.errors import RecordError
from memassay.schemas.ids import natural_key, parse_place
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.concept import Concept
from memassay.schemas.records.conversation import Attachment, Conversation, Round, Session, Turn
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import QAItem


class Bundle(Shape):
    """One conversation with all that belongs to it, each kind ordered by id."""

    conversation: Conversation
    personas: list[Persona] = []
    events: list[TimelineEvent] = []
    assets: list[Asset] = []
    facts: list[Fact] = []
    mentions: list[Mention] = []
    concepts: list[Concept] = []
    questions: list[QAItem] = []

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced, and with look-ups of its own."""
        copied = super().model_copy(update=update, deep=deep)
        # Pydantic copies what cached properties have kept too: the old records, by id.
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied

    @property
    def id(self) -> str:
        """The conversation's id."""
        return self.conversation.id

    def records(self) -> list[Record]:
        """Every record: conversation, persona, events, assets, ledger, concepts, questions."""
        return [
            self.conversation,
            *self.personas,
            *self.events,
            *self.assets,
            *self.facts,
            *self.mentions,
            *self.concepts,
            *self.questions,
        ]

    @classmethod
    def from_records(cls, records: Iterable[Record]) -> "Bundle":
        """The bundle of records that belong to one conversation; other kinds are left out.

        Raises:
            RecordError: There is not exactly one conversation among them.
        """
        ordered = sorted(records, key=lambda record: natural_key(record.id))
        conversations = [item for item in ordered if isinstance(item, Conversation)]
        # An event of a later edition has a later id, wherever in the timeline it comes.
        events = [item for item in ordered if isinstance(item, TimelineEvent)]
        if len(conversations) != 1:
            raise RecordError(f"bundle: expected 1 conversation, got {len(conversations)}")
        return cls(
            conversation=conversations[0],
            personas=[item for item in ordered if isinstance(item, Persona)],
            events=sorted(events, key=lambda event: event.position),
            assets=[item for item in ordered if isinstance(item, Asset)],
            facts=[item for item in ordered if isinstance(item, Fact)],
            mentions=[item for item in ordered if isinstance(item, Mention)],
            concepts=[item for item in ordered if isinstance(item, Concept)],
            questions=[item for item in ordered if isinstance(item, QAItem)],
        )

    @cached_property
    def session_by_id(self) -> dict[str, Session]:
        """Sessions by id."""
        return {session.id: session for session in self.conversation.sessions}

    @cached_property
    def round_by_id(self) -> dict[str, Round]:
        """Rounds by id."""
        return {round_.id: round_ for round_ in self.conversation.rounds()}

    @cached_property
    def turn_by_id(self) -> dict[str, Turn]:
        """Turns by id."""
        return {turn.id: turn for turn in self.conversation.turns()}

    @cached_property
    def attachment_by_id(self) -> dict[str, tuple[Turn, Attachment]]:
        """Attachments of the history by id, with the turn that shows each."""
        return {item.id: (turn, item) for turn, item in self.conversation.attachments()}

    @cached_property
    def asset_by_id(self) -> dict[str, Asset]:
        """Assets by id."""
        return {asset.id: asset for asset in self.assets}

    @cached_property
    def date_by_round(self) -> dict[str, str | None]:
        """`When` each round was, by its id: its own date, else that of its session."""
        return {
            round_.id: session.date_of(round_)
            for session in self.conversation.sessions
            for round_ in session.rounds
        }

    @cached_property
    def history(self) -> "Bundle":
        """The same without its questions."""
        return self.model_copy(update={"questions": []}) if self.questions else self

    def sessions_before(self, item: QAItem) -> list[Session]:
        """The sessions that have taken place when an item is asked, in the order of time.

        At a checkpoint these are the sessions it covers, after a session all up to it, else all.
        """
        sessions = list(self.conversation.sessions)
        asked = item.asked_at
        for checkpoint in self.conversation.checkpoints:
            if checkpoint.id == asked.checkpoint:
                covered = set(checkpoint.covered_sessions)
                return [session for session in sessions if session.id in covered]
        for position, session in enumerate(sessions, start=1):
            if session.id == asked.session:
                return sessions[:position]
        return sessions

    def rounds_of(self, place: str) -> list[Round]:
        """The rounds that a place id means: one for a round, turn or attachment, all of a session.

        A place that does not exist gives an empty list.
        """
        parsed = parse_place(place)
        if parsed is None:
            return []
        if parsed.attachment is not None:
            shown = self.attachment_by_id.get(place)
            return self.rounds_of(shown[0].id) if shown else []
        if parsed.round_id is None:
            session = self.session_by_id.get(parsed.session)
            return list(session.rounds) if session else []
        if parsed.turn is not None and place not in self.turn_by_id:
            return []
        found = self.round_by_id.get(parsed.round_id)
        return [found] if found else []
