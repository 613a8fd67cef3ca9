"""Rules on what is told twice: no other turn gives what a gold gives with another value."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.items.aligned.clauses import answering, forms, is_worded
from memassay.validators.items.aligned.contrasts import THINGS, meant, named
from memassay.validators.items.dates.gold_dates import gold_date
from memassay.validators.items.dates.spoken import day_said
from memassay.validators.items.revised.remarks import Weight, remarks
from memassay.validators.items.revised.values import MONTH, YEAR, Value, values
from memassay.validators.items.unbacked.index import (
    OPENING,
    History,
    Words,
    roots,
    said_in,
    unbacked_rule,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "our choice: one thing told twice with two values"
_TABLES: Final = (THINGS, "sights.txt")
_OF_TIME: Final = (
    "year month week day hour minute mile time million thousand ago last recently long how when"
    " often date since anniversary every once twice kind type sort return format specific provide"
)
_MOST: Final = 0.5
_SOME: Final = 0.3
_TOLD: Final = 0.4
_ALL_TOLD: Final = 0.6
"""Shares of a question that a sentence says, alone or beside shares of the evidence (our choice,
set on six LoCoMo and twelve Mem-Gallery conversations, in which nothing is found)."""
_LONGEST_DATE: Final = 62
_LONGEST: Final = 3
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-zà-ÿ]{3,}\b")
_SUBJECT: Final = re.compile(
    r"\b(?:did|does|has|have|had|was|were|is|are|will|would|could) (?P<name>[A-Z][a-zà-ÿ]{3,})\b"
)
_GOLD_YEAR: Final = re.compile(r"\W*(?:in |about |around )?(?P<year>(?:19|20)[0-9]{2})\W*", re.I)


class _Said(NamedTuple):
    """A sentence that somebody tells.

    Attributes:
        round: Where.
        speaker: Who.
        text: The sentence.
        values: Those it tells.
        forms: Its words.
        around: Its words and those of the sentence before it.
    """

    round: Round
    speaker: str
    text: str
    values: frozenset[Value]
    forms: Words
    around: Words


@unbacked_rule("claims.two_values", Severity.WARNING, _SOURCE, applies=is_worded)
def two_values(history: History, item: QAItem) -> Iterator[Problem]:
    """Who gives a number, time or month for something gives no other for it elsewhere."""
    known, people = {each.id for each in history.cited(item)}, _asked_about(history, item)
    golds = _golds(item)
    kinds = {one.kind for one in golds}
    golds |= {
        one
        for each in (history.derived(_said) if golds else ())
        if each.round.id in known and each.speaker in people
        for one in each.values
        if one.kind in kinds or (one.kind == YEAR and "year" in kinds)
    }
    matter = _Matter(history, item)
    for each in _elsewhere(history, item) if golds else ():
        other = _other(each.values, golds)
        if other and matter.is_of(each, other):
            yield _problem(item, each)
            return


@unbacked_rule("claims.two_things", Severity.WARNING, _SOURCE, applies=is_worded)
def two_things(history: History, item: QAItem) -> Iterator[Problem]:
    """Who names a thing of a sort for something names no other of the sort for it elsewhere."""
    gold, golds = history.gold(item), " . ".join(item.answer.values)
    things = [(one, table) for table in _TABLES for one in named(golds, table)]
    if not things or len(gold) > _LONGEST or item.type is not QuestionType.FACT_RECALL:
        return
    whole, matter = f"{item.question.text} . {golds}", _Matter(history, item)
    own = {word[:OPENING] for word in gold}
    for each in _elsewhere(history, item):
        if own & each.forms:
            continue
        if matter.says(each) and any(
            other.sort == one.sort
            and not other.numbers & meant(whole, table).get(other.sort, frozenset())
            for one, table in things
            for other in named(each.text, table)
        ):
            yield _problem(item, each)
            return


def _elsewhere(history: History, item: QAItem) -> Iterator[_Said]:
    """What those asked about tell in other rounds; nothing old where evidence tells of a change."""
    cited = history.cited(item)
    known, people = {each.id for each in cited}, _asked_about(history, item)
    changes = (each for each in history.derived(remarks) if each.weight is not Weight.WEAK)
    changed = any(each.round.id in known for each in changes)
    first = min(map(history.position, cited), default=len(history.rounds)) if changed else 0
    for each in history.derived(_said) if cited else ():
        other = each.round.id not in known and each.speaker in people
        if other and history.position(each.round) >= first:
            yield each


def _problem(item: QAItem, said: _Said) -> Problem:
    return problem(
        item.id,
        ("answer", "values"),
        "what no other place tells with another value",
        f"{said.round.id}: {said.text}",
        "read both places; correct one of them, or ask which of the two is meant",
    )


class _Matter:
    """What an item asks for, and what its evidence says of it, without words of time."""

    def __init__(self, history: History, item: QAItem) -> None:
        self._history, self._item = history, item
        asked = history.asked(item) - roots(_OF_TIME)
        self._asked = frozenset(word for word in asked if not word[0].isdigit())
        text = item.question.text
        # Of who does what is asked, many other things are told; of a place or a pet, fewer.
        subjects = {each["name"] for each in _SUBJECT.finditer(text)}
        self._names = {
            one[:OPENING].casefold() for one in _NAME.findall(text) if one not in subjects
        }

    def is_of(self, said: _Said, other: Value) -> bool:
        """Whether a sentence tells of the matter with another value."""
        if not self._asked:
            return False
        asked = self._share(self._asked, said.around)
        if asked >= _MOST or (asked >= _SOME and self._told(said.around) >= _TOLD):
            return True
        speakers = {word[:OPENING] for word in self._history.names}
        named = bool((self._names - speakers) & said.forms)
        return named and other.kind == YEAR and other.plain and self._told(said.around) > 0

    def says(self, said: _Said) -> bool:
        """Whether a sentence says most of what is asked, or of what the evidence says."""
        asked = self._share(self._asked, said.forms)
        several = len(said_in(self._asked, said.forms)) > 1
        return (several and asked >= _MOST) or (
            asked >= _SOME and self._told(said.forms) >= _ALL_TOLD
        )

    def _told(self, there: Words) -> float:
        text = " . ".join(answering(self._history, self._item))
        own = roots(text) - self._history.names - roots(_OF_TIME)
        return self._share(frozenset(word for word in own if not word[0].isdigit()), there)

    def _share(self, some: Words, there: Words) -> float:
        found = said_in(some, there)
        return self._history.weight(found) / max(self._history.weight(some), 1.0)


def _asked_about(history: History, item: QAItem) -> set[str]:
    """Those whom a question names, or who speak first where it is answered."""
    people = {each.id for each in history.named(item.question.text)}
    return people or {turn.speaker for each in history.cited(item) for turn in each.turns[:1]}


def _golds(item: QAItem) -> set[Value]:
    found = {one for gold in item.answer.values for one in values(gold, None)}
    for gold in item.answer.values:
        if year := _GOLD_YEAR.fullmatch(gold):
            found.add(Value(YEAR, float(year["year"])))
    found = {one for one in found if one.kind != MONTH}
    dated = gold_date(item.answer.values[0]) if len(item.answer.values) == 1 else None
    if dated and (dated.last - dated.first).days < _LONGEST_DATE:
        found |= {Value(MONTH, float(day.month)) for day in (dated.first, dated.last)}
    return found


def _other(said: frozenset[Value], golds: set[Value]) -> Value | None:
    """A value of the kind of a gold that is none of them, where none of them is told."""
    by_kind: Mapping[str, list[Value]] = {
        one.kind: [each for each in golds if each.kind == one.kind] for one in golds
    }
    same = [one for one in said if one.kind in by_kind]
    if any(one.agrees(gold) for one in same for gold in by_kind[one.kind]):
        return None
    return min(same, default=None)


def _said(history: History) -> list[_Said]:
    """What people tell, sentence by sentence; questions are left out."""
    people = {each.id for each in history.humans}
    found = []
    for round_ in history.rounds:
        day = day_said(history.bundle, round_)
        for turn in round_.turns:
            parts = sentences(turn.text) if turn.speaker in people else ()
            for at, part in enumerate(parts):
                if not part.endswith("?"):
                    before = forms(parts[at - 1]) if at else frozenset[str]()
                    own = forms(part)
                    told = values(part, day)
                    found.append(_Said(round_, turn.speaker, part, told, own, own | before))
    return found
