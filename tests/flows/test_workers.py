"""Processes beside a run: they do its units, die and are replaced, and change no byte."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.engine_builder import SilentProgress, make_samples

from memassay.flows.engine.units import COLLECTION
from memassay.flows.services.runs import run_recipe
from memassay.flows.store.leases import Owner
from memassay.flows.store.sharing import StageMessage, UnitDone
from memassay.flows.store.workspace import Workspace
from memassay.flows.workers import processes
from memassay.flows.workers.messages import RunMessage
from memassay.flows.workers.processes import Processes
from memassay.schemas.contracts.recipes import PathRecipe
from memassay.schemas.errors import WorkerError
from memassay.schemas.hashing import file_sha256

STAGE = StageMessage("check", {"c0": ["a"], "c1": ["b"], "c2": ["c"]}, {})


def _release(recipe: Path, workspace: Path, workers: int) -> dict[str, str]:
    report = run_recipe(recipe, workspace, SilentProgress(), runner="plain", workers=workers)
    folder = Path(report.release)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): file_sha256(path) for path in files}


@pytest.fixture
def left_to_others(monkeypatch: pytest.MonkeyPatch) -> list[UnitDone]:
    """The run itself does no unit that it shares; what the others report."""
    heard: list[UnitDone] = []
    look = Processes.look

    def listen(team: Processes, done: Callable[[UnitDone], None]) -> None:
        def hear(one: UnitDone) -> None:
            if not heard:
                team._processes[0].process.send_signal(signal.SIGKILL)
            heard.append(one)
            done(one)

        look(team, hear)

    monkeypatch.setattr(Processes, "look", listen)
    monkeypatch.setattr(Processes, "is_deadly", lambda _team, _stage, shard: shard != COLLECTION)
    return heard


@pytest.mark.slow
def test_others_give_the_same_release_though_one_is_killed(
    repository: Path, tmp_path: Path, left_to_others: list[UnitDone]
) -> None:
    """One process does all that is shared; it is killed after its first unit, and replaced."""
    recipe = make_samples(repository, tmp_path)
    alone = _release(recipe, tmp_path / "alone", 1)
    assert left_to_others == []
    assert _release(recipe, tmp_path / "shared", 2) == alone
    assert len({(one.stage, one.shard) for one in left_to_others}) == len(left_to_others) > 2
    assert list((tmp_path / "shared" / "owners").iterdir()) == []


def _team(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, program: str) -> Processes:
    """One process that runs a program in place of ours."""
    monkeypatch.setattr(processes, "COMMAND", [sys.executable, "-c", program])
    folder = workspace.folder
    recipe = PathRecipe(path="curate")
    return Processes(1, workspace, RunMessage(recipe, "tiny", folder, folder, None, [], False))


def _look_until_it_fails(team: Processes) -> None:
    team.share(STAGE)
    for _ in range(1000):
        for one in team._processes:
            one.process.wait(60)
        team.look(lambda _: None)


def test_processes_that_do_not_start_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After three tries, with the last line that they printed."""
    team = _team(Workspace(tmp_path), monkeypatch, "raise SystemExit('no such module')")
    with pytest.raises(WorkerError, match=r"expected processes that start.*no such module"):
        _look_until_it_fails(team)
    team.close()


def test_a_unit_that_ends_three_processes_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may need more memory than there is, so the run itself leaves it alone, too."""
    workspace = Workspace(tmp_path)
    owner = Owner(workspace.owners)
    assert workspace.store.lease("key", "check", "c1", owner.name)
    program = (
        "import sys; from multiprocessing.connection import Connection as C; "
        "from memassay.flows.workers.messages import Ready; "
        f"C(int(sys.argv[1])).send(Ready({owner.name!r})); sys.exit('out of memory')"
    )
    team = _team(workspace, monkeypatch, program)
    with pytest.raises(WorkerError, match=r"c1: expected stage check to make it.*out of memory"):
        _look_until_it_fails(team)
    assert team.is_deadly("check", "c1")
    team.close()
    owner.close()


def test_no_process_outlives_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each ends when the other end of its standard input is gone, however that came."""
    program = "import sys; sys.stdin.read()"
    team = _team(Workspace(tmp_path), monkeypatch, program)
    team.share(STAGE)
    (one,) = team._processes
    team.close()
    with pytest.raises(ProcessLookupError):
        os.kill(one.process.pid, 0)
