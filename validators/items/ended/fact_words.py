"""The words of a fact: how it is asked for, and by which kind of question."""

from collections.abc import Iterable
from typing import Final

from memassay.schemas.records.ledger import Fact, FactOperation, ValueType
from memassay.validators.items.ended.asked_words import Asked, kinds_of, uncovered
from memassay.validators.wording import key_words, words

DAYS: Final = key_words("date day time start begin appointment deadline schedule until")
_PRICE: Final = key_words("price")
_CURRENCIES: Final = frozenset({"EUR", "USD", "GBP", "CNY"})
_VALID: Final = key_words("valid validity expire expires expired good last lasts until")
_IN_WORDS: Final = 0.85
"""How much a text fits where a date or a number is asked for (our choice)."""
_WORDS: Final = frozenset({ValueType.TEXT, ValueType.ENTITY})


def plain(texts: Iterable[str]) -> frozenset[str]:
    """Key words of texts; keys such as `meeting_day` are several words."""
    return frozenset().union(*(key_words(each.replace("_", " ")) for each in texts))


def named_in(words: frozenset[str], asked: Asked) -> bool:
    """Whether a question has one of some words, or asks for it by its kind."""
    return any(
        len(uncovered(asked.all_words, frozenset({word}) | kinds_of([word]))) < len(asked.all_words)
        for word in words
    )


def bare_name(subject: str) -> str:
    """What a subject is called, whether as an event or as a thing."""
    return subject.partition(":")[2] if subject.startswith("event:") else subject.replace("_", "-")


def deletes(fact: Fact) -> bool:
    """Whether a fact only says that something is no more."""
    return fact.operation is FactOperation.DELETE


def words_of_kind(fact: Fact) -> frozenset[str]:
    """Words by which a value of its kind is asked for."""
    if fact.value.type is ValueType.DATE:
        return DAYS
    if fact.valid_to is not None:
        return _VALID | (_PRICE if fact.value.unit in _CURRENCIES else frozenset())
    return _PRICE if fact.value.unit in _CURRENCIES else frozenset()


def may_be(asked: Asked, fact: Fact) -> bool:
    """Whether a fact's value may be of the kind that a question asks for."""
    if asked.kind == "date":
        dated = fact.value.type is ValueType.DATE or fact.valid_to is not None
        named = not DAYS.isdisjoint(plain([fact.attribute]))
        return dated or deletes(fact) or named or _counts(fact)
    if asked.kind == "number":
        return _counts(fact)
    return asked.kind not in {"person", "place"} or fact.value.type in _WORDS


def _counts(fact: Fact) -> bool:
    """Whether a fact's value has a number, in figures or in words."""
    return any(each.isdigit() for word in words(fact.value.text) for each in word)


def fits(asked: Asked, fact: Fact) -> float:
    """How well a fact's value is of the kind that a question asks for, from 0 to 1.

    A text may say a date in words; a deletion has no value; a why has none here.
    """
    kind = fact.value.type
    if deletes(fact) or asked.kind in {"", "truth"}:
        return 1
    if asked.kind == "date" and fact.valid_to is not None:
        return 1
    if asked.kind == "date" and not DAYS.isdisjoint(plain([fact.attribute])):
        return 1
    if asked.kind in {"number", "date"} and _counts(fact):
        return 1
    wanted = {"date": ValueType.DATE, "number": ValueType.NUMBER}.get(asked.kind)
    if kind is wanted or (asked.kind in {"place", "person"} and kind in _WORDS):
        return 1
    return _IN_WORDS if wanted is not None and kind in _WORDS else 0
