"""Numbers with and without units: whether two of them are the same, or one is rounded."""

import re
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Final, NamedTuple

from memassay.schemas.values.text import NUMBER_WORDS, normalise
from memassay.validators.items.accepted.units import NO_UNIT, Unit, nearly_alike, unit_of
from memassay.validators.items.accepted.verdict import Verdict
from memassay.validators.items.accepted.words import plain_words

_DIGITS: Final = r"-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
_WORDS: Final = "|".join(sorted((re.escape(word) for word in NUMBER_WORDS), key=len, reverse=True))
_AMOUNT: Final = re.compile(
    r"(?P<about>(?:about|around|roughly|approximately|almost|nearly|some|circa|~) ?)?"
    rf"(?P<sign>[\u20ac$\u00a3] ?)?(?:(?P<digits>{_DIGITS})|(?P<word>(?:{_WORDS}|an?)\b))"
    r"(?P<unit>(?![0-9,.:][0-9]).*)",
    re.DOTALL,
)
_QUANTITY_WORDS: Final = (
    "about half quarter third dozen couple pair score once twice thrice single double triple none "
    "few several many more less most fewer over under between least hundred thousand million "
    "billion some both all every each number day week month year hour minute"
)
_QUANTITIES: Final = frozenset(_QUANTITY_WORDS.split())
"""Words with which a text may state an amount without a number."""
_FARTHEST: Final = Fraction(1, 5)
"""Share of a number by which a rounded one may miss it (our choice)."""


class Amount(NamedTuple):
    """A number with its unit.

    Attributes:
        number: The number as it is written.
        unit: Its unit, of no dimension if there is none.
        vague: Whether "about" or the like stands before it.
    """

    number: Decimal
    unit: Unit
    vague: bool


def amount(text: str) -> Amount | None:
    """The amount that is the whole of a text; None if it says anything else."""
    found = _AMOUNT.fullmatch(normalise(text).strip(" .!"))
    if found is None:
        return None
    unit = unit_of(f"{found['unit'].strip()} {(found['sign'] or '').strip()}".strip())
    if found["word"] in {"a", "an"} and not unit.known:
        return None
    digits = found["digits"] or NUMBER_WORDS.get(found["word"], "1")
    return Amount(Decimal(digits.replace(",", "")), unit, bool(found["about"]))


def amounts(text: str, gold: Amount, question: str) -> Verdict:
    """How a text stands to an amount, in the unit that the question may name."""
    said = amount(text)
    if said is None:
        words = plain_words(text)
        quantity = any(word in _QUANTITIES or word[0].isdigit() for word in words)
        return Verdict.UNSURE if quantity else Verdict.OTHER
    verdict = _against(said, gold, question)
    return Verdict.COARSER if verdict is Verdict.SAME and said.vague > gold.vague else verdict


def _against(said: Amount, gold: Amount, question: str) -> Verdict:
    if said.unit.dimensions == gold.unit.dimensions:
        verdict = _rounded(said.number, Fraction(gold.number) * gold.unit.size / said.unit.size)
        if verdict is not Verdict.OTHER or said.unit != NO_UNIT:
            return verdict
    if said.unit == NO_UNIT:
        # The number as it is written, without its unit or its "thousand".
        verdict = _rounded(said.number, Fraction(gold.number))
        named = _asked(gold.unit, question)
        return Verdict.COARSER if verdict is Verdict.SAME and not named else verdict
    if not gold.unit.dimensions:
        equal = said.number == gold.number
        return Verdict.SAME if equal and _asked(said.unit, question) else Verdict.UNSURE
    return Verdict.UNSURE if nearly_alike(said.unit, gold.unit) else Verdict.OTHER


def _asked(unit: Unit, question: str) -> bool:
    """Whether a question names a unit, so that an answer need not."""
    words = plain_words(question)
    if not unit.known:
        return all(
            word in words for part in unit.dimensions if isinstance(part, tuple) for word in part
        )
    return any(unit_of(word)[:2] == unit[:2] for word in words)


def _rounded(number: Decimal, gold: Fraction) -> Verdict:
    """Whether a number is a gold, or the gold rounded to the digits that the number has."""
    if Fraction(number) == gold:
        return Verdict.SAME
    exponent = number.normalize().as_tuple().exponent
    place = Fraction(10) ** (exponent if isinstance(exponent, int) else 0)
    nearest = floor(gold / place + Fraction(1, 2)) * place
    near = abs(Fraction(number) - gold) <= abs(gold) * _FARTHEST
    return Verdict.COARSER if Fraction(number) == nearest and near else Verdict.OTHER
