"""Leases: the dead are succeeded at once, the living waited for, the hanging in time."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memassay.flows.store import leases
from memassay.flows.store.leases import Owner, heartbeat, is_alive, take_or_wait
from memassay.flows.store.records import LEASE_SECONDS, Store
from memassay.flows.store.workspace import Workspace
from memassay.schemas.errors import LeaseLost

NOW = 1_000_000.0


class Waited(Exception):
    """Somebody wanted to wait."""


def _no_waiting(_seconds: float) -> None:
    raise Waited


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """An empty workspace."""
    opened = Workspace(tmp_path / "work")
    yield opened
    opened.close()


@pytest.fixture
def store(workspace: Workspace) -> Store:
    """Its store."""
    return workspace.store


def _take(workspace: Workspace, owner: Owner) -> leases.Finished | None:
    return take_or_wait(workspace.store, owner, "k", "import", "c1", pause=_no_waiting)


def test_an_owner_lives_until_it_closes(tmp_path: Path) -> None:
    """Its file appears with it and goes with it."""
    owner = Owner(tmp_path)
    assert is_alive(tmp_path, owner.name)
    owner.close()
    assert not is_alive(tmp_path, owner.name)
    assert list(tmp_path.iterdir()) == []


def test_a_new_owner_clears_the_dead_away_and_spares_the_living(tmp_path: Path) -> None:
    """Files of killed runs do not pile up."""
    first = Owner(tmp_path)
    (tmp_path / "dead.lock").touch()
    second = Owner(tmp_path)
    alive = sorted(f"{owner.name}.lock" for owner in (first, second))
    assert sorted(path.name for path in tmp_path.iterdir()) == alive


def test_many_owners_made_at_once_are_all_alive(tmp_path: Path) -> None:
    """Clearing the dead away never hits one that is just being made."""
    made: list[Owner] = []
    threads = [threading.Thread(target=lambda: made.append(Owner(tmp_path))) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [is_alive(tmp_path, owner.name) for owner in made] == [True] * 40


def test_a_free_unit_is_taken(workspace: Workspace) -> None:
    """Nobody has begun it: it is ours."""
    assert _take(workspace, Owner(workspace.owners)) is None


def test_a_living_owner_is_waited_for(workspace: Workspace) -> None:
    """What another run works on is left to it."""
    assert _take(workspace, Owner(workspace.owners)) is None
    with pytest.raises(Waited):
        _take(workspace, Owner(workspace.owners))


def test_another_thread_of_the_same_run_is_waited_for(workspace: Workspace) -> None:
    """One owner does not take its own unit twice."""
    owner = Owner(workspace.owners)
    assert _take(workspace, owner) is None
    with pytest.raises(Waited):
        _take(workspace, owner)


def test_a_dead_owner_is_succeeded_at_once(workspace: Workspace, store: Store) -> None:
    """Its lease has not ended, but it has."""
    dead = Owner(workspace.owners)
    assert _take(workspace, dead) is None
    dead.close()
    assert _take(workspace, Owner(workspace.owners)) is None
    state = store.unit("k")
    assert state is not None
    assert state.starts == 2
    with pytest.raises(LeaseLost):
        store.finish("k", dead.name, [])


def test_what_was_finished_meanwhile_is_taken_as_it_is(workspace: Workspace, store: Store) -> None:
    """He who waits gets the outputs of him who did the work."""
    first, second = Owner(workspace.owners), Owner(workspace.owners)
    assert _take(workspace, first) is None
    found = take_or_wait(
        store,
        second,
        "k",
        "import",
        "c1",
        pause=lambda _: store.finish("k", first.name, []) and None,
    )
    assert found == ((), 1)


def test_a_lease_given_back_is_free(workspace: Workspace, store: Store) -> None:
    """A failed unit need not be waited for."""
    first = Owner(workspace.owners)
    assert _take(workspace, first) is None
    store.release("k", first.name)
    assert _take(workspace, Owner(workspace.owners)) is None


def test_a_lease_ends(store: Store) -> None:
    """An owner that lives but hangs holds nobody up for ever, and its late result is refused."""
    assert store.lease("k", "import", "c1", "hanging", NOW, None)
    assert not store.lease("k", "import", "c1", "other", NOW + LEASE_SECONDS - 1, None)
    assert store.lease("k", "import", "c1", "other", NOW + LEASE_SECONDS + 1, None)
    with pytest.raises(LeaseLost):
        store.finish("k", "hanging", [])
    store.finish("k", "other", [])


def test_a_beating_heart_keeps_a_lease(store: Store) -> None:
    """Extending moves the end of every unfinished lease of the owner, and of no other."""
    assert store.lease("k", "import", "c1", "one", NOW, None)
    assert store.lease("m", "import", "c2", "two", NOW, None)
    store.extend("one", NOW + 50)
    assert not store.lease("k", "import", "c1", "other", NOW + LEASE_SECONDS + 1, None)
    assert store.lease("m", "import", "c2", "other", NOW + LEASE_SECONDS + 1, None)


def test_the_heart_beats_in_the_background(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the block runs the leases are extended, also after a beat that failed."""
    from sqlalchemy.exc import OperationalError

    beats = threading.Semaphore(0)

    def extend(_owner: str, _now: float) -> None:
        beats.release()
        raise OperationalError("locked", None, Exception("locked"))

    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.01)
    monkeypatch.setattr(workspace.store, "extend", extend)
    with heartbeat(workspace.store, Owner(workspace.owners)):
        assert beats.acquire(timeout=60)
        assert beats.acquire(timeout=60)


def test_of_many_who_want_a_unit_one_gets_it(store: Store) -> None:
    """Threads that ask at the same moment: exactly one lease."""
    got: list[bool] = []

    def ask(number: int) -> None:
        got.append(store.lease("k", "import", "c1", f"owner-{number}", NOW, None))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False] * 11 + [True]
