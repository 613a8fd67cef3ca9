"""The cap on spending: checked before every call, those under way included."""

from typing import Final

from memassay.flows.calls.prices import BILLIONTHS
from memassay.schemas.errors import BudgetError

_FIRST_GUESS: Final = BILLIONTHS // 1000
"""What a call is taken to cost before any has: a tenth of a cent."""


class Budget:
    """What may be spent, what is, and what calls under way will likely add."""

    def __init__(self, cap: int | None, spent: int) -> None:
        """Start from what the workspace has spent.

        Args:
            cap: Most that may be spent, in billionths of a dollar; None for no cap.
            spent: What has been spent.
        """
        self.cap = cap
        self.spent = spent
        self.under_way = 0
        self._paid = 0
        self._calls = 0

    def reserve(self) -> None:
        """Take note that a call begins.

        Raises:
            BudgetError: With it and all under way, the cap would likely be passed.
        """
        usual = self._paid // self._calls if self._calls else _FIRST_GUESS
        if self.cap is not None and self.spent + (self.under_way + 1) * usual > self.cap:
            raise BudgetError(
                f"budget: {dollars(self.spent)} of {dollars(self.cap)} are spent, calls cost "
                f"{dollars(usual)} each; everything paid for is kept. Raise `budget:` in the "
                "recipe and run again; `memassay run --estimate` says what all of it costs"
            )
        self.under_way += 1

    def settle(self) -> None:
        """Take note that a call has ended, with a reply or without."""
        self.under_way -= 1

    def spend(self, cost: int | None) -> None:
        """Take note of what a reply cost, reserved in this run or in an earlier one.

        Args:
            cost: In billionths of a dollar; None where no price is known.
        """
        if cost is not None:
            self.spent += cost
            self._paid += cost
            self._calls += 1


def dollars(billionths: int) -> str:
    """An amount for people: `$0.0123`."""
    return f"${billionths / BILLIONTHS:.4f}"
