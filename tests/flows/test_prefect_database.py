"""The database of Prefect's server: migrated once on a machine, and never half."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memassay.flows.runners import prefect_database
from memassay.flows.runners.prefect_database import DATABASE, prepare_database


@pytest.fixture
def migrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A home for each migration that is made; a cache of its own for the test."""
    made: list[Path] = []

    def migrate() -> None:
        home = tmp_path / f"home-{len(made)}"
        made.append(home)
        with closing(sqlite3.connect(home / DATABASE)) as connection:
            connection.execute("CREATE TABLE flow_run (name TEXT)")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(prefect_database, "_migrate", migrate)
    (tmp_path / "home-0").mkdir()
    return made


def _tables(home: Path) -> list[str]:
    with closing(sqlite3.connect(home / DATABASE)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]


def test_a_second_workspace_gets_a_copy(tmp_path: Path, migrations: list[Path]) -> None:
    """A machine migrates once for each version of Prefect."""
    prepare_database(tmp_path / "home-0")
    (tmp_path / "other").mkdir()
    prepare_database(tmp_path / "other")
    assert (len(migrations), _tables(tmp_path / "other")) == (1, ["flow_run"])


@pytest.mark.usefixtures("migrations")
def test_what_a_killed_start_left_is_replaced(tmp_path: Path) -> None:
    """It is neither whole nor of a known version."""
    (tmp_path / "home-0" / DATABASE).write_bytes(b"SQLite format 3\0 half made")
    prepare_database(tmp_path / "home-0")
    assert _tables(tmp_path / "home-0") == ["flow_run"]


def test_without_a_cache_it_is_migrated_in_place(tmp_path: Path, migrations: list[Path]) -> None:
    """A file is where the cache would be, as on a disk that may not be written."""
    (tmp_path / "cache").touch()
    prepare_database(tmp_path / "home-0")
    assert (len(migrations), _tables(tmp_path / "home-0")) == (1, ["flow_run"])


@pytest.mark.usefixtures("migrations")
def test_a_damaged_cache_is_made_again(tmp_path: Path) -> None:
    """Nobody has to know that it is there."""
    prepare_database(tmp_path / "home-0")
    kept = next((tmp_path / "cache" / "memassay").glob("prefect-*.db"))
    kept.write_bytes(b"SQLite format 3\0 cut off")
    (tmp_path / "home-1").mkdir()
    prepare_database(tmp_path / "home-1")
    assert _tables(tmp_path / "home-1") == ["flow_run"]
    assert kept.read_bytes() != b"SQLite format 3\0 cut off"
