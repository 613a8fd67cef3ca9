"""Kill a run under Prefect: the same release, nothing done twice, its server gone with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.engine_builder import make_samples

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


@pytest.mark.slow(seconds=20)
def test_a_run_whose_server_is_killed_says_so_and_resumes(repository: Path, tmp_path: Path) -> None:
    """Within seconds and in one line; the next run gives the release of one without any server."""
    recipe = make_samples(repository, tmp_path)
    work, log = tmp_path / "work", tmp_path / "output"
    with _start(recipe, work) as process:
        _wait("a blob", lambda: any((work / "blobs").glob("??/*")) or process.poll() is not None)
        for server in _pids_of("memassay.flows.runners.prefect_server", work):
            os.kill(server, signal.SIGKILL)
        assert process.wait(ENDING_SECONDS) == 75, log.read_text("utf-8")
    said = [line for line in log.read_text("utf-8").splitlines() if "prefect" in line.lower()]
    assert said == [line for line in said if line.startswith("memassay: prefect: expected its")]
    assert len(said) == 1
    for workspace in (work, tmp_path / "clean"):
        command = [sys.executable, "-m", "memassay", "run", str(recipe), "--runner", "plain"]
        subprocess.run([*command, "--workspace", str(workspace)], check=True, capture_output=True)
    assert _files(work) == _files(tmp_path / "clean") != {}


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


@pytest.mark.slow(seconds=40)
def test_runs_killed_under_prefect_resume_to_the_same_release(
    repository: Path, tmp_path: Path
) -> None:
    """Killed while its server starts, in the import and in the release.

    That nothing rests on the server's database, the test above shows: a plain run goes on.
    """
    recipe = make_samples(repository, tmp_path)
    work, clean = tmp_path / "work", tmp_path / "clean"
    partial = "releases/.*.partial-*/formats"
    _kill_when(recipe, work, "Prefect's database", lambda: (work / "prefect/prefect.db").exists())
    _kill_when(recipe, work, "a blob", lambda: any((work / "blobs").glob("??/*")))
    _kill_when(recipe, work, "a release being written", lambda: any(work.glob(partial)))
    for workspace, runner in ((work, "prefect"), (clean, "plain")):
        command = [sys.executable, "-m", "memassay", "run", str(recipe), "--runner", runner]
        command += ["--workspace", str(workspace)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
    assert _files(work) == _files(clean) != {}
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
