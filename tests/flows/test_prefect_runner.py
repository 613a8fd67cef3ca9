"""The Prefect driver: the same release as the plain one, errors as they are, nobody left behind."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml
from prefect import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.objects import StateType
from prefect.exceptions import Pause
from prefect.flow_engine import run_flow
from support.engine_builder import FlawsIn, SilentProgress, SourceOf, finish, make_samples

from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.flows import audit_data, build_dataset
from memassay.flows.engine.run import Run
from memassay.flows.engine.units import Plan
from memassay.flows.runners.prefect_runner import TASKS_A_STAGE, batches, run_with_prefect
from memassay.flows.runners.prefect_server import prefect_api
from memassay.flows.store.leases import Owner
from memassay.flows.store.workspace import Workspace, open_workspace
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import CodeError, MemassayError, SourceError, WaitingError
from memassay.schemas.judgements.review import ReasonCode, Ruling


@pytest.mark.parametrize("number", [0, 1, 2, 7, 16, 17, 500, 1000])
def test_batches_hold_every_shard_once_in_order(number: int) -> None:
    """Nothing is lost or repeated; at most 64 tasks, of nearly equal size."""
    shards = [f"c{position}" for position in range(number)]
    made = batches(shards)
    assert [shard for batch in made for shard in batch] == shards
    assert len(made) <= TASKS_A_STAGE
    assert max(map(len, made), default=0) - min(map(len, made), default=0) <= 1
    assert len(made) >= min(number, 2)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A Prefect server that the environment names, as a user would have one."""
    with prefect_api(tmp_path_factory.mktemp("server")):
        yield


def _run(workspace: Workspace, stages: Sequence[Stage], progress: SilentProgress) -> Run:
    run = Run(workspace, Plan("tiny", 0, stages), Owner(workspace.owners))
    run_with_prefect(run, progress)
    return run


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_a_flow_gives_what_the_plain_driver_gives(tmp_path: Path) -> None:
    """Every unit once, the same stream, and progress told."""
    colours = {f"c{number}": "red" for number in range(12)}
    wanted = finish(Workspace(tmp_path / "plain"), [SourceOf(colours), FlawsIn({})])
    source, progress = SourceOf(colours), SilentProgress()
    run = _run(Workspace(tmp_path / "work"), [source, FlawsIn({})], progress)
    assert sorted(source.done) == sorted(colours)
    assert run.stream == wanted.stream
    assert progress.advanced == 24
    assert list(progress.ended) == ["import", "check"]


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_the_error_of_a_stage_surfaces_as_it_was_raised(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No wrapping, no traceback on the screen, and what was finished stays finished."""

    def fail(shard: str) -> None:
        if shard == "c1":
            raise SourceError("c1: cannot be read")

    workspace = Workspace(tmp_path / "work")
    colours = {"c0": "red", "c1": "blue"}
    with pytest.raises(SourceError, match="c1: cannot be read") as caught:
        _run(workspace, [SourceOf(colours, fail)], SilentProgress())
    assert caught.value.__notes__ == ["in stage import of path curate for shard c1"]
    assert "Traceback" not in capfd.readouterr().err
    source = SourceOf(colours)
    _run(workspace, [source], SilentProgress())
    assert source.done == ["c1"]


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_an_unexpected_error_surfaces_as_itself(tmp_path: Path) -> None:
    """A bug in a stage is not blamed on Prefect."""

    def fail(shard: str) -> None:
        raise ZeroDivisionError(shard)

    with pytest.raises(CodeError, match="ZeroDivisionError: c0"):
        _run(Workspace(tmp_path / "work"), [SourceOf({"c0": "red"}, fail)], SilentProgress())


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The user's own server is down: one clear message with a way out."""
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    with pytest.raises(MemassayError, match=r"prefect: .*127\.0\.0\.1:9.*--runner plain"):
        _run(Workspace(tmp_path / "work"), [SourceOf({"c0": "red"})], SilentProgress())
    assert capfd.readouterr().err == ""


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_a_gate_that_blocks_ends_a_flow_with_75(tmp_path: Path) -> None:
    """The run waits for people: exit 75, as with the plain driver."""
    workspace = Workspace(tmp_path / "work")
    plan = Plan("tiny", 0, [SourceOf({"c0": "red"})], {"import": GateSection(policy="all")})
    with pytest.raises(WaitingError) as caught:
        run_with_prefect(Run(workspace, plan, Owner(workspace.owners)), SilentProgress())
    assert caught.value.exit_code == 75


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_the_server_of_the_user_is_used(tmp_path: Path) -> None:
    """With `PREFECT_API_URL` set, no server of ours starts and no folder for one is made."""
    workspace = Workspace(tmp_path / "work")
    _run(workspace, [SourceOf({"c0": "red"})], SilentProgress())
    assert not (workspace.folder / "prefect").exists()


@pytest.fixture
def blocking(repository: Path, tmp_path: Path) -> Path:
    """A recipe of which people see everything before it goes on."""
    recipe = make_samples(repository, tmp_path)
    document = yaml.safe_load(recipe.read_text("utf-8"))
    document["sources"] = document["sources"][1:]
    document["gates"] = {"import": {"policy": "all", "on_open": "block"}}
    recipe.write_text(yaml.safe_dump(document), "utf-8")
    return recipe


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_a_flow_run_that_waits_for_people_has_not_failed(blocking: Path, tmp_path: Path) -> None:
    """It completes by a name that says so, has names and tags, and its gates are an artifact."""
    with get_client(sync_client=True) as client:
        state = build_dataset(str(blocking), 3, str(tmp_path / "work"), return_state=True)
        assert (state.type, state.name) == (StateType.COMPLETED, "AwaitingReview")
        assert "gate import: 9 records wait for review" in state.result().waiting
        run = client.read_flow_run(state.state_details.flow_run_id)
        assert run.name == "curate tiny seed 3"
        assert {*run.tags} == {"memassay", "path:curate", "recipe:tiny"}
        mine = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run.id]))
        made = client.read_artifacts(artifact_filter=mine)
    assert {one.key for one in made} == {"tiny-progress", "tiny-gates"}


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_an_audit_leaves_its_page_where_a_browser_opens_it(
    repository: Path, tmp_path: Path
) -> None:
    """The page is an artifact of the flow run, whose log has the findings."""
    sample = repository / "recipes" / "samples" / "locomo"
    state = audit_data("locomo", str(sample), str(tmp_path / "audit.md"), return_state=True)
    report = state.result()
    assert report.entries
    with get_client(sync_client=True) as client:
        mine = ArtifactFilterFlowRunId(any_=[state.state_details.flow_run_id])
        made = client.read_artifacts(artifact_filter=ArtifactFilter(flow_run_id=mine))
    page = Path(report.report).read_text(encoding="utf-8")
    assert [(one.key, one.data) for one in made] == [("locomo-audit", page)]


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_a_run_of_a_deployment_is_paused_and_resumed(blocking: Path, tmp_path: Path) -> None:
    """Resumed when people have decided, it goes on where it was, to the release."""
    given = {"recipe": str(blocking), "workspace": str(tmp_path / "work")}
    served = build_dataset.to_deployment("reviewed", parameters=given).apply()
    with get_client(sync_client=True) as client:
        run = client.create_flow_run_from_deployment(served)
        with pytest.raises(Pause):
            run_flow(build_dataset, flow_run=client.read_flow_run(run.id), parameters=given)
        state = client.read_flow_run(run.id).state
        assert state is not None
        assert (state.type, state.name) == (StateType.PAUSED, "AwaitingReview")
        assert "or resume this flow run" in (state.message or "")
        _accept_all(tmp_path / "work")
        client.resume_flow_run(run.id)
        run_flow(build_dataset, flow_run=client.read_flow_run(run.id), parameters=given)
        state = client.read_flow_run(run.id).state
    assert state is not None
    assert (state.type, state.message) == (StateType.COMPLETED, _RELEASED)


_RELEASED = "7 questions released, 1 held out"


def _accept_all(folder: Path) -> None:
    with open_workspace(folder) as workspace:
        desk = ReviewDesk(workspace.queue.engine)
        for item in [item.id for item in workspace.queue.items()]:
            desk.open_item(item, "ada")
            vote = Vote(Ruling.ACCEPT, ReasonCode.CORRECT)
            desk.submit(item, "ada", f"token {item}", vote)
