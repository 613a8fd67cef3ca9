"""Whether a text says what a fact says: value, unit, subject, attribute, and not denied.

It is a rule, not a reader: where it matters, a judge or people decide. A subject or an attribute is
demanded only where the history, or the statement of the fact, calls it by its words.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.exports.lifecycle.matching.canonical import (
    NUMBER,
    Segment,
    canonical_words,
    segments,
    stems_of,
)
from memassay.exports.lifecycle.matching.denials import ENDED, Sighting, is_denied, is_inexact
from memassay.schemas.records.ledger import Fact, FactOperation, FactStatus, ValueType

_LONG: Final = 5
"""Words from which on a value is compared by its words and not as a run."""
_SHARE: Final = 0.75
_COMMON: Final = frozenset(
    {"the", "a", "an", "of", "is", "are", "in", "on", "for", "to", "and", "it", "at", "by", "with"}
    | {"be", "has", "have", "that", "i", "we", "us", "my", "our", "this", "was", "as", "from"}
)
_POINTING: Final = frozenset({"it", "this", "that", "he", "she", "they", "its", "their"})
_COMMON_STEMS: Final = stems_of(tuple(_COMMON))


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
    def kind(self) -> str:
        """What other values compete with its own: numbers, dates, times or words."""
        return _kind(self.value[0]) if len(self.value) == 1 else "words"

    @property
    def compares_words(self) -> bool:
        """Whether its value is looked for by its words, in any order."""
        long = len(self.value) >= _LONG
        return self.fact.value.type in {ValueType.BOOLEAN, ValueType.RULE} or long


def _kind(word: str) -> str:
    if NUMBER.fullmatch(word):
        return "number"
    for kind in ("date", "month", "time"):
        if word.startswith(kind) and word[len(kind) : len(kind) + 1].isdigit():
            return kind
    return "words"


class Matcher:
    """Looks for the facts of one ledger in texts."""

    def __init__(self, facts: Iterable[Fact], said: Mapping[str, Sequence[str]]) -> None:
        """Take facts, and by id of a fact the texts in which the history states it."""
        own = list(facts)
        self._lonely = _lonely(own)
        self._units = {_unit_words(fact)[:1] for fact in own if fact.value.unit}
        self._sought = {fact.id: self._seek(fact, said.get(fact.id, ())) for fact in own}
        self._subjects = {one.subject for one in self._sought.values() if one.subject}
        self._rivals: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._by_word: dict[str, list[Sought]] = defaultdict(list)
        self._ends = [
            one for one in self._sought.values() if one.fact.operation is FactOperation.DELETE
        ]
        for one in self._sought.values():
            self._rivals[one.fact.attribute].add(one.value)
            for word in _keys(one):
                self._by_word[word].append(one)

    def find_points(self, text: str) -> frozenset[str]:
        """Ids of the facts that a text says."""
        parts = _with_subjects(segments(text), self._subjects)
        words = {key for part, _ in parts for word in part.words for key in _word_keys(word)}
        found = {one.fact.id: one for word in words for one in self._by_word.get(word, ())}
        found |= {one.fact.id: one for one in self._ends}
        return frozenset(name for name, one in found.items() if self._holds(one, parts))

    def spoken_of(self, text: str) -> frozenset[str]:
        """Ids of the facts about whose subject and attribute a text says something."""
        parts = _with_subjects(segments(text), self._subjects)
        return frozenset(
            name
            for name, one in self._sought.items()
            if (one.subject or one.attribute)
            and any(_is_about(one, subjects) and _is_named(one, part) for part, subjects in parts)
        )

    def _seek(self, fact: Fact, said: Sequence[str]) -> Sought:
        value, unit = _value_words(fact), _unit_words(fact)
        texts = [*said, *filter(None, [fact.statement])]
        told = [part for text in texts for part in segments(text) if set(value) & set(part.words)]
        names, attribute = _content(fact.subject), _content(fact.attribute)
        # What nobody quotes can only be recognised by the names that the ledger has.
        shown = not texts or any(names <= part.sentence_stems for part in told)
        beside = frozenset(stem for part in told for stem in part.stems if _kind(stem) == "words")
        beside -= names | stems_of(value) | stems_of(unit) | _COMMON_STEMS
        subject = names if shown else frozenset[str]()
        needless = (fact.id in self._lonely and bool(subject)) or _is_distinctive(value)
        return Sought(
            fact,
            value,
            unit,
            subject,
            frozenset() if needless else attribute,
            frozenset() if needless else beside,
            _content(fact.statement or "") or names | attribute | stems_of(value),
        )

    def _holds(self, one: Sought, parts: Sequence["_Part"]) -> bool:
        if one.fact.operation is FactOperation.DELETE:
            return any(
                _is_about(one, subjects) and ENDED.search(" ".join(part.sentence)) is not None
                for part, subjects in parts
            )
        if one.compares_words:
            return any(self._says_in_words(one, part) for part, _ in parts)
        if len(segments(one.fact.value.text)) > 1:
            parts = [(_whole(part), subjects) for part, subjects in parts]
        return any(
            not self._is_refused(one, sighting)
            for part, subjects in parts
            if _is_about(one, subjects) and _is_named(one, part)
            for sighting in self._sightings(one, part)
        )

    def _says_in_words(self, one: Sought, part: Segment) -> bool:
        needed = one.statement if one.fact.value.type is ValueType.BOOLEAN else stems_of(one.value)
        needed -= _COMMON_STEMS
        if not needed or len(needed & part.sentence_stems) / len(needed) < _SHARE:
            return False
        seen = Sighting(_whole(part), 0, 1)
        denies = bool(needed & {"not", "never", "no"})
        return denies or one.fact.status is FactStatus.INTERFERENCE or not is_denied(seen)

    def _sightings(self, one: Sought, part: Segment) -> Iterator[Sighting]:
        for at in _positions(one, part.words):
            others = self._others(one, part.words, at)
            beside = len(self._others(one, part.sentence, -len(one.value))) - len(others) - 1
            yield Sighting(part, at, len(one.value), others, max(0, beside))

    def _others(self, one: Sought, words: Sequence[str], at: int) -> list[int]:
        """Positions of other values of the kind of a fact's value."""
        own = range(at, at + len(one.value))
        if one.kind == "words":
            rivals = self._rivals[one.fact.attribute] - {one.value}
            return [
                place
                for rival in rivals
                if rival
                for place in range(len(words) - len(rival) + 1)
                if tuple(words[place : place + len(rival)]) == rival and place not in own
            ]
        return [
            place
            for place, word in enumerate(words)
            if place not in own and _kind(word) == one.kind
        ]

    def _is_refused(self, one: Sought, seen: Sighting) -> bool:
        if one.kind == "number" and not _has_unit(one, seen, self._units):
            return True
        # A claim that was denied where it was made is the same claim.
        if one.fact.status is FactStatus.INTERFERENCE:
            return False
        return is_denied(seen) or (one.kind == "number" and is_inexact(seen))


_Part = tuple[Segment, frozenset[frozenset[str]]]


def _with_subjects(parts: Sequence[Segment], subjects: Iterable[frozenset[str]]) -> Sequence[_Part]:
    """Every segment with the subjects it is about: its own, or those of what comes before it."""
    found: list[_Part] = []
    known = list(subjects)
    before: frozenset[frozenset[str]] = frozenset()
    for part in parts:
        own = frozenset(one for one in known if one <= part.stems)
        whole = frozenset(one for one in known if one <= part.sentence_stems)
        if not own and len(whole) == 1:
            own = whole
        if not own and (not part.opens or part.words[0] in _POINTING):
            own = before
        found.append((part, own))
        before = own or before
    return found


def _whole(part: Segment) -> Segment:
    """The sentence of a segment as one segment."""
    return Segment(part.sentence, part.sentence, True, part.sentence_stems, part.sentence_stems)


def _is_about(one: Sought, subjects: frozenset[frozenset[str]]) -> bool:
    return not one.subject or one.subject in subjects


def _is_named(one: Sought, part: Segment) -> bool:
    stems = part.sentence_stems
    if not one.attribute or not one.cues.isdisjoint(stems):
        return True
    return len(one.attribute & stems) > len(one.attribute) / 2


def _positions(one: Sought, words: Sequence[str]) -> list[int]:
    size = len(one.value)
    return [
        at
        for at in range(len(words) - size + 1)
        if all(_same(mine, theirs) for mine, theirs in zip(one.value, words[at:], strict=False))
    ]


def _same(mine: str, theirs: str) -> bool:
    """Whether two words are one; a date without its year is that of any year."""
    if mine == theirs:
        return True
    if _kind(mine) != "date" or _kind(theirs) != "date":
        return False
    ours, other = mine[4:].split("x"), theirs[4:].split("x")
    return ours[:2] == other[:2] and (len(ours) == 2 or len(other) == 2)


def _has_unit(one: Sought, seen: Sighting, units: Container[tuple[str, ...]]) -> bool:
    """Whether the unit of a number is beside it, or no unit is."""
    words = seen.segment.words
    if not one.unit:
        return words[seen.at + 1 : seen.at + 2] not in units
    after = words[seen.at + 1 : seen.at + 2 + len(one.unit)]
    before = words[max(0, seen.at - 1) : seen.at]
    if one.unit[0] in after[:2] or one.unit[0] in before:
        return True
    if stems_of(one.unit) & stems_of(tuple(after)):
        return True
    # A bare number at the end of its part is as good as one with its unit.
    return not after or after[0] in _COMMON


def _keys(one: Sought) -> Iterable[str]:
    """Words any of which a text must have to say a fact."""
    if one.fact.operation is FactOperation.DELETE:
        return ()
    if one.fact.value.type is ValueType.BOOLEAN:
        return [word for word in canonical_words(one.fact.statement or "") if word not in _COMMON]
    return [key for word in one.value for key in _word_keys(word)]


def _word_keys(word: str) -> tuple[str, ...]:
    if _kind(word) == "date":
        return ("x".join(word.split("x")[:2]),)
    return (next(iter(stems_of((word,)))), word)


def _value_words(fact: Fact) -> tuple[str, ...]:
    words = canonical_words(fact.value.text)
    return tuple(word for word in words if word not in {"a", "an", "the"}) or words


def _unit_words(fact: Fact) -> tuple[str, ...]:
    return canonical_words(fact.value.unit or "")


def _content(text: str) -> frozenset[str]:
    """Stems of a name without words that say nothing; none for what only the ledger calls so."""
    if ":" in text:
        return frozenset()
    return stems_of(canonical_words(text)) - _COMMON_STEMS


def _is_distinctive(value: tuple[str, ...]) -> bool:
    """Whether a value is long enough to need no name of its attribute."""
    return len([word for word in value if _kind(word) == "words" and word not in _COMMON]) >= 2


def _lonely(facts: Sequence[Fact]) -> frozenset[str]:
    """Ids of facts whose subject has one attribute alone with values of their type and unit."""
    attributes: dict[tuple[str, str, str | None], set[str]] = defaultdict(set)
    for fact in facts:
        attributes[_slot_kind(fact)].add(fact.attribute)
    return frozenset(fact.id for fact in facts if len(attributes[_slot_kind(fact)]) == 1)


def _slot_kind(fact: Fact) -> tuple[str, str, str | None]:
    return fact.subject, fact.value.type.value, fact.value.unit
