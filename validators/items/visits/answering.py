"""How much of what a question of the host asks a visitor's statement can answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.text import normalise
from memassay.validators.items.ended.focus import focus_of
from memassay.validators.items.visits.revising import amounts, named, others
from memassay.validators.items.visits.senses import asked, telling
from memassay.validators.items.visits.statements import Statement, Visits

NEAR: Final = 0.7
"""What a word of the same matter counts beside the word itself; these numbers are our choice."""
_BEFORE: Final = 0.5
"""What a word counts that stands in the sentence, or in the question of the other, before it."""
_GOLD: Final = 0.5
"""What a word of the gold counts that the question does not have."""
_FURTHER: Final = 0.7
"""What words behind the first "of", "who" or "during" count, and behind each one more."""
_OWNER: Final = 2.5
"""What counts whose it is: Melanie's mother's hobbies are not Melanie's."""
_OPINION: Final = 0.6
"""Of a question for reasons, feelings and opinions, which facts change less often."""
_NO_NEWS: Final = 0.75
"""Of a statement without a word for something new, and once more if it speaks of nobody."""
_NOT_MEASURED: Final = 0.8
"""Of a statement without the number or the name that is asked for."""
_OTHER_MONTH: Final = 0.5
"""Of a statement in other months than the question asks of."""
_CONCEPT: Final = 0.6
"""Of a statement about a concept that visitors show; once more if it is about what it has."""
_REVISES: Final = 1.5
"""Of a statement that denies the gold by its name, or tells another number of what it counts."""
_ADDS: Final = 1.25
"""Of a statement that tells of one more."""
_LONGEST_GOLD: Final = 4

_LINK: Final = re.compile(
    r"\b(?:that|which|who|whom|as|after|before|because|by|besides|while|when|for|during|with|from|"
    r"in|on|at|of|about|to|than|despite|apart|through|regarding)\b"
)
_OWNED: Final = re.compile(
    r"(?:['`]s|s'|\bher|\bhis) (mother|mom|mum|father|dad|parents?|grandm\w+|grandf\w+|grandpa|"
    r"sister|brother|cousin|aunt|uncle|son|daughter|kids|children|child|husband|wife|partner|"
    r"friends?|boss|colleagues?|neighbou?rs?|nephew|niece|girlfriend|boyfriend)\b"
)
_OF_OPINION: Final = re.compile(
    r"^(?:why|how (?:do|does|did|has|have|is|was|were|would)|would)\b|"
    r"\b(?:feel|felt|feeling|emotions?|describe|represent|symboli[sz]e|inspired?|motivat\w+|think|"
    r"thinks|believe|likely|might|appreciate|advice|lessons?|personality|attributes?)\b"
)
_OF_CONCEPT_S: Final = re.compile(r"<[^<>]+>['’]s\b")
_MONTH: Final = re.compile(rf"\b(?:{'|'.join(MONTHS).casefold()})\b")
_NUMBER: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|again|another|more|"
    r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|once|twice|new|every)\b",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?<=[\w,;:] )[A-Z][\w-]+")
_OF_AGE: Final = re.compile(r"\bhow old\b")
_OF_TIME: Final = re.compile(r"^(?:when|how long)\b")


@dataclass(frozen=True)
class Wanted:
    """What a question asks for.

    Attributes:
        weights: How much each of its words tells, by word.
        gold: The same for words of its gold and its traps.
        named: All words and numbers of its gold that its text does not have.
        amounts: The numbers of its gold by what they count.
        people: Ids of the speakers whom it names.
        kind: `number`, `place`, `person` and so on, or empty.
        months: Names of the months it asks of.
        factor: How likely a fact changes its answer.
    """

    weights: Mapping[str, float]
    gold: Mapping[str, float]
    named: frozenset[str]
    amounts: Mapping[str, frozenset[str]]
    people: frozenset[str]
    kind: str
    months: frozenset[str]
    factor: float

    @classmethod
    def of(cls, item: QAItem, visits: Visits) -> "Wanted":
        """What an item asks for."""
        text = normalise(item.question.text)
        weights, values = _weights(text, visits), " . ".join(item.answer.values)
        return cls(
            weights,
            _gold(item, weights, visits),
            named(values) - named(text) - visits.names,
            amounts(values),
            visits.named(item.question.text),
            focus_of(item.question.text).kind,
            frozenset() if _OF_TIME.search(text) else frozenset(_MONTH.findall(text)),
            _OPINION if _OF_OPINION.search(text) else 1.0,
        )

    def best(self, statements: Visits, sessions: frozenset[str], *, proven: bool) -> "Best | None":
        """The statement that answers most of it, with how much, from 0 to 1.

        Args:
            statements: What visitors say.
            sessions: Ids of those that are seen when it is asked.
            proven: Whether a query answers it, which knows what the ledger knows.
        """
        found: Best | None = None
        for one in statements.with_any({*_senses(self.weights), *_senses(self.gold)}):
            # What a ledger tells is the query's matter; who tells nothing new of anybody chats.
            told = one.known or not (one.personal or one.news)
            if one.session.id not in sessions or (proven and told):
                continue
            share = self.share(one)
            if share and (found is None or share > found.share):
                found = Best(share, one)
        return found

    def share(self, one: Statement) -> float:
        """How much of it a statement answers."""
        if len(self.people) == 1 and self.people.isdisjoint(one.about):
            return 0.0
        total = sum(self.weights.values()) or sum(self.gold.values())
        said = sum(_said(word, one) * self.weights[word] for word in sorted(self.weights))
        said += sum(_GOLD * _said(word, one) * self.gold[word] for word in sorted(self.gold))
        return min(1.0, min(1.0, said / total) * self._likely(one)) if total else 0.0

    def _likely(self, one: Statement) -> float:
        factor = self.factor
        if one.of_concept:
            factor *= _CONCEPT**2 if _OF_CONCEPT_S.search(one.text) else _CONCEPT
        if self._revised(one):
            factor *= _REVISES
        elif one.revision.adds and not one.of_concept:
            factor *= _ADDS
        elif not one.news:
            factor *= _NO_NEWS if one.personal else _NO_NEWS**2
        given = {"number": _NUMBER, "place": _NAME, "person": _NAME}.get(self.kind)
        if given is not None and not given.search(one.text):
            factor *= _NOT_MEASURED
        if self.months.isdisjoint(_months_of(one)) and self.months:
            factor *= _OTHER_MONTH
        return factor

    def _revised(self, one: Statement) -> bool:
        denies = not self.named.isdisjoint(one.revision.denied)
        return denies or others(one.revision.amounts, self.amounts)


@dataclass(frozen=True)
class Best:
    """A statement, and how much of a question it answers."""

    share: float
    statement: Statement


def _weights(text: str, visits: Visits) -> dict[str, float]:
    weights: dict[str, float] = {}
    scale = 1.0
    for part in _LINK.split(text):
        words = telling(part) - visits.names
        for word in words - weights.keys():
            weights[word] = visits.weight(word) * scale
        if words:
            scale *= _FURTHER
    if _OF_AGE.search(text):
        weights["age"] = visits.weight("age")
    for owner in {word for found in _OWNED.findall(text) for word in telling(found)}:
        weights[owner] = weights.get(owner, 0.0) * _OWNER
    return weights


def _gold(item: QAItem, weights: Mapping[str, float], visits: Visits) -> dict[str, float]:
    """Words of short golds; of long ones too if a question has no words of its own."""
    values = [telling(one) - visits.names for one in (*item.answer.values, *item.answer.traps)]
    kept = [words for words in values if len(words) <= _LONGEST_GOLD or not weights]
    told = frozenset[str]().union(*kept) - weights.keys()
    return {word: visits.weight(word) for word in told}


def _senses(words: Mapping[str, float]) -> frozenset[str]:
    return frozenset(sense for word in words for both in asked(word) for sense in both)


def _said(word: str, one: Statement) -> float:
    """How well a statement says a word, from 0 to 1."""
    wanted = asked(word)
    for scale, senses in ((1.0, one.senses), (_BEFORE, one.context)):
        if wanted.forms & senses.forms:
            return scale
        if wanted.near & senses.near:
            return scale * NEAR
    return 0.0


def _months_of(one: Statement) -> set[str]:
    """Months that a statement may tell of: its session's, the one before, those it names."""
    names = [month.casefold() for month in MONTHS]
    date = one.session.date or ""
    at = int(date[5:7]) - 1 if len(date) >= len("2023-05") else None
    return {*_MONTH.findall(one.plain), *([] if at is None else [names[at], names[at - 1]])}
