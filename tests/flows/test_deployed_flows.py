"""Flows that people serve: what they are called, what they take, where their server is."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from support.engine_builder import FlawsIn, SilentProgress, SourceOf, finish

import memassay.flows
from memassay.flows.engine.run import Plan, Run
from memassay.flows.recipes.registry import PATHS
from memassay.flows.runners import prefect_runner
from memassay.flows.runners.prefect_server import has_server_of_the_user
from memassay.flows.runners.prefect_shown import artifact_key, run_name, task_name
from memassay.flows.services.starting import find_recipe, shipped_recipes
from memassay.flows.store.leases import Owner
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import UsageError, WaitingError

URL = "http://prefect.example:4200/api"
NAMED = {
    "prefect.toml": f'[api]\nurl = "{URL}"\n',
    "pyproject.toml": f'[tool.prefect.api]\nurl = "{URL}"\n',
    ".env": f"PREFECT_API_URL={URL}\n",
    "profiles.toml": f'active = "mine"\n[profiles.mine]\nPREFECT_API_URL = "{URL}"\n',
}


def test_prefect_is_loaded_for_those_who_ask_for_a_flow() -> None:
    """Nothing of it is when the package is imported."""
    program = "import sys, memassay.flows; print('prefect' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_there_is_a_flow_for_every_path() -> None:
    """Each takes a recipe, a seed and a workspace, and can be loaded by its name."""
    names = ["build_dataset", *(f"build_{path.replace('-', '_')}" for path in PATHS)]
    for name in names:
        made = getattr(memassay.flows, name)
        assert (made.name, made.fn.__name__) == (name.replace("_", "-"), name)
        assert list(inspect.signature(made.fn).parameters) == ["recipe", "seed", "workspace"]
        assert (made.retries, made.persist_result) == (0, False)


def test_a_flow_that_is_not_there_is_named_with_those_that_are() -> None:
    """As any attribute that a module lacks, it is an AttributeError."""
    with pytest.raises(AttributeError, match=r"expected one of build_dataset, .*'build_nothing'"):
        _ = memassay.flows.build_nothing
    assert not hasattr(memassay.flows, "elsewhere")


def test_the_flow_of_a_path_refuses_recipes_of_others() -> None:
    """Before anything is made."""
    build = memassay.flows.build_curate
    with pytest.raises(UsageError, match="demo: expected a recipe of path curate, got m3exam"):
        build.fn("demo")


def test_a_recipe_is_a_file_or_the_name_of_one_that_ships(tmp_path: Path) -> None:
    """A file wins; what is neither is refused with what there is."""
    assert find_recipe("demo") == shipped_recipes()["demo"]
    (tmp_path / "mine.yaml").touch()
    assert find_recipe(str(tmp_path / "mine.yaml")) == tmp_path / "mine.yaml"
    with pytest.raises(UsageError, match=r"expected one of .*demo.*, got 'damo'"):
        find_recipe("damo")
    with pytest.raises(UsageError, match="no such file"):
        find_recipe(str(tmp_path / "other.yaml"))


def test_names_say_what_runs() -> None:
    """Path, recipe and seed; stage and conversations; small letters and dashes for artifacts."""
    assert run_name("m3exam", "demo", 7) == "m3exam demo seed 7"
    assert task_name("dialogue", ["wei"]) == "dialogue wei"
    assert task_name("dialogue", ["a", "b", "c", "d"]) == "dialogue a, b and 2 more"
    assert task_name("release", ["*"]) == "release all"
    assert artifact_key("My Recipe_2", "gates") == "my-recipe-2-gates"


@pytest.mark.parametrize("file", NAMED)
def test_a_server_is_known_wherever_prefect_reads_it(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then none of ours is started."""
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_PROFILES_PATH", str(tmp_path / "profiles.toml"))
    monkeypatch.chdir(tmp_path)
    assert not has_server_of_the_user()
    (tmp_path / file).write_text(NAMED[file], encoding="utf-8")
    assert has_server_of_the_user()
    (tmp_path / file).unlink()
    assert not has_server_of_the_user()


@pytest.fixture
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prefect's server must not be asked for."""

    def refuse(*_arguments: object) -> None:
        pytest.fail("a server was asked for")

    monkeypatch.setattr(prefect_runner, "prefect_api", refuse)


@pytest.mark.usefixtures("no_server")
def test_a_run_with_nothing_to_do_needs_no_server(tmp_path: Path) -> None:
    """It gives what the plain driver gave, every unit kept, and the progress is whole."""
    workspace = Workspace(tmp_path)
    stages = [SourceOf({"c0": "red", "c1": "blue"}), FlawsIn({})]
    wanted = finish(workspace, stages)
    run, progress = (
        Run(workspace, Plan("tiny", 0, stages), Owner(workspace.owners)),
        SilentProgress(),
    )
    prefect_runner.run_with_prefect(run, progress)
    assert run.stream == wanted.stream
    assert (progress.advanced, list(progress.ended), run.made) == (4, ["import", "check"], {})


@pytest.mark.usefixtures("no_server")
def test_a_gate_still_waits_without_a_server(tmp_path: Path) -> None:
    """All is made, and people have not decided: exit code 75, at once."""
    workspace = Workspace(tmp_path)
    stages, gates = [SourceOf({"c0": "red"})], {"import": GateSection(policy="all")}
    with pytest.raises(WaitingError):
        finish(workspace, stages, gates)
    run = Run(workspace, Plan("tiny", 0, stages, gates), Owner(workspace.owners))
    with pytest.raises(WaitingError):
        prefect_runner.run_with_prefect(run, SilentProgress())
