"""Sums of lengths that are the same under every Python."""

from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import TypeVar

_N = TypeVar("_N", int, float)


def sum_in_order(numbers: Iterable[_N]) -> _N:
    """The numbers added one after the other, as they come; 0 where there are none.

    From Python 3.12 on the built-in `sum` of floats makes up for what rounding loses. The last bit
    of a sum can move a line by a pixel, and pixels are content: equal under every Python.
    """
    return reduce(add, numbers, 0)
