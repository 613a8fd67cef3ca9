"""The till: where every reply is paid for, whichever driver it came through.

A reply costs something, is kept, and only then counts as settled: what a budget takes for spent is
on disk. Live calls and batches differ in how a reply is had, not in this.
"""

from collections.abc import Mapping
from typing import Final

from memassay.flows.calls.budget import Budget
from memassay.flows.calls.call_log import CallLog, PaidReply, Purpose
from memassay.flows.calls.prices import Price, cost_of
from memassay.schemas.contracts.calls import ModelReply

BATCH_SHARE: Final = 2
"""Batches are billed at half the price, by both providers."""


class Till:
    """One budget, one price table and one log of calls, shared by all endpoints of a run."""

    def __init__(self, log: CallLog, budget: Budget, prices: Mapping[str, Price]) -> None:
        """Take where replies are kept, what may be spent, and prices by model."""
        self.log = log
        self.budget = budget
        self.prices = prices

    def find(self, key: str) -> ModelReply | None:
        """The reply that was paid for under a key, if there is one."""
        paid = self.log.find(key)
        return None if paid is None else paid.reply

    def reserve(self) -> None:
        """Take note that a call begins.

        Raises:
            BudgetError: With it and all under way, the cap would likely be passed.
        """
        self.budget.reserve()

    def settle(self) -> None:
        """Take note that a call has ended, with a reply or without."""
        self.budget.settle()

    async def pay(
        self, key: str, purpose: Purpose, model: str, reply: ModelReply, *, share: int = 1
    ) -> None:
        """Keep a reply; when this returns it is on disk and counted as spent.

        Args:
            key: Key of its request.
            purpose: What it was asked for.
            model: Name of the model.
            reply: The reply.
            share: What part of the price is billed: one in so many.
        """
        full = cost_of(reply.usage, model, self.prices)
        cost = None if full is None else full // share
        await self.log.keep(key, purpose, model, PaidReply(reply, cost))
        self.budget.spend(cost)
