"""Leases: the dead are succeeded at once, the living waited for, the silent in time."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memassay.flows.store import leases
from memassay.flows.store.leases import (
    LEASE_SECONDS,
    Owner,
    OwnerFiles,
    Owners,
    heartbeat,
    take_or_wait,
)
from memassay.flows.store.records import Store
from memassay.flows.store.workspace import Workspace
from memassay.schemas.errors import LeaseLost


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


def _lock_of(owner: Owner) -> Path:
    assert isinstance(owner.owners, OwnerFiles)
    return owner.owners.folder / f"{owner.name}.lock"


def _killed(owners: Owners) -> Owner:
    """An owner whose process was killed: its file is there, and nobody holds it locked."""
    owner = Owner(owners)
    owner.close()
    _lock_of(owner).touch()
    return owner


def test_an_owner_is_dead_when_its_file_is_left_unlocked(tmp_path: Path) -> None:
    """A file that is locked, or not there, or of another machine, says nothing of the kind."""
    owners = OwnerFiles(tmp_path)
    owner, killed = Owner(owners), _killed(owners)
    (tmp_path / "0123456789ab-elsewhere.lock").touch()
    assert owners.is_dead(killed.name)
    assert not owners.is_dead(owner.name)
    assert not owners.is_dead("0123456789ab-elsewhere")
    _lock_of(owner).unlink()
    assert not owners.is_dead(owner.name)


def test_an_owner_that_closes_leaves_no_file(tmp_path: Path) -> None:
    """Its file goes with it."""
    Owner(OwnerFiles(tmp_path)).close()
    assert list(tmp_path.iterdir()) == []


def test_a_run_clears_the_dead_away_and_spares_the_living(workspace: Workspace) -> None:
    """Files of killed runs do not pile up; what they held is free though their files are gone."""
    killed, other, own = (_killed(workspace.owners), *(Owner(workspace.owners) for _ in range(2)))
    assert _take(workspace, killed) is None
    with heartbeat(workspace.store, own):
        living = sorted(f"{owner.name}.lock" for owner in (other, own))
        assert sorted(path.name for path in (workspace.folder / "owners").iterdir()) == living
    assert _take(workspace, own) is None


def test_many_owners_made_at_once_are_all_alive(tmp_path: Path) -> None:
    """Clearing the dead away never hits one that is just being made."""
    made: list[Owner] = []
    owners = OwnerFiles(tmp_path)
    threads = [threading.Thread(target=lambda: made.append(Owner(owners))) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [owners.is_dead(owner.name) for owner in made] == [False] * 40


def test_a_free_unit_is_taken(workspace: Workspace) -> None:
    """Nobody has begun it: it is ours."""
    assert _take(workspace, Owner(workspace.owners)) is None


def test_a_living_owner_is_waited_for(workspace: Workspace) -> None:
    """What another run works on is left to it."""
    other = Owner(workspace.owners)
    assert _take(workspace, other) is None
    with pytest.raises(Waited):
        _take(workspace, Owner(workspace.owners))
    other.close()


def test_nobody_waits_for_themselves(workspace: Workspace) -> None:
    """A lease that is ours already is ours, however it came that we do not know it."""
    owner = Owner(workspace.owners)
    assert _take(workspace, owner) is None
    assert _take(workspace, owner) is None


TAKES = """
import sys
from pathlib import Path
from memassay.flows.store.leases import Owner, take_or_wait
from memassay.flows.store.workspace import Workspace

workspace = Workspace(Path(sys.argv[1]))
owner = Owner(workspace.owners)
print(take_or_wait(workspace.store, owner, "k", "import", "c1", pause=sys.exit))
workspace.store.finish("k", owner.name, [])
"""


@pytest.mark.slow
def test_a_lease_does_not_depend_on_the_locale(tmp_path: Path, turkish: dict[str, str]) -> None:
    """There the driver takes no INSERT for one, and counts -1 rows: it waited for itself."""
    command = [sys.executable, "-c", TAKES, str(tmp_path / "work")]
    environment = {**os.environ, **turkish}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"


def test_a_dead_owner_is_succeeded_at_once(workspace: Workspace, store: Store) -> None:
    """All that it held is free, and its late result refused."""
    dead = _killed(workspace.owners)
    assert _take(workspace, dead) is None
    assert store.lease("m", "import", "c2", dead.name)
    assert _take(workspace, Owner(workspace.owners)) is None
    state, other = store.unit("k"), store.unit("m")
    assert state is not None
    assert state.starts == 2
    assert other is not None
    assert other.owner is None
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


class Time:
    """A clock that each pause moves on, and what happens meanwhile."""

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.now = 0.0
        self.meanwhile = meanwhile

    def pause(self, _seconds: float) -> None:
        """Let some time pass."""
        self.now += LEASE_SECONDS / 4
        self.meanwhile()
        if self.now > 20 * LEASE_SECONDS:
            raise Waited

    def clock(self) -> float:
        """What time it is."""
        return self.now


def _wait(workspace: Workspace, time: Time) -> leases.Finished | None:
    owner = Owner(workspace.owners)
    return take_or_wait(
        workspace.store, owner, "k", "import", "c1", pause=time.pause, clock=time.clock
    )


def test_a_lease_that_nobody_renews_ends(workspace: Workspace, store: Store) -> None:
    """A run on another machine died, or hangs: it holds nobody up for ever."""
    assert store.lease("k", "import", "c1", "elsewhere")
    time = Time()
    assert _wait(workspace, time) is None
    assert LEASE_SECONDS <= time.now <= 2 * LEASE_SECONDS
    with pytest.raises(LeaseLost):
        store.finish("k", "elsewhere", [])


@pytest.mark.parametrize("elsewhere", [True, False], ids=["another machine", "file deleted"])
def test_a_lease_that_is_renewed_holds(workspace: Workspace, elsewhere: bool) -> None:
    """Whether its lock file is seen or not, and whatever the clocks say."""
    owner = Owner(workspace.owners)
    name = "0123456789ab-elsewhere" if elsewhere else owner.name
    _lock_of(owner).unlink()
    assert workspace.store.lease("k", "import", "c1", name)
    with pytest.raises(Waited):
        _wait(workspace, Time(lambda: workspace.store.extend(name)))


def test_a_holder_that_beats_at_the_last_moment_keeps_its_lease(store: Store) -> None:
    """Between our look and our taking it, it showed that it lives."""
    assert store.lease("k", "import", "c1", "elsewhere")
    seen = store.unit("k")
    assert seen is not None
    store.extend("elsewhere")
    store.bury_silent("k", seen)
    state = store.unit("k")
    assert state is not None
    assert state.owner == "elsewhere"


def test_only_unfinished_leases_of_the_owner_are_renewed(store: Store) -> None:
    """What others hold is theirs to renew."""
    assert store.lease("k", "import", "c1", "one")
    assert store.lease("m", "import", "c2", "two")
    store.extend("one")
    states = [store.unit(key) for key in ("k", "m")]
    assert [state and state.beats for state in states] == [1, 0]


def test_the_heart_beats_in_the_background(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the block runs the leases are renewed, also after a beat that failed."""
    from sqlalchemy.exc import OperationalError

    beats = threading.Semaphore(0)

    def extend(_owner: str) -> None:
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
        got.append(store.lease("k", "import", "c1", f"owner-{number}"))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False] * 11 + [True]
