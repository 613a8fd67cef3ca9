"""The batch driver of one endpoint: calls are gathered, submitted together, and harvested later.

A batch is written down before it is submitted, under a tag of ours that goes with it. After a
kill the next run finds it again by the tag, waits for it and takes its answers: nothing that was
submitted is submitted twice. What a batch did not answer goes into the next one.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final, TypeVar

from sqlalchemy import delete, insert, select, update

from memassay.flows.calls.call_tables import BATCHES, CALLS_TURN
from memassay.flows.calls.limits import LOOK_AT_QUOTA, Throttle
from memassay.flows.calls.payments import BATCH_SHARE, Payments
from memassay.flows.store.dialects import take_turns
from memassay.flows.store.tables import reading
from memassay.schemas.contracts.authors import BatchClient
from memassay.schemas.contracts.calls import ModelReply, ModelRequest, Purpose
from memassay.schemas.errors import (
    AuthorError,
    CallError,
    EndpointError,
    QuotaError,
    StoppedError,
)
from memassay.schemas.hashing import combined_hash
from memassay.schemas.values.redaction import holds_secret

Result = TypeVar("Result")

_RESERVED_SECONDS: Final = 48 * 3600.0
"""How long what a batch may cost is set aside if nobody harvests it: twice its time limit."""
_WAITS: Final = (0.25, 20.0)
"""Seconds before a second try at the endpoint, doubled for each further, and the most."""


@dataclass(frozen=True)
class BatchTerms:
    """How batches are made.

    Attributes:
        size: Most requests in one.
        gather: Seconds without a new request after which a batch is submitted.
        poll: Seconds between two looks at a batch under way.
        tries: Batches a request may be part of before it has failed.
        patience: Seconds that the endpoint may refuse to be asked about batches.
    """

    size: int = 5000
    gather: float = 5.0
    poll: float = 30.0
    tries: int = 4
    patience: float = 120.0


@dataclass(frozen=True)
class _Line:
    """What is kept of a request while its batch is under way."""

    model: str
    images: int
    stage: str
    task: str


@dataclass
class _Wanted:
    request: ModelRequest
    line: _Line
    reply: asyncio.Future[ModelReply]
    tries: int = 0


class BatchDriver:
    """Gives replies by way of batches; lives in one event loop."""

    def __init__(
        self,
        client: BatchClient,
        endpoint: str,
        terms: BatchTerms,
        payments: Payments,
        images: Callable[[ModelRequest], list[bytes]],
    ) -> None:
        """Bind a client to the payments of the run.

        Args:
            client: Speaks the batch protocol.
            endpoint: Name of the endpoint, by which its batches are found again.
            terms: How batches are made.
            payments: Where replies are found again and paid for.
            images: Bytes of the images of a request, as they are sent.
        """
        self.client = client
        self.endpoint = endpoint
        self.terms = terms
        self.payments = payments
        self._throttle = Throttle(terms.patience)
        self.images = images
        self._engine = payments.log.engine
        self._stopped = False
        self._wanted: dict[str, _Wanted] = {}
        self._waiting: list[str] = []
        self._arrived = asyncio.Event()
        self._resumed = asyncio.ensure_future(self._resume())
        self._tasks: set[asyncio.Task[None]] = set()
        self._gatherer = asyncio.create_task(self._gather())

    async def call(self, request: ModelRequest, purpose: Purpose) -> ModelReply:
        """The reply to a request, once the batch it is part of has ended.

        Raises:
            AuthorError: The endpoint rejects the request, or left it unanswered in all batches.
            BudgetError: The cap on spending is reached.
            CallError: The endpoint takes no batches.
            EndpointError: The endpoint answers nobody.
            QuotaError: The endpoint grants no more calls for longer than our patience.
            StoppedError: The run ends; its batches are left to the next one.
        """
        await self._earlier()
        key = request.key
        if (stored := self.payments.find(key)) is not None:
            return stored
        self._raise_if_stopped()
        if key not in self._wanted:
            await self._reserve(key, request)
            if (stored := self.payments.find(key)) is not None:
                return stored
        if key not in self._wanted:
            line = _Line(request.model, len(request.images), purpose.stage, purpose.task)
            reply: asyncio.Future[ModelReply] = asyncio.get_running_loop().create_future()
            self._wanted[key] = _Wanted(request, line, reply)
            self._waiting.append(key)
            self._arrived.set()
        return await asyncio.shield(self._wanted[key].reply)

    async def _reserve(self, key: str, request: ModelRequest) -> None:
        """Set aside what a line may cost; while that waits, the run may end, or an equal line."""
        await self.payments.reserve(key, request, _RESERVED_SECONDS, batch=True)
        if self._stopped or self.payments.find(key) is not None:
            await self.payments.release(key)
        self._raise_if_stopped()

    def _raise_if_stopped(self) -> None:
        if self._stopped:
            raise StoppedError(_LEFT)

    async def _earlier(self) -> None:
        """Wait until what an earlier run left under way has been harvested."""
        try:
            await asyncio.shield(self._resumed)
        except asyncio.CancelledError:
            if self._stopped:
                raise StoppedError(_LEFT) from None
            raise

    async def _gather(self) -> None:
        """Submit what waits whenever nothing new has come for a while, or enough has."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while len(self._waiting) < self.terms.size:
                try:
                    await asyncio.wait_for(self._arrived.wait(), self.terms.gather)
                except TimeoutError:
                    break
                self._arrived.clear()
            while self._waiting:
                keys, self._waiting = (
                    self._waiting[: self.terms.size],
                    self._waiting[self.terms.size :],
                )
                task = asyncio.create_task(self._batch(keys))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _batch(self, keys: list[str]) -> None:
        lines = {key: self._wanted[key].line for key in keys}
        tag = combined_hash([*keys, str(max(self._wanted[key].tries for key in keys))])
        try:
            self._write_down(tag, lines)
            batch = await self._submit(tag, {key: self._with_images(key) for key in keys})
            self._note_submission(tag, batch)
            await self._follow(tag, batch, lines)
        except Exception as error:  # noqa: BLE001 - handed to those who wait for a reply
            for key in keys:
                await self._fail(key, error)

    async def _submit(
        self, tag: str, requests: Mapping[str, tuple[ModelRequest, list[bytes]]]
    ) -> str:
        """Submit a batch once: where nobody knows whether a try came through, it is looked for."""
        tried = False

        async def once() -> str:
            nonlocal tried
            found = await self.client.find(tag) if tried else None
            tried = True
            return found or await self.client.submit(tag, requests)

        return await self._patiently(once)

    async def _patiently(self, ask: Callable[[], Awaitable[Result]]) -> Result:
        """What the endpoint says, asked again while it fails for a moment.

        Raises:
            CallError: It refuses the question itself.
            EndpointError: It has failed for longer than our patience.
            QuotaError: It tells us to come later, for longer than our patience, or never.
        """
        wait, ends = _WAITS[0], asyncio.get_running_loop().time() + self.terms.patience
        while True:
            try:
                return await ask()
            except CallError as error:
                if error.unpaid:
                    raise QuotaError(f"batches: {error}; {LOOK_AT_QUOTA}") from None
                if not error.transient:
                    raise
                if error.status == _THROTTLED:
                    self._throttle.tell(error)
                pause = max(error.retry_after or 0.0, wait)
                left = ends - asyncio.get_running_loop().time()
                if pause > left:
                    kind = QuotaError if error.status == _THROTTLED else EndpointError
                    raise kind(
                        f"batches: no answer for {self.terms.patience:g} s (`patience`): {error}; "
                        "what is finished is kept: run again later"
                    ) from None
            await asyncio.sleep(pause)
            wait = min(wait * 2, _WAITS[1])

    def _with_images(self, key: str) -> tuple[ModelRequest, list[bytes]]:
        request = self._wanted[key].request
        return self.payments.limit(request), self.images(request)

    async def _follow(self, tag: str, batch: str, lines: Mapping[str, _Line]) -> None:
        """Wait for a batch, keep its replies, and want again what it left unanswered."""
        while not (await self._patiently(lambda: self.client.state(batch))).ended:
            await asyncio.sleep(self.terms.poll)
        counted = {key: line.images for key, line in lines.items()}
        outcomes = await self._patiently(lambda: self.client.harvest(batch, counted))
        for key, line in lines.items():
            outcome = outcomes.get(key, CallError("the batch ended without an answer"))
            if isinstance(outcome, CallError):
                await self._again(key, outcome)
            else:
                await self._keep(key, line, outcome)
        self._forget(tag)

    async def _keep(self, key: str, line: _Line, reply: ModelReply) -> None:
        purpose = Purpose(line.stage, line.task)
        wanted = self._wanted.pop(key, None)
        request = None if wanted is None else wanted.request
        await self.payments.pay(key, purpose, line.model, reply, request=request, share=BATCH_SHARE)
        if wanted is not None:
            wanted.reply.set_result(reply)

    async def _again(self, key: str, error: CallError) -> None:
        wanted = self._wanted.get(key)
        if wanted is None:
            await self.payments.release(key)
            return
        wanted.tries += 1
        if error.unpaid:
            await self._fail(key, QuotaError(f"batches: {error}; {LOOK_AT_QUOTA}"))
        elif not error.transient:
            await self._fail(key, AuthorError(str(error), reason="rejected"))
        elif wanted.tries >= self.terms.tries:
            message = f"no reply in {wanted.tries} batches, the last: {error}"
            await self._fail(key, AuthorError(message, reason="unreachable"))
        else:
            self._waiting.append(key)
            self._arrived.set()

    async def _fail(self, key: str, error: Exception) -> None:
        await self.payments.release(key)
        self._tell(key, error)

    def _tell(self, key: str, error: Exception) -> None:
        wanted = self._wanted.pop(key, None)
        if wanted is not None:
            wanted.reply.set_exception(error)
            # Where nobody waits any more, nobody takes an error.
            wanted.reply.exception()

    async def _resume(self) -> None:
        """Take up the batches that an earlier run left under way."""
        query = select(BATCHES.c.tag, BATCHES.c.batch, BATCHES.c.lines)
        with reading(self._engine) as connection:
            rows = connection.execute(query.where(BATCHES.c.endpoint == self.endpoint)).all()
        for tag, known, document in rows:
            batch = known or await self._patiently(partial(self.client.find, tag))
            if batch is None:
                self._forget(tag)
                continue
            lines = {key: _Line(**line) for key, line in json.loads(document).items()}
            await self._follow(tag, batch, lines)

    def _write_down(self, tag: str, lines: Mapping[str, _Line]) -> None:
        document = json.dumps({key: asdict(line) for key, line in lines.items()})
        row = {"tag": tag, "endpoint": self.endpoint, "batch": None, "lines": document}
        with self._engine.begin() as connection:
            take_turns(connection, CALLS_TURN)
            connection.execute(delete(BATCHES).where(BATCHES.c.tag == tag))
            connection.execute(insert(BATCHES).values(row))

    def _note_submission(self, tag: str, batch: str) -> None:
        if holds_secret(batch):
            raise CallError("batches: expected the id of a batch, got something of a key's shape")
        with self._engine.begin() as connection:
            connection.execute(update(BATCHES).where(BATCHES.c.tag == tag).values(batch=batch))

    def _forget(self, tag: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(delete(BATCHES).where(BATCHES.c.tag == tag))

    def stop(self, *, soon: bool = False) -> None:  # noqa: ARG002 - nothing here is waited for
        """Give up all who wait: the run ends. Called in the loop."""
        self._stopped = True
        self._resumed.cancel()
        for key in list(self._wanted):
            self._tell(key, StoppedError(_LEFT))

    async def close(self) -> None:
        """Leave what is under way to the next run, which finds it again."""
        self.stop()
        running = [self._gatherer, self._resumed, *self._tasks]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for key in self._waiting:
            await self.payments.release(key)
        await self.client.close()


_THROTTLED: Final = 429
_LEFT: Final = "the run ends: what was submitted is left to the next run, which finds it again"
