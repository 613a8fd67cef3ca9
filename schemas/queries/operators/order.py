"""Putting facts in order: by date, position, value, rank of their source; never by chance.

A fact's key is a stretch: a date covers all that its precision names. Stretches that overlap
have no order, and two facts with the same key are a tie.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.grammar.expressions import Where
from memassay.schemas.queries.grammar.words import Order, Which
from memassay.schemas.queries.ledger import AUTHORITY, Ledger
from memassay.schemas.queries.operators.filters import Filter
from memassay.schemas.queries.scalars.dates import stretch_of
from memassay.schemas.queries.scalars.scalar import number, value_of
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.ledger import Fact, ValueType


class Stretch(NamedTuple):
    """A key: a point (`low` equals `high`) or a half-open stretch, and its unit."""

    low: Any
    high: Any
    unit: str | None = None


class Keyed(NamedTuple):
    """Facts with their keys, lowest first, and the facts that the keys rest on."""

    facts: list[tuple[Stretch, Fact]]
    support: frozenset[str]


def sort_by_key(facts: Sequence[Fact], by: Order, ledger: Ledger, moment: Moment) -> Keyed:
    """Facts sorted by a key.

    Raises:
        NoResultError: A fact lacks what it is to be ordered by.
        QueryTypeError: The keys cannot be compared with each other.
    """
    support: set[str] = set()
    if by is Order.AUTHORITY:
        pairs = []
        for fact in facts:
            rank = _authority(fact, ledger, moment)
            support.add(rank.id)
            pairs.append((_point(number(value_of(rank), "authority")), fact))
    elif by is Order.DATE and all(ledger.date(fact, moment) is None for fact in facts):
        # A conversation without dates still has an order: that of its rounds.
        pairs = [(_KEYS[Order.SAID](fact, ledger, moment), fact) for fact in facts]
    else:
        pairs = [(_KEYS[by](fact, ledger, moment), fact) for fact in facts]
    units = {(key.unit, type(key.low)) for key, _ in pairs}
    if len(units) > 1:
        listed = ", ".join(sorted(str(unit) for unit, _ in units))
        raise QueryTypeError(f"order by {by}: expected keys of one type and unit, got {listed}")
    return Keyed(sorted(pairs, key=lambda pair: pair[0][:2]), frozenset(support))


def _point(value: Any, unit: str | None = None) -> Stretch:
    return Stretch(value, value, unit)


def _date(fact: Fact, ledger: Ledger, moment: Moment) -> Stretch:
    date = ledger.date(fact, moment)
    if date is None:
        raise _missing(fact, "a date, as others have")
    return Stretch(*stretch_of(date))


def _position(fact: Fact, _ledger: Ledger, _moment: Moment) -> Stretch:
    if fact.order is None:
        raise _missing(fact, "an order")
    return _point(fact.order)


def _value(fact: Fact, _ledger: Ledger, _moment: Moment) -> Stretch:
    scalar = value_of(fact)
    if scalar.type is ValueType.DATE:
        return Stretch(*stretch_of(scalar.text))
    return _point(number(scalar, f"{fact.id} ordered by value"), scalar.unit)


def _importance(fact: Fact, _ledger: Ledger, _moment: Moment) -> Stretch:
    return _point(fact.importance)


def _first_said_on(fact: Fact, ledger: Ledger, moment: Moment) -> Stretch:
    seen = ledger.mentions_by(fact, moment)
    if not seen:
        raise _missing(fact, "a mention")
    first = seen[0]
    turn = parse_place(first.turn) if first.turn is not None else None
    return _point((ledger.place(first.round), turn.turn or 0 if turn else 0))


_KEYS: Final[dict[Order, Callable[[Fact, Ledger, Moment], Stretch]]] = {
    Order.DATE: _date,
    Order.ORDER: _position,
    Order.VALUE: _value,
    Order.IMPORTANCE: _importance,
    Order.SAID: _first_said_on,
}


def _authority(fact: Fact, ledger: Ledger, moment: Moment) -> Fact:
    """The fact that ranks the source of a fact."""
    source = ledger.side(fact, "source")
    if source is None:
        raise _missing(fact, "a source")
    ranks = Filter(Where(subject=fact.source, attribute=AUTHORITY), ledger, moment).select().facts
    if not ranks:
        raise NoResultError(
            f"{fact.id}.source: expected a fact ({fact.source}, {AUTHORITY}), got none; rank it"
        )
    if len({value_of(rank).key for rank in ranks}) > 1:
        raise AmbiguousError(f"{fact.id}.source: expected one rank of {fact.source}, got several")
    return ranks[0]


def _missing(fact: Fact, what: str) -> NoResultError:
    return NoResultError(f"{fact.id}: expected {what} to be ordered by, got none; add it")


def _before(left: Stretch, right: Stretch) -> bool:
    return left[:2] != right[:2] and bool(left.high <= right.low)


def in_sequence(pairs: Sequence[tuple[Stretch, Fact]], by: Order) -> tuple[Fact, ...]:
    """All facts in order.

    Raises:
        AmbiguousError: Two neighbours have the same key, or keys whose order is open.
    """
    for (left, first), (right, second) in pairwise(pairs):
        if not _before(left, right):
            raise _tie(first, second, by)
    return tuple(fact for _, fact in pairs)


def pick_fact(
    pairs: Sequence[tuple[Stretch, Fact]], by: Order, which: Which, n: int, ledger: Ledger
) -> Fact:
    """The fact at one position; facts that say the same count as one at either end.

    Raises:
        NoResultError: There are fewer facts than `n`.
        AmbiguousError: Another fact has the same key, or a key whose order to it is open.
    """
    at = {Which.FIRST: 0, Which.MIN: 0, Which.NTH: n - 1}.get(which, len(pairs) - 1)
    if at >= len(pairs):
        raise NoResultError(f"pick: expected at least {n} facts, got {len(pairs)}")
    key, chosen = pairs[at]
    for position, (other_key, other) in enumerate(pairs):
        low, high = (other_key, key) if position < at else (key, other_key)
        if position == at or _before(low, high):
            continue
        if which is Which.NTH or not _says_the_same(chosen, other, ledger):
            raise _tie(chosen, other, by)
    return chosen


def _says_the_same(first: Fact, second: Fact, ledger: Ledger) -> bool:
    return (
        all(
            ledger.side(first, name) == ledger.side(second, name)
            for name in ("subject", "attribute")
        )
        and first.value.type is second.value.type
        and value_of(first).key == value_of(second).key
        and first.value.rule == second.value.rule
    )


def _tie(first: Fact, second: Fact, by: Order) -> AmbiguousError:
    return AmbiguousError(
        f"order by {by}: expected facts of which one comes first, got {first.id} and {second.id}, "
        "whose order is not known; leave one out, or state it more precisely"
    )
