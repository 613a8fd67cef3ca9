"""What foreign layouts have no place for; bookkeeping (hashes, licences, provenance) aside."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from memassay.exports.foreign.reading import AS_READ
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.hashing import canonical_json
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import TurnKind
from memassay.schemas.records.question import AnswerRelation, AskedAt, QAItem

_ANSWER_FIELDS: Final = ("equivalents", "coarser", "competitors", "traps", "options")


def unfit_parts(bundle: Bundle, layout: str, answer_fields: Collection[str] = ()) -> list[Unfit]:
    """What of a bundle has no field in a plain dialogue-and-questions layout.

    Args:
        bundle: The conversation.
        layout: Name of the layout, for the reason and for extras that are its own.
        answer_fields: Fields of an answer that the layout does have.
    """
    found = [
        *_of_conversation(bundle, layout),
        *((item.id, what) for item in bundle.questions for what in _of_question(item)),
        *(
            (item.id, f"answer.{name}")
            for item in bundle.questions
            for name in _ANSWER_FIELDS
            if name not in answer_fields
            and getattr(item.answer, name)
            and not (name == "equivalents" and _keeps_list(item, layout))
        ),
        *(
            (item.id, "answer.values after the first")
            for item in bundle.questions
            if "equivalents" not in answer_fields and _has_alternatives(item)
        ),
        *(
            (record.id, f"extras of {name}")
            for record in (bundle.conversation, *bundle.questions)
            for name in _foreign_extras(record.extras, layout)
        ),
    ]
    return [Unfit(record, what, f"{layout} has no field for it") for record, what in found]


def _of_conversation(bundle: Bundle, layout: str) -> list[tuple[str, str]]:
    talk = bundle.conversation
    found = []
    if talk.checkpoints:
        found.append(f"{len(talk.checkpoints)} checkpoints")
    if bundle.facts or bundle.mentions:
        found.append(f"ledger of {len(bundle.facts)} facts and {len(bundle.mentions)} mentions")
    if bundle.concepts:
        found.append(f"{len(bundle.concepts)} concepts beside what turns and questions show")
    found += [name for name in ("twin_of", "tags") if getattr(talk, name)]
    found += [f"model of speaker {each.id}" for each in talk.speakers if each.model]
    found += [f"date of round {each.id}" for each in talk.rounds() if each.date]
    for session in talk.sessions:
        if session.origin:
            found.append(f"origin of session {session.id}")
        if session.arc or session.event_type:
            found.append(f"arc and event type of session {session.id}")
        if _foreign_extras(session.extras, layout):
            found.append(f"extras of session {session.id}")
    for turn in talk.turns():
        if turn.kind is not TurnKind.UTTERANCE:
            found.append(f"kind {turn.kind} of turn {turn.id}")
        if turn.action is not None:
            found.append(f"action of turn {turn.id}")
        if turn.time is not None:
            found.append(f"time of turn {turn.id}")
        if _foreign_extras(turn.extras, layout):
            found.append(f"extras of turn {turn.id}")
    return [(talk.id, what) for what in found]


def _foreign_extras(extras: Mapping[str, Any], layout: str) -> list[str]:
    """Formats whose own fields a record keeps; how a value was written there is no field."""
    spelling = {AS_READ}
    return [
        name
        for name, own in extras.items()
        if name != layout and own and not (isinstance(own, dict) and set(own) == spelling)
    ]


def _keeps_list(item: QAItem, layout: str) -> bool:
    """Whether the layout's own file had the gold and its equivalents as a list, which comes back.

    It comes back as long as nobody changed the answer.
    """
    own = item.extras.get(layout)
    read = own.get(AS_READ) if isinstance(own, dict) else None
    sides = read.get("answer") if isinstance(read, dict) else None
    listed = sides.get("theirs") if isinstance(sides, dict) else None
    if not isinstance(listed, list):
        return False
    texts = [each if isinstance(each, str) else canonical_json(each) for each in listed]
    return [*item.answer.values, *item.answer.equivalents] == list(dict.fromkeys(texts))


def _has_alternatives(item: QAItem) -> bool:
    return item.answer.relation is AnswerRelation.ONE and len(item.answer.values) > 1


def _of_question(item: QAItem) -> list[str]:
    there = {
        "asked_at": item.asked_at != AskedAt(),
        "decoys": bool(item.decoys),
        "query": item.query is not None,
        "twin_of": item.twin_of is not None,
        "wording": item.wording is not None,
        "references": bool(item.references),
        "public_id": item.public_id is not None,
        "evidence.facts": bool(item.evidence.facts),
        "evidence alternatives": any(len(group) > 1 for group in item.evidence.groups),
    }
    return [name for name, is_there in there.items() if is_there]
