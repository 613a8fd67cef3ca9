"""Several histories are written at once: one release whoever is first, and nothing paid twice."""

import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support.forked_runs import Forks, Strike, forks
from support.model_runs import RECIPE, cost, model, run, written
from support.model_servers.asked import Asked
from support.model_servers.faults import Faults
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.model_servers.simulated import SimulatedAuthor

from memassay.exports import open_release
from memassay.schemas.records.bundle import Bundle

PEOPLE = ["alex-veterinarian", "claire-cat-cafe", "wei-courier"]
THREE = {
    **RECIPE,
    "personas": PEOPLE,
    "sizes": {"sessions": 2, "rounds": 4, "images": 1},
    "questions": {"ss": 2},
}
MARKER = "replied"
"""File that a server puts into a workspace at the moment a run is to be struck."""


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    """What the simulator tells of the recipe, for the servers to hand out."""
    folder = tmp_path_factory.mktemp("told")
    ended = run(written(folder, THREE), folder)
    return list(open_release(Path(ended["release"])).bundles())


def files_of(release: str) -> dict[str, bytes]:
    """Bytes by name of the files of a release."""
    root = Path(release)
    found = sorted(path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def paid_twice(server: OpenAIServer) -> int:
    """Requests that a server saw again, however often each."""
    bodies = Counter(json.dumps(body, sort_keys=True) for body in server.log)
    return sum(bodies.values()) - len(bodies)


class Watching:
    """Answers like another, and notes whose history each request is of."""

    def __init__(self, answer: SimulatedAuthor) -> None:
        self.answer = answer
        self.order: list[str] = []

    def __call__(self, asked: Asked) -> Any:
        """The reply of the other."""
        said = asked.system + asked.text
        self.order.append(next(name for name in ("Alex", "Claire", "Wei") if name in said))
        return self.answer(asked)


@pytest.mark.slow
def test_the_release_is_that_of_one_at_a_time(told: list[Bundle], tmp_path: Path) -> None:
    """Three histories at once give, byte for byte, what one after another gives."""
    releases, orders = [], []
    for at_once in (1, 3):
        watching = Watching(SimulatedAuthor(told))
        server = OpenAIServer(Faults(latency=0.005), answer=watching)
        with running(server.app) as address:
            author = model("openai", address)
            folder = tmp_path / str(at_once)
            document = {**THREE, "author": author, "histories_at_once": at_once}
            releases.append(files_of(run(written(folder, document), folder)["release"]))
        orders.append(watching.order)
    assert releases[0] == releases[1]
    turns = [sum(a != b for a, b in pairwise(order)) for order in orders]
    assert turns[0] == len(PEOPLE) - 1
    assert turns[1] > 10


@pytest.mark.slow
def test_what_ends_one_history_ends_the_run(told: list[Bundle], tmp_path: Path) -> None:
    """A refused key in the middle: the run says so, no thread is left, no call comes after."""
    server = OpenAIServer(Faults(latency=0.01), answer=SimulatedAuthor(told))
    served = 0

    def answer(asked: Asked) -> Any:
        nonlocal served
        served += 1
        if served == 20:
            server.valid_keys = {"another"}
        return SimulatedAuthor(told)(asked)

    server.answer = answer
    with running(server.app) as address:
        recipe = written(tmp_path, {**THREE, "author": model("openai", address)})
        ended = run(recipe, tmp_path, code=2)
        assert "401" in ended["error"]
        assert len(server.log) <= 20 + 2 * len(PEOPLE)
        assert not [one for one in threading.enumerate() if one.name.startswith("history")]
        server.valid_keys = None
        run(recipe, tmp_path)
    assert paid_twice(server) <= len(PEOPLE)


@pytest.mark.slow
def test_a_budget_at_part_of_the_estimate_stops_and_resumes(
    told: list[Bundle], tmp_path: Path
) -> None:
    """A cap of 40 % of the estimate is used by half and never passed; then it goes on."""
    server = OpenAIServer(Faults(latency=0.005), answer=SimulatedAuthor(told))
    with running(server.app) as address:
        author = model("openai", address, max_output_tokens=256)
        priced = {**THREE, "author": author, "prices": "prices.yaml"}
        guessed = run(written(tmp_path, priced), tmp_path, "--estimate")
        cap = 0.4 * float(guessed["dollars"])
        stopped = run(written(tmp_path, {**priced, "budget": cap}), tmp_path, code=75)
        assert "Raise `budget:`" in stopped["error"]
        bill = cost(tmp_path)
        # The most that calls under way can cost is set aside, so that some of it is left.
        assert 0.5 * cap <= float(bill["dollars"]) <= cap
        run(written(tmp_path, {**priced, "budget": 50}), tmp_path)
    assert paid_twice(server) == 0


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """A process that forks runs."""
    with forks(written(tmp_path_factory.mktemp("rehearsed"), THREE)) as process:
        yield process


@pytest.mark.slow
@pytest.mark.parametrize("reply", [4, 60])
def test_a_kill_costs_what_was_in_flight(
    reply: int, warm: Forks, told: list[Bundle], tmp_path: Path
) -> None:
    """Killed with three histories under way and run again, three calls at most are paid twice."""
    recipe, workspace, simulated = tmp_path / "recipe.yaml", tmp_path / "ws", SimulatedAuthor(told)
    served = 0

    def answer(asked: Asked) -> Any:
        nonlocal served
        served += 1
        if served == reply:
            (workspace / MARKER).touch()
            server.faults.latency = 0.5  # so that it is not done before it is killed
        return simulated(asked)

    server = OpenAIServer(Faults(latency=0.02), answer=answer)
    with running(server.app) as address:
        recipe = written(tmp_path, {**THREE, "author": model("openai", address)})
        struck = warm.run(recipe, workspace, Strike(seen=MARKER))
        assert struck.codes == [-9]
        server.faults.latency = 0.0
        resumed = warm.run(recipe, workspace)
        assert resumed.codes == [0], resumed.output
        sent = len(server.log)
        finished = warm.run(recipe, workspace)
    assert finished.codes == [0]
    assert len(server.log) == sent
    assert paid_twice(server) <= len(PEOPLE)


@pytest.mark.slow
def test_a_killed_run_of_one_history_pays_only_for_what_was_in_flight(
    warm: Forks, told: list[Bundle], tmp_path: Path
) -> None:
    """Killed at any moment and run again, it asks again for no more than was under way."""
    server = OpenAIServer(Faults(latency=0.05), answer=SimulatedAuthor(told))
    with running(server.app) as address:
        author = model("openai", address)
        recipe = written(tmp_path, {**THREE, "personas": ["wei-courier"], "author": author})
        struck = warm.run(recipe, tmp_path / "ws", Strike(0.7))
        resumed = warm.run(recipe, tmp_path / "ws")
        assert resumed.codes == [0], resumed.output
    assert struck.codes in ([-9], [0])
    # One history is told at a time, each call after the other: one can be in flight.
    assert paid_twice(server) <= 1


@pytest.mark.slow
def test_a_kill_between_reply_and_commit(warm: Forks, told: list[Bundle], tmp_path: Path) -> None:
    """Killed when replies have come and none can be committed, only those are asked for again."""
    workspace, simulated = tmp_path / "ws", SimulatedAuthor(told)
    held: list[sqlite3.Connection] = []
    served = 0

    def answer(asked: Asked) -> Any:
        nonlocal served
        served += 1
        if served == 20:
            # Whoever holds the write lock keeps every reply from being committed.
            database = sqlite3.connect(
                workspace / "memassay.sqlite", isolation_level=None, check_same_thread=False
            )
            database.execute("BEGIN IMMEDIATE")
            held.append(database)
            threading.Timer(0.3, (workspace / MARKER).touch).start()
        return simulated(asked)

    server = OpenAIServer(answer=answer)
    with running(server.app) as address:
        recipe = written(tmp_path, {**THREE, "author": model("openai", address)})
        struck = warm.run(recipe, workspace, Strike(seen=MARKER))
        held[0].execute("ROLLBACK")
        held[0].close()
        assert struck.codes == [-9]
        before = len(server.log)
        assert warm.run(recipe, workspace).codes == [0]
    assert before < 20 + len(PEOPLE)
    assert 1 <= paid_twice(server) <= len(PEOPLE)
