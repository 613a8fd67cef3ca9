"""A single session taken out of its conversation, to be lent to another."""

import re
from collections.abc import Iterator, Mapping

from memassay.schemas.changes.relocating import relocate
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import Fact, Mention


def lent(bundle: Bundle, session: str, *, ledger: bool) -> Bundle:
    """A conversation of one session, with the assets it shows and the facts that it states.

    Questions, checkpoints and events stay at home: they are about the whole that it leaves.

    Args:
        bundle: Where it comes from.
        session: Its id.
        ledger: Whether facts and mentions come along.
    """
    own = bundle.session_by_id[session]
    talk = bundle.conversation.model_copy(
        update={"sessions": [_without_events(own)], "checkpoints": []}
    )
    rounds = {one.id for one in own.rounds}
    mentions = [one for one in bundle.mentions if one.round in rounds] if ledger else []
    stated = {one.fact for one in mentions}
    return Bundle(
        conversation=talk,
        assets=list(_assets_of(bundle, own)),
        facts=[_alone(one, stated) for one in bundle.facts if one.id in stated],
        mentions=mentions,
    )


def _without_events(session: Session) -> Session:
    rounds = [one.model_copy(update={"event": None}) for one in session.rounds]
    return session.model_copy(update={"rounds": rounds})


def _assets_of(bundle: Bundle, session: Session) -> Iterator[Asset]:
    """The assets of a session, with the documents that pages belong to."""
    turns = [turn for one in session.rounds for turn in one.turns]
    wanted = {shown.asset for turn in turns for shown in turn.attachments}
    known: Mapping[str, Asset] = bundle.asset_by_id
    parents = {known[name].parent for name in wanted if name in known}
    return (one for one in bundle.assets if one.id in wanted | parents)


def _alone(fact: Fact, stated: set[str]) -> Fact:
    """A fact that refers to no other but those that come along."""
    return fact.model_copy(
        update={
            "supersedes": [one for one in fact.supersedes if one in stated],
            "entailed_by": [one for one in fact.entailed_by if one in stated],
        }
    )


def roles(lender: Conversation, session: str, host: Conversation) -> dict[str, Speaker] | None:
    """By id of everybody who speaks in a session, the host's speaker of the same kind.

    The first person of the one is the first of the other. None where the host has too few.
    """
    (own,) = [one for one in lender.sessions if one.id == session]
    spoken = {turn.speaker for one in own.rounds for turn in one.turns}
    free: dict[str, list[Speaker]] = {}
    for one in host.speakers:
        free.setdefault(one.kind, []).append(one)
    found = {}
    for one in lender.speakers:
        if one.id not in spoken:
            continue
        if not free.get(one.kind):
            return None
        found[one.id] = free[one.kind].pop(0)
    return found if spoken <= found.keys() else None


def address_people(bundle: Bundle, to: Mapping[str, Speaker]) -> Bundle:
    """A lent session in which people are called by the names of those whose roles they take.

    Mentions move with the words around them; a fact whose words are gone stays away.
    """
    names = _names(bundle.conversation, to)
    if not names:
        return bundle
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    facts = {one.id: one for one in bundle.facts}
    mentions: dict[str, Mention | None] = {one.id: one for one in bundle.mentions}
    made = {}
    for turn in bundle.conversation.turns():
        text = pattern.sub(lambda found: names[found.group()], turn.text)
        shown = [
            one.model_copy(
                update={"caption": pattern.sub(lambda found: names[found.group()], one.caption)}
            )
            if one.caption
            else one
            for one in turn.attachments
        ]
        made[turn.id] = turn.model_copy(update={"text": text, "attachments": shown})
        if text != turn.text:
            mentions |= relocate(bundle.mentions, turn, made[turn.id], facts)
    kept = [one for one in mentions.values() if one is not None]
    stated = {one.fact for one in kept}
    return bundle.model_copy(
        update={
            "conversation": _with_turns(bundle.conversation, made),
            "mentions": kept,
            "facts": [_alone(one, stated) for one in bundle.facts if one.id in stated],
        }
    )


def _names(lender: Conversation, to: Mapping[str, Speaker]) -> dict[str, str]:
    """By a person's full and first name, that of the host's person; the longer ones first."""
    found: dict[str, str] = {}
    for one in lender.speakers:
        if one.kind is not SpeakerKind.HUMAN or one.id not in to:
            continue
        old, new = one.name.split(), to[one.id].name.split()
        if old and new and old != new:
            found[" ".join(old)] = " ".join(new)
            found.setdefault(old[0], new[0])
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))


def _with_turns(talk: Conversation, made: Mapping[str, Turn]) -> Conversation:
    sessions = [
        session.model_copy(
            update={
                "rounds": [
                    one.model_copy(update={"turns": [made[turn.id] for turn in one.turns]})
                    for one in session.rounds
                ]
            }
        )
        for session in talk.sessions
    ]
    return talk.model_copy(update={"sessions": sessions})
