"""The store: records by content hash, units by key, progress by run."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, update
from sqlalchemy.exc import DatabaseError
from support.places import GOLDEN
from support.release_builder import MemoryBlobs, bundle

from memassay.exports.release.parquet_tables import read_rows
from memassay.flows.store.database.opening import open_database
from memassay.flows.store.database.servers import database_trouble
from memassay.flows.store.records import StageProgress, Store
from memassay.flows.store.tables import RECORDS
from memassay.flows.store.workspace import DATABASE, Workspace
from memassay.schemas.errors import LeaseLost, RecordError, UsageError
from memassay.schemas.hashing import content_hash, sha256
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.finding import Finding, Severity


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The store of an empty workspace."""
    workspace = Workspace(tmp_path / "work")
    yield workspace.store
    workspace.close()


def _finding(message: str) -> Finding:
    return Finding.make("test.rule", Severity.INFO, "alex/Q0001", "", message, "")


@given(messages=st.lists(st.text(min_size=1, max_size=30), max_size=8))
def test_records_come_back_as_they_were_put(
    tmp_path_factory: pytest.TempPathFactory, messages: list[str]
) -> None:
    """Any records, in any order and however often: the same contents in the same order."""
    engine = open_database(tmp_path_factory.mktemp("store") / "db.sqlite")
    store = Store(engine)
    records = [_finding(message) for message in messages]
    hashes = store.put_all(records)
    assert hashes == [content_hash(record) for record in records]
    assert store.put_all(records) == hashes
    assert store.get_all(hashes[::-1]) == records[::-1]
    engine.dispose()


def test_every_kind_of_a_bundle_round_trips(store: Store) -> None:
    """Conversations, assets, facts, mentions and questions come back equal."""
    records = bundle("alex", "Luna", "red", MemoryBlobs()).records()
    hashes = store.put_all(records)
    assert store.get_all(hashes) == records
    headers = store.headers([*hashes, "0" * 64])
    assert [header.sha256 for header in headers] == sorted(hashes)
    assert {header.conversation for header in headers} == {"alex"}


def test_a_record_that_is_not_there_is_named(store: Store) -> None:
    """The error has the hash."""
    with pytest.raises(RecordError, match="f" * 64):
        store.get("f" * 64)


def test_a_record_against_its_schema_is_refused(store: Store) -> None:
    """What crosses a stage is validated as JSON, even if somebody built it around pydantic."""
    bad = _finding("x").model_copy(update={"message": ""})
    with pytest.raises(RecordError, match=r"finding finding-.*message"):
        store.put(bad)


def test_a_unit_is_finished_with_its_records_or_not_at_all(store: Store) -> None:
    """One bad record: nothing of the unit is stored and it stays undone."""
    store.lease("k", "s", "c", "me")
    good, bad = _finding("good"), _finding("x").model_copy(update={"message": ""})
    with pytest.raises(RecordError):
        store.finish("k", "me", [good, bad])
    assert store.headers([content_hash(good)]) == []
    state = store.unit("k")
    assert state is not None
    assert (state.outputs, state.completions) == (None, 0)


def test_a_unit_is_finished_once(store: Store) -> None:
    """A second finish of the same owner is refused, a finished unit is not leased again."""
    store.lease("k", "s", "c", "me")
    assert store.finish("k", "me", [_finding("a")]) == (content_hash(_finding("a")),)
    with pytest.raises(LeaseLost):
        store.finish("k", "me", [])
    assert not store.lease("k", "s", "c", "other")


def test_a_unit_of_nothing_is_finished(store: Store) -> None:
    """No outputs is an answer, too."""
    store.lease("k", "s", "c", "me")
    assert store.finish("k", "me", []) == ()
    state = store.unit("k")
    assert state is not None
    assert (state.outputs, state.owner, state.starts, state.completions) == ((), None, 1, 1)


def test_forgetting_makes_a_unit_undone(store: Store) -> None:
    """It can be leased again; how often it was finished is kept."""
    store.lease("k", "s", "c", "me")
    store.finish("k", "me", [])
    store.forget("k", 1)
    assert store.lease("k", "s", "c", "me")
    store.finish("k", "me", [])
    state = store.unit("k")
    assert state is not None
    assert (state.starts, state.completions) == (2, 2)


def test_forgetting_is_no_weapon_against_a_newer_result(store: Store) -> None:
    """Who looked before somebody else did the unit again forgets nothing; nor a running unit."""
    store.lease("k", "s", "c", "me")
    store.finish("k", "me", [])
    store.forget("k", 1)
    assert store.lease("k", "s", "c", "other")
    store.forget("k", 1)
    assert store.finish("k", "other", []) == ()
    store.forget("k", 1)
    state = store.unit("k")
    assert state is not None
    assert state.outputs == ()


def test_progress_is_kept_by_run_and_stage(store: Store) -> None:
    """The last word about each stage, in the order of the stages; runs apart."""
    store.record_progress("b", 1, StageProgress("second", 3, 0, {}))
    store.record_progress("b", 0, StageProgress("first", 2, 1, {}))
    store.record_progress("b", 0, StageProgress("first", 2, 2, {"passed": 5}))
    store.record_progress("a", 0, StageProgress("first", 1, 1, {}))
    store.forget_progress("a")
    first = StageProgress("first", 2, 2, {"passed": 5})
    assert store.progress() == {"b": [first, StageProgress("second", 3, 0, {})]}


def test_many_threads_write_at_once(store: Store) -> None:
    """Writers queue for the one lock and none fails."""
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(10):
                store.put(_finding(f"{number} {step}"))
                store.extend("nobody")
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(store.headers([content_hash(_finding(f"3 {step}")) for step in range(10)])) == 10


def test_a_reader_does_not_wait_for_a_writer(store: Store) -> None:
    """With the write lock taken by somebody else, reading goes on."""
    store.put(_finding("a"))
    with store.engine.begin():
        assert store.get(content_hash(_finding("a"))) == _finding("a")
        assert store.unit("k") is None


def test_many_open_a_new_workspace_at_once(tmp_path: Path) -> None:
    """The tables are made once, whoever comes first."""
    failed: list[BaseException] = []

    def work() -> None:
        try:
            Workspace(tmp_path / "work").close()
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_database_that_another_makes_just_now_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one writes to a new database, SQLite refuses at once to switch it to its log."""
    path = tmp_path / "db.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as maker:
        maker.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr("time.sleep", lambda _seconds: maker.execute("COMMIT"))
        engine = open_database(path)
        assert not maker.in_transaction
        engine.dispose()


def test_a_workspace_that_is_none_is_refused(tmp_path: Path) -> None:
    """A file, a folder without a database, a database that is none: one clear message each."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / DATABASE).write_bytes(b"no database" * 100)
    with pytest.raises(UsageError, match="expected a folder"):
        Workspace(tmp_path / "file")
    with pytest.raises(UsageError, match="expected a workspace"):
        Workspace(tmp_path / "nowhere", create=False)
    with pytest.raises(UsageError, match="damaged one"):
        Workspace(tmp_path / "broken")
    assert not (tmp_path / "nowhere").exists()


def _trouble(path: Path, statement: str, mode: str = "rwc") -> str:
    """What is told when a statement fails on a database opened without any patience."""
    with (
        pytest.raises(sqlite3.DatabaseError) as failed,
        closing(sqlite3.connect(f"file:{path}?mode={mode}", uri=True, timeout=0)) as database,
    ):
        database.execute(statement)
    return str(database_trouble(path, DatabaseError(statement, None, failed.value)))


def test_a_database_that_another_run_holds_is_not_called_damaged(tmp_path: Path) -> None:
    """Moving it away would lose the work of the other run; waiting helps."""
    path = tmp_path / "db.sqlite"
    with closing(sqlite3.connect(path)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        said = _trouble(path, "BEGIN IMMEDIATE")
    assert "another run holds" in said
    assert "wait" in said
    assert "move it away" not in said


def test_a_database_that_cannot_be_written_asks_for_another_workspace(tmp_path: Path) -> None:
    """Be it read-only or in a folder that is not there."""
    sqlite3.connect(tmp_path / "db.sqlite").close()
    for path, mode in ((tmp_path / "db.sqlite", "ro"), (tmp_path / "no" / "db.sqlite", "rw")):
        said = _trouble(path, "CREATE TABLE t (x)", mode)
        assert "--workspace" in said
        assert "move it away" not in said


def test_a_database_that_is_none_is_to_be_moved_away(tmp_path: Path) -> None:
    """Nothing in it can be saved."""
    path = tmp_path / "db.sqlite"
    path.write_bytes(b"garbage" * 1000)
    assert "move it away" in _trouble(path, "CREATE TABLE t (x)")


def test_records_that_version_1_stored_are_read_and_found_again(store: Store) -> None:
    """In today's shape, and under their hash: decisions, edits and finished work stay."""
    golden = GOLDEN / "release_v1" / "data"
    rows = {}
    for config in ("questions", "conversations"):
        for shard in sorted((golden / config).glob("*.parquet")):
            for row in read_rows(shard):
                text = row["record_json"]
                kind = config.removesuffix("s")
                rows[sha256(text.encode())] = (kind, row["id"], conversation_of(row["id"]), text)
    with store.engine.begin() as connection:
        columns = ("sha256", "kind", "id", "conversation", "document")
        values = [dict(zip(columns, (key, *row), strict=True)) for key, row in rows.items()]
        connection.execute(insert(RECORDS), values)
    records = store.get_all(list(rows))
    assert all(
        record.schema_version == type(record).model_fields["schema_version"].default
        for record in records
    )
    assert store.put_all(records) == list(rows)


def test_a_row_that_somebody_changed_is_refused(store: Store) -> None:
    """Own rows are not checked by their schema again, and still a wrong one is no record."""
    digest = store.put(_finding("before"))
    with store.engine.begin() as connection:
        connection.execute(update(RECORDS).values(document='{"id": "alex/Q0001", "rule": 7}'))
    with pytest.raises(RecordError, match="alex/Q0001"):
        store.get(digest)
