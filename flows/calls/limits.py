"""Limits of one endpoint, shared by every step that calls it."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from memassay.schemas.errors import CallError, EndpointError, QuotaError

_WINDOW: Final = 64
"""Latest calls that tell scattered throttling from an endpoint that is overrun."""
_OVERRUN: Final = 0.2
_CUT: Final = 0.7
_SETTLE_SECONDS: Final = 1.0
_LONG_WAIT: Final = 10.0
"""Seconds; a wait of this length is explained to the user (our choice)."""
_LONG_SILENCE: Final = 30.0
"""The same for calls that were taken and are not answered: a model that reasons may be silent."""
LOOK_AT_QUOTA: Final = "what is finished is kept: look at your plan and quota there, then run again"
_LOG: Final = logging.getLogger("memassay")
Result = TypeVar("Result")
_STREAK: Final = 12
"""Failures in a row, over all calls, after which only one call at a time tries its luck."""


class Slots:
    """Calls at once: as many as allowed, fewer while the endpoint throttles a good part of them.

    One refusal among many says nothing: the share of throttled calls among the latest 64 must
    pass a fifth before the number is cut, and it is cut once a second at most. Every call that
    goes through raises it again.
    """

    def __init__(self, concurrency: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow so many calls at once."""
        self.most = concurrency
        self.allowed = float(concurrency)
        self.active = 0
        self._clock = clock
        self._cut_at = float("-inf")
        self._latest: deque[bool] = deque(maxlen=_WINDOW)
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Wait for a slot."""
        if self.active < int(self.allowed) and not self._waiting:
            self.active += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give()
            raise

    def give(self) -> None:
        """Give a slot back."""
        self.active -= 1
        self._wake()

    def _wake(self) -> None:
        while self._waiting and self.active < int(self.allowed):
            turn = self._waiting.popleft()
            if not turn.done():
                self.active += 1
                turn.set_result(None)

    def saw(self, *, throttled: bool) -> None:
        """Learn from how a call ended."""
        self._latest.append(throttled)
        if not throttled:
            self.allowed = min(self.most, self.allowed + 1 / self.allowed)
            self._wake()
            return
        overrun = sum(self._latest) > _OVERRUN * max(len(self._latest), _WINDOW // 4)
        if overrun and self._clock() - self._cut_at >= _SETTLE_SECONDS:
            self.allowed = max(1.0, self.allowed * _CUT)
            self._cut_at = self._clock()
            self._latest.clear()


class Breaker:
    """Stops hammering an endpoint that is down, and ends the run when it stays down.

    Attributes:
        has_answered: Whether the endpoint ever gave a reply in this run.
    """

    def __init__(self, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Wait for so many seconds without a single success before giving up."""
        self.patience = patience
        self._clock = clock
        self.has_answered = False
        self._streak = 0
        self._since = 0.0
        self._probe = asyncio.Lock()

    @property
    def is_open(self) -> bool:
        """Whether the endpoint fails for everybody just now."""
        return self._streak >= _STREAK

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[None]:
        """Let a call through: at once, or one at a time while the endpoint fails.

        Raises:
            EndpointError: Nothing has succeeded for longer than our patience.
        """
        if not self.is_open:
            yield
            return
        async with self._probe:
            if self.is_open and self._clock() - self._since > self.patience:
                raise EndpointError(
                    f"endpoint: expected an answer, got {self._streak} failures in a row over "
                    f"{self.patience:.0f} s; what is finished is kept: run again when it is back"
                )
            yield

    def saw(self, *, failed: bool) -> None:
        """Learn from how a call ended."""
        if not failed:
            self.has_answered = True
            self._streak = 0
            return
        if self._streak == 0:
            self._since = self._clock()
        self._streak += 1


class Throttle:
    """How long an endpoint has answered nobody and sent everybody away (status 429)."""

    def __init__(self, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Wait for so many seconds without a single reply before giving up."""
        self.patience = patience
        self._clock = clock
        self._since: float | None = None
        self._told = False

    def saw(self, *, throttled: bool) -> None:
        """Learn from how a call ended."""
        if not throttled:
            self._since, self._told = None, False
        elif self._since is None:
            self._since = self._clock()

    @property
    def left(self) -> float:
        """Seconds of patience that are left."""
        return self.patience - (0 if self._since is None else self._clock() - self._since)

    def tell(self, error: CallError) -> None:
        """Say once what the endpoint waits for, if it is not over in a moment."""
        asked = error.retry_after or 0.0
        waited = self.patience - self.left
        long = waited + asked >= min(_LONG_WAIT, self.patience / 2)
        if self._told or not (error.quota or long):
            return
        self._told = True
        wait = f" and asks to wait {asked:.0f} s" if asked else ""
        _LOG.warning(
            "model: the endpoint refuses calls%s: %s; without any reply within %.0f s (`patience`) "
            "the run stops, and what is finished is kept",
            wait,
            error,
            self.patience,
        )


class Silence:
    """How long an endpoint has taken calls and answered none of them.

    A call that is broken off after its own time limit is no answer. A prompt at which the endpoint
    always hangs fails alone while others are answered, or if `timeout` is short enough for all of
    its tries.
    """

    def __init__(self, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Wait for so many seconds without a single answer before giving up."""
        self.patience = patience
        self._clock = clock
        self._since = 0.0
        self._quiet = 0.0
        self._waiting = 0
        self._tell_after = min(_LONG_SILENCE, patience / 2)
        self._told = False

    def note_answer(self) -> None:
        """Take note that the endpoint answered something."""
        self._since = self._clock()
        if self._told:
            # An endpoint that is always as slow is no news every time.
            self._told, self._tell_after = False, self._tell_after * 2

    async def during(self, call: Coroutine[Any, Any, Result]) -> Result:
        """What a call gives, waited for as long as the endpoint answers anything at all.

        Raises:
            QuotaError: It has answered nobody for longer than our patience.
        """
        under_way = asyncio.ensure_future(call)
        if self._waiting == 0:
            # While nothing is asked, nothing is waited for.
            self._since = self._clock() - self._quiet
        self._waiting += 1
        try:
            while not under_way.done():
                await asyncio.wait({under_way}, timeout=self._seconds_left())
            return under_way.result()
        finally:
            under_way.cancel()
            self._waiting -= 1
            self._quiet = self._clock() - self._since

    def _seconds_left(self) -> float:
        """Seconds until there is something to say, or to give up."""
        quiet = self._clock() - self._since
        if quiet >= self.patience:
            raise QuotaError(
                "model: the endpoint takes calls and has answered none of them for "
                f"{self.patience:g} s (`patience`); what is finished is kept: run again when it "
                "answers, with a longer `patience` if it is slow, or with a `timeout` below a "
                "fifth of `patience` if it hangs at one prompt alone"
            )
        if quiet >= self._tell_after and not self._told:
            self._told = True
            _LOG.warning(
                "model: %d calls wait for the endpoint, which has answered none for %.0f s; "
                "without any reply within %.0f s (`patience`) the run stops, and what is finished "
                "is kept",
                self._waiting,
                quiet,
                self.patience,
            )
        return (self.patience if self._told else min(self._tell_after, self.patience)) - quiet


class Pace:
    """Requests and tokens a minute, as the provider's contract has them; None is no limit."""

    def __init__(self, requests: int | None, tokens: int | None) -> None:
        """Set the two limits."""
        self._requests = _limiter(requests)
        self._tokens = _limiter(tokens)

    async def keep(self, tokens: int) -> None:
        """Wait until one more request of so many tokens is within both limits."""
        if self._requests is not None:
            await self._requests.acquire()
        if self._tokens is not None:
            # A request larger than the limit would wait for ever.
            await self._tokens.acquire(min(tokens, self._tokens.max_rate))


def _limiter(a_minute: int | None) -> Any:
    from aiolimiter import AsyncLimiter

    return None if a_minute is None else AsyncLimiter(a_minute, 60)
