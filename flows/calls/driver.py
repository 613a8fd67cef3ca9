"""The driver of one endpoint: cache, budget, limits, retries; a reply is stored before it is used.

Every step of every unit that calls the endpoint shares one driver, so that its limits hold for
all of them together. A request whose reply is stored is never sent again, and two equal
requests at the same time are sent once.
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memassay.flows.calls.limits import LOOK_AT_QUOTA, Breaker, Pace, Silence, Slots, Throttle
from memassay.flows.calls.payments import Payments, room_for
from memassay.flows.calls.reply_forms import ReplyForms
from memassay.schemas.contracts.authors import ModelClient
from memassay.schemas.contracts.calls import (
    ModelReply,
    ModelRequest,
    Purpose,
    ReplyStatus,
    rough_tokens,
)
from memassay.schemas.errors import (
    AuthorError,
    CallError,
    EndpointError,
    MemassayError,
    QuotaError,
    RefusedError,
    StoppedError,
)

_FIXES: Final = {
    401: "look at the key in the environment or in its file",
    403: "look at what the key may do",
    404: "look at the name of the model and at `base_url`",
}
"""Statuses that every request will meet, so that the run stops, and what helps."""
_REDIRECTED: Final = "write the address that answers into `base_url`: redirects are not followed"
_LONGEST_TOKEN: Final = 64
"""Characters of one token at most: a reply of more for each token that it may have is none."""
_THROTTLED: Final = 429
_MOST_THROTTLED: Final = 60
"""How often one request may be asked to come back later."""
_RESERVED_LONGER: Final = 60.0
"""Seconds beyond its time limit after which the reserve of a call is that of a dead process."""
GRACE_SECONDS: Final = 5.0
"""What an interrupted run leaves calls under way to bring the replies that are paid for."""
_LOG: Final = logging.getLogger("memassay")


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
        payments: Payments,
        images: Callable[[ModelRequest], list[bytes]],
        forms: ReplyForms,
    ) -> None:
        """Bind a client to its limits, the payments of the run, and its images.

        Args:
            client: Speaks the protocol.
            endpoint: How it is driven.
            payments: Where replies are found again and paid for.
            images: Bytes of the images of a request, as they are sent.
            forms: How it is asked for the shape of a reply.
        """
        self.client = client
        self.endpoint = endpoint
        self.forms = forms
        self.payments = payments
        self.images = images
        self._slots = Slots(endpoint.concurrency)
        self._breaker = Breaker(endpoint.patience)
        self._throttle = Throttle(endpoint.patience)
        self._silence = Silence(endpoint.patience)
        self._pace = Pace(endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self._under_way: dict[str, asyncio.Future[ModelReply]] = {}
        self._stopped = asyncio.Event()
        self._ending = False
        # Jitter only spreads calls in time; no result depends on it.
        self._jitter = random.Random()

    async def call(self, request: ModelRequest, purpose: Purpose) -> ModelReply:
        """The reply to a request: the stored one, the one under way, or a new one.

        Raises:
            AuthorError: The endpoint rejects the request, or gave no reply in all tries.
            BudgetError: The cap on spending is reached.
            EndpointError: The endpoint answers nobody, or refuses our credentials.
            QuotaError: The endpoint grants no more calls, for longer than our patience or at all.
            StoppedError: The run ends.
        """
        key = request.key
        if (stored := self.payments.find(key)) is not None:
            return stored
        if (same := self._under_way.get(key)) is not None:
            return await asyncio.shield(same)
        under_way = self._under_way[key] = asyncio.ensure_future(self._try(request, purpose))
        try:
            # Those who wait may give up; a call that is paid for runs to its end and is kept.
            return await asyncio.shield(under_way)
        except asyncio.CancelledError:
            if not (under_way.cancelled() and self._stopped.is_set()):
                raise
            raise StoppedError("the run ends: the call under way was given up") from None
        finally:
            under_way.add_done_callback(lambda done: self._finish(key, done))

    def _finish(self, key: str, done: asyncio.Future[ModelReply]) -> None:
        self._under_way.pop(key, None)
        if not done.cancelled():
            # Where nobody waits any more, nobody takes an error.
            done.exception()

    async def _try(self, request: ModelRequest, purpose: Purpose) -> ModelReply:
        wait, left, throttled = self.endpoint.first_wait, self.endpoint.tries, 0
        while True:
            try:
                async with self.forms.alone(request):
                    reply = await self._in_form(request, purpose)
                if reply is not None:
                    return reply
                continue
            except CallError as error:
                if fix := _FIXES.get(error.status, _REDIRECTED if error.redirect else ""):
                    message = f"{request.provider} {request.model}: {error}"
                    raise RefusedError(f"{message}; {fix}") from None
                if error.unpaid:
                    raise QuotaError(
                        f"{request.provider} {request.model}: {error}; {LOOK_AT_QUOTA}"
                    ) from None
                if not error.transient:
                    message = f"{error}{_about_images(request)}"
                    raise AuthorError(message, reason="rejected") from None
                if error.status == _THROTTLED:
                    throttled += 1
                elif not self._breaker.is_open:
                    # While the endpoint fails for everybody, no request is to blame.
                    left -= 1
                if left == 0 or throttled > _MOST_THROTTLED:
                    raise self._given_up(request, error) from None
                last = error
            spread = self._jitter.uniform(0.5, 1.0)
            asked = last.retry_after or 0.0
            pause = asked + spread * self.endpoint.first_wait if asked else spread * wait
            await self._wait_out(request, last, pause)
            wait = min(wait * 2, self.endpoint.longest_wait)

    async def _in_form(self, request: ModelRequest, purpose: Purpose) -> ModelReply | None:
        """One call in the form that the endpoint takes; None if it turns out to take another."""

        async def ask(question: ModelRequest) -> ModelReply:
            return await self._once(question, Purpose(purpose.stage, "reply_form"))

        sent = self.forms.fit(request)
        try:
            reply = await self._once(sent, purpose)
        except CallError as error:
            if await self.forms.learn(sent, error, ask):
                return None
            raise
        await self.forms.learn(sent, reply, ask)
        return reply

    def _given_up(self, request: ModelRequest, error: CallError) -> MemassayError:
        message = f"no reply in {self.endpoint.tries} tries, the last: {error}"
        if error.status == 0 and not self._breaker.has_answered:
            # Nobody is there: no record is to blame, and none will be written.
            return EndpointError(
                f"{request.provider} {request.model}: {message}; look at its `base_url`, "
                "and whether its server runs"
            )
        return AuthorError(f"{message}{_about_images(request)}", reason="unreachable")

    async def _wait_out(self, request: ModelRequest, error: CallError, seconds: float) -> None:
        """Wait before another try; a run that ends is not waited for.

        Raises:
            QuotaError: The endpoint tells everybody to come later, for longer than our patience.
        """
        throttled = error.status == _THROTTLED
        if throttled:
            self._throttle.tell(error)
        until = time.monotonic() + seconds
        while (rest := until - time.monotonic()) > 0 and not self._stopped.is_set():
            left = self._throttle.left if throttled else rest
            if left <= 0:
                raise QuotaError(
                    f"{request.provider} {request.model}: no call was let through for "
                    f"{self.endpoint.patience:g} s (`patience`): {error}; {LOOK_AT_QUOTA}"
                )
            try:
                await asyncio.wait_for(self._stopped.wait(), min(rest, left))
            except TimeoutError:
                continue

    async def _once(self, request: ModelRequest, purpose: Purpose) -> ModelReply:
        await self._slots.take()
        try:
            self._raise_if_stopped()
            async with self._breaker.passing():
                await self._pace.keep(
                    rough_tokens(len(request.system) + len(request.text), len(request.images))
                )
                return await self._paid(request, purpose)
        finally:
            self._slots.give()

    async def _paid(self, request: ModelRequest, purpose: Purpose) -> ModelReply:
        """One call inside its reserve; the reply is stored before anybody looks at it."""
        seconds = self.endpoint.timeout + _RESERVED_LONGER
        async with self.payments.set_aside(request, purpose, seconds) as reserve:
            self._raise_if_stopped()
            images = self.images(request)
            reserve.sent = True
            try:
                reply = await self._silence.during(self._send(self.payments.limit(request), images))
            except CallError as error:
                reserve.sent = error.sent
                throttled = error.status == _THROTTLED
                self._slots.saw(throttled=throttled)
                self._breaker.saw(failed=error.transient and not throttled)
                if throttled:
                    self._throttle.saw(throttled=True)
                raise
            await self.payments.pay(request.key, purpose, request.model, reply, request=request)
        self._slots.saw(throttled=False)
        self._throttle.saw(throttled=False)
        self._breaker.saw(failed=reply.status is ReplyStatus.MALFORMED)
        return reply

    def _raise_if_stopped(self) -> None:
        if self._stopped.is_set():
            raise StoppedError("the run ends: no new call is made")

    async def _send(self, request: ModelRequest, images: list[bytes]) -> ModelReply:
        try:
            async with asyncio.timeout(self.endpoint.timeout):
                reply = await self.client.send(request, images)
        except TimeoutError:
            words = f"no answer within {self.endpoint.timeout:g} s"
            raise CallError(words, sent=True) from None
        except CallError as error:
            if error.status or not error.sent:
                self._silence.note_answer()
            raise
        except Exception as error:  # noqa: BLE001 - whatever a library makes of bytes from outside
            raise CallError(f"{type(error).__name__}: {error}", sent=True) from None
        self._silence.note_answer()
        return _within_room(request, reply)

    def stop(self, *, soon: bool = False) -> None:
        """Make no new call; what is under way may end, or with `soon` within seconds. In the loop.

        A call that is given up may be billed, and counts as spent.
        """
        self._stopped.set()
        if soon and self._under_way and not self._ending:
            self._ending = True
            _LOG.warning(
                "model: the run ends; it waits %.0f s at most for the replies of %d calls under "
                "way",
                GRACE_SECONDS,
                len(self._under_way),
            )
            asyncio.get_running_loop().call_later(GRACE_SECONDS, self._give_up)

    def _give_up(self) -> None:
        for call in list(self._under_way.values()):
            call.cancel()

    async def close(self) -> None:
        """Wait for what is under way, keep it, and close the client."""
        while self._under_way:
            await asyncio.gather(*self._under_way.values(), return_exceptions=True)
        await self.client.close()


def _about_images(request: ModelRequest) -> str:
    """What may help where a request with images is refused."""
    few = len(request.images)
    return f"; it showed {few} images: `image_side: 0` for a model that sees none" if few else ""


def _within_room(request: ModelRequest, reply: ModelReply) -> ModelReply:
    """A reply, or no reply where its text is longer than what was asked for can be.

    It would be shown again in later prompts, which are paid for by their length.
    """
    if len(reply.text) <= _LONGEST_TOKEN * room_for(request):
        return reply
    return reply.model_copy(update={"status": ReplyStatus.MALFORMED, "text": ""})
