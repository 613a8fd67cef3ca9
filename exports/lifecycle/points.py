"""What a conversation's ledger wants a memory to hold: points, session by session."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from memassay.exports.lifecycle.matching.matcher import Matcher
from memassay.schemas.base import Modality
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.states import gold_state
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactOperation,
    FactScope,
    FactStatus,
    MentionForm,
)


@dataclass(frozen=True)
class Point:
    """A fact that a memory should hold after the session that states it, or should not.

    Attributes:
        fact: The fact.
        session: Id of the session that states it first.
        rounds: Ids of the rounds that show it.
        attachments: Ids of the attachments that show it.
        in_pixels: Whether no text states it.
        texts: Turns of that session that state it.
    """

    fact: Fact
    session: str
    rounds: tuple[str, ...]
    attachments: frozenset[str]
    in_pixels: bool
    texts: tuple[str, ...]

    @property
    def id(self) -> str:
        """The id of its fact."""
        return self.fact.id

    @property
    def is_interference(self) -> bool:
        """Whether a memory should not hold it."""
        return self.fact.status is FactStatus.INTERFERENCE

    @property
    def content(self) -> str:
        """Its sentence, or one that says the same where the ledger has none."""
        return point_content(self.fact)


def point_content(fact: Fact) -> str:
    """The statement of a fact, or a sentence that says the same where the ledger has none."""
    if fact.statement:
        return fact.statement
    value = " ".join(filter(None, (fact.value.text, fact.value.unit)))
    subject = fact.subject.rpartition(":")[2]
    if fact.operation is FactOperation.DELETE:
        return f"The {fact.attribute} of {subject} has ended; there is no longer one."
    return f"The {fact.attribute} of {subject} is {value}."


class LedgerPoints:
    """The points of one conversation."""

    def __init__(self, bundle: Bundle) -> None:
        """Find where each fact of a ledger is stated."""
        self.conversation = bundle.id
        self._bundle = bundle
        self._ledger = Ledger(bundle)
        self._held: dict[str, frozenset[str]] = {}
        places = [(fact, _first_session(self._ledger, fact)) for fact in bundle.facts]
        self.points = [
            self._point(fact, session) for fact, session in places if session and _counts(fact)
        ]
        self.by_id = {point.id: point for point in self.points}
        self.by_session: dict[str, list[Point]] = defaultdict(list)
        for point in self.points:
            self.by_session[point.session].append(point)

    @cached_property
    def matcher(self) -> Matcher:
        """Looks for the points in texts."""
        turns = self._bundle.turn_by_id
        shown = self._bundle.attachment_by_id
        said: dict[str, list[str]] = defaultdict(list)
        for mention in self._bundle.mentions:
            if mention.turn in turns and mention.modality is Modality.TEXT:
                said[mention.fact].append(turns[mention.turn].text)
            if mention.attachment in shown:
                said[mention.fact].append(shown[mention.attachment][1].caption or "")
        speakers = self._bundle.conversation.speakers
        people = [one for one in speakers if one.kind is SpeakerKind.HUMAN]
        selves = [name for one in people for name in (one.id, one.name)]
        return Matcher([point.fact for point in self.points], said, selves)

    def held_after(self, session: str) -> frozenset[str]:
        """Ids of the points that hold after a session (the gold state)."""
        if session not in self._held:
            held = gold_state(self._bundle, session, self._ledger)
            self._held[session] = frozenset(fact.id for fact in held) & self.by_id.keys()
        return self._held[session]

    def is_gone_after(self, point: Point, session: str) -> bool:
        """Whether a point deletes something that is still gone after a session."""
        if point.fact.operation is not FactOperation.DELETE:
            return False
        held = self.held_after(session)
        slot = (point.fact.subject, point.fact.attribute)
        return not any(
            slot == (self.by_id[name].fact.subject, self.by_id[name].fact.attribute)
            for name in held
        )

    def rivals(self, wanted: Sequence[Point], seen: Sequence[str]) -> list[Point]:
        """Stale and false points of the same subject and attribute, stated in some sessions.

        Args:
            wanted: What the answer rests on.
            seen: Ids of the sessions that may be looked back on.
        """
        slots = {(point.fact.subject, point.fact.attribute) for point in wanted}
        own = {point.id for point in wanted}
        return [
            point
            for point in self.points
            if point.id not in own
            and (point.fact.subject, point.fact.attribute) in slots
            and point.fact.order is None
            and point.session in seen
        ]

    def _point(self, fact: Fact, session: str) -> Point:
        mentions = self._ledger.mentions.get(fact.id, ())
        shown = [one for one in mentions if one.form is not MentionForm.DENIED]
        return Point(
            fact,
            session,
            tuple(dict.fromkeys(one.round for one in shown)),
            frozenset(one.attachment for one in shown if one.attachment),
            bool(shown) and all(one.modality is not Modality.TEXT for one in shown),
            tuple(
                self._bundle.turn_by_id[one.turn].text
                for one in shown
                if one.modality is Modality.TEXT
                and one.turn in self._bundle.turn_by_id
                and self._ledger.session_of(one.round) == session
            ),
        )


def _first_session(ledger: Ledger, fact: Fact) -> str | None:
    for mention in ledger.mentions.get(fact.id, ()):
        if mention.form is not MentionForm.DENIED:
            return ledger.session_of(mention.round)
    return fact.session


def _counts(fact: Fact) -> bool:
    return (
        fact.status in {FactStatus.ASSERTED, FactStatus.INTERFERENCE}
        and fact.scope is FactScope.HISTORY
        and fact.holder is not FactHolder.EXTERNAL
    )
