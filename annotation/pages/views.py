"""From records to what a page shows: the map of sessions, rounds, chains of updates."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from memassay.annotation.pages.chains import ChainLink, chains_of
from memassay.annotation.pages.content import ItemContent
from memassay.annotation.pages.pictures import Leaf, Pictures
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Session, SessionArc, Turn
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.relative_dates import relative_dates
from memassay.schemas.values.text import content_tokens, tokens

_WIDTH = 1000.0
_LEAST_GAP = 18.0
"""Least distance of two sessions on the map, in its units of a thousandth of its width."""


@dataclass(frozen=True)
class MapMark:
    """A session on the map.

    Attributes:
        id: Id of the session.
        x: Place on the time axis, 0 to 1000.
        date: Its date.
        gap: Days since the one before; 0 for the first.
        room: Distance to the one before on the axis.
        rounds: Number of its rounds.
        evidence: Whether the question's evidence lies in it.
        updates: Whether a fact is replaced in it.
        side: Whether it is off the main line.
    """

    id: str
    x: float
    date: str
    gap: int
    room: float
    rounds: int
    evidence: bool
    updates: bool
    side: bool


@dataclass(frozen=True)
class ShownAttachment:
    """An image or page at its turn.

    Attributes:
        leaf: The picture, with its place among the pages of its document.
        evidence: Whether the question cites it.
    """

    leaf: Leaf
    evidence: bool


@dataclass(frozen=True)
class ShownTurn:
    """One turn.

    Attributes:
        speaker: Name of the speaker.
        own: Whether the user speaks.
        text: Its words.
        resolved: Relative dates of the text with the dates that they mean.
        attachments: What is shown with it.
    """

    speaker: str
    own: bool
    text: str
    resolved: tuple[tuple[str, str], ...]
    attachments: tuple[ShownAttachment, ...]


@dataclass(frozen=True)
class ShownRound:
    """One round, with the date of its session; empty where it has none.

    `before` is the turn before it, where that is not shown itself.
    """

    id: str
    date: str
    evidence: bool
    turns: tuple[ShownTurn, ...]
    before: ShownTurn | None = None


@dataclass
class ItemView:
    """What the item page shows beside the vote.

    Attributes:
        content: The item.
        evidence: Places that the question cites, alternatives included.
        marks: The map of sessions.
        chains: Chains of updates of the facts that the evidence shows, old to new.
    """

    content: ItemContent
    evidence: tuple[str, ...]
    marks: list[MapMark]
    chains: list[tuple[str, list[ChainLink]]] = field(default_factory=list)

    def open_rounds(self) -> list[ShownRound]:
        """The rounds of the evidence, which are shown from the start."""
        bundle, shower = self.content.bundle, _Shower(self.content)
        ids = {one.id for place in self.evidence for one in bundle.rounds_of(place)}
        return [
            shower.round(session, one, before if before and before.id not in ids else None)
            for session in bundle.conversation.sessions
            for before, one in pairwise([None, *session.rounds])
            if one is not None and one.id in ids
        ]


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        rounds: The first rounds that hold all words, in the order of the history.
        total: How many rounds hold them.
        asked: Whether there was a word to look for.
    """

    rounds: list[ShownRound]
    total: int
    asked: bool = True


def without_question(content: ItemContent) -> ItemContent:
    """The history alone: nothing of it shows what the question asks, cites or answers."""
    return replace(content, findings=(), question=None, certificate=None, places=())


def question_images(content: ItemContent) -> list[Leaf]:
    """The images that the question itself shows."""
    if content.question is None or not content.question.question.attachments:
        return []
    pictures = Pictures(content.bundle, content.question, content.cited)
    shown = [pictures.leaf(item.id) for item in content.question.question.attachments]
    return [leaf for leaf in shown if leaf is not None]


def tells_points(bundle: Bundle) -> bool:
    """Whether a conversation has memory points, asked about at checkpoints."""
    points = any(fact.statement for fact in bundle.facts)
    return points and bool(bundle.conversation.checkpoints)


def gold_images(content: ItemContent) -> dict[str, Leaf]:
    """By gold value, the image it names; for a question that is answered with images."""
    question = content.question
    if question is None or question.answer.format is not AnswerFormat.IMAGE_ID:
        return {}
    pictures = Pictures(content.bundle, question)
    found = {value: pictures.leaf(value) for value in question.answer.values}
    return {value: leaf for value, leaf in found.items() if leaf is not None and leaf.present}


def view_of(content: ItemContent) -> ItemView:
    """The view of an item."""
    evidence = content.cited
    return ItemView(
        content=content,
        evidence=evidence,
        marks=_marks(content.bundle, evidence),
        chains=chains_of(content.bundle, content.question),
    )


def session_rounds(content: ItemContent, session: str) -> list[ShownRound]:
    """All rounds of a session, for when it is unfolded; none for an unknown one."""
    shower = _Shower(content)
    return [
        shower.round(one, round_)
        for one in content.bundle.conversation.sessions
        if one.id == session
        for round_ in one.rounds
    ]


def found_rounds(content: ItemContent, words: str, limit: int = 20) -> Found:
    """Rounds that hold all words of a search, or words that begin so; captions included.

    Articles are looked for only where nothing else is: `the boat` finds `a boat`.
    """
    needed = set(content_tokens(words) or tokens(words))
    if not needed:
        return Found([], 0, asked=False)
    found = [
        (session, round_)
        for session in content.bundle.conversation.sessions
        for round_ in session.rounds
        if _holds(round_, needed)
    ]
    shower = _Shower(content)
    return Found([shower.round(*each) for each in found[:limit]], len(found))


def _holds(round_: Round, needed: set[str]) -> bool:
    text = " ".join(
        f"{turn.text} {' '.join(item.caption or '' for item in turn.attachments)}"
        for turn in round_.turns
    )
    held = {*content_tokens(text), *tokens(text)}
    return all(word in held or any(one.startswith(word) for one in held) for word in needed)


class _Shower:
    """Shows rounds of one item."""

    def __init__(self, content: ItemContent) -> None:
        talk = content.bundle.conversation
        self._names = talk.speaker_names()
        self._people = {speaker.id for speaker in talk.speakers if speaker.kind == "human"}
        self._evidence = content.cited
        self._pictures = Pictures(content.bundle, content.question, content.cited)

    def round(self, session: Session, round_: Round, before: Round | None = None) -> ShownRound:
        """A round as it is shown, after the last turn of the one before."""
        turns = tuple(self._turn(session.date_of(round_), turn) for turn in round_.turns)
        cited = round_.id in self._evidence or any(
            turn.id in self._evidence or any(item.id in self._evidence for item in turn.attachments)
            for turn in round_.turns
        )
        last = self._turn(None, before.turns[-1]) if before else None
        return ShownRound(round_.id, _date_text(session.date_of(round_)), cited, turns, last)

    def _turn(self, said_on: str | None, turn: Turn) -> ShownTurn:
        leaves = [self._pictures.leaf(item.id) for item in turn.attachments]
        return ShownTurn(
            speaker=self._names.get(turn.speaker, turn.speaker),
            own=turn.speaker in self._people,
            text=turn.text,
            resolved=_resolve_dates(turn.text, said_on),
            attachments=tuple(
                ShownAttachment(leaf, leaf.id in self._evidence) for leaf in leaves if leaf
            ),
        )


def _resolve_dates(text: str, said_on: str | None) -> tuple[tuple[str, str], ...]:
    """Relative dates of a text with the days they mean; none without a date to count from."""
    day = _day(said_on)
    if day is None:
        return ()
    found = []
    for one in relative_dates(text, datetime.date.fromordinal(day)):
        spans = [
            str(span.first) if span.first == span.last else f"{span.first} to {span.last}"
            for span in one.readings
        ]
        found.append((one.expression, " or ".join(spans)))
    return tuple(found)


def _marks(bundle: Bundle, evidence: Sequence[str]) -> list[MapMark]:
    sessions = bundle.conversation.sessions
    days = [_day(session.date) for session in sessions]
    known = [day for day in days if day is not None]
    first, last = (min(known), max(known)) if known else (0, 0)
    span = max(last - first, 1)
    updated = _updated_sessions(bundle)
    cited = {place.partition(":")[0] for place in evidence}
    marks: list[MapMark] = []
    x = -_LEAST_GAP
    for position, (session, day) in enumerate(zip(sessions, days, strict=True)):
        wanted = (
            position * _WIDTH / max(len(sessions) - 1, 1)
            if day is None
            else (day - first) * _WIDTH / span
        )
        place = max(wanted, x + _LEAST_GAP)
        room, x = (place - x if position else 0.0), place
        before = days[position - 1] if position else None
        marks.append(
            MapMark(
                id=session.id,
                x=x,
                date=_date_text(session.date),
                gap=day - before if day is not None and before is not None else 0,
                room=room,
                rounds=len(session.rounds),
                evidence=session.id in cited,
                updates=session.id in updated,
                side=session.arc is SessionArc.SIDE,
            )
        )
    stretch = max(x / _WIDTH, 1.0)
    return [_move(mark, mark.x / stretch) for mark in marks]


def _date_text(date: str | None) -> str:
    return (date or "").replace("T", " ")


def _move(mark: MapMark, x: float) -> MapMark:
    return MapMark(**{**vars(mark), "x": x})


def _day(date: str | None) -> int | None:
    try:
        return datetime.date.fromisoformat((date or "")[:10]).toordinal()
    except ValueError:
        return None


def _updated_sessions(bundle: Bundle) -> set[str]:
    replacing = {fact.id for fact in bundle.facts if fact.supersedes}
    return {m.round.partition(":")[0] for m in bundle.mentions if m.fact in replacing}
