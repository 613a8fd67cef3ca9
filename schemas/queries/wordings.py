"""Other wordings of a gold, as right as it is: dates, units and numbers as people write them."""

from decimal import Decimal
from typing import Final

from memassay.schemas.queries.scalars.scalar import shortest
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.values.civil_time import day_forms, is_day
from memassay.schemas.values.text import NUMBER_WORDS

_UNIT_WORDS: Final = {
    "%": ("per cent", "per cent"),
    "cm": ("centimetre", "centimetres"),
    "g": ("gram", "grams"),
    "h": ("hour", "hours"),
    "kg": ("kilogram", "kilograms"),
    "km": ("kilometre", "kilometres"),
    "km/h": ("kilometre per hour", "kilometres per hour"),
    "l": ("litre", "litres"),
    "m": ("metre", "metres"),
    "m2": ("square metre", "square metres"),
    "min": ("minute", "minutes"),
    "ml": ("millilitre", "millilitres"),
    "mm": ("millimetre", "millimetres"),
    "s": ("second", "seconds"),
    "CNY": ("yuan", "yuan"),
    "EUR": ("euro", "euros"),
    "JPY": ("yen", "yen"),
    "USD": ("US dollar", "US dollars"),
    "degC": ("degree Celsius", "degrees Celsius"),
}
"""One and many of a unit, written out; units that may be read in two ways are left out."""
_MOST_IN_WORDS: Final = 12
_WORDS: Final = {
    digits: word for word, digits in NUMBER_WORDS.items() if int(digits) <= _MOST_IN_WORDS
}
_ARTICLES: Final = ("a ", "an ", "the ")


def equivalents(said: str, value: str, value_type: ValueType, unit: str | None) -> list[str]:
    """The wordings of one value beside the one that is its gold, without repeats.

    Args:
        said: The gold, with its unit.
        value: The value alone.
        value_type: How to read it.
        unit: The unit of a number.
    """
    if value_type is ValueType.DATE:
        return day_forms(value) if is_day(value) else []
    if value_type is ValueType.NUMBER:
        return [one for one in dict.fromkeys(_amounts(said, value, unit)) if one != said]
    if value_type is ValueType.TEXT:
        return [said.removeprefix(one) for one in _ARTICLES if said.startswith(one)]
    return []


def _amounts(said: str, value: str, unit: str | None) -> list[str]:
    """A number with its unit in letters, without needless zeros, and a small one in letters."""
    behind = said.removeprefix(value)
    one, many = _UNIT_WORDS.get(unit or "", (behind.strip(), behind.strip()))
    named = one if abs(Decimal(value)) == 1 else many
    short = shortest(value)
    numbers = [value, short, *([_WORDS[short]] if short in _WORDS else [])]
    return [f"{short}{behind}", *(f"{number} {named}".strip() for number in numbers)]
