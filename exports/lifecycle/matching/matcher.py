"""Whether a text says what a fact says: value, unit, subject, attribute, and not denied.

It is a rule, not a reader: where it matters, a judge or people decide. A subject or an attribute is
demanded only where the history, or the statement of the fact, calls it by its words.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final

from memassay.exports.lifecycle.matching.canonical import (
    Segment,
    canonical_words,
    segments,
    stems_of,
)
from memassay.exports.lifecycle.matching.denials import ENDED, Sighting, is_denied, is_inexact
from memassay.exports.lifecycle.matching.frames import claims_alone, verdict_in
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
from memassay.schemas.judgements.claim_scopes import Verdict
from memassay.schemas.records.ledger import Fact, ValueType

_SHARE: Final = 0.75
_VERB: Final = 4
"""Letters from which on a verb is long enough to name who does it."""
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
        self._names = self._subjects | {
            name for one in self._sought.values() if (name := content_stems(one.fact.attribute))
        }
        # Where words of a denial or a bound are part of the fact: "no meetings on Thursday".
        loosely = self._facts_of_statements(denied=True, bound=True)
        self._denying = loosely - self._facts_of_statements(denied=False, bound=True)
        self._bounded = loosely - self._facts_of_statements(denied=True, bound=False)

    def find_points(self, text: str) -> frozenset[str]:
        """Ids of the facts that a text says."""
        return frozenset(
            one.fact.id for one in self._claims_in(text) if self._is_told_as_true(one, text)
        )

    def find_denied(self, text: str) -> frozenset[str]:
        """Ids of the facts that a text claims only to deny them or to set them aside."""
        return frozenset(one.fact.id for one in self._claims_in(text)) - self.find_points(text)

    def _claims_in(self, text: str) -> list[Sought]:
        """The facts that a text claims, be it to deny them."""
        words = {key for part in segments(text) for word in part.words for key in word_keys(word)}
        found = {one.fact.id: one for word in words for one in self._by_word.get(word, ())}
        found |= {one.fact.id: one for one in self._ends}
        parts = self._parts(text)
        return [one for one in found.values() if self._holds(one, parts, denied=True)]

    def _facts_of_statements(self, *, denied: bool, bound: bool) -> frozenset[str]:
        """Ids of the facts that their own statements say, where such words may be around."""
        return frozenset(
            name
            for name, one in self._sought.items()
            if one.fact.statement
            and self._holds(one, self._parts(one.fact.statement), denied=denied, bound=bound)
        )

    def spoken_of(self, text: str) -> frozenset[str]:
        """Ids of the facts about whose subject and attribute a text says something."""
        parts = self._parts(text)
        return frozenset(
            name
            for name, one in self._sought.items()
            if (one.subject or one.attribute)
            and any(_is_about(one, subjects) and _is_named(one, part) for part, subjects in parts)
        )

    def _is_told_as_true(self, one: Sought, text: str) -> bool:
        """Whether a text that claims a fact means it: neither the words nor the frame deny it."""
        is_part = one.fact.id in self._denying
        holds = self._holds(one, self._parts(text), denied=is_part)
        if one.is_end or one.compares_words or is_part:
            return holds
        verdict = verdict_in(
            one,
            text,
            lambda part: bool(_positions(one, canonical_words(part))),
            self._is_of_its_own,
        )
        if verdict is Verdict.HOLDS and not holds:
            # "It is true and not just a rumour that": the words deny something else.
            return self._holds(one, self._parts(claims_alone(one, text)), denied=False)
        return holds and verdict is not Verdict.ASIDE

    def _is_of_its_own(self, sentence: str) -> bool:
        """Whether a sentence names a thing or a property by itself."""
        stems = stems_of(canonical_words(sentence))
        return any(name <= stems for name in self._names)

    def _parts(self, text: str) -> Sequence[_Part]:
        return _with_subjects(segments(text), self._subjects, self._selves)

    def _holds(
        self, one: Sought, parts: Sequence[_Part], *, denied: bool, bound: bool | None = None
    ) -> bool:
        """Whether segments say a fact, where it may be denied or be a bound; None as it is told."""
        if bound is None:
            bound = one.fact.id in self._bounded
        if one.compares_words and not one.is_end:
            return any(_says_in_words(one, part, denied=denied) for part, _ in parts)
        if not one.is_end and len(segments(one.fact.value.text)) > 1:
            parts = [(_whole(part), subjects) for part, subjects in parts]
        about = [
            part for part, subjects in parts if _is_about(one, subjects) and _is_named(one, part)
        ]
        if one.is_end:
            return bool(one.subject) and any(ENDED.search(" ".join(p.sentence)) for p in about)
        return any(
            not self._is_refused(one, sighting, denied=denied, bound=bound)
            for part in about
            for sighting in self._sightings(one, part)
        )

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

    def _is_refused(self, one: Sought, seen: Sighting, *, denied: bool, bound: bool) -> bool:
        is_number = one.kind == "number"
        if is_number and not _has_unit(one, seen, self._units):
            return True
        if is_number and not bound and is_inexact(seen):
            return True
        return not denied and is_denied(seen)


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


def _says_in_words(one: Sought, part: Segment, *, denied: bool) -> bool:
    forms = [one.statement]
    if one.fact.value.type is not ValueType.BOOLEAN:
        forms.append(stems_of(one.value) - COMMON_STEMS)
    if not any(_share(form, part.sentence_stems) >= _SHARE for form in forms):
        return False
    return denied or not is_denied(Sighting(_whole(part), 0, 1))


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
    return sum(_is_called(name, stems) for name in one.attribute) > len(one.attribute) / 2


def _is_called(name: str, stems: frozenset[str]) -> bool:
    """Whether a word of an attribute is there, or the verb of one who does it: who tests."""
    return name in stems or any(
        name.startswith(stem) and len(stem) >= _VERB and name[len(stem) :] in {"r", "er", "or"}
        for stem in stems
    )


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
