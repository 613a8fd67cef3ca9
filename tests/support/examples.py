"""How many examples a test draws that needs more than the profile gives."""

from typing import Final

from hypothesis import settings

_USUAL: Final = 50
"""Examples of the usual profile, in tests/conftest.py."""


def examples(number: int) -> int:
    """So many, and under a profile of fewer examples the same share of them."""
    return max(1, number * min(settings().max_examples, _USUAL) // _USUAL)
