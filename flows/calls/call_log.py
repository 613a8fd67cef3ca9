"""The log of calls: replies are stored raw before anybody uses them, and found again by key."""

import asyncio
import datetime
import os
import socket
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Table,
    delete,
    func,
    literal_column,
    select,
)

from memassay.flows.calls.call_tables import CALLS, CALLS_TURN, FORMS, RESERVES, UNANSWERED
from memassay.flows.store.dialects import SERVER, inserting, take_turns
from memassay.flows.store.tables import reading
from memassay.schemas.contracts.calls import ModelReply, Purpose, ReplyForm, ReplyStatus, Usage
from memassay.schemas.hashing import sha256


@dataclass(frozen=True)
class PaidReply:
    """A reply with what it cost, in billionths of a dollar; None where no price is known."""

    reply: ModelReply
    cost: int | None


@dataclass(frozen=True)
class Stand:
    """The state of a budget when something is to be set aside.

    Attributes:
        taken: Whether it was.
        spent: What all calls of the workspace cost, in billionths of a dollar.
        unanswered: The part of it that is counted for calls without a reply.
        reserved: What is set aside for other calls under way.
    """

    taken: bool
    spent: int
    unanswered: int
    reserved: int


Result = TypeVar("Result")

_HOST: Final = sha256(socket.gethostname().encode())[:8]
_BATCH: Final = "batch"
"""Owner of reserves that outlive a process."""
_ROW: Final[Any] = literal_column("rowid")
_BILLED = (CALLS.c.stage, CALLS.c.model, CALLS.c.day)


class CallLog:
    """Replies in the database of a workspace; several that arrive together share one commit."""

    def __init__(self, engine: Engine) -> None:
        """Take the database; one thread of our own writes to it."""
        self.engine = engine
        self._insert = inserting(engine)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="call-log")
        self._owner = f"{_HOST}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._counted = (0, 0)
        self._waiting: list[tuple[Callable[[Connection], Any], asyncio.Future[Any]]] = []
        self._writing: asyncio.Task[None] | None = None

    def has(self, key: str) -> bool:
        """Whether a reply is stored under a key."""
        with reading(self.engine) as connection:
            known = connection.execute(select(CALLS.c.key).where(CALLS.c.key == key))
            return known.scalar_one_or_none() is not None

    def find(self, key: str) -> PaidReply | None:
        """The stored reply to a request, if there is one: another run may just have kept it."""
        columns = (CALLS.c.status, CALLS.c.text, CALLS.c.raw, CALLS.c.cost, *_COUNTED)
        with reading(self.engine) as connection:
            row = connection.execute(select(*columns).where(CALLS.c.key == key)).one_or_none()
        if row is None:
            return None
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
            "day": _today(),
            "status": str(reply.status),
            "cost": paid.cost,
            "text": reply.text,
            "raw": reply.raw,
            **reply.usage.model_dump(),
        }

        def insert_row(connection: Connection) -> None:
            own = self._own(key)
            if row["cost"] is None:
                # Nobody knows what it cost; under a budget it is taken for the most it could.
                row["cost"] = connection.execute(
                    select(func.max(RESERVES.c.amount)).where(*own)
                ).scalar_one()
            connection.execute(self._insert(CALLS).on_conflict_do_nothing(), row)
            connection.execute(delete(RESERVES).where(*own))

        await self._write(insert_row)

    async def keep_unanswered(
        self, key: str, purpose: Purpose, model: str, most: int | None
    ) -> None:
        """Take note of a call that was sent and brought no reply, in place of its reserve."""
        row = {
            "key": key,
            "stage": purpose.stage,
            "task": purpose.task,
            "model": model,
            "day": _today(),
            "most": most,
        }

        def insert_row(connection: Connection) -> None:
            connection.execute(self._insert(UNANSWERED), row)
            connection.execute(delete(RESERVES).where(*self._own(key)))

        await self._write(insert_row)

    def _put(self, connection: Connection, table: Table, row: dict[str, Any]) -> None:
        """Insert a row, in place of that with the same key if there is one."""
        keys = [column.name for column in table.primary_key]
        rest = {name: value for name, value in row.items() if name not in keys}
        fresh = self._insert(table).values(row)
        connection.execute(fresh.on_conflict_do_update(index_elements=keys, set_=rest))

    def _own(self, key: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        """Which reserves of a request are ours."""
        return RESERVES.c.key == key, RESERVES.c.owner.in_([self._owner, _BATCH])

    async def reserve(
        self, key: str, amount: int, cap: int, until: float, *, batch: bool = False
    ) -> Stand:
        """Set an amount aside if it fits below a cap, in one transaction with looking."""

        def take(connection: Connection) -> Stand:
            _clear_dead(connection)
            unanswered = int(connection.execute(_UNANSWERED_COST).scalar_one())
            spent = self._spent_now(connection) + unanswered
            owner = _BATCH if batch else self._owner
            others = (RESERVES.c.key != key) | (RESERVES.c.owner != owner)
            total = select(func.coalesce(func.sum(RESERVES.c.amount), 0)).where(others)
            reserved = int(connection.execute(total).scalar_one())
            taken = spent + reserved + amount <= cap
            if taken:
                row = {"key": key, "owner": owner, "amount": amount, "until": until}
                self._put(connection, RESERVES, row)
            return Stand(taken, spent, unanswered, reserved)

        return await self._write(take)

    def _spent_now(self, connection: Connection) -> int:
        """What all replies cost; where rows have numbers, those counted before are read once."""
        if connection.dialect.name == SERVER:
            return int(connection.execute(_COST_OF_ALL).scalar_one())
        spent, last = self._counted
        query = select(func.coalesce(func.sum(CALLS.c.cost), 0), func.max(_ROW))
        more, newest = connection.execute(query.where(last < _ROW)).one()
        self._counted = (spent + int(more), last if newest is None else int(newest))
        return self._counted[0]

    async def release(self, key: str) -> None:
        """Give back what was set aside for a request."""

        def give(connection: Connection) -> None:
            connection.execute(delete(RESERVES).where(*self._own(key)))

        await self._write(give)

    async def _write(self, work: Callable[[Connection], Result]) -> Result:
        """Do some work in a transaction of the writing thread; it is on disk afterwards."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._commit_what_waits())
        return await done

    async def _commit_what_waits(self) -> None:
        """Commit again and again, until nothing waits."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            works = [work for work, _ in batch]
            try:
                results = await loop.run_in_executor(self._writer, self._commit, works)
            except Exception as error:  # noqa: BLE001 - handed to who waits for the row
                for _, done in batch:
                    if not done.done():
                        done.set_exception(error)
            else:
                for (_, done), result in zip(batch, results, strict=True):
                    if not done.done():
                        done.set_result(result)
        self._writing = None

    def _commit(self, works: Sequence[Callable[[Connection], Any]]) -> list[Any]:
        counted = self._counted
        try:
            with self.engine.begin() as connection:
                take_turns(connection, CALLS_TURN)
                return [work(connection) for work in works]
        except Exception:
            self._counted = counted
            raise

    def bill(self) -> list[dict[str, Any]]:
        """Calls, tokens, images and cost by stage, model and day, in that order."""
        sums = [func.sum(column).label(column.name) for column in (*_COUNTED, CALLS.c.cost)]
        unpriced = func.count().filter(CALLS.c.cost.is_(None)).label("unpriced")
        query = select(*_BILLED, func.count().label("calls"), *sums, unpriced)
        with reading(self.engine) as connection:
            rows = connection.execute(query.group_by(*_BILLED).order_by(*_BILLED))
            return [dict(row._mapping) for row in rows]

    def unanswered_calls(self) -> list[dict[str, Any]]:
        """Calls without a reply by stage, model and day, and the most that they cost."""
        columns = (UNANSWERED.c.stage, UNANSWERED.c.model, UNANSWERED.c.day)
        sums = (func.count().label("calls"), func.sum(UNANSWERED.c.most).label("most"))
        with reading(self.engine) as connection:
            rows = connection.execute(select(*columns, *sums).group_by(*columns).order_by(*columns))
            return [dict(row._mapping) for row in rows]

    def form(self, endpoint: str, model: str) -> ReplyForm | None:
        """How a server is asked for the shape of a reply; None where nobody has found out yet."""
        known = (FORMS.c.endpoint == endpoint) & (FORMS.c.model == model)
        with reading(self.engine) as connection:
            found = connection.execute(select(FORMS.c.form).where(known)).scalar_one_or_none()
        return None if found is None else ReplyForm(found)

    async def keep_form(self, endpoint: str, model: str, form: ReplyForm) -> None:
        """Remember how a server is asked, for later runs."""
        row = {"endpoint": endpoint, "model": model, "form": str(form)}

        def put(connection: Connection) -> None:
            self._put(connection, FORMS, row)

        await self._write(put)

    def close(self) -> None:
        """End the writing thread; what was kept stays."""
        self._writer.shutdown()


def _today() -> str:
    """The day in UTC, as the bill counts days."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def _clear_dead(connection: Connection) -> None:
    """Forget what was set aside by processes that have died, as far as anybody can tell."""
    owners = connection.execute(select(RESERVES.c.owner).distinct()).scalars()
    dead = [owner for owner in owners if _is_dead(owner)]
    gone = (RESERVES.c.until < time.time()) | RESERVES.c.owner.in_(dead)
    connection.execute(delete(RESERVES).where(gone))


def _is_dead(owner: str) -> bool:
    """Whether a process of this machine has ended; of others only time tells."""
    host, _, rest = owner.partition("-")
    if host != _HOST:
        return False
    try:
        os.kill(int(rest.partition("-")[0]), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


_COST_OF_ALL = select(func.coalesce(func.sum(CALLS.c.cost), 0))
_UNANSWERED_COST = select(func.coalesce(func.sum(UNANSWERED.c.most), 0))
_COUNTED = (CALLS.c.input, CALLS.c.cached, CALLS.c.output, CALLS.c.images)
