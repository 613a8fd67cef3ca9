"""Kill a run under Prefect: the same release, nothing done twice, its server gone with it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.engine_builder import make_samples

from memassay.cli import main
from memassay.flows.store.workspace import Workspace
from memassay.schemas.hashing import file_sha256

SECONDS = 240.0
"""Longest wait for anything; a first start of Prefect's server takes long on a busy machine."""

ENDING_SECONDS = 30.0
"""Longest wait for the end of a run whose server is gone: 3 seconds on a quiet machine."""


def _start(recipe: Path, workspace: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "memassay", "run", str(recipe)]
    command += ["--workspace", str(workspace), "--runner", "prefect"]
    with workspace.with_name("output").open("ab") as output:
        return subprocess.Popen(command, stdout=output, stderr=output)


def _wait(what: str, true: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def _users_of(folder: Path) -> list[str]:
    """Command lines of the processes that were started with the name of a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = process.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if str(folder) in command and process.parent.name != str(os.getpid()):
            found.append(command)
    return found


def _kill_when(recipe: Path, workspace: Path, what: str, true: Callable[[], object]) -> None:
    with _start(recipe, workspace) as process:
        _wait(what, lambda: true() or process.poll() is not None)
        assert process.poll() is None, workspace.with_name("output").read_text("utf-8")
        process.send_signal(signal.SIGKILL)
    _wait("a process was left behind", lambda: not _users_of(workspace))


def _pids_of(module: str, folder: Path) -> list[int]:
    """Processes that run a module for a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = process.read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if module in command and str(folder) in command:
            found.append(int(process.parent.name))
    return found


def _files(workspace: Path) -> dict[str, str]:
    releases = workspace / "releases"
    files = sorted(path for path in releases.rglob("*") if path.is_file())
    return {str(path.relative_to(releases)): file_sha256(path) for path in files}


def _lose_server(recipe: Path, workspace: Path, log: Path) -> None:
    """Kill the server of a run in the import: within seconds the run says so in one line."""
    before = log.read_text("utf-8")
    with _start(recipe, workspace) as process:
        _wait(
            "a blob", lambda: any((workspace / "blobs").glob("??/*")) or process.poll() is not None
        )
        for server in _pids_of("memassay.flows.runners.prefect_server", workspace):
            os.kill(server, signal.SIGKILL)
        assert process.wait(ENDING_SECONDS) == 75, log.read_text("utf-8")
    said = log.read_text("utf-8").removeprefix(before).splitlines()
    said = [line for line in said if "prefect" in line.lower()]
    assert said == [line for line in said if line.startswith("memassay: prefect: expected its")]
    assert len(said) == 1


def _finish(recipe: Path, workspace: Path) -> None:
    """Run a recipe without any server."""
    command = ["run", str(recipe), "--workspace", str(workspace), "--runner", "plain"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output


@pytest.mark.ci
@pytest.mark.slow(seconds=35)
def test_runs_killed_under_prefect_resume_to_the_same_release(
    repository: Path, tmp_path: Path
) -> None:
    """Killed while its server starts and in the release, in between its server alone.

    That nothing rests on the server's database, a copy of the workspace shows: a plain run goes on.
    """
    recipe = make_samples(repository, tmp_path)
    work, copy, clean = (tmp_path / name for name in ("work", "copy", "clean"))
    partial = "releases/.*.partial-*/formats"
    _kill_when(recipe, work, "a server", lambda: (work / "prefect/migrating.lock").exists())
    _lose_server(recipe, work, tmp_path / "output")
    _kill_when(recipe, work, "a release being written", lambda: any(work.glob(partial)))
    shutil.copytree(work, copy)
    command = [sys.executable, "-m", "memassay", "run", str(recipe), "--runner", "prefect"]
    command += ["--workspace", str(work)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    for workspace in (copy, clean):
        _finish(recipe, workspace)
    assert _files(work) == _files(copy) == _files(clean) != {}
    assert _users_of(work) == []
    _check_units(work)


def _check_units(workspace: Path) -> None:
    """Every unit was finished once; two threads, killed three times, can begin six in vain."""
    opened = Workspace(workspace, create=False)
    with opened.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT starts, completions FROM units").all()
    opened.close()
    assert {row.completions for row in rows} == {1}
    assert sum(row.starts for row in rows) - len(rows) <= 6
