"""Twenty annotators at the review pages over HTTP, on a long queue, through crashes of the server.

Run ``python benchmarks/review_load.py --items 100000 --seconds 180``. Everybody loops without a
pause: ask for the next item, open it, vote. The server is killed with SIGKILL twice and started
again; who got no answer sends the same vote again. In the end the database is compared with what
was acknowledged. The same is done on a queue of 1,000, for the ratio. SQLite in a new folder, and
PostgreSQL where ``MEMASSAY_POSTGRES`` (or ``--postgres``) names a server: an empty schema is made
and dropped. A table goes to standard output, times in milliseconds; the exit code is 1 if an
acknowledged vote is missing, was applied twice, or an item got more votes than it needs.
"""

import argparse
import asyncio
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from review_load_client import Annotator, Browser, Measured
from review_load_server import engine_of, fill
from sqlalchemy import create_engine, func, select, text

from memassay.annotation.storage.tables import ITEMS, VOTES

HOST = "127.0.0.1"
READY_SECONDS = 60.0
SHORT_ITEMS, SHORT_SECONDS = 1000, 6.0
"""The queue to compare with, and for how long it lasts."""


def _start(database: str, schema: str, port: int, workers: int) -> "subprocess.Popen[bytes]":
    server = Path(__file__).with_name("review_load_server.py")
    command = [sys.executable, str(server), database, schema, str(port), str(workers)]
    # Its own group: several workers are killed at once, as a machine that fails would.
    return subprocess.Popen(command, start_new_session=True)


def _kill(server: "subprocess.Popen[bytes]") -> float:
    """Kill a server with its workers; gives the processor time that they used, in seconds."""
    used = _group_cpu(server.pid)
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()
    return used


def _group_cpu(group: int) -> float:
    """Processor time of a group of processes so far, in seconds."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def _ready(port: int) -> None:
    until = time.monotonic() + READY_SECONDS
    while True:
        try:
            await Browser(HOST, port).send("GET", "/login")
        except OSError:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.05)
        else:
            return


async def _load(
    place: tuple[str, str], port: int, annotators: int, seconds: float, kills: int, workers: int
) -> tuple[Measured, float, float]:
    """Serve, work, and kill the server at even distances; it is running again at once."""
    measured, used = Measured(), 0.0
    server = _start(*place, port, workers)
    try:
        await _ready(port)
        begun = time.monotonic()
        browsers = [Browser(HOST, port) for _ in range(annotators)]
        people = [
            Annotator(f"a{number:02d}", browser, begun + seconds, measured)
            for number, browser in enumerate(browsers)
        ]
        work = asyncio.gather(*(one.work() for one in people))
        for _ in range(kills):
            await asyncio.sleep(seconds / (kills + 1))
            used += _kill(server)
            server = _start(*place, port, workers)
        await work
    finally:
        used += _kill(server)
    return measured, max(measured.until - begun, 0.001), used


def _wrong(place: tuple[str, str], measured: Measured) -> dict[str, int]:
    """What must be 0."""
    engine = engine_of(*place)
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
        "lost": sum(pair not in stored for pair in measured.acknowledged),
        "doubled": sum(count > 1 for count in stored.values())
        + len(measured.acknowledged)
        - len(set(measured.acknowledged)),
        "over-voted": sum(by_item[item] > asked[item] for item in by_item),
    }


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


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


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])


def measure(
    database: str, items: int, annotators: int, seconds: float, kills: int, workers: int = 1
) -> dict[str, Any]:
    """Fill a queue, work on it, and say how it went."""
    with _database(database) as place:
        fill(*place, items)
        own = _own_cpu()
        load = _load(place, free_port(), annotators, seconds, kills, workers)
        measured, lasted, servers = asyncio.run(load)
        own = _own_cpu() - own
        done = len(measured.acknowledged)
        return {
            "database": "postgresql" if database else "sqlite",
            "items": items,
            "workers": workers,
            "annotators": annotators,
            "seconds": round(lasted, 1),
            "kills": kills,
            "decisions": done,
            "decisions_per_second": round(done / lasted, 1),
            "next_ms": _spread(measured.next_seconds),
            "open_ms": _spread(measured.open_seconds),
            "submit_ms": _spread(measured.submit_seconds),
            # What a busy machine does not change much; the starts of servers are in it.
            "server_cpu_ms_per_decision": round(1000 * servers / max(done, 1), 2),
            "load_cpu_ms_per_decision": round(1000 * own / max(done, 1), 2),
            "sent_again": measured.retries,
            "other_answers": {str(key): n for key, n in sorted(measured.trouble.items())},
            "wrong": _wrong(place, measured),
        }


_COLUMNS = (
    ("database", 10), ("workers", 7), ("items", 7), ("kills", 5), ("decisions", 9), ("per s", 6),
    ("next p50/p95/p99", 19), ("open p50/p95/p99", 19), ("submit p50/p95/p99", 19),
    ("cpu server", 10), ("cpu load", 8), ("again", 5), ("lost", 4), ("doubled", 7),
    ("over-voted", 10),
)  # fmt: skip


def _row(found: dict[str, Any]) -> list[str]:
    times = ["/".join(f"{found[f'{name}_ms'][share]:.0f}" for share in ("p50", "p95", "p99"))
             for name in ("next", "open", "submit")]  # fmt: skip
    names = ("database", "workers", "items", "kills", "decisions", "decisions_per_second")
    cpu = (found["server_cpu_ms_per_decision"], found["load_cpu_ms_per_decision"])
    cells = [*(found[name] for name in names), *times, *cpu, found["sent_again"]]
    return [str(cell) for cell in (*cells, *found["wrong"].values())]


def _print_table(rows: list[list[str]]) -> None:
    for row in ([name for name, _ in _COLUMNS], *rows):
        cells = (cell.rjust(width) for cell, (_, width) in zip(row, _COLUMNS, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def _ratios(long: dict[str, Any], short: dict[str, Any]) -> str:
    def of(name: str) -> float:
        return float(long[f"{name}_ms"]["p50"] / max(short[f"{name}_ms"]["p50"], 0.1))

    rate = long["decisions_per_second"] / max(short["decisions_per_second"], 0.1)
    return (
        f"{long['database']}: {long['items']} items to {short['items']}: decisions per second "
        f"x{rate:.2f}, p50 of next x{of('next'):.2f}, of submit x{of('submit'):.2f}"
    )


def main() -> int:
    """Parse the arguments, measure, print; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--postgres", default=os.environ.get("MEMASSAY_POSTGRES", ""))
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--annotators", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2, help="Processes that serve.")
    parser.add_argument("--no-short", action="store_true", help="Leave the short queue out.")
    parser.add_argument("--json", action="store_true", help="The findings as JSON, no table.")
    given = parser.parse_args()
    databases = {"sqlite": "", **({"postgresql": given.postgres} if given.postgres else {})}
    found: list[dict[str, Any]] = []
    ratios = []
    for name, database in databases.items():
        if given.only not in (None, name):
            continue
        people, workers = given.annotators, given.workers
        long = measure(database, given.items, people, given.seconds, given.kills, workers)
        found.append(long)
        if not given.no_short:
            found.append(measure(database, SHORT_ITEMS, people, SHORT_SECONDS, 0, workers))
            ratios.append(_ratios(long, found[-1]))
    if given.json:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    else:
        _print_table([_row(one) for one in found])
        sys.stdout.write("".join(f"{line}\n" for line in ratios))
    return int(any(number for one in found for number in one["wrong"].values()))


if __name__ == "__main__":
    sys.exit(main())
