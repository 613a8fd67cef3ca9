"""Quantities that are functions of the day: closed forms, so that every day can be asked alone."""

from decimal import Decimal
from typing import Final, Literal

Curve = Literal["line", "s", "saturating", "cycle"]

_BEND: Final = Decimal(3)
"""How fast a saturating curve nears its end."""


def progress(curve: Curve, share: Decimal) -> Decimal:
    """How far a quantity has come, 0 to 1, after a share of its time.

    A cycle is at 1 after half of its time and back at 0 after all of it, again and again; the
    others stay where they are before 0 and after 1.
    """
    if curve == "cycle":
        part = share % 1
        return 4 * part * (1 - part)
    part = min(max(share, Decimal(0)), Decimal(1))
    if curve == "s":
        return part * part * (3 - 2 * part)
    if curve == "saturating":
        return (1 - (-_BEND * part).exp()) / (1 - (-_BEND).exp())
    return part
