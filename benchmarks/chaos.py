"""Kills runs at random moments and looks at what is left: the release, the leases, the processes.

Each trial is a workspace of its own. One or two runs share it, one of them, one of their workers or
one of their database connections is struck, and the recipe is run again until it is done::

    python benchmarks/chaos.py --kills 60
    python benchmarks/chaos.py --kills 20 --database postgresql+psycopg://me@localhost/scratch
    python benchmarks/chaos.py --kills 10 --models

A database that is named is emptied for every trial. With `--models` a server on this machine
writes the dialogues. Ends with 1 if any trial gave another release, did or paid a unit twice, or
left a process, a lease or a lock.
"""

import argparse
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml
from sqlalchemy import create_engine, text

ROOT = Path(__file__).resolve().parent.parent
MARK = "MEMASSAY_CHAOS"
"""Environment variable by which the processes of a trial are found, whoever started them."""
KILLS_A_TRIAL = 3
END_SECONDS = 8.0
"""How long the processes of a run have for their end."""
RECIPE: dict[str, Any] = {
    "path": "m3exam",
    "seed": 7,
    "copies": 3,
    "personas": ["wei-courier"],
    "sizes": {"sessions": 2, "rounds": 5, "images": 1, "documents": 0},
    "questions": {"ss": 3, "mr": 2},
    "release": {"name": "chaos", "licence": "CC-BY-4.0", "formats": ["m3exam"]},
}


@dataclass
class Place:
    """A workspace: its folder, and the database if that is on a server."""

    folder: Path
    database: str | None

    @property
    def address(self) -> str:
        """What `--workspace` takes."""
        return f"{self.database}?files={self.folder}" if self.database else str(self.folder)

    def empty(self) -> None:
        """Begin with nothing."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.database:
            self.ask("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")

    def ask(self, *statements: str) -> list[Any]:
        """Rows of the last of some statements."""
        url = self.database or f"sqlite:///{self.folder / 'memassay.sqlite'}"
        engine = create_engine(url)
        try:
            with engine.begin() as connection:
                results = [connection.execute(text(one)) for one in statements]
                return [*results[-1]] if results[-1].returns_rows else []
        finally:
            engine.dispose()

    def cut_connection(self, chance: random.Random) -> bool:
        """End a connection that a run has; False if none has any."""
        mine = "datname = current_database() AND pid <> pg_backend_pid()"
        found = [row[0] for row in self.ask(f"SELECT pid FROM pg_stat_activity WHERE {mine}")]
        if not found:
            return False
        self.ask(f"SELECT pg_terminate_backend({chance.choice(found)})")
        return True


@dataclass
class Chaos:
    """A series of trials.

    Attributes:
        struck: Kills by what was struck.
        wrong: What went wrong, in words.
    """

    recipe: Path
    place: Place
    chance: random.Random
    workers: int
    struck: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0
    wanted: str = ""
    paid: str = ""

    def start(self, mark: str) -> "subprocess.Popen[bytes]":
        """Begin a run."""
        call = [sys.executable, "-m", "memassay", "run", str(self.recipe), "--runner", "plain"]
        call += ["--workers", str(self.workers), "--workspace", self.place.address]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(call, env={**os.environ, MARK: mark}, cwd=ROOT, **quiet)

    def rehearse(self) -> None:
        """The release that nobody disturbs, and how long it takes."""
        self.place.empty()
        began = time.monotonic()
        if self.start("none").wait():
            raise SystemExit("the undisturbed run failed")
        self.seconds, self.wanted = time.monotonic() - began, self.release()
        self.paid = self.cost()

    def release(self) -> str:
        """One hash of all files of the release."""
        files = sorted(one for one in self.place.folder.glob("releases/**/*") if one.is_file())
        named = [f"{one.relative_to(self.place.folder)} " for one in files]
        parts = [
            name.encode() + sha256(one.read_bytes()).digest()
            for name, one in zip(named, files, strict=True)
        ]
        return sha256(b"".join(parts)).hexdigest()

    def cost(self) -> str:
        """What models were paid, as the workspace knows it."""
        call = [sys.executable, "-m", "memassay", "cost", "--workspace", self.place.address]
        told = subprocess.run([*call, "--json"], cwd=ROOT, capture_output=True, check=False)
        return str(json.loads(told.stdout).get("dollars"))

    def trial(self, kills: int) -> None:
        """Strike runs of one workspace so many times, then let them end, and look."""
        self.place.empty()
        mark, left = uuid.uuid4().hex, kills
        for _ in range(kills * 3 + 3):
            runs = [self.start(mark) for _ in range(1 + (self.chance.random() < 1 / 3))]
            while left and self.strike(runs, mark):
                left -= 1
            codes = [run.wait() for run in runs]
            self.look_for_orphans(mark)
            if not left and 0 in codes:
                break
            if 0 in codes:
                # It was over before it could be struck: the next trial gets the blow.
                break
        else:
            self.wrong.append("no run came to its end")
            return
        self.inspect()

    def strike(self, runs: "list[subprocess.Popen[bytes]]", mark: str) -> bool:
        """Strike something at a random moment; False if everything is over by then."""
        time.sleep(self.chance.uniform(0.0, self.seconds * 0.9))
        alive = [run for run in runs if run.poll() is None]
        if not alive:
            return False
        run = self.chance.choice(alive)
        kinds: dict[str, Callable[[], bool]] = {
            "run, kill -9": lambda: _send(run.pid, signal.SIGKILL),
            "run, Ctrl-C": lambda: _send(run.pid, signal.SIGINT),
            "run, SIGTERM": lambda: _send(run.pid, signal.SIGTERM),
            "worker, kill -9": lambda: _send(self._worker(mark, runs), signal.SIGKILL),
        }
        if self.place.database:
            kinds["connection"] = lambda: self.place.cut_connection(self.chance)
        names = [*kinds]
        if len(runs) > 1:
            names.append("run, kill -9")
        name = self.chance.choice(names)
        done = kinds[name]()
        self.struck[f"{name}{', of two' if len(runs) > 1 else ''}"] += done
        return done

    def _worker(self, mark: str, runs: "list[subprocess.Popen[bytes]]") -> int:
        parents = {run.pid for run in runs}
        found = [one for one in marked(mark) if one not in parents]
        return self.chance.choice(found) if found else 0

    def look_for_orphans(self, mark: str) -> None:
        """Nothing that a run started lives longer than it."""
        deadline = time.monotonic() + END_SECONDS
        while marked(mark) and time.monotonic() < deadline:
            time.sleep(0.1)
        for left in marked(mark):
            self.wrong.append(f"process {left} is left")
            _send(left, signal.SIGKILL)

    def inspect(self) -> None:
        """What a workspace is like when its run is done."""
        if self.release() != self.wanted:
            self.wrong.append("another release")
        if locks := [one.name for one in self.place.folder.glob("owners/*")]:
            self.wrong.append(f"locks {locks}")
        held = self.place.ask("SELECT count(*) FROM units WHERE owner IS NOT NULL")[0][0]
        twice = self.place.ask("SELECT count(*) FROM units WHERE completions > 1")[0][0]
        if held or twice:
            self.wrong.append(f"{held} leases are held, {twice} units were finished twice")
        if (paid := self.cost()) != self.paid:
            self.wrong.append(f"paid {paid} where {self.paid} was due")


def _send(process: int, number: int) -> bool:
    if not process:
        return False
    with suppress(ProcessLookupError):
        os.kill(process, number)
        return True
    return False


def marked(mark: str) -> list[int]:
    """Living processes of a trial."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"{MARK}={mark}".encode() in (place / "environ").read_bytes():
                found.append(int(place.name))
    return found


@contextmanager
def model_server(folder: Path) -> Iterator[dict[str, Any]]:
    """The author section of a server on this machine, which writes as the simulator would."""
    plain = folder / "plain.yaml"
    plain.write_text(yaml.safe_dump(RECIPE), "utf-8")
    call = [sys.executable, "-m", "memassay", "run", str(plain), "--runner", "plain"]
    ended = subprocess.run(
        [*call, "--workspace", str(folder / "told")], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    told = ended.stdout.decode().split()[-1]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve = ROOT / "tests" / "support" / "model_servers" / "serve.py"
    options = ["openai", "--port", str(port), "--release", told, "--latency", "0.02"]
    server = subprocess.Popen(
        [sys.executable, str(serve), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    try:
        while socket.socket().connect_ex(("127.0.0.1", port)):
            time.sleep(0.1)
        address = f"http://127.0.0.1:{port}/v1"
        yield {"provider": "openai", "model": "m", "base_url": address, "concurrency": 4}
    finally:
        server.kill()
        server.wait()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Strike until there were so many kills, and print what was struck and what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="Processes of a run.")
    parser.add_argument("--database", help="URL of a PostgreSQL database that may be emptied.")
    parser.add_argument("--models", action="store_true", help="A server writes the dialogues.")
    asked = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="chaos-"))
    with model_server(scratch) if asked.models else nullcontext({}) as author:
        recipe = scratch / "chaos.yaml"
        priced = {"author": author, "prices": "prices.yaml"} if author else {}
        (scratch / "prices.yaml").write_text("m: {input: 10, output: 10}\n", "utf-8")
        recipe.write_text(yaml.safe_dump({**RECIPE, **priced}), "utf-8")
        place = Place(scratch / "workspace", asked.database)
        chaos = Chaos(recipe, place, random.Random(asked.seed), asked.workers)
        chaos.rehearse()
        trials = 0
        while chaos.struck.total() < asked.kills and len(chaos.wrong) < 10:
            left = asked.kills - chaos.struck.total()
            chaos.trial(min(left, chaos.chance.randint(1, KILLS_A_TRIAL)))
            trials += 1
            _say(f"trial {trials}: {chaos.struck.total()} kills, wrong: {chaos.wrong}")
    for name, number in sorted(chaos.struck.items()):
        _say(f"{number:4} {name}")
    _say(f"{trials} trials, an undisturbed run takes {chaos.seconds:.1f} s")
    _say("\n".join(chaos.wrong) or "every release identical, nothing twice, nothing left")
    shutil.rmtree(scratch, ignore_errors=True)
    return 1 if chaos.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
