"""What the facts of a pack can be: ends of ranges, draws, printed texts."""

import itertools
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from random import Random
from typing import Final, TypeVar

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.errors import UsageError
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.packs.files.laws import evaluate_law, names_of_law
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.files.pack_parts import PackFact

DRAWS: Final = 500
"""How often the values of a pack are drawn to see what they can be."""
_MOST_ENDS: Final = 1 << 10
"""Ends of ranges that are all tried with each other."""
_CLOCK_STEP: Final = 5
"""Minutes between two times of day."""

_T = TypeVar("_T")


def steps_of(fact: PackFact) -> list[Decimal]:
    """Every number that a fact with `number` can be; none for a range that is none."""
    if fact.number is None:
        return []
    least, greatest, step = (Decimal(f"{number:.12g}") for number in fact.number)
    if step <= 0 or greatest < least:
        return []
    return [least + step * at for at in range(int((greatest - least) / step) + 1)]


def clocks_of(fact: PackFact) -> list[str]:
    """Every time of day that a fact with `clock` can be."""
    first, last = fact.clock or (0, 0)
    minutes = range(first * 60, last * 60, _CLOCK_STEP)
    return [f"{minute // 60:02d}:{minute % 60:02d}" for minute in minutes]


def feeders(pack: Pack, name: str, above: frozenset[str] = frozenset()) -> list[str]:
    """Facts with `number` that a law computes from at last; none where it goes in a circle.

    Raises:
        UsageError: A law on the way is no arithmetic.
    """
    law = pack.facts[name].law
    if law is None:
        return [name]
    below = [each for each in names_of_law(law) if each in pack.facts and each not in above]
    return list(
        dict.fromkeys(leaf for each in below for leaf in feeders(pack, each, above | {name}))
    )


def in_circle(pack: Pack, name: str, above: tuple[str, ...] = ()) -> bool:
    """Whether the law of a fact needs the fact itself.

    Raises:
        UsageError: A law on the way is no arithmetic.
    """
    law = pack.facts[name].law
    if name in above or law is None:
        return name in above
    below = [each for each in names_of_law(law) if each in pack.facts]
    return any(in_circle(pack, each, (*above, name)) for each in below)


def compute(pack: Pack, name: str, known: dict[str, Decimal]) -> Decimal:
    """The number of a fact, that of laws below it computed first and kept in `known`.

    Raises:
        UsageError: A law is no arithmetic, divides by zero, or uses what is no number.
    """
    law = pack.facts[name].law
    if name not in known and law is not None:
        for each in _names_of(law):
            if each not in pack.facts:
                raise UsageError(f"expected facts of the pack, got {each!r} in {law!r}")
            compute(pack, each, known)
        known[name] = evaluate_law(law, known)
    if name not in known:
        raise UsageError(f"expected facts with numbers, got {name!r}")
    return known[name]


_names_of = lru_cache(maxsize=1 << 10)(names_of_law)


def ends(pack: Pack, name: str) -> Iterator[dict[str, Decimal]]:
    """The least and greatest number of all facts below a law, in every combination."""
    leaves = {leaf: steps_of(pack.facts[leaf]) for leaf in feeders(pack, name)}
    pairs = [dict.fromkeys((steps[0], steps[-1])) for steps in leaves.values() if steps]
    for one in itertools.islice(itertools.product(*pairs), _MOST_ENDS):
        yield dict(zip(leaves, one, strict=False))


def draws(pack: Pack, names: list[str], count: int = DRAWS) -> Iterator[dict[str, Decimal]]:
    """Some facts with the numbers of as many dialogues.

    Raises:
        UsageError: As for `compute`.
    """
    leaves = dict.fromkeys(leaf for name in names for leaf in feeders(pack, name))
    steps = {leaf: steps_of(pack.facts[leaf]) for leaf in leaves}
    random = keyed_random("pack values", pack.pack)
    for _ in range(count):
        known = {leaf: random.choice(each) for leaf, each in steps.items() if each}
        yield {name: compute(pack, name, known) for name in names}


def texts_of_fact(pack: Pack, name: str, most: int = 12) -> list[str]:
    """Texts that a fact can be in a turn: all that are drawn as texts, some of the numbers."""
    fact = pack.facts[name]
    if fact.draw is not None:
        return list(fact.draw)
    if fact.pick is not None:
        return [each.name for each in pack.roles[fact.pick].draw] if fact.pick in pack.roles else []
    if fact.clock is not None:
        return _some(clocks_of(fact), most)
    if fact.number is not None:
        numbers = _some(steps_of(fact), most)
    else:
        try:
            numbers = [each[name] for each in draws(pack, [name], most)]
        except UsageError:
            return []
    kind = ValueType.NUMBER
    return [
        spoken_value(FactValue(type=kind, text=f"{number.normalize():f}", unit=fact.unit))
        for number in dict.fromkeys(numbers)
    ]


def _some(values: list[_T], most: int) -> list[_T]:
    """The first, the last and some between them."""
    if len(values) <= most:
        return values
    return [values[0], *Random(0).sample(values[1:-1], most - 2), values[-1]]
