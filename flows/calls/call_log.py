"""The log of calls: replies are stored raw before anybody uses them, and found again by key."""

import asyncio
import datetime
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.dialects.sqlite import insert

from memassay.flows.calls.call_tables import CALLS
from memassay.flows.store.tables import reading
from memassay.schemas.contracts.calls import ModelReply, ReplyStatus, Usage


@dataclass(frozen=True)
class Purpose:
    """What a call is made for: its row in the ledger."""

    stage: str
    task: str


@dataclass(frozen=True)
class PaidReply:
    """A reply with what it cost, in billionths of a dollar; None where no price is known."""

    reply: ModelReply
    cost: int | None


_BILLED = (CALLS.c.stage, CALLS.c.model, CALLS.c.day)


class CallLog:
    """Replies in the database of a workspace; several that arrive together share one commit."""

    def __init__(self, engine: Engine) -> None:
        """Take the database; one thread of our own writes to it."""
        self.engine = engine
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="call-log")
        with reading(engine) as connection:
            keys = connection.execute(select(CALLS.c.key)).scalars()
            # Most requests are new: a look into memory spares each of them a query.
            self._known = {bytes.fromhex(key) for key in keys}
        self._waiting: list[tuple[dict[str, Any], asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    def find(self, key: str) -> PaidReply | None:
        """The stored reply to a request, if there is one."""
        if bytes.fromhex(key) not in self._known:
            return None
        columns = (CALLS.c.status, CALLS.c.text, CALLS.c.raw, CALLS.c.cost, *_COUNTED)
        with reading(self.engine) as connection:
            row = connection.execute(select(*columns).where(CALLS.c.key == key)).one()
        status, text, raw, cost, *counted = row
        used = dict(zip((column.name for column in _COUNTED), counted, strict=True))
        reply = ModelReply(status=ReplyStatus(status), text=text, usage=Usage(**used), raw=raw)
        return PaidReply(reply, cost)

    async def keep(self, key: str, purpose: Purpose, model: str, paid: PaidReply) -> None:
        """Store a reply; when this returns it is on disk."""
        reply = paid.reply
        row = {
            "key": key,
            "stage": purpose.stage,
            "task": purpose.task,
            "model": model,
            "day": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "status": str(reply.status),
            "cost": paid.cost,
            "text": reply.text,
            "raw": reply.raw,
            **reply.usage.model_dump(),
        }
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, stored))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await stored

    async def _write(self) -> None:
        """Commit what waits, again and again, until nothing does."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            rows = [row for row, _ in batch]
            try:
                await loop.run_in_executor(self._writer, self._insert, rows)
            except Exception as error:  # noqa: BLE001 - handed to whoever waits for the row
                for _, stored in batch:
                    stored.set_exception(error)
            else:
                for row, stored in batch:
                    self._known.add(bytes.fromhex(row["key"]))
                    stored.set_result(None)
        self._writing = None

    def _insert(self, rows: Sequence[dict[str, Any]]) -> None:
        with self.engine.begin() as connection:
            connection.execute(insert(CALLS).on_conflict_do_nothing(), rows)

    def spent(self) -> int:
        """What all replies of the workspace cost, in billionths of a dollar."""
        with reading(self.engine) as connection:
            paid = select(func.coalesce(func.sum(CALLS.c.cost), 0))
            return int(connection.execute(paid).scalar_one())

    def bill(self) -> list[dict[str, Any]]:
        """Calls, tokens, images and cost by stage, model and day, in that order."""
        sums = [func.sum(column).label(column.name) for column in (*_COUNTED, CALLS.c.cost)]
        unpriced = func.sum(CALLS.c.cost.is_(None)).label("unpriced")
        query = select(*_BILLED, func.count().label("calls"), *sums, unpriced)
        with reading(self.engine) as connection:
            rows = connection.execute(query.group_by(*_BILLED).order_by(*_BILLED))
            return [dict(row._mapping) for row in rows]

    def close(self) -> None:
        """End the writing thread; what was kept stays."""
        self._writer.shutdown()


_COUNTED = (CALLS.c.input, CALLS.c.cached, CALLS.c.output, CALLS.c.images)
