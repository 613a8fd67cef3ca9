"""Which fact that has ended a question surely asks for, by its words.

Every fact of the ledger is a candidate, what holds as well as what has ended: a question asks for
the fact whose words (what it is about, what it states, the sentences that tell of it) cover its
own best. Rare words count more. A question that no fact covers asks for none.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from memassay.schemas.queries.states import Ending
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.ledger import Fact
from memassay.validators.items.ended.asked_words import (
    END_WORDS,
    GENERAL,
    Asked,
    asked_in,
    sets_apart,
    uncovered,
)
from memassay.validators.items.ended.fact_index import BESIDE, NEAR, OBJECT, STATED, FactIndex
from memassay.validators.items.ended.fact_words import deletes, fits, named_in, plain, words_of_kind

_PLAIN_DATES: Final = frozenset({"date", "day", "time"})
_REASON: Final = re.compile(r"\b(?:because|since|due|as|so)\b|[.!:;]\s+\w|,\s+\w")
_LEAST_OF_TWO: Final = 0.75
"""Share of a question that two facts have to cover that it asks for together (our choice)."""
_FIRST: Final = 5
"""How many of the best facts are tried as one of two."""
_NAMED: Final = 0.5
"""How much it counts, beside that share, that a question names the attribute."""


class EndedFacts:
    """The facts of a conversation, and which of them that has ended a question asks for."""

    def __init__(self, index: FactIndex) -> None:
        """Keep the facts."""
        self._index = index

    def asked_for(self, question: str, moment: Moment) -> Ending | None:
        """The end of a fact that a question surely asks for; None if what it asks for holds.

        The fact leaves no word of the question open: a word left over may ask for a detail that
        nobody told. A question may ask for two facts together, such as the days from one event to
        another: then one that has ended is enough.
        """
        if not self._index.may_end:
            return None
        asked = asked_in(question)
        words = asked.words - self._index.neutral
        fitting = self._fitting(asked, words, moment)
        if fitting:
            best = max(fitting.values())
            return self._end_of([name for name, rank in fitting.items() if rank == best], moment)
        for pair in self._pair(asked, words, moment) if asked.of_two else ():
            ending = self._end_of(pair, moment)
            if ending is not None:
                return ending
        return None

    def _end_of(self, names: Iterable[str], moment: Moment) -> Ending | None:
        """The end of facts that fit alike; None if one of them holds."""
        facts = self._index.ledger.ordered(self._index.ledger.facts[name] for name in names)
        endings = [self._index.ending(fact, moment) for fact in facts]
        return None if None in endings else next(iter(endings), None)

    def _fitting(self, asked: Asked, words: frozenset[str], moment: Moment) -> dict[str, float]:
        """By id, the facts that leave no word of a question open, and how well they fit it."""
        found = {}
        for name, shares in self._index.shares(words, moment).items():
            fact = self._index.ledger.facts[name]
            if (
                shares.keys() == words
                and fits(asked, fact) == 1
                and self._is_asked(fact, asked, shares)
            ):
                covered, named = self._index.share(shares, words), self._of_attribute(fact, asked)
                found[name] = round(covered + _NAMED * named, 6)
        return found

    def _is_asked(self, fact: Fact, asked: Asked, shares: Mapping[str, float]) -> bool:
        """Whether a question names what a fact states, not only whom it is about."""
        told = {word: share for word, share in shares.items() if share < STATED}
        # Words beside a fact do not make it the fact of another owner, or of another property.
        near = {word for word, share in told.items() if share <= NEAR}
        if sets_apart(uncovered(told, words_of_kind(fact))) or not asked.particular.isdisjoint(
            near
        ):
            return False
        if told and asked.kind in {"place", "person"} and END_WORDS & told.keys():
            return False
        loose = told.keys() - END_WORDS
        if deletes(fact) and asked.kind == "number":
            return False
        if deletes(fact) and asked.kind in {"truth", "reason"}:
            return asked.kind == "truth" or self._has_reason(fact)
        # What is general in the name of an attribute need not be named.
        particular = plain([fact.attribute]) - GENERAL
        value = plain([fact.value.text])
        names = [one for one in (particular, value) if named_in(one, asked)]
        if loose:
            of = plain([OBJECT.split(fact.attribute, maxsplit=1)[-1]]) - GENERAL
            if of != particular and not named_in(of, asked):
                return False
            least = min(told[word] for word in loose)
            return not particular or particular in names or (value in names and least >= BESIDE)
        general = words_of_kind(fact) | (plain([fact.attribute]) & GENERAL)
        return bool(names) or named_in(general, asked) or asked.kind in {"date", "place"}

    def _has_reason(self, fact: Fact) -> bool:
        """Whether where a fact is told more than the fact is told."""
        return any(_REASON.search(turn) for turn in self._index.turns(fact))

    def _pair(self, asked: Asked, words: frozenset[str], moment: Moment) -> list[list[str]]:
        """Two lists of facts that fit alike and together cover a question that none covers."""
        covers = {}
        for name, shares in self._index.shares(words, moment).items():
            fit = fits(asked, self._index.ledger.facts[name])
            if fit:
                covers[name] = {word: share * fit for word, share in shares.items()}
        by_cover = sorted(covers, key=lambda name: (-self._index.share(covers[name], words), name))
        best: tuple[float, str, str] = (0.0, "", "")
        for first in by_cover[:_FIRST]:
            for second in by_cover:
                mine, other = covers[first], covers[second]
                both = {
                    word: max(mine.get(word, 0), other.get(word, 0)) for word in {*mine, *other}
                }
                if words <= both.keys():
                    best = max(best, (self._index.share(both, words), first, second))
        if best[0] < _LEAST_OF_TWO:
            return []
        return [
            [name for name, one in covers.items() if one == covers[chosen]] for chosen in best[1:]
        ]

    def _of_attribute(self, fact: Fact, asked: Asked) -> float:
        """Share of the words of a fact's attribute that a question has; a date is its kind."""
        if fact.attribute in _PLAIN_DATES:
            return float(asked.kind == "date")
        own = plain([fact.attribute])
        return 1 - len(uncovered(own, asked.all_words)) / len(own) if own else 0.0
