"""The filters `number` and `dated`: each fact of a pool held against bounds.

Every fact of the pool is read, and each bound is decided for it on its own: what cannot be decided
is an error, never a fact left out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from operator import ge, gt, le, lt
from typing import Final

from memassay.schemas.errors import (
    AmbiguousError,
    NoResultError,
    NotVisibleError,
    QueryTypeError,
)
from memassay.schemas.ids import SESSION_PATTERN
from memassay.schemas.queries.grammar.expressions import DateBounds, Scalars, Where
from memassay.schemas.queries.grammar.where import NumberBounds
from memassay.schemas.queries.grammar.words import FactField
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList
from memassay.schemas.queries.operators.reading import field_of
from memassay.schemas.queries.scalars.dates import stretch_of
from memassay.schemas.queries.scalars.scalar import number, value_of
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.values.civil_time import Interval

Fits = Callable[[Fact], bool]

_NUMBERS: Final[Mapping[str, Callable[[Decimal, Decimal], bool]]] = {
    "above": gt,
    "below": lt,
    "least": ge,
    "most": le,
}
_POSITIONS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "after": gt,
    "before": lt,
    "from": ge,
    "until": le,
}


def within_bounds(pool: FactList, where: Where, run: Evaluation) -> FactList:
    """The facts of a pool that lie within the bounds; why is all of the pool, and the bounds.

    Raises:
        QueryTypeError: A fact of the pool is no number of the unit, a bound no date or session.
        AmbiguousError: A date is too coarse to tell.
        NoResultError: A fact of the pool has no date or session (`NotVisibleError`: a bound is a
            session after asking time).
    """
    if where.number is None and where.dated is None:
        return pool
    tests = [_number_test(where.number)] if where.number is not None else []
    dates, support = _date_tests(where.dated, run)
    members = run.ledger.in_order((*pool.facts, *pool.aside))
    # All members for one test before the next, so that the first error is that of `number`.
    kept = set.intersection(
        *({fact.id for fact in members if test(fact)} for test in [*tests, *dates])
    )
    return replace(
        pool,
        facts=tuple(fact for fact in pool.facts if fact.id in kept),
        aside=tuple(fact for fact in pool.aside if fact.id in kept),
        # Of nothing there is nothing to read: the bounds alone prove no zero.
        why=pool.why | support if members else pool.why,
    )


def _number_test(bounds: NumberBounds) -> Fits:
    given = {
        name: Decimal(text) for name in _NUMBERS if (text := getattr(bounds, name)) is not None
    }

    def fits(fact: Fact) -> bool:
        value = number(value_of(fact), f"{fact.id}.value")
        if fact.value.unit != bounds.unit:
            raise QueryTypeError(
                f"{fact.id}.value.unit: expected {bounds.unit or 'no unit'}, as `number` asks, got "
                f"{fact.value.unit or 'none'}; name the unit, or select one kind"
            )
        return all(_NUMBERS[name](value, bound) for name, bound in given.items())

    return fits


def _date_tests(bounds: DateBounds | None, run: Evaluation) -> tuple[list[Fits], frozenset[str]]:
    """For each bound whether a fact lies within it, and what the bounds rest on."""
    tests: list[Fits] = []
    support: frozenset[str] = frozenset()
    for name in _POSITIONS if bounds is not None else ():
        bound: str | Scalars | None = getattr(bounds, "from_" if name == "from" else name)
        if isinstance(bound, str):
            tests.append(_test(name, bound, run))
        elif bound is not None:
            scalar, found = run.one(bound, f"dated.{name}")
            if scalar.type is not ValueType.DATE and not _is_session(scalar.text):
                raise QueryTypeError(
                    f"dated.{name}: expected a date or session, got {scalar.said!r}; get the date "
                    "or the session of a fact"
                )
            tests.append(_test(name, scalar.text, run))
            support |= found.why
    return tests, support


def _is_session(text: str) -> bool:
    return re.fullmatch(SESSION_PATTERN, text) is not None


def _test(name: str, bound: str, run: Evaluation) -> Fits:
    return _session_test(name, bound, run) if _is_session(bound) else _date_test(name, bound, run)


def _session_test(name: str, session: str, run: Evaluation) -> Fits:
    bound = run.ledger.session_position(session)
    if session not in run.moment.sessions:
        raise NotVisibleError(
            f"dated.{name}: expected a session no later than asking time, got {session!r}; ask "
            "later"
        )

    def fits(fact: Fact) -> bool:
        (first,) = field_of(FactField.SESSION, fact, run)
        return _POSITIONS[name](run.ledger.session_position(first.text), bound)

    return fits


def _date_test(name: str, date: str, run: Evaluation) -> Fits:
    bound = stretch_of(date)

    def fits(fact: Fact) -> bool:
        shown = run.ledger.date(fact, run.moment)
        if shown is None:
            raise NoResultError(f"{fact.id}: expected a date, as `dated` asks, got none; add it")
        found = _lies(name, stretch_of(shown), bound)
        if found is None:
            raise AmbiguousError(
                f"{fact.id}: expected a date that tells whether it lies {name} {date}, got "
                f"{shown}; state it more precisely"
            )
        return found

    return fits


def _lies(name: str, date: Interval, bound: Interval) -> bool | None:
    """Whether a date lies so to a bound; None where their precision leaves it open."""
    if name in {"before", "until"}:
        edge = bound.start if name == "before" else bound.end
        return True if date.end <= edge else False if date.start >= edge else None
    edge = bound.end if name == "after" else bound.start
    return True if date.start >= edge else False if date.end <= edge else None
