"""Whether a text says what a fact says: value, unit, subject, attribute, and not denied.

It is a rule, not a reader: where it matters, a judge or people decide. A subject or an attribute is
demanded only where the history, or the statement of the fact, calls it by its words.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final

from memassay.exports.lifecycle.matching.canonical import Segment, segments, stems_of
from memassay.exports.lifecycle.matching.denials import ENDED, Sighting, is_denied, is_inexact
from memassay.exports.lifecycle.matching.sought import (
    COMMON,
    COMMON_STEMS,
    Sought,
    content_stems,
    kind_of,
    lonely_facts,
    seek,
    unit_words,
    word_keys,
)
from memassay.schemas.records.ledger import Fact, FactStatus, ValueType

_SHARE: Final = 0.75
_SELF: Final = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours"})
_POINTING: Final = frozenset({"it", "this", "that", "he", "she", "they", "its", "their"})

_Subjects = frozenset[frozenset[str]]
_Part = tuple[Segment, _Subjects]


class Matcher:
    """Looks for the facts of one ledger in texts."""

    def __init__(
        self,
        facts: Iterable[Fact],
        said: Mapping[str, Sequence[str]],
        selves: Iterable[str] = (),
    ) -> None:
        """Take a ledger.

        Args:
            facts: Its facts.
            said: By id of a fact, the texts in which the history states it.
            selves: Subjects that speak of themselves as `I`.
        """
        own = list(facts)
        lonely = lonely_facts(own)
        self._sought = {
            fact.id: seek(fact, said.get(fact.id, ()), is_lonely=fact.id in lonely) for fact in own
        }
        self._units = {unit_words(fact)[:1] for fact in own if fact.value.unit}
        self._subjects = frozenset(one.subject for one in self._sought.values() if one.subject)
        self._selves = frozenset(map(content_stems, selves)) & self._subjects
        self._ends = [one for one in self._sought.values() if one.is_end]
        self._rivals: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._by_word: dict[str, list[Sought]] = defaultdict(list)
        for one in self._sought.values():
            self._rivals[one.fact.attribute].add(one.value)
            for word in one.search_words():
                self._by_word[word].append(one)
        self._denying = frozenset[str]()
        # Where the words of a denial are part of the fact, as in "no meetings on Thursday".
        self._denying = frozenset(
            name
            for name, one in self._sought.items()
            if one.fact.statement and name not in self.find_points(one.fact.statement)
        )

    def find_points(self, text: str) -> frozenset[str]:
        """Ids of the facts that a text says."""
        parts = self._parts(text)
        words = {key for part, _ in parts for word in part.words for key in word_keys(word)}
        found = {one.fact.id: one for word in words for one in self._by_word.get(word, ())}
        found |= {one.fact.id: one for one in self._ends}
        return frozenset(name for name, one in found.items() if self._holds(one, parts))

    def spoken_of(self, text: str) -> frozenset[str]:
        """Ids of the facts about whose subject and attribute a text says something."""
        parts = self._parts(text)
        return frozenset(
            name
            for name, one in self._sought.items()
            if (one.subject or one.attribute)
            and any(_is_about(one, subjects) and _is_named(one, part) for part, subjects in parts)
        )

    def _parts(self, text: str) -> Sequence[_Part]:
        return _with_subjects(segments(text), self._subjects, self._selves)

    def _holds(self, one: Sought, parts: Sequence[_Part]) -> bool:
        if one.compares_words and not one.is_end:
            return any(self._says_in_words(one, part) for part, _ in parts)
        if not one.is_end and len(segments(one.fact.value.text)) > 1:
            parts = [(_whole(part), subjects) for part, subjects in parts]
        about = [
            part for part, subjects in parts if _is_about(one, subjects) and _is_named(one, part)
        ]
        if one.is_end:
            return bool(one.subject) and any(ENDED.search(" ".join(p.sentence)) for p in about)
        return any(
            not self._is_refused(one, sighting)
            for part in about
            for sighting in self._sightings(one, part)
        )

    def _says_in_words(self, one: Sought, part: Segment) -> bool:
        forms = [one.statement]
        if one.fact.value.type is not ValueType.BOOLEAN:
            forms.append(stems_of(one.value) - COMMON_STEMS)
        if not any(_share(form, part.sentence_stems) >= _SHARE for form in forms):
            return False
        return self._may_be_denied(one) or not is_denied(Sighting(_whole(part), 0, 1))

    def _may_be_denied(self, one: Sought) -> bool:
        """Whether words of a denial are no denial of it: a claim that is denied is that claim."""
        return one.fact.status is FactStatus.INTERFERENCE or one.fact.id in self._denying

    def _sightings(self, one: Sought, part: Segment) -> Iterator[Sighting]:
        for at in _positions(one, part.words):
            others = self._others(one, part.words, at)
            beside = len(self._others(one, part.sentence, -len(one.value))) - len(others) - 1
            yield Sighting(part, at, len(one.value), others, max(0, beside))

    def _others(self, one: Sought, words: Sequence[str], at: int) -> list[int]:
        """Positions of other values of the kind of a fact's value."""
        own = range(at, at + len(one.value))
        if one.kind != "words":
            return [
                place
                for place, word in enumerate(words)
                if place not in own and kind_of(word) == one.kind
            ]
        return [
            place
            for rival in self._rivals[one.fact.attribute] - {one.value}
            if rival
            for place in range(len(words) - len(rival) + 1)
            if tuple(words[place : place + len(rival)]) == rival and place not in own
        ]

    def _is_refused(self, one: Sought, seen: Sighting) -> bool:
        if one.kind == "number" and not _has_unit(one, seen, self._units):
            return True
        if self._may_be_denied(one):
            return False
        return is_denied(seen) or (one.kind == "number" and is_inexact(seen))


def _with_subjects(
    parts: Sequence[Segment], subjects: _Subjects, selves: _Subjects
) -> Sequence[_Part]:
    """Every segment with the subjects it is about: its own, or those of what comes before it.

    Who speaks of itself is a subject of what it says, whatever else is.
    """
    others = subjects - selves
    found: list[_Part] = []
    before: _Subjects = frozenset()
    for part in parts:
        own = frozenset(one for one in others if one <= part.stems)
        whole = frozenset(one for one in others if one <= part.sentence_stems)
        if not own and len(whole) == 1:
            own = whole
        if not own and (not part.opens or part.words[0] in _POINTING):
            own = before
        speaks = not _SELF.isdisjoint(part.sentence)
        found.append((part, own | {one for one in selves if speaks or one <= part.sentence_stems}))
        before = own or before
    return found


def _share(needed: frozenset[str], given: frozenset[str]) -> float:
    return len(needed & given) / len(needed) if needed else 0.0


def _whole(part: Segment) -> Segment:
    """The sentence of a segment as one segment."""
    return Segment(part.sentence, part.sentence, True, part.sentence_stems, part.sentence_stems)


def _is_about(one: Sought, subjects: _Subjects) -> bool:
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
    if kind_of(mine) != "date" or kind_of(theirs) != "date":
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
    return not after or after[0] in COMMON
