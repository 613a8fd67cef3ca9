"""What a query does to facts, compared with the words of the question that say so."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.queries.grammar.expressions import (
    Count,
    Diff,
    Fold,
    Gaps,
    Group,
    Minus,
    Pick,
    SelectFacts,
)
from memassay.schemas.queries.grammar.truth import Absent, Conflict, Ended
from memassay.schemas.queries.grammar.words import Which
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.values.civil_time import is_day
from memassay.validators.items.asked import cues
from memassay.validators.items.asked.asked import Asked
from memassay.validators.items.asked.names_asked import Doubt
from memassay.validators.items.asked.queried import texts_of

_OWN_ORDER: Final = frozenset({"authority", "importance"})


def restrictions(asked: Asked) -> Iterator[Doubt]:
    """Aggregates, ends, bounds and negations that do not agree."""
    yield from _ends(asked)
    yield from _aggregates(asked)
    for part in asked.parts:
        if isinstance(part, SelectFacts):
            yield from _bounds(asked, part)
            yield from _value(asked, part)
        elif isinstance(part, Diff | Gaps) and part.unit in cues.UNITS:
            yield from _unit(asked, part.unit)
    yield from _negation_doubts(asked)


def _ends(asked: Asked) -> Iterator[Doubt]:
    """First or last, highest or lowest."""
    ends = {end for part in asked.parts for end in _end_of(asked, part)}
    if len(ends) != 1:  # none, or both: their distance is asked for
        folds = {part.with_ for part in asked.parts if isinstance(part, Fold)}
        for one in ("max", "min") if {"max", "min"} <= folds else ():
            if frozenset(asked.frame).isdisjoint(_WORDS[one] - cues.UP - cues.DOWN):
                yield Doubt(f"a word for `{one}` too", asked.text)
        return
    end = next(iter(ends))
    wanted, opposite = _WORDS[end], _WORDS[_OPPOSITE[end]]
    said = frozenset(asked.frame)
    # What somebody wants says which end advice is to take.
    advises = not said.isdisjoint(cues.ADVICE) and said.isdisjoint(opposite - wanted)
    if not said & wanted and not advises:
        against = said & (opposite - wanted)
        yield Doubt(f"a word for `{end}`", _join(against) or asked.text, bool(against))


_OPPOSITE: Final = {"first": "last", "last": "first", "max": "min", "min": "max"}
_WORDS: Final = {
    "first": cues.FIRST | {"before"},
    "last": cues.LAST | {"now", "after"},
    "max": cues.HIGH | cues.UP,
    "min": cues.LOW | cues.DOWN,
}


def _end_of(asked: Asked, part: object) -> Iterator[str]:
    if isinstance(part, Pick) and part.by not in _OWN_ORDER and part.which is not Which.NTH:
        numbers = part.by == "value" and not _dates(asked)
        low = part.which in {"first", "min"}
        yield ("min" if low else "max") if numbers else ("first" if low else "last")
    elif isinstance(part, Fold) and part.with_ in {"min", "max"}:
        yield part.with_
    elif isinstance(part, Group) and part.which is not Which.NTH:
        yield str(part.which)


def _dates(asked: Asked) -> bool:
    return any(fact.value.type is ValueType.DATE for fact in asked.facts)


def _aggregates(asked: Asked) -> Iterator[Doubt]:
    """Sum, mean and count."""
    said = frozenset(asked.frame)
    folds = {part.with_ for part in asked.parts if isinstance(part, Fold)}
    counts = [part for part in asked.parts if isinstance(part, Count)]
    groups = {str(part.with_) for part in asked.parts if isinstance(part, Group)}
    told = {word for run in asked.narrow for word in run}
    summed = said & (cues.SUM | cues.COUNT | {"add", "together"}) or "in all" in asked.joined
    if "sum" in folds and not summed:
        yield Doubt("a word for a sum", asked.text, bool(said & cues.MEAN))
    if "mean" in folds and not said & (cues.MEAN | {"mean"}):
        yield Doubt("a word for an average", asked.text)
    if counts and not said & cues.COUNT:
        yield Doubt("a word for a count", asked.text, bool(said & (cues.SUM | cues.MEAN)))
    for words, name in ((cues.SUM, "sum"), (cues.MEAN, "mean")):
        extra = said & words
        if name == "sum" and counts:
            continue  # `how many in total`, `how often altogether`
        if name not in folds | groups and (counts or folds) and extra - told:
            yield Doubt(f"no word for a {name}", _join(extra))
    distinct = {part.distinct for part in counts}
    if said & cues.SESSIONS and counts and "session" not in distinct:
        yield Doubt("no count of sessions", "sessions")
    if "session" in distinct and not said & {"session", "sessions", "runs", "often", "times"}:
        yield Doubt("a count of sessions", asked.text, sure=False)


def _bounds(asked: Asked, select: SelectFacts) -> Iterator[Doubt]:
    """Numbers and dates between which facts lie."""
    where, said = select.where, frozenset(asked.frame)
    if where.number is not None:
        bounds = where.number
        for limit in (bounds.above, bounds.below, bounds.least, bounds.most):
            if limit is not None and not asked.says_number(limit):
                yield Doubt(f"the bound {limit}", asked.text)
        up = bounds.above is not None or bounds.least is not None
        down = bounds.below is not None or bounds.most is not None
        yield from _side(asked, up and not down, cues.ABOVE, cues.BELOW, "above")
        yield from _side(asked, down and not up, cues.BELOW, cues.ABOVE, "below")
        strict = bounds.above is not None or bounds.below is not None
        if strict and not (bounds.least or bounds.most) and "at least" in asked.joined:
            yield Doubt("a bound that the number itself does not keep", "at least")
        if strict and not (bounds.least or bounds.most) and "at most" in asked.joined:
            yield Doubt("a bound that the number itself does not keep", "at most")
    if where.dated is not None:
        dated = where.dated
        late = dated.after is not None or dated.from_ is not None
        early = dated.before is not None or dated.until is not None
        yield from _side(asked, late, cues.AFTER, cues.BEFORE, "after")
        yield from _side(asked, early, cues.BEFORE, cues.AFTER, "before")
    if where.during is not None:
        missing = [one for one in asked.date_words(where.during) if one not in asked.line]
        if missing:
            yield Doubt(f"the time {where.during}", asked.text, sure=len(said) > 0)


def _value(asked: Asked, select: SelectFacts) -> Iterator[Doubt]:
    """The value that facts are filtered by."""
    values = texts_of(select.where.value)
    if not values or any(asked.says(value) for value in values):
        return
    if all(is_day(one) or asked.is_number(one) for one in values):
        yield Doubt(f"the value {values[0]}", asked.text)
        return
    attributes = set(texts_of(select.where.attribute))
    others = {
        value
        for attribute in attributes
        for value in asked.history.values_of(attribute)
        if value not in values and asked.says(value)
    }
    if others:
        yield Doubt(f"the value {values[0]}", ", ".join(sorted(others)))


def _side(
    asked: Asked, wanted: bool, words: frozenset[str], others: frozenset[str], name: str
) -> Iterator[Doubt]:
    said = frozenset(asked.frame)
    if wanted and not said & words:
        against = said & (others - words)
        yield Doubt(f"a word for `{name}`", _join(against) or asked.text, bool(against))


def _unit(asked: Asked, unit: str) -> Iterator[Doubt]:
    """The unit of time in which a distance is asked for."""
    said = frozenset(asked.frame)
    if not said & cues.UNITS[unit]:
        others = {word for name, words in cues.UNITS.items() if name != unit for word in words}
        if said & others:
            yield Doubt(f"a distance in {unit}s", _join(said & others))


def _negation_doubts(asked: Asked) -> Iterator[Doubt]:
    """A negation that the query does not have."""
    if any(isinstance(part, Minus | Conflict | Ended) for part in asked.parts):
        if any(isinstance(part, Minus) for part in asked.parts):
            said = frozenset(asked.frame)
            if not (said & cues.OTHERS or asked.negations):
                yield Doubt("a word for what is left out", asked.text)
        return
    extra = [at for at in asked.negations if not asked.is_denied(at)]
    if extra:
        yes_no = any(isinstance(part, Absent) for part in asked.parts)
        yield Doubt("no negation", asked.line[extra[0]], not yes_no)


def _join(words: frozenset[str]) -> str:
    return ", ".join(sorted(words))
