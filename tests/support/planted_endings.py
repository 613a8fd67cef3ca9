"""Plants endings: something that a conversation told of ends, and an item calls it not mentioned.

The planter knows nothing of the rules. It takes an answerable item with a query, ends what it asks
for in one of five ways, tells of the end in a new last session, and turns the item into a refusal
in one of four.
"""

from dataclasses import dataclass
from typing import Any

from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, RoundKind, Session, Turn
from memassay.schemas.records.ledger import (
    Fact,
    FactOperation,
    FactStatus,
    FactValue,
    Mention,
    MentionForm,
    ValueType,
)
from memassay.schemas.records.question import Answer, AnswerFormat, Evidence, ItemOrigin, QAItem

WAYS = ("deleted", "called off", "denied", "over", "sold")
"""How what is asked for ends."""
FORMS = ("left", "absent", "removed", "elsewhere")
"""What becomes of the item's query."""
_SAID = {
    "deleted": "Forget what I told you about that: the {what} is history.",
    "called off": "Bad news: the {what} is called off.",
    "denied": "What I told you about the {what} was a mistake, it never was so.",
    "over": "The {what} ran out a while ago.",
    "sold": "The {what} is gone, I gave it away.",
}
_TELLS = ("deleted", "called off", "sold")


@dataclass(frozen=True)
class Planted:
    """A bundle with one ending.

    Attributes:
        bundle: The conversation, with the one changed item.
        item: Its id.
        how: How it was planted, for messages.
    """

    bundle: Bundle
    item: str
    how: str


def planted(bundle: Bundle, item: QAItem, way: str, form: str) -> Planted:
    """A bundle in which what an item asks for has ended, and the item overlooks it."""
    query = parse_query(item.query)
    ledger = Ledger(bundle.history)
    victims = [ledger.facts[name] for name in sorted(execute(query, ledger, item.asked_at).why)]
    place = f"D{len(bundle.conversation.sessions) + 1}:1"
    sessions = [*bundle.conversation.sessions, _session(bundle, victims, way, place)]
    facts = [
        _ended(fact, way, sessions[-1].date) if fact in victims else fact for fact in bundle.facts
    ]
    told = [_deletion(bundle, victims, way)] if way in _TELLS else []
    mentions = [_mention(fact, place, MentionForm.FULL) for fact in told]
    if way == "denied":
        mentions = [_mention(fact, place, MentionForm.DENIED) for fact in victims]
    changed = bundle.model_copy(
        update={
            "conversation": bundle.conversation.model_copy(
                update={
                    "sessions": [
                        *bundle.conversation.sessions,
                        _session(bundle, victims, way, place),
                    ]
                }
            ),
            "facts": [*facts, *told],
            "mentions": [*bundle.mentions, *mentions],
            "questions": [_refused(item, form)],
        }
    )
    return Planted(changed, item.id, f"{way}, query {form}: {item.question.text}")


def _session(bundle: Bundle, victims: list[Fact], way: str, place: str) -> Session:
    last = bundle.conversation.sessions[-1]
    text = _SAID[way].format(what=victims[0].attribute.replace("_", " "))
    year = int((last.date or "2024")[:4]) + 1
    turn = Turn(id=f"{place}.1", speaker=bundle.conversation.speakers[0].id, text=text)
    return Session(
        id=place.partition(":")[0],
        index=last.index + 1,
        date=f"{year}-12-30" if last.date else None,
        rounds=[Round(id=place, kind=RoundKind.EXCHANGE, turns=[turn])],
    )


def _deletion(bundle: Bundle, victims: list[Fact], way: str) -> Fact:
    return Fact(
        id=f"{bundle.id}/F9999",
        subject=victims[0].subject,
        attribute=victims[0].attribute,
        value=FactValue(type=ValueType.TEXT, text="history" if way == "deleted" else way),
        operation=FactOperation.REVISE if way == "sold" else FactOperation.DELETE,
        supersedes=[fact.id for fact in victims],
    )


def _ended(fact: Fact, way: str, now: str | None) -> Fact:
    if way == "denied":
        return fact.model_copy(update={"status": FactStatus.RETRACTED})
    if way == "over":
        return fact.model_copy(update={"valid_to": now})
    return fact


def _mention(fact: Fact, place: str, form: MentionForm) -> Mention:
    return Mention.model_validate(
        {
            "id": f"{fact.id}_M99",
            "fact": fact.id,
            "round": place,
            "turn": f"{place}.1",
            "modality": "text",
            "form": form,
        }
    )


def _refused(item: QAItem, form: str) -> QAItem:
    queries: dict[str, Any] = {
        "left": item.query,
        "absent": {"op": "absent", "of": _facts(item.query or {})},
        "removed": None,
        "elsewhere": {"op": "absent", "of": {"op": "select", "where": {"subject": "nobody"}}},
    }
    return item.model_copy(
        update={
            "answer": Answer(format=AnswerFormat.REFUSAL, values=["Not mentioned."]),
            "answerable": False,
            "evidence": Evidence(),
            "query": queries[form],
            "origin": ItemOrigin.MACHINE if form in {"left", "absent"} else ItemOrigin.PERSON,
        }
    )


def _facts(query: dict[str, Any]) -> Any:
    """The selection of a query that gets one thing."""
    inner = query["of"]
    return _facts(inner) if inner["op"] in {"get", "as_of"} else inner
