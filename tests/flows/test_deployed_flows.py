"""Flows that people serve: what they are called, what they take, where their server is."""

import logging
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from prefect.states import Failed
from support.engine_builder import FlawsIn, SilentProgress, SourceOf, finish

import memassay.flows
from memassay.flows.deployed import failures
from memassay.flows.deployed.building import _changes
from memassay.flows.deployed.failures import may_pass
from memassay.flows.engine.run import Run
from memassay.flows.engine.units import Plan
from memassay.flows.recipes.registry import PATHS
from memassay.flows.runners import prefect_runner
from memassay.flows.runners.prefect_server import has_server_of_the_user
from memassay.flows.runners.prefect_shown import artifact_key, run_name, task_name
from memassay.flows.services.starting import find_recipe, shipped_recipes
from memassay.flows.store.leases import Owner
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import (
    EndpointError,
    HubBusyError,
    RefusedError,
    UsageError,
    WaitingError,
)

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
    """Each can be loaded by its name, and explains on its form what its recipes have."""
    for path in PATHS:
        made = getattr(memassay.flows, f"build_{path.replace('-', '_')}")
        assert made.name == f"build-{path}"
        form = made.parameters.properties
        assert [*form][:4] == ["recipe", "seed", "workspace", "version"]
        assert {*form} - {*PATHS[path].recipe.model_fields} == {"recipe", "workspace", "version"}
        assert all(one["description"] for one in form.values())


def test_sizes_are_a_form() -> None:
    """Each has its own field, with what it is and its bounds."""
    form = memassay.flows.build_m3exam.parameters
    assert form.properties["sizes"]["anyOf"][0] == {"$ref": "#/definitions/Sizes"}
    assert form.definitions["Sizes"]["properties"]["sessions"] == {
        "anyOf": [{"maximum": 60, "minimum": 2, "type": "integer"}, {"type": "null"}],
        "default": None,
        "description": "Sessions.",
        "title": "Sessions",
    }


def test_what_is_filled_in_takes_the_place_of_the_recipe() -> None:
    """What is not is the recipe's; of sizes, too."""
    sizes = memassay.flows.build_m3exam.fn.__signature__.parameters["sizes"].annotation
    filled_in = get_args(sizes)[0](sessions=5)
    assert _changes(None, None, None, None) == {}
    assert _changes(8, "0.2.0", None, filled_in) == {
        "seed": 8,
        "release": {"version": "0.2.0"},
        "sizes": {"sessions": 5},
    }


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (HubBusyError("busy"), True),
        (EndpointError("down"), True),
        (RefusedError("no such key"), False),
        (UsageError("no such file"), False),
        (ValueError("a bug"), False),
    ],
)
def test_only_what_may_pass_is_tried_again(error: Exception, again: bool) -> None:
    """The Hub and model servers may be back later; a wrong name stays wrong."""
    assert may_pass(None, None, Failed(data=error)) is again


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


def test_a_run_is_begun_again_only_after_what_may_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """After an endpoint that is down for a while, not after one that refuses a key."""
    paused: list[float] = []
    monkeypatch.setattr(failures.time, "sleep", paused.append)
    monkeypatch.setattr(failures, "get_run_logger", lambda: logging.getLogger("tests"))
    ends = iter([EndpointError("down"), EndpointError("down"), None])

    def run() -> str:
        if error := next(ends):
            raise error
        return "done"

    assert (failures.try_again(run), paused) == ("done", [60, 300])
    ends = iter([RefusedError("no such key")])
    with pytest.raises(RefusedError):
        failures.try_again(run)
    assert paused == [60, 300]
