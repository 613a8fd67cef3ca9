"""Numbers with and without units: whether two of them are the same, or one is rounded."""

import re
from decimal import Decimal
from typing import Final, NamedTuple

from memassay.schemas.values.text import NUMBER_WORDS, normalise
from memassay.validators.items.proof.verdict import Verdict, plain_words

_DIGITS: Final = r"-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
_WORDS: Final = "|".join(sorted(map(re.escape, NUMBER_WORDS), key=len, reverse=True))
_AMOUNT: Final = re.compile(
    rf"(?:(?P<digits>{_DIGITS})|(?P<word>{_WORDS})\b)(?P<unit>(?![0-9,.:][0-9]).*)", re.DOTALL
)

_FARTHEST: Final = Decimal("0.2")
"""Share of a number by which a rounded one may miss it (our choice)."""


class Amount(NamedTuple):
    """A number with the words of its unit; a bare number has no unit."""

    number: Decimal
    unit: tuple[str, ...]


def amount(text: str) -> Amount | None:
    """The amount that is the whole of a text; None if it begins with anything else."""
    found = _AMOUNT.fullmatch(normalise(text).strip(" .!"))
    if found is None:
        return None
    digits = found["digits"] or NUMBER_WORDS[found["word"]]
    # Signs such as % are no words.
    unit = plain_words(found["unit"]) or tuple(found["unit"].split())
    return Amount(Decimal(digits.replace(",", "")), unit)


def amount_verdict(text: str, gold: Amount) -> Verdict:
    """How a text compares with an amount; other units are not converted, but left to people."""
    said = amount(text)
    if said is None:
        return Verdict.UNSURE
    equal = said.number == gold.number
    if said.unit == gold.unit:
        return Verdict.SAME if equal else _is_rounding(said.number, gold.number)
    if not said.unit:
        return Verdict.COARSER if equal else _is_rounding(said.number, gold.number)
    return Verdict.UNSURE


def _is_rounding(number: Decimal, gold: Decimal) -> Verdict:
    """Whether a number is a gold rounded to the digits that the number has."""
    exponent = number.normalize().as_tuple().exponent
    place = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    miss = abs(number - gold)
    near = miss * 2 <= place and miss <= abs(gold) * _FARTHEST
    return Verdict.COARSER if near else Verdict.OTHER
