"""Numbers, ordinals and months in a question: its query or the texts of its facts have each."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.queries.asked.words import Word, run_of
from memassay.schemas.queries.grammar.expressions import Follow, Group, Pick, UnionOf
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, day_forms, is_day
from memassay.validators.items.asked import cues
from memassay.validators.items.asked.asked import Asked
from memassay.validators.items.asked.names_asked import Doubt

_TIMES: Final = frozenset(map(str.casefold, (*MONTHS, *WEEKDAYS))) - {"may", "march"}
_FAR: Final = {word: at for word, at in cues.ORDINALS.items() if word not in {"first", "second"}}
"""Ordinals that are nothing else; `a second` is also a time."""
_PLAIN: Final = 2
"""Operators of a query that gets a value of one selection."""
_ONE: Final = frozenset({"1"})
"""`one` is as often a pronoun."""


def amounts(asked: Asked) -> Iterator[Doubt]:
    """Numbers that nothing brings in, and ordinals the query does not have."""
    open_words = [word for at, word in enumerate(asked.words) if at not in asked.masked]
    if any(map(_counts, open_words)):
        known = _known_words(asked)
        times = known | {word for run in asked.wide for word in run}
        for word in open_words:
            if _is_number(word) and not _says(known, word.folded):
                yield Doubt("only numbers of its query or its evidence", word.folded)
            elif _is_time(word) and word.folded not in times:
                yield Doubt("only dates of its query or its evidence", word.folded)
            elif word.folded in _FAR and {word.folded, cues.ORDINALS[word.folded]}.isdisjoint(
                known
            ):
                yield Doubt("no ordinal that the query does not have", word.folded)
    yield from _position_doubts(asked)


def _counts(word: Word) -> bool:
    return _is_number(word) or _is_time(word) or word.folded in _FAR


def _is_number(word: Word) -> bool:
    return word.folded[:1].isdigit() and word.folded not in _ONE


def _is_time(word: Word) -> bool:
    return word.capital and word.folded in _TIMES


def _position_doubts(asked: Asked) -> Iterator[Doubt]:
    for part in asked.parts:
        if isinstance(part, Pick | Group) and part.n is not None:
            words = {word for word, at in cues.ORDINALS.items() if at == str(part.n)}
            if words.isdisjoint(asked.line) and str(part.n) not in asked.line:
                yield Doubt(f"place {part.n} in the order", asked.text)


def _says(known: frozenset[str], number: str) -> bool:
    return number in known or number.lstrip("0") in known


def _known_words(asked: Asked) -> frozenset[str]:
    """Numbers and words of all that the query and its evidence hold."""
    told = asked.wide if len(asked.parts) == _PLAIN else ()
    found = {word for run in (*asked.narrow, *told) for word in run}
    parts = asked.parts
    found |= {str(len(part.of)) for part in parts if isinstance(part, UnionOf)}
    steps = sum(isinstance(part, Follow) for part in parts)
    found |= {str(steps), str(steps + 1), "2"}
    for text in asked.literals:
        found |= set(run_of(text))
        if is_day(text):
            found |= {word for form in day_forms(text) for word in run_of(form)}
    for day in asked.days:
        found |= {word for form in day_forms(day) for word in run_of(form)}
    return frozenset(found)
