"""Whether another fact of the ledger fits a question far better than the one that is selected.

A free wording ("How heavy was ...") need not have a word of its attribute. Only where hardly any
word of the question has to do with the selected facts, and most have with another's, is it likely
that the question belongs to the other.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import log
from typing import Final, NamedTuple

from memassay.schemas.records.ledger import Fact
from memassay.validators.items.asked.asked import Asked
from memassay.validators.items.asked.form import kind_of
from memassay.validators.items.asked.history import History
from memassay.validators.items.asked.names_asked import Doubt
from memassay.validators.items.asked.queried import plain
from memassay.validators.wording import key_words

_OWN: Final = 0.22
_OTHER: Final = 0.58
"""Shares of a question, by weight of its words, that the selected fact covers at most, and the
other at least (our choice: measured on 1,400 questions that are right)."""
_WORDS: Final = 3
"""Key words that a question has beside names, at least."""
_STEM: Final = 5
"""Letters by which a word is taken for a form of another."""
_TOLD: Final = 0.6
"""How much a word counts that is only said where a fact is told, beside one of its attribute."""
_Key = tuple[str, str]


class _Entry(NamedTuple):
    """The words of a subject's attribute, and those said where it is told."""

    near: frozenset[str]
    told: frozenset[str]


class _Table:
    """Every attribute that questions in words ask for, with its words and how rare they are."""

    def __init__(self, history: History) -> None:
        names = history.names
        facts: dict[_Key, list[Fact]] = {}
        for fact in history.ledger.facts.values():
            if ":" not in fact.subject and not names.is_event(fact.subject):
                facts.setdefault((fact.subject, fact.attribute), []).append(fact)
        self.entries = {key: _entry(history, key, of) for key, of in facts.items()}
        self._times = Counter(word for one in self.entries.values() for word in one.near | one.told)

    def share(self, words: frozenset[str], key: _Key) -> float:
        """How much of some words an attribute covers, from 0 to 1."""
        entry = self.entries[key]
        whole = sum(map(self._weight, words))
        near = sum(map(self._weight, words & entry.near))
        told = sum(map(self._weight, words & (entry.told - entry.near)))
        return (near + _TOLD * told) / whole if whole else 0.0

    def _weight(self, word: str) -> float:
        return log((len(self.entries) + 1) / (self._times[word] + 0.5))


def _entry(history: History, key: _Key, facts: list[Fact]) -> _Entry:
    turns, events = history.bundle.turn_by_id, history.names.event_of
    texts: list[str] = []
    for fact in facts:
        for name in (fact.id, *fact.entailed_by):
            mentions = history.ledger.mentions.get(name, ())
            texts += [turns[one.turn].text for one in mentions if one.turn in turns]
            texts += [events[name].title] if name in events else []
    told = frozenset[str]().union(*map(key_words, texts))
    return _Entry(key_words(plain(key[1])), told)


def nearest(table: Callable[[], _Table], asked: Asked) -> Iterator[Doubt]:
    """Another attribute of whom the question names, that fits while the selected does not."""
    if not len(asked.selects) == len(asked.attributes) == len(asked.subjects) == 1:
        return
    own = (asked.subjects[0][0], asked.attributes[0])
    found = asked.history.names.found_in(asked.words)
    named = frozenset(word for one in found for at in one.at for word in key_words(asked.line[at]))
    words = key_words(asked.text) - named
    if len(words) < _WORDS or own not in table().entries or table().share(words, own) >= _OWN:
        return
    begun = {word[:_STEM] for word in table().entries[own].near}
    if not begun.isdisjoint(word[:_STEM] for word in words):
        return  # a form of one of its own words: `integrated`, of an integration
    whose = {own[0], *(key for one in found for key in one.keys), *asked.history.names.speakers}
    kind = kind_of(asked.text)
    rivals = (key for key in table().entries if key != own and key[0] in whose)
    for other in rivals:
        if asked.history.fits(kind, *other) and table().share(words, other) >= _OTHER:
            yield Doubt(f"{own[1]} of {own[0]}", f"{other[1]} of {other[0]}", sure=False)
            return


def table_of(history: History) -> Callable[[], _Table]:
    """The table of a history, made when it is first asked for."""
    return lru_cache(maxsize=1)(lambda: _Table(history))
