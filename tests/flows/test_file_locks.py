"""Locked files: alive as long as their maker, cleared away afterwards."""

import subprocess
import sys
from pathlib import Path

from memassay.flows.store.file_locks import clear_unlocked, is_locked, lock_file


def test_a_file_is_locked_until_it_is_let_go_of(tmp_path: Path) -> None:
    """The file stays."""
    path = tmp_path / "one.lock"
    lock = lock_file(path)
    assert is_locked(path)
    lock.release()
    assert not is_locked(path)


def test_a_file_that_is_not_there_is_not_locked(tmp_path: Path) -> None:
    """Asking for a file of the dead is no error."""
    assert not is_locked(tmp_path / "gone.lock")


def test_clearing_spares_what_is_locked(tmp_path: Path) -> None:
    """Only what nobody holds is deleted; what is gone already is no error."""
    alive, dead, gone = (tmp_path / name for name in ("alive", "dead", "gone"))
    lock = lock_file(alive)
    dead.touch()
    clear_unlocked([alive, dead, gone])
    assert [path.name for path in tmp_path.iterdir()] == ["alive"]
    lock.release()


def test_asking_makes_no_file_and_keeps_none_locked(tmp_path: Path) -> None:
    """Who looks at a dead owner leaves it as it is."""
    path = tmp_path / "dead.lock"
    path.touch()
    assert [is_locked(path), is_locked(path), is_locked(tmp_path / "none.lock")] == [False] * 3
    assert [each.name for each in tmp_path.iterdir()] == ["dead.lock"]


def test_the_lock_of_a_killed_process_is_gone(tmp_path: Path) -> None:
    """Kill -9 leaves a file that counts as dead at once."""
    path = tmp_path / "child.lock"
    code = (
        "import sys, pathlib; from memassay.flows.store.file_locks import lock_file;"
        "lock = lock_file(pathlib.Path(sys.argv[1])); print('locked', flush=True);"
        "sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "locked\n"
        assert is_locked(path)
        child.kill()
    assert not is_locked(path)
