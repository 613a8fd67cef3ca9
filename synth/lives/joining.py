"""Dialogues in their order become one conversation, with everything that belongs to them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memassay.schemas.changes.merging import rename_bundle
from memassay.schemas.changes.renumbering import Places, moved_bundle, renumber
from memassay.schemas.ids import natural_key, parse_place, record_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Session,
    SessionArc,
    Speaker,
)
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import QAItem
from memassay.synth.lives.life import Change, Life
from memassay.synth.lives.members import assets_of, dialogue_id, facts_of
from memassay.synth.lives.sharing import keep_apart

_COMES_ALONG: Final = ("events", "assets", "facts", "mentions", "questions")
_LONGEST: Final = 48
"""Characters of a conversation's id that ids of its records begin with."""


@dataclass(frozen=True)
class LifeName:
    """What a life is called.

    Attributes:
        id: Of its conversation.
        collection: Data set that it belongs to.
        path: The path it came from.
        title: What people call it; empty: nothing.
    """

    id: str
    collection: str
    path: str
    title: str = ""


@dataclass(frozen=True)
class JoinedLife:
    """A life of dialogues, one after the other.

    Attributes:
        life: The life.
        records: Id of each record in the life, by the one that it came with.
        sessions: By id of a dialogue's conversation, where its sessions are in the life.
    """

    life: Life
    records: Mapping[str, str]
    sessions: Mapping[str, Mapping[str, str]]


def join_dialogues(
    named: LifeName,
    ordered: Sequence[Bundle],
    sources: Mapping[str, Bundle],
    asked: Mapping[str, Sequence[QAItem]],
    changes: Iterable[Change] = (),
) -> JoinedLife:
    """One conversation of dialogues.

    Args:
        named: What it is called.
        ordered: The dialogues in their order, each a bundle of one session.
        sources: The conversations that they were cut out of, by id.
        asked: By id of such a conversation, its questions that rest on several dialogues or none.
        changes: What was done to the dialogues, at places such as `alex/D3:7.1`.
    """
    groups: dict[str, list[Bundle]] = {}
    for one in ordered:
        groups.setdefault(one.id, []).append(one)
    speakers = list(ordered[0].conversation.speakers)
    parts: dict[str, _Part] = {}
    # Each part gets places that no other has, so that those of two sources are never mixed up.
    offset = 0
    # A question stays to be held out, though no dialogue of its conversation is left.
    for name in sorted(groups.keys() | {each for each in asked if asked[each]}, key=natural_key):
        whole = _whole(sources[name], groups.get(name, []), asked.get(name, ()))
        offset = max(offset, _largest(sources[name]))
        parts[name], speakers = _adopt(whole, sources[name], named.id, speakers, offset)
        offset += len(groups.get(name, []))
    bundles = keep_apart({name: part.bundle for name, part in parts.items()})
    order = [_session(one, parts[one.id]) for one in ordered]
    talk = _conversation(named, ordered, speakers, order)
    moved, places = renumber(talk)
    both = {
        kind: [each for name in parts for each in getattr(bundles[name], kind)]
        for kind in _COMES_ALONG
    }
    bundle = moved_bundle(Bundle(conversation=talk, **both), moved, places)
    bundle = bundle.model_copy(
        update={
            kind: sorted(getattr(bundle, kind), key=lambda each: natural_key(each.id))
            for kind in _COMES_ALONG
        }
    )
    alterations = [_move_change(one, parts, places) for one in changes]
    return JoinedLife(
        Life(bundle, tuple(alterations)),
        {old: new for part in parts.values() for old, new in part.records.items()},
        {
            name: {old: places.one(part.places.one(old)) for old in part.places.sessions}
            for name, part in parts.items()
        },
    )


@dataclass(frozen=True)
class _Part:
    """What a conversation gives to a life.

    Attributes:
        bundle: Its dialogues under the life's id, at places that no other part has.
        places: Where its own places went.
        records: New id of each of its records.
    """

    bundle: Bundle
    places: Places
    records: Mapping[str, str]


def _whole(source: Bundle, members: Sequence[Bundle], asked: Sequence[QAItem]) -> Bundle:
    """The dialogues of one conversation together again, as they are now, without the others."""
    members = sorted(members, key=lambda one: natural_key(one.conversation.sessions[0].id))
    sessions = [one.conversation.sessions[0] for one in members]
    talk = members[0].conversation if members else source.conversation
    questions = [*(item for one in members for item in one.questions), *asked]
    before = {one.id: one for one in source.facts}
    # A fact may come with two dialogues; one that was changed in either is changed.
    facts: dict[str, Fact] = {}
    for fact in (each for one in members for each in one.facts):
        old = before.get(fact.id)
        if fact.id not in facts or old is None or fact.value != old.value:
            links = ("supersedes", "entailed_by")
            facts[fact.id] = fact.model_copy(
                update={name: getattr(old, name) for name in links} if old is not None else {}
            )
    mentions = {each.id: each for one in members for each in one.mentions}
    assets = {each.id: each for one in members for each in one.assets}
    events = {each.id: each for one in members for each in one.events}
    known = facts_of(source, facts.values(), {one.id for one in sessions}, questions)
    return Bundle(
        conversation=talk.model_copy(update={"sessions": sessions, "checkpoints": []}),
        assets=assets_of(source, assets.values(), questions),
        events=[_with_known_facts(one, known) for one in events.values()],
        facts=known,
        mentions=list(mentions.values()),
        questions=[_without_checkpoint(source, one, sessions) for one in questions],
    )


def _with_known_facts(event: TimelineEvent, facts: Iterable[Fact]) -> TimelineEvent:
    """An event that refers to no other facts than these."""
    known = {one.id for one in facts}
    kept = {slot: fact for slot, fact in event.facts.items() if fact in known}
    return event.model_copy(update={"facts": kept})


def _without_checkpoint(source: Bundle, item: QAItem, kept: Sequence[Session]) -> QAItem:
    """A question that is asked after the last session that is left of those seen before it."""
    point, after = item.asked_at.checkpoint, item.asked_at.session
    if point is None and after is None:
        return item
    seen = [one.id for one in source.conversation.sessions]
    if after in seen:
        seen = seen[: seen.index(after) + 1]
    for one in source.conversation.checkpoints:
        seen = list(one.covered_sessions) if one.id == point else seen
    left = [one.id for one in kept if one.id in seen]
    asked = item.asked_at.model_copy(
        update={"checkpoint": None, "session": left[-1] if left else None}
    )
    return item.model_copy(update={"asked_at": asked})


def _largest(source: Bundle) -> int:
    """The largest number of a session that a conversation has, or that its questions name."""
    places = {one.id for one in source.conversation.sessions}
    for item in source.questions:
        grouped = (place for group in item.evidence.groups for place in group)
        places |= {*item.evidence.canonical, *grouped, *item.decoys}
    parsed = [parse_place(place) for place in places]
    return max((int(one.session[1:]) for one in parsed if one and one.session != "Q"), default=0)


def _adopt(
    whole: Bundle, source: Bundle, life: str, speakers: list[Speaker], offset: int
) -> tuple[_Part, list[Speaker]]:
    """A part under the life's id, behind all places so far, and everybody who speaks by then."""
    prefix = _prefix(source.id)
    names = {
        one.id: _name(life, prefix, one.id) for kind in _COMES_ALONG for one in getattr(whole, kind)
    }
    # The same people speak in every dialogue, whatever their ids are.
    to, speakers = _roles(whole.conversation, speakers, prefix)
    behind, moved = renumber(whole.conversation, gone=_lost_places(source, whole), first=offset + 1)
    placed = rename_bundle(moved_bundle(whole, behind, moved), life, names, to)
    return _Part(placed, moved, names), speakers


def _name(life: str, prefix: str, record: str) -> str:
    return record_id(life, f"{prefix}-{record.partition('/')[2]}")


def _prefix(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    # Two long names may begin alike.
    return f"{name[:_LONGEST]}-{hashlib.sha256(name.encode('utf-8')).hexdigest()[:8]}"


def _lost_places(source: Bundle, whole: Bundle) -> set[str]:
    """Places that did not come along, those that never were there among them."""
    named = {
        place
        for item in whole.questions
        for group in (*item.evidence.groups, item.evidence.canonical, item.decoys)
        for place in group
    }
    every = {*source.session_by_id, *source.round_by_id, *source.turn_by_id}
    every |= source.attachment_by_id.keys() | named
    kept = {*whole.session_by_id, *whole.round_by_id, *whole.turn_by_id}
    kept |= whole.attachment_by_id.keys()
    return every - kept


def _roles(
    talk: Conversation, speakers: list[Speaker], prefix: str
) -> tuple[dict[str, str], list[Speaker]]:
    """New id of everybody who speaks: that of the first of the kind who is free, or one's own."""
    free = list(speakers)
    taken = {one.id for one in speakers}
    to: dict[str, str] = {}
    spoken = {turn.speaker for turn in talk.turns()}
    for one in talk.speakers:
        if one.id not in spoken:
            continue
        alike = [other for other in free if other.kind is one.kind]
        same = next((other for other in alike if other.id == one.id), alike[0] if alike else None)
        if same is not None:
            free.remove(same)
            to[one.id] = same.id
            continue
        to[one.id] = one.id if one.id not in taken else f"{prefix}-{one.id}"[:128]
        speakers = [*speakers, one.model_copy(update={"id": to[one.id]})]
        taken.add(to[one.id])
    return to, speakers


def _session(member: Bundle, part: _Part) -> Session:
    """The session of a dialogue where its part has it now, with where it came from."""
    own = part.places.one(member.conversation.sessions[0].id)
    return part.bundle.session_by_id[own].model_copy(
        update={"origin": dialogue_id(member), "arc": SessionArc.MAIN}
    )


def _conversation(
    named: LifeName, ordered: Sequence[Bundle], speakers: list[Speaker], sessions: list[Session]
) -> Conversation:
    talks = [one.conversation for one in ordered]
    domains, titles = ({getattr(one, name) for one in talks} for name in ("domain", "title"))
    spoken = {turn.speaker for one in sessions for each in one.rounds for turn in each.turns}
    return talks[0].model_copy(
        update={
            "id": named.id,
            "collection": named.collection,
            "path": named.path,
            "title": named.title or (talks[0].title if len(titles) == 1 else None),
            "domain": talks[0].domain if len(domains) == 1 else None,
            "speakers": [one for one in speakers if one.id in spoken],
            "sessions": sessions,
            "checkpoints": [],
            "twin_of": None,
            "tags": sorted({tag for one in talks for tag in one.tags}),
            "extras": {},
        }
    )


def _move_change(change: Change, parts: Mapping[str, _Part], places: Places) -> Change:
    """A change at the place where the life has it; what is left out keeps its own."""
    name, _, place = change.place.partition("/")
    if name not in parts or parse_place(place) is None:
        return change
    between = parts[name].places.of(place)
    life = parts[name].bundle.id
    facts = tuple(_name(life, _prefix(name), one) for one in change.facts)
    if not between or between == [place]:
        return replace(change, facts=facts)
    return replace(change, place=places.one(between[-1]), facts=facts)
