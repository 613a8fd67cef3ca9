"""A Dask cluster does the units of a run: the store alone says what is done."""

import pickle
import sys
from pathlib import Path

import pytest
from support.engine_builder import SilentProgress, make_samples

from memassay.flows.engine.run import Run
from memassay.flows.engine.units import COLLECTION
from memassay.flows.recipes.loading import load_recipe
from memassay.flows.runners.dask_cluster import dask_runner
from memassay.flows.services.runs import run_recipe
from memassay.flows.store.workspace import open_workspace
from memassay.flows.workers.elsewhere import do_units, leave
from memassay.flows.workers.messages import RunMessage
from memassay.flows.workers.opened import open_run
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import file_sha256


def _files(release: str) -> dict[str, str]:
    folder = Path(release)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): file_sha256(path) for path in files}


def _message(recipe: Path, workspace: Path) -> RunMessage:
    return RunMessage(
        recipe=load_recipe(recipe),
        name=recipe.stem,
        folder=recipe.parent,
        workspace=workspace,
        parent=None,
        path=[*sys.path],
        ran_before=False,
    )


def test_units_of_a_message_are_done_and_nothing_is_given_back(
    repository: Path, tmp_path: Path
) -> None:
    """All that a worker needs is in two messages; what it did is in the store, and held no more."""
    recipe = make_samples(repository, tmp_path)
    with open_workspace(tmp_path / "work", create=True):
        owners = tmp_path / "work" / "owners"
    message = _message(recipe, tmp_path / "work")
    with open_run(message) as run:
        stage = run.plan.stages[0]
        shards = run.start(stage)
        do_units(pickle.dumps(message), pickle.dumps(run.message(stage, shards[:1])))
        assert run.keep(stage, shards) == shards[1:]
        leave()
        assert [path.stem for path in owners.iterdir()] == [run.owner.name]


def test_units_with_most_records_come_first(repository: Path, tmp_path: Path) -> None:
    """So that no process has a long one left when the others have none."""
    recipe = make_samples(repository, tmp_path)
    with open_workspace(tmp_path / "work", create=True):
        pass
    with open_run(_message(recipe, tmp_path / "work")) as run:
        first, second = run.plan.stages[:2]
        for shard in run.start(first):
            run.run_unit(first, shard)
        run.close(first)
        left = run.keep(second, run.start(second))
        sizes = [len(run.message(second, [shard]).inputs[shard]) for shard in left]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


@pytest.mark.slow
def test_a_cluster_of_two_gives_the_same_release(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its workers do every unit but those over the whole collection, and leave no lock."""
    pytest.importorskip("prefect_dask")
    recipe = make_samples(repository, tmp_path)
    alone = run_recipe(recipe, tmp_path / "alone", SilentProgress(), runner="plain")
    here: list[str] = []
    do = Run._do

    def note(run: Run, stage: Stage, shard: str, key: str) -> tuple[str, ...] | None:
        here.append(shard)
        return do(run, stage, shard, key)

    monkeypatch.setattr(Run, "_do", note)
    work = tmp_path / "cluster"
    report = run_recipe(recipe, work, SilentProgress(), runner="prefect-dask", workers=2)
    assert _files(report.release) == _files(alone.release)
    assert {*here} == {COLLECTION}
    made = {stage.stage: stage.made for stage in report.stages}
    assert made == {stage.stage: stage.made for stage in alone.stages}
    assert list((work / "owners").iterdir()) == []


def test_without_the_extra_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a traceback."""
    monkeypatch.setitem(sys.modules, "prefect_dask.task_runners", None)
    with pytest.raises(UsageError, match=r"runner: .*; install memassay\[dask\]"):
        dask_runner(None, 2)


def test_a_scheduler_needs_the_runner_that_uses_it(repository: Path, tmp_path: Path) -> None:
    """Else it would be passed over without a word."""
    recipe = make_samples(repository, tmp_path)
    with pytest.raises(UsageError, match=r"scheduler: expected none with runner plain"):
        run_recipe(recipe, tmp_path / "work", SilentProgress(), runner="plain", scheduler="tcp://x")
