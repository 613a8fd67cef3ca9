"""A workspace whose database is a PostgreSQL server: the same release, and who lives is seen."""

import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from support.engine_builder import SilentProgress, make_samples
from support.server_workspaces import server_place

from memassay.annotation.voting.proposals import HistoryPolicy, Proposals
from memassay.flows.calls import call_log  # noqa: F401 - its tables are of every workspace
from memassay.flows.services.doctor import examine
from memassay.flows.services.runs import run_recipe
from memassay.flows.store.database import sessions, upgrade
from memassay.flows.store.leases import Finished, Owner, bury_the_dead, take_or_wait
from memassay.flows.store.places.address import Address, Place, address_text
from memassay.flows.store.status import status
from memassay.flows.store.workspace import Workspace
from memassay.schemas.errors import LeaseLost, UsageError
from memassay.schemas.hashing import file_sha256

S3 = os.environ.get("MEMASSAY_S3", "")
"""A place in an object store to test on, `s3://bucket`; the environment has its credentials."""


class Waited(Exception):
    """Somebody wanted to wait."""


def _no_waiting(_seconds: float) -> None:
    raise Waited


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Address]:
    """The address of an empty workspace."""
    with server_place(str(tmp_path / "files"), tmp_path / "files") as address:
        yield address


@pytest.fixture
def workspace(place: Address) -> Iterator[Workspace]:
    """An empty workspace."""
    opened = Workspace(place)
    yield opened
    opened.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lost a connection is given no time."""
    monkeypatch.setattr(sessions, "GRACE_SECONDS", 0.0)


def _take(workspace: Workspace, owner: Owner, key: str = "k") -> Finished | None:
    return take_or_wait(workspace.store, owner, key, "import", "c1", pause=_no_waiting)


def _cut(workspace: Workspace, owner: Owner) -> None:
    """End the session of an owner, and wait until it has another."""
    life = owner._life
    assert isinstance(life, sessions.OwnerSession)
    before = life._connection
    backend = before.execute(text("SELECT pg_backend_pid()")).scalar_one()
    with workspace.engine.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 60000)"), {"pid": backend})
    for _ in range(1000):
        if life._connection is not before and not workspace.owners.is_dead(owner.name):
            return
        threading.Event().wait(0.01)
    raise AssertionError("expected another session")


@pytest.mark.usefixtures("impatient")
def test_a_living_owner_is_waited_for(workspace: Workspace) -> None:
    """What another run works on is left to it."""
    first, second = Owner(workspace.owners), Owner(workspace.owners)
    assert _take(workspace, first) is None
    with pytest.raises(Waited):
        _take(workspace, second)
    for owner in (first, second):
        owner.close()


@pytest.mark.usefixtures("impatient")
def test_who_is_gone_is_succeeded_and_cannot_finish(workspace: Workspace) -> None:
    """Its session ended, as it does when a process is killed."""
    first, second = Owner(workspace.owners), Owner(workspace.owners)
    assert _take(workspace, first) is None
    first.close()
    assert _take(workspace, second) is None
    with pytest.raises(LeaseLost):
        workspace.store.finish("k", first.name, [])
    second.close()


def test_who_comes_back_in_time_keeps_what_it_holds(workspace: Workspace) -> None:
    """A connection that was cut is no death: the owner takes another at once."""
    first, second = Owner(workspace.owners), Owner(workspace.owners)
    assert _take(workspace, first) is None
    _cut(workspace, first)
    with pytest.raises(Waited):
        _take(workspace, second)
    assert workspace.store.finish("k", first.name, []) == ()
    for owner in (first, second):
        owner.close()


def test_one_that_lost_its_connection_has_a_moment(workspace: Workspace) -> None:
    """It is not yet dead for those who look again and again."""
    owner = Owner(workspace.owners)
    owner.close()
    assert not workspace.owners.is_dead(owner.name)


def test_a_run_frees_what_the_dead_hold(workspace: Workspace) -> None:
    """At its start, without waiting for anybody; what the living hold stays theirs."""
    dead, living = Owner(workspace.owners), Owner(workspace.owners)
    assert _take(workspace, dead) is None
    assert _take(workspace, living, "m") is None
    dead.close()
    bury_the_dead(workspace.store, workspace.owners)
    states = [workspace.store.unit(key) for key in ("k", "m")]
    assert [state and state.owner for state in states] == [None, living.name]
    living.close()


def test_of_many_who_want_a_unit_one_gets_it(workspace: Workspace) -> None:
    """Threads that ask at the same moment: exactly one lease."""
    got: list[bool] = []

    def ask(number: int) -> None:
        got.append(workspace.store.lease("k", "import", "c1", f"owner-{number}"))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False] * 11 + [True]


def test_a_lease_that_nobody_renews_ends(workspace: Workspace) -> None:
    """Its holder hangs, though its session lives."""
    owner, other = Owner(workspace.owners), Owner(workspace.owners)
    assert _take(workspace, owner) is None
    seen = workspace.store.unit("k")
    assert seen is not None
    workspace.store.extend(owner.name)
    workspace.store.bury_silent("k", seen)
    with pytest.raises(Waited):
        _take(workspace, other)
    seen = workspace.store.unit("k")
    assert seen is not None
    workspace.store.bury_silent("k", seen)
    assert _take(workspace, other) is None
    for each in (owner, other):
        each.close()


def test_many_who_make_a_workspace_at_once_make_one(place: Address) -> None:
    """Tables are made by one, and the others wait for it."""
    made: list[Workspace] = []
    failed: list[Exception] = []

    def make() -> None:
        try:
            made.append(Workspace(place))
        except Exception as error:  # noqa: BLE001 - shown by the test
            failed.append(error)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    for each in made:
        each.close()


def test_a_workspace_of_a_newer_version_is_refused(place: Address) -> None:
    """As one in a folder is."""
    opened = Workspace(place)
    with opened.engine.begin() as connection:
        connection.execute(text(f"UPDATE workspace_version SET version = {upgrade.VERSION + 1}"))
    opened.close()
    with pytest.raises(UsageError, match=r"^workspace: expected one of version .*newer memassay"):
        Workspace(place)


def _held(place: Address) -> int:
    """How many units somebody holds."""
    workspace = Workspace(place, create=False)
    with workspace.engine.connect() as connection:
        held = connection.execute(text("SELECT count(*) FROM units WHERE owner IS NOT NULL"))
        number = int(held.scalar_one())
    workspace.close()
    return number


def _release(recipe: Path, place: Place, workers: int) -> dict[str, str]:
    report = run_recipe(recipe, place, SilentProgress(), runner="plain", workers=workers)
    return _files(Path(report.release))


def _files(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): file_sha256(path) for path in files}


@pytest.mark.slow
def test_a_run_gives_the_same_release(repository: Path, tmp_path: Path, place: Address) -> None:
    """By itself and with a process beside it; afterwards nothing is held and nothing is missing."""
    recipe = make_samples(repository, tmp_path)
    alone = _release(recipe, tmp_path / "alone", 1)
    assert _release(recipe, place, 2) == alone
    found = examine(place)
    assert (found.troubles, found.blobs > 0, found.releases) == ([], True, 1)
    assert [len(stages) > 3 for stages in status(place).runs.values()] == [True]
    assert _held(place) == 0


def test_runs_that_begin_at_once_keep_one_policy(place: Address) -> None:
    """What a recipe says of edits is written by each of them, and is there once."""
    opened = [Workspace(place) for _ in range(6)]
    begin = threading.Barrier(len(opened))
    failed: list[Exception] = []

    def keep(workspace: Workspace) -> None:
        begin.wait()
        try:
            Proposals(workspace.queue).set_policy("demo", HistoryPolicy("propose", 2))
        except Exception as error:  # noqa: BLE001 - shown by the test
            failed.append(error)

    threads = [threading.Thread(target=keep, args=(workspace,)) for workspace in opened]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert Proposals(opened[0].queue).policy("demo") == HistoryPolicy("propose", 2)
    for workspace in opened:
        workspace.close()


@pytest.mark.slow
def test_two_runs_at_once_share_the_work(repository: Path, tmp_path: Path, place: Address) -> None:
    """Both end well; every unit is done once, and the release is the same."""
    recipe = make_samples(repository, tmp_path)
    alone = _release(recipe, tmp_path / "alone", 1)
    call = [sys.executable, "-m", "memassay", "run", str(recipe), "--runner", "plain"]
    call += ["--workers", "1", "--workspace", address_text(place)]
    runs = [subprocess.Popen(call, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    folders = {run.communicate()[0].split()[-1] for run in runs}
    assert [run.returncode for run in runs] == [0, 0]
    assert [_files(Path(folder)) for folder in folders] == [alone]
    workspace = Workspace(place)
    with workspace.engine.connect() as connection:
        done = connection.execute(text("SELECT DISTINCT starts, completions FROM units"))
        assert [tuple(row) for row in done] == [(1, 1)]
    assert [len(drafts) for drafts in workspace.store.drafts().values()] == [1]
    workspace.close()


def test_a_database_without_tables_is_no_workspace(place: Address) -> None:
    """Who only asks makes none."""
    with pytest.raises(UsageError, match="expected tables of a workspace, got none"):
        status(place)
    with pytest.raises(UsageError, match="expected tables of a workspace, got none"):
        status(place)


@pytest.mark.slow
@pytest.mark.skipif(not S3, reason="MEMASSAY_S3 names no place in an object store")
def test_a_run_with_files_in_s3_gives_the_same_release(repository: Path, tmp_path: Path) -> None:
    """Another machine finds it whole, and what it finds missing it makes again."""
    pytest.importorskip("s3fs")
    recipe = make_samples(repository, tmp_path)
    alone = _release(recipe, tmp_path / "alone", 1)
    files = f"{S3}/{uuid.uuid4().hex}"
    with server_place(files, tmp_path / "here") as here:
        assert _release(recipe, here, 2) == alone
        there = replace(here, folder=tmp_path / "there")
        name = next((tmp_path / "here" / "releases").iterdir()).name
        assert status(there).releases == [f"{files}/releases/{name}"]
        workspace = Workspace(there)
        fetched = workspace.release(name)
        workspace.close()
        assert _files(fetched) == alone
        assert examine(there).troubles == []
        assert _held(here) == 0
