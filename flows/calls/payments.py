"""Payments: what a call may cost is reserved before it is sent, and its reply kept as it is paid.

A budget is a cap: the most that a call can cost (its prompt, images and room for a reply, at the
model's price) is set aside in the database before it goes out, together with everything that is
spent or set aside already, by whatever process works in the workspace. What does not fit waits for
calls under way to turn out cheaper than their reserve, and if none are, the run stops. A call that
was sent and brought no whole reply may be billed: its reserve stays spent.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError

from memassay.flows.calls.call_log import CallLog, PaidReply, Stand
from memassay.schemas.contracts.calls import (
    ModelReply,
    ModelRequest,
    Purpose,
    Usage,
    rough_tokens,
)
from memassay.schemas.errors import BudgetError, StoppedError, UsageError
from memassay.schemas.files import MIB, FileKind
from memassay.schemas.hashing import canonical_json
from memassay.schemas.yaml_text import read_yaml

BILLIONTHS: Final = 1_000_000_000
"""Parts of a dollar that costs are counted in."""
BATCH_SHARE: Final = 2
"""Batches are billed at half the price, by both providers."""

_PRICES: Final = Path(__file__).parent / "prices.yaml"
_PRICE_TABLE: Final = FileKind("a price table", MIB)
_PER: Final = 1_000_000
_ROOM: Final = 8192
"""Tokens that a reply may have under a budget where the recipe names no limit (our choice)."""
_REASONING: Final = {"low": 1024, "medium": 8192, "high": 24_576}
"""Tokens of that room for reasoning, by its effort; `max_output_tokens` includes them."""
_FRAME: Final = 1024
"""Tokens beside the words of a request: roles, labels, what a provider makes of a schema."""
_IMAGE_TOKENS: Final = 4096
_TILE: Final = 384
_TOKENS_A_TILE: Final = 258
_LOOK_SECONDS: Final = 0.5
"""Between two looks at what other processes have set aside."""

_LOG: Final = logging.getLogger("memassay")


class Price(BaseModel):
    """Dollars for a million tokens of each kind.

    Attributes:
        input: Tokens read.
        cached: Tokens read from the endpoint's cache; as `input` if not given.
        output: Tokens written.
        image: Dollars for each image shown, where they are not billed as tokens.
        image_tokens: Most tokens that one image is counted as.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Decimal = Field(ge=0)
    cached: Decimal | None = Field(None, ge=0)
    output: Decimal = Field(ge=0)
    image: Decimal = Field(Decimal(0), ge=0)
    image_tokens: int | None = Field(None, ge=0)


class _Table(RootModel[dict[str, Price]]):
    """Prices by name of the model."""


def load_prices(folder: Path, named: str | None = None) -> dict[str, Price]:
    """Read a price table: YAML, `model: {input: 1.25, output: 10}`, dollars a million tokens.

    Args:
        folder: What the table's name is relative to.
        named: The table that a recipe names; None for the one that ships.

    Raises:
        UsageError: The file cannot be read or does not fit.
    """
    path = folder / named if named else _PRICES
    try:
        return _Table.model_validate(read_yaml(path, _PRICE_TABLE)).root
    except ValidationError as error:
        reason = " ".join(str(error).split())
        raise UsageError(
            f"{path}: expected lines such as `model: {{input: 1.25, output: 10}}`: {reason}"
        ) from None


def cost_of(usage: Usage, model: str, prices: Mapping[str, Price]) -> int | None:
    """Cost in billionths of a dollar; None for a model that has no price."""
    price = prices.get(model)
    if price is None:
        return None
    cached = price.input if price.cached is None else price.cached
    dollars = (
        (usage.input - usage.cached) * price.input
        + usage.cached * cached
        + usage.output * price.output
    ) / _PER + usage.images * price.image
    return int((dollars * BILLIONTHS).to_integral_value())


def room_for(request: ModelRequest) -> int:
    """Most tokens that the reply to a request may have, reasoning included, under a budget."""
    given = request.parameters.get("max_output_tokens")
    if isinstance(given, int):
        return given
    reasoning = _REASONING.get(str(request.parameters.get("reasoning_effort")), 0)
    # What was cut off is asked for again, with twice the room.
    return (_ROOM + reasoning) << min(request.attempt, 2)


def most_usage(request: ModelRequest, image_tokens: int | None = None) -> Usage:
    """The most that a request can be billed for.

    A token is a byte at least. Images count as 4,096 tokens, or as many tiles as their longest side
    allows, unless the price table has another number.
    """
    schema = canonical_json(request.response_schema)
    words = f"{request.system}{request.text}{schema}{''.join(i.label for i in request.images)}"
    tiles = _TOKENS_A_TILE * math.ceil(request.image_side / _TILE) ** 2
    each = max(_IMAGE_TOKENS, tiles) if image_tokens is None else image_tokens
    read = len(words.encode("utf-8", "replace")) + _FRAME + len(request.images) * (each + 32)
    return Usage(input=read, output=room_for(request), images=len(request.images))


def _guessed_usage(request: ModelRequest, reply: ModelReply) -> Usage:
    """What a reply is billed by, by its length, where the endpoint counts nothing credible."""
    return Usage(
        input=rough_tokens(len(request.system) + len(request.text), len(request.images)),
        output=rough_tokens(len(reply.text or reply.raw)),
        images=len(request.images),
    )


@dataclass
class Reserve:
    """What is set aside for one call.

    Attributes:
        sent: Whether the endpoint may bill it, so that it counts if no reply is paid.
    """

    sent: bool = False


class Payments:
    """One budget, one price table and one log of calls, shared by all endpoints of a run."""

    def __init__(self, log: CallLog, prices: Mapping[str, Price], cap: int | None) -> None:
        """Take where replies are kept, prices by model, and what may be spent.

        Args:
            log: The log of calls.
            prices: Prices by model.
            cap: Most that may be spent in the workspace, in billionths of a dollar; None: no cap.
        """
        self.log = log
        self.prices = prices
        self.cap = cap
        self._freed = asyncio.Event()
        self._told = False
        self._stopped = False

    def find(self, key: str) -> ModelReply | None:
        """The reply that was paid for under a key, if there is one."""
        paid = self.log.find(key)
        return None if paid is None else paid.reply

    def limit(self, request: ModelRequest) -> ModelRequest:
        """A request as it is sent: under a budget its reply has a limit, which keeps the cap."""
        if self.cap is None:
            return request
        parameters = {**request.parameters, "max_output_tokens": room_for(request)}
        return request.model_copy(update={"parameters": parameters})

    async def reserve(
        self, key: str, request: ModelRequest, seconds: float, *, batch: bool = False
    ) -> None:
        """Set aside the most that a request can cost; waits where that fits after others end.

        Args:
            key: Its key.
            request: The request.
            seconds: After which the reserve of a process that died counts no more.
            batch: Whether it goes out in a batch, whose reserve outlives this process.

        Raises:
            BudgetError: It does not fit, and nothing that is under way can change that.
            StoppedError: The run ends while it waits.
        """
        if self.cap is None:
            return
        most = self._most(request, BATCH_SHARE if batch else 1) or 0
        if most > self.cap:
            raise BudgetError(_too_small(request, most, self.cap))
        while True:
            self._freed.clear()
            until = time.time() + seconds
            stand = await self.log.reserve(key, most, self.cap, until, batch=batch)
            if stand.taken:
                return
            if stand.reserved == 0:
                raise BudgetError(_cap_text(stand, most, self.cap))
            if self._stopped:
                raise StoppedError("the run ends: no new call is made")
            self._tell(stand.spent)
            try:
                await asyncio.wait_for(self._freed.wait(), _LOOK_SECONDS)
            except TimeoutError:
                continue

    def stop(self) -> None:
        """Let nothing wait for room any more. Called in the loop."""
        self._stopped = True
        self._freed.set()

    def _most(self, request: ModelRequest, share: int = 1) -> int | None:
        price = self.prices.get(request.model)
        usage = most_usage(request, price.image_tokens if price else None)
        full = cost_of(usage, request.model, self.prices)
        return None if full is None else -(-full // share)

    def _tell(self, spent: int) -> None:
        if not self._told:
            self._told = True
            _LOG.warning(
                "budget: %s of %s are spent, and the rest is set aside for calls under way; "
                "further ones wait for what those leave",
                dollars(spent),
                dollars(self.cap or 0),
            )

    async def release(self, key: str) -> None:
        """Give back what was set aside for a call that brought no reply."""
        if self.cap is not None:
            await self.log.release(key)
            self._freed.set()

    async def pay(
        self,
        key: str,
        purpose: Purpose,
        model: str,
        reply: ModelReply,
        *,
        request: ModelRequest | None = None,
        share: int = 1,
    ) -> None:
        """Keep a reply; when this returns it is on disk and counted as spent.

        A reply without a usable count of tokens has cost what was set aside for it, or without a
        budget what its length lets guess.

        Args:
            key: Key of its request.
            purpose: What it was asked for.
            model: Name of the model.
            reply: The reply.
            request: Its request; None if an earlier run sent it.
            share: What part of the price is billed: one in so many.
        """
        usage: Usage | None = reply.usage
        if reply.usage.input == 0 and reply.usage.output == 0:
            guess = request if self.cap is None else None
            usage = None if guess is None else _guessed_usage(guess, reply)
        full = None if usage is None else cost_of(usage, model, self.prices)
        cost = None if full is None else full // share
        await self.log.keep(key, purpose, model, PaidReply(reply, cost))
        self._freed.set()

    @asynccontextmanager
    async def set_aside(
        self, request: ModelRequest, purpose: Purpose, seconds: float
    ) -> AsyncIterator[Reserve]:
        """What a call may cost is set aside inside.

        If no reply is paid there it is given back, or, with `sent`, counted as spent.

        Raises:
            BudgetError: The cap leaves no room for it.
        """
        reserve, key = Reserve(), request.key
        await self.reserve(key, request, seconds)
        try:
            yield reserve
        except BaseException:
            if reserve.sent:
                await self.log.keep_unanswered(key, purpose, request.model, self._most(request))
                self._freed.set()
            else:
                await self.release(key)
            raise


def _too_small(request: ModelRequest, most: int, cap: int) -> str:
    usage = most_usage(request)
    return (
        f"budget: expected room for one call, got {dollars(cap)}; a call of {request.model} may "
        f"cost {dollars(most)} ({usage.input} tokens read, {usage.output} written); nothing of it "
        "was sent. Raise `budget:`, or `--budget` if you gave it, or give the model a smaller "
        "`max_output_tokens`"
    )


def _cap_text(stand: Stand, most: int, cap: int) -> str:
    lost = dollars(stand.unanswered)
    counted = f" (up to {lost} of it for calls without a reply)" if stand.unanswered else ""
    return (
        f"budget: {dollars(stand.spent)} of {dollars(cap)} are spent{counted}, and the next call "
        f"may cost {dollars(most)}; everything paid for is kept. Raise `budget:`, or "
        "`--budget` if you gave it, and run again; `--estimate` says what all of it costs"
    )


def dollars(billionths: int) -> str:
    """An amount for people: `$0.0123`."""
    return f"${billionths / BILLIONTHS:.4f}"
