"""Units of measure: what their spellings mean, and which are converted exactly."""

import re
from fractions import Fraction
from typing import Final, NamedTuple

from memassay.schemas.values.caches import text_cache
from memassay.validators.items.accepted.words import plain_words

# One line for each dimension: spellings of a unit, joined by commas, and its size in the first.
# What several units are called (pounds, C of a cable) stands nowhere: it is not converted.
_TABLE: Final = {
    "length": "m,metre,meter=1; mm,millimetre,millimeter=0.001; cm,centimetre,centimeter=0.01; "
    "um,micrometre,micrometer=0.000001; dm,decimetre,decimeter=0.1; km,kilometre,kilometer=1000; "
    "inch,inches,in=0.0254; ft,foot,feet=0.3048; yard,yd=0.9144; mile,mi=1609.344",
    "area": "m2,sqm,square metre,square meter,sq m=1; mm2=0.000001; cm2,square centimetre=0.0001; "
    "dm2=0.01; km2,square kilometre=1000000; hectare,ha=10000; "
    "sq ft,ft2,square foot,square feet=0.09290304",
    "mass": "g,gram,gramme=1; mg,milligram=0.001; ug,microgram=0.000001; "
    "kg,kilo,kilogram,kilogramme=1000; lb,lbs=453.59237; oz,ounce=28.349523125",
    "volume": "l,litre,liter=1; ml,millilitre,milliliter=0.001; cl,centilitre=0.01; "
    "dl,decilitre=0.1; ul,microlitre=0.000001",
    "time": "s,sec,second=1; ms,millisecond=0.001; min,mins,minute=60; h,hr,hrs,hour=3600; "
    "day,d=86400; week,wk=604800; fortnight=1209600",
    "months": "month=1; quarter=3; year,yr,yrs=12; decade=120; century,centuries=1200",
    "percent": "%,percent,per cent,pct=1",
    "degrees Celsius": "degc,\u00b0c,c,celsius,degree celsius,degree centigrade=1",
    "degrees Fahrenheit": "degf,\u00b0f,f,fahrenheit,degree fahrenheit=1",
    "degrees": "deg,degree,\u00b0=1",
    "euro": "eur,euro,\u20ac=1",
    "US dollars": "usd,us dollar,dollar,buck,us$,$=1",
    "pounds sterling": "gbp,\u00a3,pound sterling=1",
    "yuan": "cny,yuan,rmb,renminbi=1",
    "yen": "jpy,yen=1",
    "baht": "thb,baht=1",
    "pulse": "bpm,beat per minute,beat a minute,beat/min=1",
    "power": "w,watt=1; kw,kilowatt=1000",
    "voltage": "v,volt=1",
    "illuminance": "lux,lx=1",
    "luminous flux": "lm,lumen=1",
    "frequency": "hz,hertz=1; khz,kilohertz=1000",
}
_NEAR: Final = (
    frozenset({"time", "months"}),
    frozenset({"degrees Celsius", "degrees Fahrenheit", "degrees"}),
)
"""Dimensions whose numbers are not compared exactly, though they can mean the same."""
_MANY: Final = {"hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6, "billion": 10**9}
_PER: Final = re.compile(r"\s*/\s*|\s+(?:per|an?|each)\s+")


class Unit(NamedTuple):
    """A unit of a measure, or several with `per` between them.

    Attributes:
        dimensions: What is measured; of a unit that is not known, its words.
        size: How many of the first unit of the dimension it is.
        known: Whether all of it stands in the table.
    """

    dimensions: tuple[object, ...]
    size: Fraction
    known: bool


NO_UNIT: Final = Unit((), Fraction(1), True)
"""That of a bare number."""


def _singular(text: str) -> str:
    """A name of a unit without an s at the end of its words, which tells one from many."""
    return " ".join(word.removesuffix("s") if len(word) > 2 else word for word in text.split())


def _known() -> dict[str, tuple[str, Fraction]]:
    found = {}
    for dimension, line in _TABLE.items():
        for entry in line.split(";"):
            names, _, size = entry.strip().rpartition("=")
            for name in names.split(","):
                found[name] = found[_singular(name)] = dimension, Fraction(size)
    return found


_UNITS: Final = _known()


@text_cache(1 << 12)
def unit_of(text: str) -> Unit:
    """The unit that a normalised text names; without dimensions if the text is empty."""
    many = 1
    first, _, rest = text.strip(" .").partition(" ")
    while first in _MANY:
        many *= _MANY[first]
        first, _, rest = rest.partition(" ")
    text = f"{first} {rest}".strip()
    parts = [text] if _named(text) else _PER.split(text)
    units = [_named(part) for part in parts if part]
    size = Fraction(many)
    for at, unit in enumerate(units):
        if unit is not None:
            size = size / unit[1] if at else size * unit[1]
    dimensions = tuple(
        unit[0] if unit else plain_words(part)
        for part, unit in zip(filter(None, parts), units, strict=True)
    )
    return Unit(dimensions, size, all(unit is not None for unit in units))


def _named(text: str) -> tuple[str, Fraction] | None:
    """A unit by its name, in the plural too: `metres`, `square metres`, `degrees Celsius`."""
    name = " ".join(text.split())
    return _UNITS.get(name) or _UNITS.get(_singular(name))


def nearly_alike(left: Unit, right: Unit) -> bool:
    """Whether two units may measure the same without being converted exactly."""
    if not (left.known and right.known):
        return True
    return any({*left.dimensions, *right.dimensions} <= near for near in _NEAR)
