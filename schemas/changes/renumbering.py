"""New ids for the places of a conversation whose parts were moved, and what cites them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import JsonValue

from memassay.schemas.ids import (
    attachment_id,
    natural_key,
    parse_place,
    round_id,
    session_id,
    turn_id,
)
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation, Round, Session
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.records.parts.reference import Reference
from memassay.schemas.records.question import AnswerFormat, Evidence, QAItem

_NAMES_PLACES: Final = frozenset({"attachment", "session", "at", "after", "until"})
"""Keys of a query under which places are; a session that was split is named by its last part."""
_NAMES_BEGINNINGS: Final = frozenset({"from", "before"})
"""Keys of a query under which a session means its beginning."""
_PLACE_FIELDS: Final = frozenset({"attachment", "session"})
"""What `get` and `group` give that is the id of a place."""
_ANSWERS: Final = ("values", "equivalents", "coarser", "competitors", "traps")


@dataclass(frozen=True)
class Places:
    """Where the places of a conversation went.

    Attributes:
        sessions: By old id the new ones, in order: several for one that was split, the same one
            for two that were merged.
        others: New id by old id of rounds, turns and attachments.
        gone: Old ids of what is no longer there.
    """

    sessions: Mapping[str, Sequence[str]]
    others: Mapping[str, str]
    gone: frozenset[str] = frozenset()

    def of(self, place: str) -> list[str]:
        """New ids of a place; none if it is gone, and its own if it never was a place."""
        if place in self.sessions:
            return list(self.sessions[place])
        return [] if place in self.gone else [self.others.get(place, place)]

    def one(self, place: str) -> str:
        """The new id of a place that is still there; the last part of a session that was split."""
        return self.of(place)[-1]


def renumber(
    conversation: Conversation,
    merged: Mapping[str, str] | None = None,
    gone: Iterable[str] = (),
    first: int = 1,
) -> tuple[Conversation, Places]:
    """A conversation with ids by position, and the map from the ids that it came with.

    An attachment keeps its number as long as no other of its session has it.

    Args:
        conversation: Sessions, rounds and turns in their new order, under their old ids; two
            sessions of one id are the parts of one that was split.
        merged: By id of a session that became part of another, the id of that other.
        gone: Ids of places that were taken away.
        first: Number of its first session.
    """
    sessions: dict[str, list[str]] = {}
    others: dict[str, str] = {}
    made = []
    for position, session in enumerate(conversation.sessions, start=first):
        name = session_id(position)
        sessions.setdefault(session.id, []).append(name)
        made.append(_session(session, name, position, others))
    for gone, into in (merged or {}).items():
        sessions[gone] = list(sessions[into])
    places = Places(sessions, others, frozenset(gone))
    points = [
        point.model_copy(update={"covered_sessions": _cover(point.covered_sessions, places)})
        for point in conversation.checkpoints
    ]
    told = conversation.model_copy(update={"sessions": made, "checkpoints": points})
    return told, places


def _cover(covered: Iterable[str], places: Places) -> list[str]:
    now = dict.fromkeys(new for old in covered for new in places.of(old))
    return sorted(now, key=natural_key)


def _session(session: Session, name: str, position: int, others: dict[str, str]) -> Session:
    numbers = _numbers(session, name)
    others |= numbers
    rounds = []
    for at, each in enumerate(session.rounds, start=1):
        others[each.id] = round_id(name, at)
        rounds.append(_round(each, others, numbers))
    return session.model_copy(update={"id": name, "index": position, "rounds": rounds})


def _round(each: Round, others: dict[str, str], numbers: Mapping[str, str]) -> Round:
    name = others[each.id]
    turns = []
    for at, turn in enumerate(each.turns, start=1):
        others[turn.id] = turn_id(name, at)
        shown = [
            one.model_copy(update={"id": numbers.get(one.id, one.id)}) for one in turn.attachments
        ]
        turns.append(turn.model_copy(update={"id": others[turn.id], "attachments": shown}))
    return each.model_copy(update={"id": name, "turns": turns})


def _numbers(session: Session, name: str) -> dict[str, str]:
    """New ids of the attachments of a session: its own keep theirs, others take what is free."""
    shown = [one for each in session.rounds for turn in each.turns for one in turn.attachments]
    own = [one for one in shown if one.id.partition(":")[0] == session.id]
    numbers: dict[str, str] = {}
    taken: set[str] = set()
    known = {one.id for one in own}
    for one in [*own, *(one for one in shown if one.id not in known)]:
        wanted = f"{name}:{one.id.partition(':')[2]}"
        numbers[one.id] = wanted if wanted not in taken else next_attachment(taken, wanted)
        taken.add(numbers[one.id])
    return numbers


def next_attachment(taken: Iterable[str], like: str) -> str:
    """The first attachment id behind all that are taken, in the session and kind of another."""
    session, _, local = like.partition(":")
    kind = local.partition("_")[0]
    used = [
        int(one.rpartition("_")[2])
        for one in taken
        if one.rpartition("_")[0] == f"{session}:{kind}"
    ]
    return attachment_id(session, max(used, default=0) + 1, kind)


def moved_mention(mention: Mention, places: Places) -> Mention | None:
    """A mention at its new place; None if the place is gone."""
    named = [mention.round, mention.turn, mention.attachment]
    if any(name is not None and not places.of(name) for name in named):
        return None
    update = {
        field: places.one(name)
        for field, name in zip(("round", "turn", "attachment"), named, strict=True)
        if name is not None
    }
    return mention.model_copy(update=update)


def moved_fact(fact: Fact, places: Places) -> Fact:
    """A fact that is known after a session: after the last part of it."""
    if fact.session is None or not places.of(fact.session):
        return fact
    return fact.model_copy(update={"session": places.one(fact.session)})


def moved_question(question: QAItem, places: Places) -> QAItem:
    """A question that cites, shows and asks at the new places.

    Where a place that it cannot do without is gone, its proof is: it has no evidence then, and
    the rules say so. Evidence that was in the order of time is so again.
    """
    asked = question.asked_at
    if asked.session is not None and places.of(asked.session):
        asked = asked.model_copy(update={"session": places.one(asked.session)})
    evidence = _evidence(question.evidence, places)
    update: dict[str, Any] = {
        "asked_at": asked,
        "evidence": evidence,
        "decoys": [new for old in question.decoys for new in places.of(old)],
        "query": _query(question.query, places),
        "references": [_move_reference(one, places) for one in question.references],
    }
    if question.answer.format in (AnswerFormat.IMAGE_ID, AnswerFormat.CHOICE):
        update["answer"] = question.answer.model_copy(update=dict(_answers(question, places)))
    return question.model_copy(update=update)


def _move_reference(reference: Reference, places: Places) -> Reference:
    """A reference that means its picture under the new id; what is gone it goes on meaning."""
    means = places.of(reference.means) or [reference.means]
    return reference.model_copy(update={"means": means[-1]})


def _evidence(evidence: Evidence, places: Places) -> Evidence:
    groups: list[list[str]] = []
    canonical: list[str] = []
    for group in evidence.groups:
        chosen = next((one for one in evidence.canonical if one in group), None)
        now = [new for old in group for new in places.of(old)]
        if not now:
            return evidence.model_copy(update={"groups": [], "canonical": []})
        # Both parts of a session that was split must be read, where it alone was the proof.
        parts = [[one] for one in now] if len(group) == 1 else [now]
        groups += [part for part in parts if part not in groups]
        if chosen is not None:
            kept = places.of(chosen) or now[:1]
            canonical += [one for one in kept if one not in canonical]
    if sorted(evidence.canonical, key=natural_key) == evidence.canonical:
        canonical = sorted(canonical, key=natural_key)
    return evidence.model_copy(update={"groups": groups, "canonical": canonical})


def _answers(question: QAItem, places: Places) -> Iterator[tuple[str, Any]]:
    for name in _ANSWERS:
        yield (
            name,
            [new for old in getattr(question.answer, name) for new in _move_answer(old, places)],
        )
    yield (
        "options",
        [
            option.model_copy(
                update={"text": " ".join(_move_answer(option.text, places)) or option.text}
            )
            for option in question.answer.options
        ],
    )


def answers_of(question: QAItem) -> Iterator[str]:
    """Attachments of the history that the answers to a question name, be they there or not."""
    answer = question.answer
    texts = [text for name in _ANSWERS for text in getattr(answer, name)]
    yield from filter(_is_attachment, [*texts, *(option.text for option in answer.options)])


def _move_answer(text: str, places: Places) -> list[str]:
    """An answer that names an attachment of the history; every other text stays."""
    return places.of(text) if _is_attachment(text) else [text]


def _is_attachment(text: str) -> bool:
    place = parse_place(text)
    return bool(place and place.attachment and place.session != "Q")


def _query(query: JsonValue, places: Places, key: str = "") -> Any:
    if isinstance(query, dict):
        moved = {name: _query(part, places, name) for name, part in query.items()}
        return moved | _move_comparison(query, places)
    if isinstance(query, list):
        return [_query(part, places, key) for part in query]
    if isinstance(query, str) and key in _NAMES_PLACES and places.of(query):
        return places.one(query)
    if isinstance(query, str) and key in _NAMES_BEGINNINGS and places.of(query):
        return places.of(query)[0]
    return query


def _move_comparison(query: Mapping[str, JsonValue], places: Places) -> dict[str, JsonValue]:
    """Texts that are held against what names places: of a comparison, and of options."""
    moved: dict[str, JsonValue] = {}
    if query.get("op") == "compare":
        for name, other in (("a", "b"), ("b", "a")):
            text = query.get(name)
            if isinstance(text, str) and _gives_places(query.get(other)) and places.of(text):
                moved[name] = places.one(text)
    options = query.get("options")
    if isinstance(options, dict) and _gives_places(query.get("of")):
        moved["options"] = {
            label: places.one(text) if isinstance(text, str) and places.of(text) else text
            for label, text in options.items()
        }
    return moved


def _gives_places(query: JsonValue) -> bool:
    """Whether an expression gives ids of sessions or attachments."""
    return isinstance(query, dict) and (
        (query.get("op") == "get" and query.get("field") in _PLACE_FIELDS)
        or (query.get("op") == "group" and query.get("by") in _PLACE_FIELDS)
    )


def cites(question: QAItem, places: Iterable[str]) -> bool:
    """Whether a question cites one of some places, or answers with it."""
    grouped = (place for group in question.evidence.groups for place in group)
    return not {*question.evidence.canonical, *grouped, *question.answer.values}.isdisjoint(places)


def moved_bundle(bundle: Bundle, told: Conversation, places: Places) -> Bundle:
    """A bundle about a conversation whose places went elsewhere; events stay as they are."""
    mentions = [moved_mention(one, places) for one in bundle.mentions]
    return bundle.model_copy(
        update={
            "conversation": told,
            "mentions": [one for one in mentions if one is not None],
            "facts": [moved_fact(one, places) for one in bundle.facts],
            "questions": [moved_question(one, places) for one in bundle.questions],
        }
    )
