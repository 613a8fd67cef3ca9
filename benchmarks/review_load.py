"""Twenty annotators at the review pages over HTTP, on a long queue, through crashes of the server.

Run ``python benchmarks/review_load.py --items 100000 --seconds 180 --kills 2`` (SQLite in a new
folder), or with ``--database postgresql+psycopg://user:password@host/name`` (an empty schema is
made and dropped). Everybody loops without a pause: ask for the next item, open it, vote. The
server is killed with SIGKILL and started again; who got no answer sends the same vote again. In
the end the database is compared with what was acknowledged. One JSON document goes to standard
output: decisions per second, latencies in milliseconds, and what went wrong, which must be 0.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from review_load_server import GATE, PASSWORD, engine_of, fill
from sqlalchemy import create_engine, func, select, text

from memassay.annotation.review_tables import ITEMS, VOTES

READY_SECONDS = 60.0


@dataclass
class Measured:
    """What the annotators saw.

    Attributes:
        next_seconds: Times from asking for the next item to being sent to it.
        open_seconds: Times to get its page.
        submit_seconds: Times from a vote to its acknowledgement, retries not included.
        acknowledged: Item and reviewer of every vote that was acknowledged.
        retries: Votes that were sent again for want of an answer.
        trouble: Other answers by status.
    """

    next_seconds: list[float] = field(default_factory=list)
    open_seconds: list[float] = field(default_factory=list)
    submit_seconds: list[float] = field(default_factory=list)
    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    retries: int = 0
    trouble: Counter[int] = field(default_factory=Counter)


class Annotator:
    """One person with one browser, who never thinks."""

    def __init__(self, name: str, address: str, until: float, measured: Measured) -> None:
        """Prepare; `until` is when no new item is asked for."""
        self.name, self.address, self.until, self.measured = name, address, until, measured
        self.token = ""

    async def work(self) -> None:
        """Loop until the time is over; a vote that was begun is sent until it is acknowledged."""
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as self.http:
            while time.monotonic() < self.until:
                item = await self._next()
                if item is not None:
                    await self._submit(item)

    async def _send(self, method: str, path: str, **more: Any) -> tuple[int, str, str] | None:
        """Status, place to go to and text of an answer; None if none came."""
        try:
            async with self.http.request(
                method, self.address + path, allow_redirects=False, **more
            ) as answer:
                return answer.status, answer.headers.get("Location", ""), await answer.text()
        except (aiohttp.ClientError, ConnectionError):
            await asyncio.sleep(0.1)
            return None

    async def _log_in(self) -> None:
        await self._send("POST", "/login", data={"name": self.name, "password": PASSWORD})
        answer = await self._send("GET", "/write")
        found = re.search(r'data-token="([^"]+)"', answer[2]) if answer else None
        self.token = found.group(1) if found else ""

    async def _next(self) -> str | None:
        begun = time.perf_counter()
        answer = await self._send("GET", "/next")
        if answer is None:
            return None
        if answer[1].startswith("/login"):
            await self._log_in()
            return None
        if not answer[1].startswith("/item/"):
            self.measured.trouble[answer[0]] += 1
            await asyncio.sleep(0.05)
            return None
        asked = time.perf_counter()
        self.measured.next_seconds.append(asked - begun)
        page = await self._send("GET", answer[1])
        if page is None or page[0] != 200:
            self.measured.trouble[0 if page is None else page[0]] += 1
            return None
        self.measured.open_seconds.append(time.perf_counter() - asked)
        return answer[1].removeprefix("/item/")

    async def _submit(self, item: str) -> None:
        ticket = uuid.uuid4().hex
        while True:
            form = {"token": self.token, "ticket": ticket, "ruling": "accept", "seconds": "1"}
            begun = time.perf_counter()
            answer = await self._send("POST", f"/item/{item}/vote", data=form)
            if answer is None:
                self.measured.retries += 1
                continue
            if answer[1].startswith("/login") or answer[0] == 403:
                await self._log_in()
                continue
            if answer[0] == 303:
                self.measured.submit_seconds.append(time.perf_counter() - begun)
                self.measured.acknowledged.append((item, self.name))
            else:
                self.measured.trouble[answer[0]] += 1
            return


def _start(database: str, schema: str, port: int) -> "subprocess.Popen[bytes]":
    server = Path(__file__).with_name("review_load_server.py")
    return subprocess.Popen([sys.executable, str(server), database, schema, str(port)])


async def _ready(address: str) -> None:
    until = time.monotonic() + READY_SECONDS
    async with aiohttp.ClientSession() as http:
        while True:
            try:
                async with http.get(f"{address}/login"):
                    return
            except aiohttp.ClientError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.1)


async def _load(
    database: str, schema: str, port: int, annotators: int, seconds: float, kills: int
) -> Measured:
    """Serve, work, and kill the server at even distances; it is running again at once."""
    address, measured = f"http://127.0.0.1:{port}", Measured()
    server = _start(database, schema, port)
    try:
        await _ready(address)
        until = time.monotonic() + seconds
        people = [Annotator(f"a{n:02d}", address, until, measured) for n in range(annotators)]
        work = asyncio.gather(*(one.work() for one in people))
        for _ in range(kills):
            await asyncio.sleep(seconds / (kills + 1))
            os.kill(server.pid, signal.SIGKILL)
            server.wait()
            server = _start(database, schema, port)
        await work
    finally:
        server.terminate()
        server.wait()
    return measured


def _wrong(database: str, schema: str, measured: Measured) -> dict[str, int]:
    """What must be 0."""
    engine = engine_of(database, schema)
    votes = select(VOTES.c.item, VOTES.c.reviewer, func.count()).where(~VOTES.c.withdrawn)
    needed = select(ITEMS.c.id, ITEMS.c.votes_needed)
    with engine.connect() as connection:
        stored = {
            (row[0], row[1]): row[2]
            for row in connection.execute(votes.group_by(VOTES.c.item, VOTES.c.reviewer))
        }
        asked = {row[0]: row[1] for row in connection.execute(needed)}
    engine.dispose()
    by_item = Counter(item for item, _ in stored)
    return {
        "acknowledged_and_missing": sum(pair not in stored for pair in measured.acknowledged),
        "applied_twice": sum(count > 1 for count in stored.values()),
        "items_with_too_many_votes": sum(by_item[item] > asked[item] for item in by_item),
        "acknowledged_twice": len(measured.acknowledged) - len(set(measured.acknowledged)),
    }


def _cpu_ms(decisions: int) -> float:
    """Processor time of all servers by decision: what a busy machine does not change much."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(1000 * (used.ru_utime + used.ru_stime) / max(decisions, 1), 1)


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times) or [0.0]
    return {
        f"p{share}": round(1000 * ordered[min(len(ordered) * share // 100, len(ordered) - 1)], 1)
        for share in (50, 95, 99)
    }


@contextmanager
def _database(given: str) -> Iterator[tuple[str, str]]:
    """A new SQLite file, or an empty schema of a PostgreSQL database."""
    if not given:
        with tempfile.TemporaryDirectory() as folder:
            yield f"{folder}/review.sqlite", ""
        return
    schema = f"memassay_load_{uuid.uuid4().hex[:8]}"
    engine = create_engine(given)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    try:
        yield given, schema
    finally:
        with engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
        engine.dispose()


def measure(
    database: str, items: int, annotators: int, seconds: float, kills: int, port: int
) -> dict[str, Any]:
    """Fill a queue, work on it, and say how it went."""
    with _database(database) as (place, schema):
        fill(place, schema, items)
        measured = asyncio.run(_load(place, schema, port, annotators, seconds, kills))
        return {
            "database": "postgresql" if database else "sqlite",
            "gate": GATE,
            "items": items,
            "annotators": annotators,
            "seconds": seconds,
            "kills": kills,
            "decisions": len(measured.acknowledged),
            "decisions_per_second": round(len(measured.acknowledged) / seconds, 1),
            "next_ms": _spread(measured.next_seconds),
            "open_ms": _spread(measured.open_seconds),
            "submit_ms": _spread(measured.submit_seconds),
            "server_cpu_ms_per_decision": _cpu_ms(len(measured.acknowledged)),
            "sent_again": measured.retries,
            "other_answers": {str(key): n for key, n in sorted(measured.trouble.items())},
            "wrong": _wrong(place, schema, measured),
        }


def main() -> None:
    """Parse the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--database", default="", help="URL of a PostgreSQL database")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--annotators", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--port", type=int, default=8799)
    given = parser.parse_args()
    found = measure(
        given.database, given.items, given.annotators, given.seconds, given.kills, given.port
    )
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
