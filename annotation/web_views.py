"""From records to what a page shows: the map of sessions, rounds, chains of updates."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field

from memassay.annotation.web_content import ItemContent
from memassay.schemas.bundle import Bundle
from memassay.schemas.conversation import Round, Session, SessionArc
from memassay.schemas.ledger import Fact
from memassay.schemas.relative_dates import relative_dates
from memassay.schemas.text import content_tokens

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
    """An image or page at its turn."""

    id: str
    caption: str
    document: bool
    evidence: bool
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class ShownTurn:
    """One turn.

    Attributes:
        speaker: Name of the speaker.
        own: Whether the user speaks.
        text: What is said.
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
    """One round."""

    id: str
    evidence: bool
    turns: tuple[ShownTurn, ...]


@dataclass(frozen=True)
class ChainLink:
    """One value of a fact that changed.

    Attributes:
        value: The value.
        date: When it came true.
        places: Rounds in which it can be seen.
    """

    value: str
    date: str
    places: tuple[str, ...]


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
        bundle = self.content.bundle
        ids = {one.id for place in self.evidence for one in bundle.rounds_of(place)}
        return [
            shown_round(bundle, session, one, self.evidence)
            for session in bundle.conversation.sessions
            for one in session.rounds
            if one.id in ids
        ]


def view_of(content: ItemContent) -> ItemView:
    """The view of an item."""
    evidence = _cited(content)
    return ItemView(
        content=content,
        evidence=evidence,
        marks=_marks(content.bundle, evidence),
        chains=_chains(content.bundle, evidence),
    )


def session_rounds(content: ItemContent, session: str) -> list[ShownRound]:
    """All rounds of a session, for when it is unfolded; none for an unknown one."""
    evidence = _cited(content)
    return [
        shown_round(content.bundle, one, round_, evidence)
        for one in content.bundle.conversation.sessions
        if one.id == session
        for round_ in one.rounds
    ]


def found_rounds(content: ItemContent, words: str, limit: int = 20) -> list[ShownRound]:
    """Rounds that hold all words of a search, captions included, in the order of the history."""
    needed = set(content_tokens(words))
    if not needed:
        return []
    evidence, bundle = _cited(content), content.bundle
    found: list[ShownRound] = []
    for session in bundle.conversation.sessions:
        for round_ in session.rounds:
            said = " ".join(
                f"{turn.text} {' '.join(item.caption or '' for item in turn.attachments)}"
                for turn in round_.turns
            )
            if needed <= set(content_tokens(said)) and len(found) < limit:
                found.append(shown_round(bundle, session, round_, evidence))
    return found


def shown_round(
    bundle: Bundle, session: Session, round_: Round, evidence: Sequence[str]
) -> ShownRound:
    """A round as it is shown."""
    names = {speaker.id: speaker for speaker in bundle.conversation.speakers}
    boxes = _boxes(bundle, evidence)
    turns = []
    for turn in round_.turns:
        speaker = names.get(turn.speaker)
        shown = tuple(
            ShownAttachment(
                id=item.id,
                caption=item.caption or "",
                document=item.page is not None,
                evidence=item.id in evidence,
                box=boxes.get(item.id),
            )
            for item in turn.attachments
        )
        turns.append(
            ShownTurn(
                speaker=speaker.name if speaker else turn.speaker,
                own=bool(speaker and speaker.kind == "human"),
                text=turn.text,
                resolved=_resolved(turn.text, session.date),
                attachments=shown,
            )
        )
    cited = round_.id in evidence or any(
        item.id in evidence for turn in round_.turns for item in turn.attachments
    )
    return ShownRound(round_.id, cited, tuple(turns))


def _resolved(text: str, said_on: str | None) -> tuple[tuple[str, str], ...]:
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


def _cited(content: ItemContent) -> tuple[str, ...]:
    if content.question is None:
        return ()
    one = content.question.evidence
    grouped = [place for group in one.groups for place in group]
    return tuple(dict.fromkeys([*one.canonical, *grouped]))


def _boxes(bundle: Bundle, evidence: Sequence[str]) -> dict[str, tuple[float, float, float, float]]:
    """By attachment, where on it the evidence stands, in shares of its width and height."""
    boxes: dict[str, tuple[float, float, float, float]] = {}
    for mention in bundle.mentions:
        asset = bundle.asset_by_id.get(mention.asset or "")
        if mention.box is None or asset is None or mention.attachment not in evidence:
            continue
        if asset.width and asset.height and len(mention.box) == 4:
            left, top, right, bottom = mention.box
            boxes[str(mention.attachment)] = (
                100 * left / asset.width,
                100 * top / asset.height,
                100 * (right - left) / asset.width,
                100 * (bottom - top) / asset.height,
            )
    return boxes


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
                date=session.date or "",
                gap=day - before if day is not None and before is not None else 0,
                room=room,
                rounds=len(session.rounds),
                evidence=session.id in cited,
                updates=session.id in updated,
                side=session.arc is SessionArc.SIDE,
            )
        )
    stretch = max(x / _WIDTH, 1.0)
    return [_moved(mark, mark.x / stretch) for mark in marks]


def _moved(mark: MapMark, x: float) -> MapMark:
    return MapMark(**{**vars(mark), "x": x})


def _day(date: str | None) -> int | None:
    try:
        return datetime.date.fromisoformat((date or "")[:10]).toordinal()
    except ValueError:
        return None


def _updated_sessions(bundle: Bundle) -> set[str]:
    replacing = {fact.id for fact in bundle.facts if fact.supersedes}
    return {m.round.partition(":")[0] for m in bundle.mentions if m.fact in replacing}


def _chains(bundle: Bundle, evidence: Sequence[str]) -> list[tuple[str, list[ChainLink]]]:
    facts = {fact.id: fact for fact in bundle.facts}
    shown = {m.fact for m in bundle.mentions if m.round in evidence or m.attachment in evidence}
    chains: dict[tuple[str, str], list[Fact]] = {}
    for fact in bundle.facts:
        chains.setdefault((fact.subject, fact.attribute), []).append(fact)
    found = []
    for (_, attribute), links in chains.items():
        if len(links) > 1 and any(one.id in shown for one in links if one.id in facts):
            ordered = sorted(links, key=lambda one: one.valid_from or "")
            found.append((attribute, [_link(bundle, one) for one in ordered]))
    return found


def _link(bundle: Bundle, fact: Fact) -> ChainLink:
    places = dict.fromkeys(m.round for m in bundle.mentions if m.fact == fact.id)
    unit = f" {fact.value.unit}" if fact.value.unit else ""
    return ChainLink(f"{fact.value.text}{unit}", fact.valid_from or "", tuple(places))
