"""Values that could be mistaken for a fact's: of the history, and of what the pack could draw."""

from collections.abc import Sequence
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.synth.packs.files.pack_parts import PackFact
from memassay.synth.paths.mmrc.abilities.told import Told
from memassay.synth.world.values import CLOCK, clock_value, minutes

WRONG: Final = 3
"""Wrong options of a choice."""
_OLD: Final = 2
"""Old numbers among the options, at most."""
_NEAR: Final = 6
"""Values on either side of a number that wrong ones are drawn from."""
_SHARE: Final = Decimal("0.07")
"""Distance of such values, as a share of a number that a law gives (our choice)."""
_MINUTES: Final = 10


def wrong_values(
    told: Told, fact: Fact, before: Sequence[Fact], rank: int, random: Random
) -> list[FactValue]:
    """Three wrong values for a fact.

    Args:
        told: The dialogue.
        fact: The fact.
        before: Facts that it replaced, which come first.
        rank: How many of them are to be smaller, where they have an order.
        random: Draws them.

    Returns:
        Three, or fewer where there are no more.
    """
    _, spec = told.spec_of(fact)
    old = {one.value.text: one.value for one in reversed(before)}
    old.pop(fact.value.text, None)
    latest = list(old.values())[:WRONG]
    if fact.value.type is ValueType.NUMBER or CLOCK.fullmatch(fact.value.text):
        near = _on_one_side(fact.value, latest)
        return _on_both_sides(_step(spec, fact.value), fact.value, near, rank, random)
    pool = [text for text in _texts(told, spec) if text not in {fact.value.text, *old}]
    known = [text for text in pool if spec.pick is not None and text in told.bound(spec.pick)]
    rest = [text for text in pool if text not in known]
    drawn = [*random.sample(known, len(known)), *random.sample(rest, len(rest))]
    others = [fact.value.model_copy(update={"text": text}) for text in drawn]
    return [*latest, *others][:WRONG]


def near_value(told: Told, fact: Fact, random: Random) -> FactValue | None:
    """One wrong value that is like a fact's; None where there is none."""
    found = wrong_values(told, fact, (), random.randrange(WRONG + 1), random)
    return random.choice(found) if found else None


def near_numbers(spec: PackFact, value: FactValue, rank: int, random: Random) -> list[FactValue]:
    """Three numbers near one that is computed from facts, so many of them smaller as can be."""
    size = Decimal(value.text)
    step = _grid_of(spec, value)
    return _on_both_sides(step * max(1, round(size * _SHARE / step)), value, (), rank, random)


def _texts(told: Told, spec: PackFact) -> list[str]:
    if spec.pick is not None:
        return [one.name for one in told.plan.cast[spec.pick]]
    return list(spec.draw or ())


def _on_both_sides(
    step: Decimal, value: FactValue, old: Sequence[FactValue], rank: int, random: Random
) -> list[FactValue]:
    """Smaller and greater values, old ones first; so many smaller as can be."""
    size = _size(value)
    sides = []
    for sign in (-1, 1):
        own = [one for one in old if (_size(one) > size) is (sign > 0)]
        taken = {one.text for one in own}
        near = [one for one in _grid(step, value, sign) if one.text not in taken]
        sides.append([*own, *random.sample(near, len(near))])
    # Old values stay among the options, whatever the rank.
    kept = [sum(one in old for one in side) for side in sides]
    least, most = max(kept[0], WRONG - len(sides[1])), min(len(sides[0]), WRONG - kept[1])
    if least > most:
        return []
    below = _fit_rank(rank, least, most)
    return [*sides[0][:below], *sides[1][: WRONG - below]]


def _fit_rank(rank: int, least: int, most: int) -> int:
    """A rank that can be; over ranks dealt evenly, with either end out of reach, still even."""
    fit = range(least, most + 1)
    if least == 0:
        return fit[rank % len(fit)]
    return fit[-1 - (WRONG - rank) % len(fit)]


def _on_one_side(value: FactValue, old: Sequence[FactValue]) -> list[FactValue]:
    """The latest of old values, and one more if it lies on the same side of a value.

    With one on either side the right number would always be in the middle.
    """
    above = [_size(one) > _size(value) for one in old]
    return [one for one, side in zip(old, above, strict=True) if side is above[0]][:_OLD]


def _size(value: FactValue) -> Decimal:
    return Decimal(minutes(value.text)) if CLOCK.fullmatch(value.text) else Decimal(value.text)


def _grid(step: Decimal, value: FactValue, sign: int) -> list[FactValue]:
    """Values near a number or a time of day, on one side of it."""
    found = [_size(value) + sign * step * at for at in range(1, _NEAR + 1)]
    if CLOCK.fullmatch(value.text):
        return [clock_value(int(one)) for one in found if 0 <= one < 24 * 60]
    # Nobody says "1 seeds".
    return [value.model_copy(update={"text": f"{one:f}"}) for one in found if one > 0 and one != 1]


def _step(spec: PackFact, value: FactValue) -> Decimal:
    """How far values near a fact's lie apart."""
    if CLOCK.fullmatch(value.text):
        return Decimal(_MINUTES)
    step = _grid_of(spec, value)
    if spec.number is not None:
        return step
    return step * max(1, round(Decimal(value.text) * _SHARE / step))


def _grid_of(spec: PackFact, value: FactValue) -> Decimal:
    """Least distance between two values of a fact."""
    if spec.number is not None:
        return Decimal(f"{spec.number[2]:.12g}")
    return Decimal(1).scaleb(int(Decimal(value.text).as_tuple().exponent))
