"""Places of a conversation with the JSON Pointer parts that lead to them."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Round, Session, SessionArc, Turn
from memassay.schemas.records.question import QAItem

Parts = tuple[str | int, ...]
DEPICTS: Final = "depicts"
"""Attribute of what a picture is of."""


def sessions(bundle: Bundle) -> Iterator[tuple[Parts, Session]]:
    """Every session, in list order."""
    for at, session in enumerate(bundle.conversation.sessions):
        yield ("sessions", at), session


def rounds(bundle: Bundle) -> Iterator[tuple[Parts, Round]]:
    """Every round, in list order."""
    for parts, session in sessions(bundle):
        for at, round_ in enumerate(session.rounds):
            yield (*parts, "rounds", at), round_


def turns(bundle: Bundle) -> Iterator[tuple[Parts, Turn]]:
    """Every turn, in list order."""
    for parts, round_ in rounds(bundle):
        for at, turn in enumerate(round_.turns):
            yield (*parts, "turns", at), turn


def attachments(bundle: Bundle) -> Iterator[tuple[Parts, Turn, Attachment]]:
    """Every attachment of the history with the turn that shows it, in list order."""
    for parts, turn in turns(bundle):
        for at, shown in enumerate(turn.attachments):
            yield (*parts, "attachments", at), turn, shown


def evidence_places(item: QAItem) -> list[str]:
    """The canonical places of an item, or the first of each group where none are named."""
    return item.evidence.canonical or [group[0] for group in item.evidence.groups]


def evidence_rounds(bundle: Bundle, item: QAItem) -> list[Round]:
    """The rounds that an item cites, alternatives included, each once, in the order cited."""
    found: dict[str, Round] = {}
    for group in item.evidence.groups or [[place] for place in item.evidence.canonical]:
        for place in group:
            found.update((round_.id, round_) for round_ in bundle.rounds_of(place))
    return list(found.values())


def evidence_turns(bundle: Bundle, item: QAItem) -> list[Turn]:
    """The turns that an item cites: those named, all of a round or session that is named."""
    found: dict[str, Turn] = {}
    for group in item.evidence.groups or [[place] for place in item.evidence.canonical]:
        for place in group:
            if place in bundle.turn_by_id:
                found[place] = bundle.turn_by_id[place]
            elif place in bundle.attachment_by_id:
                turn = bundle.attachment_by_id[place][0]
                found[turn.id] = turn
            else:
                found.update(
                    (turn.id, turn) for each in bundle.rounds_of(place) for turn in each.turns
                )
    return list(found.values())


def visible_sessions(bundle: Bundle, item: QAItem) -> set[str] | None:
    """Ids of the sessions seen when an item is asked; None if that is the end or unknown."""
    talk, asked = bundle.conversation, item.asked_at
    if asked.checkpoint is not None:
        return next(
            (
                set(each.covered_sessions)
                for each in talk.checkpoints
                if each.id == asked.checkpoint
            ),
            None,
        )
    names = [session.id for session in talk.sessions]
    if asked.session in names:
        return set(names[: names.index(asked.session) + 1])
    return None


def is_visitor(session: Session) -> bool:
    """Whether a session came into the conversation of a host: a guest's, or a distractor's."""
    return session.origin is not None and session.arc in (SessionArc.GUEST, SessionArc.SIDE)


def has_own_ledger(bundle: Bundle) -> bool:
    """Whether facts are about the history, and not only about sessions that came to it.

    A life of imported dialogues has facts of its extension sessions alone, a minority; they prove
    nothing about the others, which are still somebody else's.
    """
    sessions = bundle.session_by_id
    told = {one.round.partition(":")[0] for one in bundle.mentions} & sessions.keys()
    came = all(sessions[name].origin is not None for name in told)
    return bool(bundle.facts) and (not told or not came or 2 * len(told) > len(sessions))


def seen_whole(bundle: Bundle) -> frozenset[str]:
    """Ids of the facts that say what a whole picture is of: seen in all of it, printed nowhere."""
    depicted = {fact.id for fact in bundle.facts if fact.attribute == DEPICTS}
    return frozenset(
        mention.fact
        for mention in bundle.mentions
        if mention.fact in depicted
        and (asset := bundle.asset_by_id.get(mention.asset or "")) is not None
        and mention.box == [0, 0, asset.width, asset.height]
    )
