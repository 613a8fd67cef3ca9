"""Which fact that has ended a question asks for, by its words: for items without a query.

Every fact of the ledger is a candidate, what holds as well as what has ended: a question asks for
the fact whose words (what it is about, what it states, the sentences that tell of it) cover its
own best. Rare words count more. A question that no fact covers asks for none.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import log
from typing import Final, NamedTuple

from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.states import Ending, States
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.ledger import (
    Fact,
    FactOperation,
    FactScope,
    FactStatus,
    Mention,
    ValueType,
)
from memassay.validators.items.ended.asked_words import (
    END_WORDS,
    GENERAL,
    Asked,
    Vocabulary,
    asked_in,
    kinds_of,
    sets_apart,
    uncovered,
)
from memassay.validators.items.ended.fact_words import (
    bare_name,
    deletes,
    fits,
    named_in,
    plain,
    words_of_kind,
)
from memassay.validators.wording import sentences

_NEVER_SO: Final = frozenset({FactStatus.INTERFERENCE, FactStatus.UNSAID})
_NAMING: Final = frozenset({"depicts", "name", "called", "title"})
_USER: Final = "user"
_PLAIN_DATES: Final = frozenset({"date", "day", "time"})
_OBJECT: Final = re.compile(r"[ _](?:of|for|in|at|on|to|from|with)[ _]")
_REASON: Final = re.compile(r"\b(?:because|since|due|as|so)\b|[.!:;]\s+\w|,\s+\w")
_STATED, _TOLD, _BESIDE, _NEAR = 1.0, 0.7, 0.5, 0.3
"""How much of a word is covered by what a fact states, what tells of it, its event, its turn."""
_LEAST: Final = 0.66
"""Share of a question, by weight of its words, that a fact has to cover (our choice)."""
_LEAST_IF_NAMED: Final = 0.5
_MOSTLY_NAMED: Final = 0.6
"""The same, if the question has this share of the words of the fact's attribute (our choice)."""
_LEAST_OF_TWO: Final = 0.75
"""Share of a question that two facts have to cover that it asks for together (our choice)."""
_FIRST: Final = 5
"""How many of the best facts are tried as one of two."""
_NAMED: Final = 0.5
"""How much it counts, beside that share, that a question names the attribute."""


class _Fit(NamedTuple):
    """How well a fact fits a question.

    Attributes:
        shares: How much of each word of the question it covers.
        covered: The share of the whole question, by weight of its words.
        named: The share of the words of its attribute that the question has.
        alone: Whether no word that it leaves open asks for something else.
        complete: Whether it leaves no word open, and is of the kind that the question asks for.
    """

    shares: dict[str, float]
    covered: float
    named: float
    alone: bool
    complete: bool

    @property
    def rank(self) -> float:
        """By this the best is chosen."""
        return round(self.covered + _NAMED * self.named, 6) if self.alone else 0.0

    @property
    def enough(self) -> bool:
        """Whether the question asks for this fact alone."""
        least = _LEAST_IF_NAMED if self.named >= _MOSTLY_NAMED else _LEAST
        return self.alone and self.covered >= least


class EndedFacts:
    """The facts of a conversation, and which of them that has ended a question asks for."""

    def __init__(self, bundle: Bundle, ledger: Ledger) -> None:
        """Keep a bundle and its ledger."""
        self._bundle, self._ledger, self._states = bundle, ledger, States(ledger)

    def asked_for(self, question: str, moment: Moment) -> tuple[Ending, bool] | None:
        """The end of a fact that a question asks for, and whether this is sure.

        None if what it asks for holds, or is none. It is sure if the fact leaves no word of the
        question open: a word left over may ask for a detail that nobody told. A question may ask
        for two facts together, such as the days from one event to another: then one that has
        ended is enough.
        """
        if not self._may_end:
            return None
        asked = asked_in(question)
        words = asked.words - self._neutral
        fitting = self._fitting(asked, words, moment)
        whole = {name: one for name, one in fitting.items() if one.complete}
        for among, sure in ((whole, True), (fitting, False)):
            best = max((one.rank for one in among.values()), default=0.0)
            first = [name for name, one in among.items() if one.rank == best]
            if first and among[first[0]].enough:
                ending = self._end_of(first, moment)
                return None if ending is None else (ending, sure)
        for pair in self._pair(fitting, words) if asked.of_two else ():
            ending = self._end_of(pair, moment)
            if ending is not None:
                return ending, True
        return None

    def _end_of(self, names: Iterable[str], moment: Moment) -> Ending | None:
        """The end of facts that fit alike; None if one of them holds."""
        facts = self._ledger.ordered(self._ledger.facts[name] for name in names)
        endings = [self._end(fact, moment) for fact in facts]
        return None if None in endings else next(iter(endings), None)

    def _end(self, fact: Fact, moment: Moment) -> Ending | None:
        """How a fact has ended, what it replaced, or what it is part of."""
        ending = self._states.ending(fact, moment)
        if ending is not None:
            return ending
        # What replaces a fact is asked for by the same words, and an event by its details.
        beside = [name for name in fact.supersedes if name in self._ledger.facts]
        beside += [one.id for one in self._deleted.get(bare_name(fact.subject), ())]
        for name in beside:
            other = self._ledger.facts[name]
            if self._ledger.known(other, moment):
                ending = self._states.ending(other, moment)
                if ending is not None:
                    return ending
        return None

    @cached_property
    def _deleted(self) -> dict[str, list[Fact]]:
        """By the bare name of an event, the facts that delete something of it."""
        found: dict[str, list[Fact]] = defaultdict(list)
        for fact in self._facts:
            if deletes(fact) and fact.subject.startswith("event"):
                found[bare_name(fact.subject)].append(fact)
        return found

    def _fitting(self, asked: Asked, words: frozenset[str], moment: Moment) -> dict[str, _Fit]:
        """By id, the facts that a question may ask for, and how well they fit it."""
        covered: dict[str, dict[str, float]] = defaultdict(dict)
        for word in sorted(words):
            for alike in self._vocabulary.akin(word):
                for name, share in self._index[alike].items():
                    covered[name][word] = max(share, covered[name].get(word, 0.0))
        found = {}
        for name, shares in covered.items():
            fact = self._ledger.facts[name]
            fit = fits(asked, fact)
            if fit and self._ledger.known(fact, moment):
                share = fit * self._share(shares, words)
                # A word that nothing says may ask for another owner, or another property.
                rest = words - shares.keys()
                alone = not sets_apart(rest) and rest.isdisjoint(asked.particular)
                named = self._of_attribute(fact, asked)
                complete = not rest and fit == 1 and self._is_asked(fact, asked, shares)
                found[name] = _Fit(shares, share, named, alone, complete)
        return found

    def _is_asked(self, fact: Fact, asked: Asked, shares: Mapping[str, float]) -> bool:
        """Whether a question names what a fact states, not only whom it is about."""
        told = {word: share for word, share in shares.items() if share < _STATED}
        # Words beside a fact do not make it the fact of another owner, or of another property.
        near = {word for word, share in told.items() if share <= _NEAR}
        if sets_apart(near) or not asked.particular.isdisjoint(near):
            return False
        if told and asked.kind in {"place", "person"} and END_WORDS & told.keys():
            return False
        loose = told.keys() - END_WORDS
        if deletes(fact) and asked.kind == "number":
            return False
        if deletes(fact) and (asked.yes_no or asked.kind == "why"):
            return asked.yes_no or self._has_reason(fact)
        # What is general in the name of an attribute need not be named.
        particular = plain([fact.attribute]) - GENERAL
        value = plain([fact.value.text])
        names = [one for one in (particular, value) if named_in(one, asked)]
        if loose:
            of = plain([_OBJECT.split(fact.attribute, maxsplit=1)[-1]]) - GENERAL
            if of != particular and not named_in(of, asked):
                return False
            least = min(told[word] for word in loose)
            return not particular or particular in names or (value in names and least >= _BESIDE)
        general = words_of_kind(fact) | (plain([fact.attribute]) & GENERAL)
        return bool(names) or named_in(general, asked) or asked.kind in {"date", "place"}

    def _has_reason(self, fact: Fact) -> bool:
        """Whether where a fact is told more than the fact is told."""
        return any(_REASON.search(turn) for turn in self._turns(fact))

    def _share(self, shares: Mapping[str, float], words: frozenset[str]) -> float:
        """How much of a question some words cover, by their weight."""
        said = sum(self._weight(word) * share for word, share in sorted(shares.items()))
        return round(said / sum(map(self._weight, sorted(words))), 6)

    def _pair(self, fitting: Mapping[str, _Fit], words: frozenset[str]) -> list[list[str]]:
        """Two lists of facts that fit alike and together cover a question that none covers."""
        by_cover = sorted(fitting, key=lambda name: (-fitting[name].covered, name))
        best: tuple[float, str, str] = (0.0, "", "")
        for first in by_cover[:_FIRST]:
            for second in by_cover:
                mine, other = fitting[first].shares, fitting[second].shares
                both = {
                    word: max(mine.get(word, 0), other.get(word, 0)) for word in {*mine, *other}
                }
                if words <= both.keys():
                    best = max(best, (self._share(both, words), first, second))
        if best[0] < _LEAST_OF_TWO:
            return []
        return [
            [name for name, one in fitting.items() if one.shares == fitting[chosen].shares]
            for chosen in best[1:]
        ]

    def _of_attribute(self, fact: Fact, asked: Asked) -> float:
        """Share of the words of a fact's attribute that a question has; a date is its kind."""
        if fact.attribute in _PLAIN_DATES:
            return float(asked.kind == "date")
        own = plain([fact.attribute])
        return 1 - len(uncovered(own, asked.all_words)) / len(own) if own else 0.0

    def _weight(self, word: str) -> float:
        """How telling a word is: of many facts little, of few much."""
        among = sum(len(self._index[alike]) for alike in self._vocabulary.akin(word))
        return log(1 + len(self._facts) / (1 + among))

    @cached_property
    def _may_end(self) -> bool:
        """Whether anything here can have ended."""
        return any(
            fact.id in self._ledger.superseders
            or fact.valid_to is not None
            or fact.status is FactStatus.RETRACTED
            or fact.operation is FactOperation.DELETE
            for fact in self._facts
        )

    @cached_property
    def _facts(self) -> list[Fact]:
        return [
            fact
            for fact in self._ledger.facts.values()
            if fact.status not in _NEVER_SO and fact.scope is FactScope.HISTORY
        ]

    @cached_property
    def _index(self) -> dict[str, dict[str, float]]:
        """By word, the facts that have it and how much that counts."""
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for fact in self._facts:
            for share, texts in self._texts(fact):
                for word in plain(texts):
                    found[word][fact.id] = max(share, found[word].get(fact.id, 0.0))
            for word in words_of_kind(fact) | kinds_of(plain([fact.attribute, fact.value.text])):
                found[word].setdefault(fact.id, _TOLD)
        return dict(found)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self._index)

    def _texts(self, fact: Fact) -> Iterator[tuple[float, Iterable[str]]]:
        """What is said of a fact, and how much a word of it counts."""
        yield _STATED, (fact.subject, *self._called.get(fact.subject, ()))
        yield _STATED, (fact.attribute, fact.value.text, fact.statement or "")
        event = fact.subject.startswith("event")
        yield _STATED if event else _BESIDE, self._titles.get(fact.id, ())
        ends = self._ledger.superseders.get(fact.id, ())
        tellers = {each.speaker for each in self._ledger.mentions.get(fact.id, ())}
        yield (
            _TOLD,
            [name for one in sorted(filter(None, tellers)) for name in self._called.get(one, ())],
        )
        yield (
            _TOLD,
            [
                text
                for one in (fact, *ends)
                for mention in self._ledger.mentions.get(one.id, ())
                for text in self._sentences(mention)
            ],
        )
        yield _NEAR, [text for one in (fact, *ends) for text in self._turns(one)]

    def _turns(self, fact: Fact) -> Iterator[str]:
        """All that is said where a fact is told, in answer to nobody."""
        for mention in self._ledger.mentions.get(fact.id, ()):
            if mention.turn is not None:
                yield self._bundle.turn_by_id[mention.turn].text

    def _sentences(self, mention: Mention) -> Iterator[str]:
        """The sentence that a mention marks, or all of its turn or round."""
        if mention.turn is None:
            yield from (turn.text for turn in self._bundle.round_by_id[mention.round].turns)
            return
        text = self._bundle.turn_by_id[mention.turn].text
        marked = text[slice(*mention.span)] if mention.span else ""
        yield from [one for one in sentences(text) if marked and marked in one] or [text]

    @cached_property
    def _titles(self) -> dict[str, list[str]]:
        """By fact, the titles of the events that make it true."""
        found: dict[str, list[str]] = defaultdict(list)
        for event in self._bundle.events:
            for name in event.facts.values():
                found[name].append(event.title)
        return found

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        """What subjects are called: names of entities in events, titles of images."""
        found: dict[str, list[str]] = defaultdict(list)
        for event in self._bundle.events:
            for entity, name in event.names.items():
                found[entity].append(name)
        for fact in self._facts:
            if fact.attribute in _NAMING:
                found[fact.subject].append(fact.value.text)
            if fact.value.type is ValueType.ENTITY:
                found[fact.value.text].append(fact.attribute)
        for each in self._bundle.conversation.speakers:
            found[each.id].append(each.name)
        return found

    @cached_property
    def _neutral(self) -> frozenset[str]:
        """Words of the name of the only human, who need not be named."""
        humans = [
            each.name
            for each in self._bundle.conversation.speakers
            if each.kind is SpeakerKind.HUMAN
        ]
        names = [*humans, *(each.name for each in self._bundle.personas)]
        return plain([*names, _USER]) if len(humans) == 1 else frozenset()
