"""What a quantity of a card is on a day."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Final

from memassay.schemas.records.ledger import FactValue
from memassay.synth.laws.curves import progress
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import CardSpec, ValueRange
from memassay.synth.world.values import decimals, number_value

_FINE: Final = 1000
"""Steps in which it is drawn what a quantity reaches."""


def amount_on(
    card: CardSpec, name: str, day: date, stages: Mapping[str, date], randoms: Randoms
) -> Decimal:
    """What a quantity is on a day.

    Args:
        card: Whose quantity it is.
        name: Its name.
        day: The day.
        stages: Days of the stages of the card.
        randoms: Gives the generator of what it reaches.
    """
    spec = card.quantities[name]
    since, by = stages[spec.since], stages.get(spec.by, max(stages.values()))
    least, most = (Decimal(str(end)) for end in spec.reaches)
    first = Decimal(str(spec.at_first))
    reached = least + (most - least) * randoms("reaches", card.id, name).randint(0, _FINE) / _FINE
    share = Decimal((day - since).days) / max((by - since).days, 1)
    return first + (reached - first) * progress(spec.curve, share)


def value_near(spec: ValueRange, amount: Decimal) -> FactValue:
    """The value of a range of numbers that is nearest to an amount."""
    least, greatest, step = decimals(spec)
    near = least + step * round((amount - least) / step)
    return number_value(spec, min(max(near, least), greatest))
