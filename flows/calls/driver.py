"""The driver of one endpoint: cache, budget, limits, retries; a reply is stored before it is used.

Every step of every unit that calls the endpoint shares one driver, so that its limits hold for
all of them together. A request whose reply is stored is never sent again, and two equal
requests at the same time are sent once.
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memassay.flows.calls.call_log import Purpose
from memassay.flows.calls.limits import Breaker, Pace, Slots
from memassay.flows.calls.payments import Till
from memassay.schemas.contracts.authors import ModelClient
from memassay.schemas.contracts.calls import ModelReply, ModelRequest, rough_tokens
from memassay.schemas.errors import AuthorError, CallError, EndpointError, StoppedError

_FIXES: Final = {
    401: "look at the key in the environment or in its file",
    403: "look at what the key may do",
    404: "look at the name of the model and at `base_url`",
}
"""Statuses that every request will meet, so that the run stops, and what helps."""
_THROTTLED: Final = 429
_MOST_THROTTLED: Final = 60
"""How often one request may be told to come back later."""


@dataclass(frozen=True)
class Endpoint:
    """How an endpoint is driven.

    Attributes:
        concurrency: Calls at once.
        requests_per_minute: Most requests a minute; None for no limit.
        tokens_per_minute: Most tokens a minute; None for no limit.
        tries: Calls for one request before it has failed.
        first_wait: Seconds before the second try; doubled for each further one, with jitter.
        longest_wait: Most seconds between two tries, unless the endpoint asks for more.
        patience: Seconds without any success after which the run stops.
        timeout: Seconds a call may take in all, however slowly its answer drips in.
    """

    concurrency: int = 16
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    tries: int = 5
    first_wait: float = 0.25
    longest_wait: float = 20.0
    patience: float = 120.0
    timeout: float = 180.0


class ModelDriver:
    """Gives replies from one endpoint; lives in one event loop."""

    def __init__(
        self,
        client: ModelClient,
        endpoint: Endpoint,
        till: Till,
        images: Callable[[ModelRequest], list[bytes]],
    ) -> None:
        """Bind a client to its limits, the till of the run, and its images.

        Args:
            client: Speaks the protocol.
            endpoint: How it is driven.
            till: Where replies are found again and paid for.
            images: Bytes of the images of a request, as they are sent.
        """
        self.client = client
        self.endpoint = endpoint
        self.till = till
        self.images = images
        self._slots = Slots(endpoint.concurrency)
        self._breaker = Breaker(endpoint.patience)
        self._pace = Pace(endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self._under_way: dict[str, asyncio.Future[ModelReply]] = {}
        self._stopped = asyncio.Event()
        # Jitter only spreads calls in time; no result depends on it.
        self._jitter = random.Random()

    async def call(self, request: ModelRequest, purpose: Purpose) -> ModelReply:
        """The reply to a request: the stored one, the one under way, or a new one.

        Raises:
            AuthorError: The endpoint rejects the request, or gave no reply in all tries.
            BudgetError: The cap on spending is reached.
            EndpointError: The endpoint answers nobody, or refuses our credentials.
            StoppedError: The run ends.
        """
        key = request.key
        if (stored := self.till.find(key)) is not None:
            return stored
        if (same := self._under_way.get(key)) is not None:
            return await asyncio.shield(same)
        under_way = self._under_way[key] = asyncio.ensure_future(self._new(key, request, purpose))
        try:
            # Whoever waits may give up; a call that is paid for runs to its end and is kept.
            return await asyncio.shield(under_way)
        finally:
            under_way.add_done_callback(lambda done: self._ended(key, done))

    def _ended(self, key: str, done: asyncio.Future[ModelReply]) -> None:
        self._under_way.pop(key, None)
        if not done.cancelled():
            # Where nobody waits any more, an error has nobody to be told.
            done.exception()

    async def _new(self, key: str, request: ModelRequest, purpose: Purpose) -> ModelReply:
        self.till.reserve()
        try:
            reply = await self._tried(request)
            await self.till.pay(key, purpose, request.model, reply)
            return reply
        finally:
            self.till.settle()

    async def _tried(self, request: ModelRequest) -> ModelReply:
        wait, left, throttled = self.endpoint.first_wait, self.endpoint.tries, 0
        while True:
            try:
                return await self._once(request)
            except CallError as error:
                if error.status in _FIXES:
                    said = f"{request.provider} {request.model}: {error}"
                    raise EndpointError(f"{said}; {_FIXES[error.status]}") from None
                if not error.transient:
                    raise AuthorError(str(error), reason="rejected") from None
                if error.status == _THROTTLED:
                    throttled += 1
                elif not self._breaker.is_open:
                    # While the endpoint fails for everybody, no request is to blame.
                    left -= 1
                if left == 0 or throttled > _MOST_THROTTLED:
                    said = f"no reply in {self.endpoint.tries} tries, the last: {error}"
                    if error.status == 0 and not self._breaker.has_answered:
                        # Nobody is there: no record is to blame, and none will be written.
                        raise EndpointError(
                            f"{request.provider} {request.model}: {said}; look at its `base_url`, "
                            "and whether its server runs"
                        ) from None
                    raise AuthorError(said, reason="unreachable") from None
                asked = error.retry_after or 0.0
            spread = self._jitter.uniform(0.5, 1.0)
            await self._pause(asked + spread * self.endpoint.first_wait if asked else spread * wait)
            wait = min(wait * 2, self.endpoint.longest_wait)

    async def _pause(self, seconds: float) -> None:
        """Wait before another try; a run that ends is not waited for."""
        try:
            await asyncio.wait_for(self._stopped.wait(), seconds)
        except TimeoutError:
            return

    async def _once(self, request: ModelRequest) -> ModelReply:
        await self._slots.take()
        try:
            if self._stopped.is_set():
                raise StoppedError("the run ends: no new call is made")
            async with self._breaker.passing():
                await self._pace.keep(
                    rough_tokens(len(request.system) + len(request.text), len(request.images))
                )
                try:
                    reply = await self._sent(request)
                except CallError as error:
                    throttled = error.status == _THROTTLED
                    self._slots.saw(throttled=throttled)
                    self._breaker.saw(failed=error.transient and not throttled)
                    raise
                self._slots.saw(throttled=False)
                self._breaker.saw(failed=False)
                return reply
        finally:
            self._slots.give()

    async def _sent(self, request: ModelRequest) -> ModelReply:
        images = self.images(request)
        try:
            async with asyncio.timeout(self.endpoint.timeout):
                return await self.client.send(request, images)
        except TimeoutError:
            raise CallError(f"no answer within {self.endpoint.timeout:g} s") from None

    def stop(self) -> None:
        """Make no new call; what is under way may end. Called in the loop."""
        self._stopped.set()

    async def close(self) -> None:
        """Wait for what is under way, keep it, and close the client."""
        while self._under_way:
            await asyncio.gather(*self._under_way.values(), return_exceptions=True)
        await self.client.close()
