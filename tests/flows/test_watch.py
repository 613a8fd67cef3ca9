"""A recipe is run again once people have decided what it asked, by hand or by a deployment."""

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from support.engine_builder import SilentProgress

from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.cli import main
from memassay.flows.services import watch
from memassay.flows.services.runs import run_recipe
from memassay.flows.services.watch import resume
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.errors import BudgetError, UsageError
from memassay.schemas.judgements.review import ReasonCode, Ruling

pytestmark = pytest.mark.slow(seconds=0.6)

SECONDS = 240.0
"""Longest wait for anything; Prefect's server takes long to start on a busy machine."""
ENDING_SECONDS = 30.0
"""Longest wait for the end: it takes 5 seconds, much of it the system's on a busy machine."""
YES = Vote(Ruling.ACCEPT, ReasonCode.CORRECT)


@pytest.fixture(scope="module")
def run_once(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recipe of which people see a share, and the workspace of its run."""
    samples = repository / "recipes" / "samples" / "locomo" / "locomo_sample.json"
    recipe = {
        "path": "curate",
        "sources": [{"format": "locomo", "path": str(samples), "licence": "CC-BY-4.0"}],
        "gates": {"validate": {"policy": "sample", "rate": 0.3, "on_open": "continue"}},
        "release": {"name": "tiny", "formats": ["locomo"]},
    }
    folder = tmp_path_factory.mktemp("once")
    (folder / "tiny.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    run_recipe(folder / "tiny.yaml", folder / "work", SilentProgress(), runner="plain")
    return folder


@pytest.fixture
def waiting(run_once: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A recipe of which people see a share that holds nothing up, and the workspace of its run."""
    shutil.copytree(run_once, tmp_path, dirs_exist_ok=True)
    return tmp_path / "tiny.yaml", tmp_path / "work"


def _decide(folder: Path, *, all_but: int = 0) -> int:
    """Accept what waits, all but a few; gives how many wait then."""
    with open_workspace(folder) as workspace:
        items = [item.id for item in workspace.queue.items()]
        desk = ReviewDesk(workspace.queue.engine)
        for item in items[all_but:]:
            desk.open_item(item, "ada")
            desk.submit(item, "ada", f"token {item}", YES)
        return len(workspace.queue.items())


def test_while_items_wait_nothing_is_run(waiting: tuple[Path, Path]) -> None:
    """One is enough."""
    recipe, folder = waiting
    assert _decide(folder, all_but=1) == 1
    looked = resume(recipe, folder)
    assert (looked.state, looked.waiting, looked.release) == ("waiting", 1, "")


def test_a_drained_queue_is_followed_once(waiting: tuple[Path, Path]) -> None:
    """What was accepted is in the new release; a second look finds nothing to do."""
    recipe, folder = waiting
    before = sorted(path.name for path in (folder / "releases").iterdir())
    assert _decide(folder) == 0
    looked = resume(recipe, folder)
    assert (looked.state, looked.waiting) == ("resumed", 0)
    assert Path(looked.release).name not in before
    assert resume(recipe, folder).state == "idle"


def test_a_stop_by_the_budget_is_followed_once_it_is_raised(
    waiting: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then each look says so, and runs nothing."""
    recipe, folder = waiting
    _decide(folder)
    runs = []

    def broke(*args: object, **more: object) -> None:
        runs.append((args, more))
        raise BudgetError("the cap is reached")

    with monkeypatch.context() as patched:
        patched.setattr(watch, "run_recipe", broke)
        assert [resume(recipe, folder).state for _ in range(3)] == ["stopped"] * 3
        ended = CliRunner().invoke(
            main, ["review", "resume", str(recipe), "--workspace", str(folder)]
        )
    assert len(runs) == 1
    assert ended.exit_code == 75
    assert "raise `budget` in the recipe" in ended.output
    recipe.write_text(f"{recipe.read_text('utf-8')}# raised\n", encoding="utf-8")
    assert resume(recipe, folder).state == "resumed"
    assert resume(recipe, folder).state == "idle"


def test_what_is_undone_and_decided_again_is_followed(waiting: tuple[Path, Path]) -> None:
    """A change of mind is new; the same decision again is not."""
    recipe, folder = waiting
    _decide(folder)
    resume(recipe, folder)
    with open_workspace(folder) as workspace:
        desk = ReviewDesk(workspace.queue.engine)
        item = desk.undo("ada") or ""
    assert resume(recipe, folder).state == "waiting"
    with open_workspace(folder) as workspace:
        vote = Vote(Ruling.REJECT, ReasonCode.WRONG_ANSWER)
        ReviewDesk(workspace.queue.engine).submit(item, "ada", "another", vote)
    assert resume(recipe, folder).state == "resumed"


def test_a_recipe_that_was_never_run_is_refused(waiting: tuple[Path, Path], tmp_path: Path) -> None:
    """There is nothing to resume."""
    other = tmp_path / "other.yaml"
    other.write_text(waiting[0].read_text("utf-8"), encoding="utf-8")
    with pytest.raises(UsageError, match="memassay run"):
        resume(other, waiting[1])


def test_the_command_waits_with_75(waiting: tuple[Path, Path]) -> None:
    """As a run that waits for people does."""
    recipe, folder = waiting
    arguments = ["review", "resume", str(recipe), "--workspace", str(folder), "--json"]
    result = CliRunner().invoke(main, arguments, standalone_mode=False)
    assert result.return_value == 75
    assert '"state": "waiting"' in result.output


def test_a_look_that_fails_is_told_and_taken_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that does not answer for a moment does not end the watch."""

    def look(_follower: watch.Follower) -> None:
        raise UsageError("expected a database that answers")

    monkeypatch.setattr(watch.Follower, "look", look)
    watch.Follower(Path("tiny.yaml"), Path("work")).follow(60)
    said = "tiny.yaml: expected a database that answers; looked at again in 60 s"
    assert said in capsys.readouterr().err


def _watching(recipe: Path, folder: Path, log: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "memassay", "review", "resume", str(recipe)]
    command += ["--workspace", str(folder), "--watch", "--interval", "5"]
    with log.open("wb") as said:
        return subprocess.Popen(command, stdout=said, stderr=said)


def _end(watching: "subprocess.Popen[bytes]", number: int, log: Path) -> int:
    """Exit code after a signal; it comes within seconds, with a line that says how to go on."""
    watching.send_signal(number)
    code = watching.wait(ENDING_SECONDS)
    text = log.read_text("utf-8")
    assert not any(word in text for word in ("Traceback", "Fatal"))
    assert "run the same command again" in text
    return code


@pytest.mark.parametrize("seconds", [0.4, 1.2])
def test_what_serves_the_deployment_ends_in_silence(
    seconds: float, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Also while it is still importing."""
    with watch._serve(tmp_path / "tiny.yaml", tmp_path) as serving:
        time.sleep(seconds)
    assert serving.poll() is not None
    assert capfd.readouterr() == ("", "")


def _wait_for(watching: "subprocess.Popen[bytes]", log: Path, seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not seen() and watching.poll() is None:
        assert time.monotonic() < deadline, log.read_text("utf-8")
        time.sleep(0.2)


@pytest.mark.ci
@pytest.mark.slow(seconds=24)
def test_a_served_deployment_is_run_when_the_queue_drains(
    waiting: tuple[Path, Path],
) -> None:
    """Under Prefect's own server; Ctrl-C ends it within seconds, and nothing is left behind."""
    recipe, folder = waiting
    mark, log = folder / "resumed" / "tiny.sha256", folder.with_name("log")
    with _watching(recipe, folder, log) as watching:
        try:
            _decide(folder)
            _wait_for(watching, log, mark.is_file)
            assert _end(watching, signal.SIGINT, log) == 0
        finally:
            watching.kill()
    assert len(list((folder / "releases").iterdir())) == 2
    assert resume(recipe, folder).state == "idle"


def test_sigterm_ends_a_watch_as_ctrl_c_does(waiting: tuple[Path, Path]) -> None:
    """Also while Prefect's server is still being started."""
    recipe, folder = waiting
    log = folder.with_name("log")
    with _watching(recipe, folder, log) as watching:
        try:
            _wait_for(watching, log, (folder / "prefect" / "prefect.db").exists)
            assert _end(watching, signal.SIGTERM, log) == 143
        finally:
            watching.kill()
