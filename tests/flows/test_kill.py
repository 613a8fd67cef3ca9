"""Kill a run anywhere, run it again: the same release, nothing done twice, nobody left behind."""

import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.engine_builder import make_samples
from support.forked_runs import Ended, Forks, Strike, forks

from memassay.schemas.hashing import file_sha256

MOMENTS = 5
"""Moments by the clock; six more are by what has just appeared on the disk."""

ATTEMPTS = 20
"""Runs that may be over before they are struck, on a machine whose speed changes."""

SIGHTS = (
    "memassay.sqlite",
    "blobs/partial/.*.tmp",
    "blobs/*/????????*",
    "releases/.*.partial-*",
    "releases/.*.partial-*/formats/mem-gallery",
    "releases/.*.partial-*/manifest.json",
)


@pytest.fixture(scope="module")
def recipe(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recipe over two conversations with images."""
    return make_samples(repository, tmp_path_factory.mktemp("samples"))


@pytest.fixture(scope="module")
def warm(recipe: Path) -> Iterator[Forks]:
    """A process that forks runs."""
    with forks(recipe) as process:
        yield process


@pytest.fixture(scope="module")
def clean(
    warm: Forks, recipe: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, str], float]:
    """Hashes of every file of the release of an undisturbed run, and its seconds."""
    folder = tmp_path_factory.mktemp("clean")
    runs = [warm.run(recipe, folder / name) for name in ("first", "second")]
    assert [run.codes for run in runs] == [[0], [0]], runs[0].output
    assert files_of(folder / "first") == files_of(folder / "second")
    return files_of(folder / "first"), min(run.seconds for run in runs)


def strike_once(warm: Forks, recipe: Path, workspace: Path, strike: Strike) -> Ended:
    """Strike a run; if it is done by then another one, earlier where seconds say when."""
    for _ in range(ATTEMPTS):
        ended = warm.run(recipe, workspace, strike)
        if ended.codes != [0]:
            return ended
        shutil.rmtree(workspace)
        strike = replace(strike, after=strike.after and strike.after * 0.8)
    pytest.fail(f"{ATTEMPTS} runs ended well in spite of {strike}")


def files_of(workspace: Path) -> dict[str, str]:
    """Every file below the releases of a workspace, with its hash."""
    releases = workspace / "releases"
    return {
        str(path.relative_to(releases)): file_sha256(path)
        for path in sorted(releases.rglob("*"))
        if path.is_file()
    }


def units_of(workspace: Path) -> list[tuple[str, str, int, int]]:
    """Stage, shard, starts and completions of every unit."""
    with sqlite3.connect(workspace / "memassay.sqlite") as connection:
        query = "SELECT stage, shard, starts, completions FROM units ORDER BY stage, shard"
        return connection.execute(query).fetchall()


def users_of(folder: Path) -> list[int]:
    """Processes that have something below a folder open, or were started with its name."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode("utf-8", "replace")
            opened = [str(handle.readlink()) for handle in (process / "fd").iterdir()]
        except OSError:
            continue
        if int(process.name) != os.getpid() and any(str(folder) in x for x in (command, *opened)):
            found.append(int(process.name))
    return found


def check_resumed(workspace: Path, clean: dict[str, str], kills: int) -> None:
    """The release is the clean one; every unit is finished once and begun again only by kills."""
    assert files_of(workspace) == clean
    units = units_of(workspace)
    assert {completions for *_, completions in units} == {1}
    assert sum(starts for _, _, starts, _ in units) - len(units) <= kills
    assert users_of(workspace) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "strike",
    [
        *(pytest.param(number, id=f"moment-{number:02d}") for number in range(MOMENTS)),
        *(pytest.param(Strike(seen=sight), id=sight) for sight in SIGHTS),
    ],
)
def test_a_killed_run_resumes_to_the_same_release(
    warm: Forks,
    recipe: Path,
    clean: tuple[dict[str, str], float],
    tmp_path: Path,
    strike: int | Strike,
) -> None:
    """Wherever it is killed, the next run gives every byte of the clean one and repeats nothing."""
    files, seconds = clean
    if isinstance(strike, int):
        # One moment in each of equal parts of the run, drawn by a seed.
        strike = Strike(seconds * (strike + random.Random(strike).random()) / MOMENTS)
    ended = strike_once(warm, recipe, tmp_path / "work", strike)
    assert ended.codes == [-signal.SIGKILL], ended.output
    assert warm.run(recipe, tmp_path / "work").codes == [0]
    check_resumed(tmp_path / "work", files, kills=1)


@pytest.mark.slow
def test_one_run_may_be_killed_many_times(
    warm: Forks, recipe: Path, clean: tuple[dict[str, str], float], tmp_path: Path
) -> None:
    """Kill after kill the run gets further, and ends in the same release."""
    files, seconds = clean
    kills = 1
    strike_once(warm, recipe, tmp_path / "work", Strike(after=seconds * 0.3))
    for number in range(1, 6):
        ended = warm.run(recipe, tmp_path / "work", Strike(after=seconds * (0.3 + number / 20)))
        kills += ended.codes != [0]
    assert warm.run(recipe, tmp_path / "work").codes == [0]
    check_resumed(tmp_path / "work", files, kills)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_an_interrupted_run_says_so_and_resumes(
    warm: Forks,
    recipe: Path,
    clean: tuple[dict[str, str], float],
    tmp_path: Path,
    number: int,
    code: int,
    said: str,
) -> None:
    """It ends with its code and one line, gives the leases back, and loses nothing."""
    # Not by the clock: on a busy machine half a run may pass before a fork listens to signals.
    strike = Strike(seen="blobs/*/????????*", signal=number)
    ended = strike_once(warm, recipe, tmp_path / "work", strike)
    assert ended.codes == [code], ended.output
    assert f"memassay: {said}; run the same command again" in ended.output
    assert "Traceback" not in ended.output
    with sqlite3.connect(tmp_path / "work/memassay.sqlite") as connection:
        query = "SELECT shard FROM units WHERE owner IS NOT NULL"
        assert connection.execute(query).fetchall() == []
    assert warm.run(recipe, tmp_path / "work").codes == [0]
    check_resumed(tmp_path / "work", clean[0], kills=1)


@pytest.mark.slow
def test_two_runs_at_once_share_the_work(
    warm: Forks, recipe: Path, clean: tuple[dict[str, str], float], tmp_path: Path
) -> None:
    """Two processes in one workspace both end well, and every unit is begun once."""
    ended = warm.run(recipe, tmp_path / "work", at_once=2)
    assert ended.codes == [0, 0], ended.output
    check_resumed(tmp_path / "work", clean[0], kills=0)


@pytest.mark.slow
def test_a_second_run_takes_over_from_a_killed_one(
    warm: Forks, recipe: Path, clean: tuple[dict[str, str], float], tmp_path: Path
) -> None:
    """Of two runs one is killed: the other takes its unit over at once and ends well."""
    files, seconds = clean
    ended = warm.run(recipe, tmp_path / "work", Strike(after=seconds / 2), at_once=2)
    assert ended.codes[1] == 0, ended.output
    check_resumed(tmp_path / "work", files, kills=1)
