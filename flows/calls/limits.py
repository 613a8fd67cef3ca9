"""Limits of one endpoint, shared by every step that calls it."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from memassay.schemas.errors import CallError, EndpointError

_WINDOW: Final = 64
"""Latest calls that tell scattered throttling from an endpoint that is overrun."""
_OVERRUN: Final = 0.2
_CUT: Final = 0.7
_SETTLE_SECONDS: Final = 1.0
_LONG_WAIT: Final = 10.0
"""Seconds; a wait of this length is explained to the user (our choice)."""
_LOG: Final = logging.getLogger("memassay")
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
        if self._told or not (error.quota or asked >= _LONG_WAIT):
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
