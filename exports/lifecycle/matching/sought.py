"""Facts as they are looked for: canonical words of the value, names of subject and attribute."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.exports.lifecycle.matching.canonical import (
    NUMBER,
    canonical_words,
    segments,
    stems_of,
)
from memassay.schemas.records.ledger import Fact, FactOperation, ValueType

_LONG: Final = 5
"""Words from which on a value is compared by its words and not as a run."""
COMMON: Final = frozenset(
    {"the", "a", "an", "of", "is", "are", "in", "on", "for", "to", "and", "it", "at", "by", "with"}
    | {"be", "has", "have", "that", "i", "we", "us", "my", "our", "this", "was", "as", "from"}
)
"""Words that say nothing by themselves."""
COMMON_STEMS: Final = stems_of(tuple(COMMON))


@dataclass(frozen=True)
class Sought:
    """A fact as it is looked for.

    Attributes:
        fact: The fact.
        value: Canonical words of its value.
        unit: Those of its unit.
        subject: Stems that name its subject; empty where the history never calls it so.
        attribute: Stems of its attribute, most of which name it.
        cues: Stems of the words beside its value in the history, any of which names it too; both
            are empty where the attribute needs no name.
        statement: Stems of its whole statement.
    """

    fact: Fact
    value: tuple[str, ...]
    unit: tuple[str, ...]
    subject: frozenset[str]
    attribute: frozenset[str]
    cues: frozenset[str]
    statement: frozenset[str]

    @property
    def is_end(self) -> bool:
        """Whether it says that something has ended."""
        return self.fact.operation is FactOperation.DELETE

    @property
    def kind(self) -> str:
        """What other values compete with its own: numbers, dates, times or words."""
        return kind_of(self.value[0]) if len(self.value) == 1 else "words"

    @property
    def compares_words(self) -> bool:
        """Whether its value is looked for by its words, in any order."""
        long = len(self.value) >= _LONG
        return self.fact.value.type in {ValueType.BOOLEAN, ValueType.RULE} or long

    def search_words(self) -> Iterable[str]:
        """Words or stems any of which a text must have to say it; none for an end."""
        if self.is_end:
            return ()
        if self.compares_words:
            return self.statement | (stems_of(self.value) - COMMON_STEMS)
        return [key for word in self.value for key in word_keys(word)]


def seek(fact: Fact, said: Sequence[str], *, is_lonely: bool) -> Sought:
    """A fact as it is looked for.

    Args:
        fact: The fact.
        said: Texts in which the history states it.
        is_lonely: Whether its subject has values of its kind under this attribute alone.
    """
    value, unit = _value_words(fact), unit_words(fact)
    if fact.value.type is ValueType.NUMBER and unit == ("h",):
        value, unit = canonical_words(f"{fact.value.text} h")[:1], ("min",)
    ends = fact.operation is FactOperation.DELETE
    texts = [*said, *filter(None, [fact.statement])]
    parts = [part for text in texts for part in segments(text)]
    # An end is told without the value that has ended.
    told = parts if ends else [part for part in parts if set(value) & set(part.words)]
    names, attribute = content_stems(fact.subject), content_stems(fact.attribute)
    # What nobody quotes can only be recognised by the names that the ledger has.
    shown = not texts or any(names <= part.sentence_stems for part in told)
    beside = frozenset(stem for part in told for stem in part.stems if kind_of(stem) == "words")
    beside -= names | stems_of(value) | stems_of(unit) | COMMON_STEMS
    subject = names if shown else frozenset[str]()
    needless = not ends and ((is_lonely and bool(subject)) or _is_distinctive(value))
    return Sought(
        fact,
        value,
        unit,
        subject,
        frozenset() if needless else attribute,
        frozenset() if needless else beside,
        content_stems(fact.statement or "") or names | attribute | stems_of(value),
    )


def kind_of(word: str) -> str:
    """What a canonical word is: a number, a date, a month, a time, or words."""
    if NUMBER.fullmatch(word):
        return "number"
    for kind in ("date", "month", "time"):
        if word.startswith(kind) and word[len(kind) : len(kind) + 1].isdigit():
            return kind
    return "words"


def word_keys(word: str) -> tuple[str, ...]:
    """What a word is found by: a date without its year, else its stem and itself."""
    if kind_of(word) == "date":
        return ("x".join(word.split("x")[:2]),)
    return (next(iter(stems_of((word,)))), word)


def unit_words(fact: Fact) -> tuple[str, ...]:
    """Canonical words of the unit of a fact."""
    return canonical_words(fact.value.unit or "")


def content_stems(text: str) -> frozenset[str]:
    """Stems of a name without words that say nothing; none for what only the ledger calls so."""
    if ":" in text:
        return frozenset()
    return stems_of(canonical_words(text)) - COMMON_STEMS


def lonely_facts(facts: Sequence[Fact]) -> frozenset[str]:
    """Ids of facts whose subject has one attribute alone with values of their type and unit."""
    attributes: dict[tuple[str, str, str | None], set[str]] = defaultdict(set)
    for fact in facts:
        attributes[_slot_kind(fact)].add(fact.attribute)
    return frozenset(fact.id for fact in facts if len(attributes[_slot_kind(fact)]) == 1)


def _slot_kind(fact: Fact) -> tuple[str, str, str | None]:
    return fact.subject, fact.value.type.value, fact.value.unit


def _value_words(fact: Fact) -> tuple[str, ...]:
    words = canonical_words(fact.value.text)
    return tuple(word for word in words if word not in {"a", "an", "the"}) or words


def _is_distinctive(value: tuple[str, ...]) -> bool:
    """Whether a value is long enough to need no name of its attribute."""
    return len([word for word in value if kind_of(word) == "words" and word not in COMMON]) >= 2
