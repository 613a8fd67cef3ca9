"""The tables of a workspace: any version of them is brought up to date, or refused in a line."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_mock_engine
from sqlalchemy.exc import DatabaseError

from memassay.annotation.storage.upgrade import VERSION as REVIEW_VERSION
from memassay.flows.calls import call_log  # noqa: F401 - its tables are of every workspace
from memassay.flows.store.database import opening, upgrade
from memassay.flows.store.tables import METADATA
from memassay.flows.store.workspace import DATABASE, Workspace
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import combined_hash

TABLES = {
    2: "f958a02e122eb323dad693af93bb63faa4cbd177a173f3f4ecf357ad362a0672",
    3: "71bdd488e0a4493441c9daa7201ed1915d6392525953316cfad8353c51e6002e",
    4: "4432e0728c112592bd373cd64fb84569fc52a6d53083024e833c130ef651c9ab",
    5: "87fbf5c730d88102e9ea6d2a63a519f55814b6cf20db50004c2a0ce27128c768",
    6: "8ae222d9da32d353d19c31a63f0b6d5b02a06a1930aef1233498ade11ef08214",
    7: "d05cadf8bd5ef5ef20ac60f6928413d07ccf94a8a8a66bbf2d6007d9a81e48d5",
}
"""By version, the hash of all tables: one that changes raises the version."""

FIRST = """
CREATE TABLE records (
    sha256 VARCHAR(64) NOT NULL, kind VARCHAR(20) NOT NULL, id VARCHAR(300) NOT NULL,
    conversation VARCHAR(300) NOT NULL, document TEXT NOT NULL, PRIMARY KEY (sha256));
CREATE INDEX ix_records_id ON records (id);
CREATE TABLE units (
    "key" VARCHAR(64) NOT NULL, stage VARCHAR(60) NOT NULL, shard VARCHAR(300) NOT NULL,
    owner VARCHAR(80), lease_until FLOAT, outputs TEXT, starts INTEGER NOT NULL,
    completions INTEGER NOT NULL, PRIMARY KEY ("key"));
CREATE TABLE runs (
    recipe VARCHAR(300) NOT NULL, position INTEGER NOT NULL, stage VARCHAR(60) NOT NULL,
    total INTEGER NOT NULL, finished INTEGER NOT NULL, gate TEXT, PRIMARY KEY (recipe, position));
INSERT INTO units VALUES ('k', 'import', 'c1', NULL, NULL, '[]', 1, 1);
INSERT INTO units VALUES ('m', 'import', 'c2', 'somebody', 1.5, NULL, 1, 0);
"""
"""The tables of the first version, with a unit that is done and one that was begun."""


def _made(folder: Path, script: str) -> Path:
    """A workspace whose database a script makes."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        database.executescript(script)
    return folder


def _shape(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """The columns of every table: name, type, whether it may be empty, place in the key."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: sorted(
                row[1:4] + row[5:] for row in database.execute(f"PRAGMA table_info({name})")
            )
            for (name,) in tables
        }


def test_every_change_of_a_table_raises_the_version() -> None:
    """Who changes one writes a step in `upgrade.py` and adds the new hash here."""
    made: list[str] = []
    engine = create_mock_engine(
        "sqlite://", lambda table, *_, **__: made.append(str(table.compile(engine)))
    )
    METADATA.create_all(engine, checkfirst=False)
    assert TABLES[upgrade.VERSION] == combined_hash(sorted(made))
    assert sorted(TABLES)[-1] == upgrade.VERSION


def test_a_workspace_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    """Its tables become those of a new workspace; what was done stays done."""
    Workspace(tmp_path / "new").close()
    old = Workspace(_made(tmp_path / "old", FIRST), create=False)
    done, begun = old.store.unit("k"), old.store.unit("m")
    assert done is not None
    assert done.outputs == ()
    assert begun is not None
    assert (begun.owner, begun.beats) == ("somebody", 0)
    old.close()
    assert _shape(tmp_path / "old") == _shape(tmp_path / "new")
    Workspace(tmp_path / "old").close()


def test_older_tables_learn_which_bytes_are_theirs(tmp_path: Path) -> None:
    """Those of images that are there, and of no other record."""
    present = {"availability": "present", "blob_sha256": "b" * 64}
    rows = {
        "asset": [present, {**present, "availability": "missing"}, {"availability": "remote"}],
        "erratum": [present],
    }
    documents = [(kind, json.dumps(one)) for kind, found in rows.items() for one in found]
    script = FIRST + "".join(
        f"INSERT INTO records VALUES ('{number}', '{kind}', 'x', 'c1', '{document}');"
        for number, (kind, document) in enumerate(documents)
    )
    old = Workspace(_made(tmp_path / "old", script), create=False)
    assert [old.store.blobs_of([str(number)]) for number in range(4)] == [
        {"b" * 64},
        set(),
        set(),
        set(),
    ]
    old.close()


def test_a_workspace_of_a_newer_version_is_refused_in_a_line(tmp_path: Path) -> None:
    """Nothing of it is changed."""
    folder = _made(tmp_path / "newer", f"PRAGMA user_version = {upgrade.VERSION + 1};")
    before = (folder / DATABASE).read_bytes()
    with pytest.raises(UsageError, match=r"^workspace: expected one of version .*newer memassay"):
        Workspace(folder)
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    assert len(before) == len((folder / DATABASE).read_bytes())


@pytest.mark.parametrize(
    ("stamp", "said"),
    [
        (0, "expected the tables of version 1, as its database is stamped, got others"),
        (1, "expected the tables of version 1, as its database is stamped, got others"),
        (-5, "expected a version from 1 to .*, got -5"),
    ],
)
def test_a_stamp_that_is_wrong_is_refused_in_a_line(tmp_path: Path, stamp: int, said: str) -> None:
    """The tables are left as they are."""
    Workspace(tmp_path / "work").close()
    before = _shape(tmp_path / "work")
    with closing(sqlite3.connect(tmp_path / "work" / DATABASE)) as database:
        database.execute(f"PRAGMA user_version = {stamp}")
    with pytest.raises(UsageError, match=f"^workspace: {said}"):
        Workspace(tmp_path / "work")
    assert _shape(tmp_path / "work") == before


@pytest.mark.parametrize("version", [int(REVIEW_VERSION) + 1, "x", ""])
def test_review_tables_that_we_do_not_know_are_refused_in_a_line(
    tmp_path: Path, version: object
) -> None:
    """As those of the workspace are."""
    Workspace(tmp_path / "work").close()
    with closing(sqlite3.connect(tmp_path / "work" / DATABASE)) as database:
        database.execute("UPDATE review_version SET version_num = ?", (str(version),))
        database.commit()
    with pytest.raises(UsageError, match=f"^review tables: .*, got '{version}'; if a newer"):
        Workspace(tmp_path / "work")


def test_a_table_that_is_new_is_made(tmp_path: Path) -> None:
    """A part that some workspace never used before."""
    Workspace(tmp_path / "work").close()
    with closing(sqlite3.connect(tmp_path / "work" / DATABASE)) as database:
        database.execute("DROP TABLE batches")
    Workspace(tmp_path / "work").close()
    assert "batches" in _shape(tmp_path / "work")


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace that may not be written, even by those whom the system lets write anywhere."""
    opened = Workspace(tmp_path / "work")
    opened.store.lease("k", "import", "c1", "me")
    opened.close()
    may = os.access
    monkeypatch.setattr(
        opening.os, "access", lambda path, mode: mode != os.W_OK and may(path, mode)
    )
    return tmp_path / "work"


def _read(folder: Path) -> str | None:
    """What is read in a workspace: who holds its unit."""
    workspace = Workspace(folder, create=False)
    state = workspace.store.unit("k")
    assert workspace.queue.items() == []
    workspace.close()
    return state and state.owner


def test_a_closed_workspace_is_read_and_left_as_it_is(closed: Path) -> None:
    """No file appears in it."""
    before = sorted(path.name for path in closed.iterdir())
    assert _read(closed) == "me"
    assert sorted(path.name for path in closed.iterdir()) == before


@pytest.mark.parametrize("index", [True, False], ids=["with its index", "without its index"])
def test_what_stands_in_the_log_alone_is_read(closed: Path, tmp_path: Path, index: bool) -> None:
    """A folder that was copied while a run wrote to it holds a part of it in the log."""
    with closing(sqlite3.connect(closed / DATABASE)) as writer:
        writer.execute("UPDATE units SET owner = 'other'")
        writer.commit()
        copy = shutil.copytree(closed, tmp_path / "copy")
    if not index:
        (copy / f"{DATABASE}-shm").unlink()
    assert (copy / f"{DATABASE}-wal").stat().st_size > 0
    assert _read(copy) == "other"


def test_a_closed_database_that_is_none_is_called_damaged(closed: Path) -> None:
    """Whatever stands beside it."""
    (closed / DATABASE).write_bytes(b"no database" * 100)
    (closed / f"{DATABASE}-wal").write_bytes(b"no log either")
    with pytest.raises(UsageError, match="a damaged one"):
        Workspace(closed, create=False)


def test_nothing_is_written_to_a_closed_workspace(closed: Path) -> None:
    """It is said that it cannot be, and how."""
    workspace = Workspace(closed, create=False)
    with pytest.raises(DatabaseError, match="readonly"):
        workspace.store.extend("me")
    workspace.close()


def test_old_review_tables_that_are_closed_are_refused_in_a_line(closed: Path) -> None:
    """They have a version of their own."""
    with closing(sqlite3.connect(closed / DATABASE)) as database:
        database.executescript(
            "UPDATE review_version SET version_num = '5';"
            "ALTER TABLE review_items DROP COLUMN history;"
        )
        database.commit()
    with pytest.raises(UsageError, match=r"review tables of our version, .* make it writable once"):
        Workspace(closed, create=False)


@pytest.mark.usefixtures("closed")
def test_an_old_workspace_that_is_closed_is_refused_in_a_line(tmp_path: Path) -> None:
    """It cannot be brought up to date where it is."""
    folder = _made(tmp_path / "old", FIRST)
    with pytest.raises(UsageError, match="version 1, which may not be written; make it writable"):
        Workspace(folder, create=False)
