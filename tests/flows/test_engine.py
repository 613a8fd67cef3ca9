"""The engine: finished work is not redone, changed work is, and nothing else."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.engine_builder import FlawsIn, SilentProgress, SourceOf, WriterTo, finish, released

from memassay.flows.engine import reached
from memassay.flows.engine.run import Run
from memassay.flows.engine.units import Plan
from memassay.flows.runners.plain_runner import run_plain
from memassay.flows.store.leases import Owner
from memassay.flows.store.records import Store
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.errors import CodeError, RecordError, SourceError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.caches import text_cache

TWO = {"alex": "red", "bo": "green"}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """An empty workspace."""
    opened = Workspace(tmp_path / "work")
    yield opened
    opened.close()


def _states(workspace: Workspace) -> list[tuple[str, str, int, int]]:
    with workspace.engine.connect() as connection:
        query = "SELECT stage, shard, starts, completions FROM units ORDER BY stage, shard"
        return [tuple(row) for row in connection.exec_driver_sql(query)]


def test_a_second_run_does_nothing(workspace: Workspace) -> None:
    """Every unit is found done, and the stream is the same."""
    first = finish(workspace, [SourceOf(TWO), FlawsIn({})])
    source, check = SourceOf(TWO), FlawsIn({})
    second = finish(workspace, [source, check])
    assert (source.done, check.done) == ([], [])
    assert second.stream == first.stream
    assert {(starts, ends) for _, _, starts, ends in _states(workspace)} == {(1, 1)}


def test_only_what_depends_on_a_change_is_redone(workspace: Workspace) -> None:
    """One changed source: its own units, not its neighbour's."""
    finish(workspace, [SourceOf(TWO), FlawsIn({})])
    source, check = SourceOf({**TWO, "bo": "blue"}), FlawsIn({})
    finish(workspace, [source, check])
    # The check does not read assets, and nothing but the asset's pixels changed.
    assert (source.done, check.done) == (["bo"], [])


def test_a_new_config_redoes_its_stage_alone(workspace: Workspace) -> None:
    """The stage before it is kept."""
    finish(workspace, [SourceOf(TWO), FlawsIn({})])
    source, check = SourceOf(TWO), FlawsIn({"alex/Q0001": Severity.INFO})
    finish(workspace, [source, check])
    assert (source.done, sorted(check.done)) == ([], ["alex", "bo"])


def test_a_new_version_redoes_its_stage(workspace: Workspace) -> None:
    """What would give another output says so by its version."""
    finish(workspace, [SourceOf(TWO)])
    source = SourceOf(TWO)
    source.version = "2"
    finish(workspace, [source])
    assert sorted(source.done) == ["alex", "bo"]


def test_another_seed_shares_the_workspace(workspace: Workspace) -> None:
    """Its units are its own; going back to the first seed redoes nothing."""
    finish(workspace, [SourceOf(TWO)], seed=0)
    other = SourceOf(TWO)
    finish(workspace, [other], seed=1)
    again = SourceOf(TWO)
    finish(workspace, [again], seed=0)
    assert (sorted(other.done), again.done) == (["alex", "bo"], [])


def test_no_unit_keeps_the_texts_of_another(workspace: Workspace) -> None:
    """Memory does not grow with conversations: what was found in texts goes with their unit."""
    asked: list[str] = []

    @text_cache(4)
    def size(text: str) -> int:
        asked.append(text)
        return len(text)

    def read(_shard: str) -> None:
        assert size("one text") == size("one text")

    finish(workspace, [SourceOf(TWO, read)])
    assert asked == ["one text", "one text"]


def test_a_failed_unit_keeps_what_was_finished(workspace: Workspace) -> None:
    """The error says where; the next run does only the rest."""

    def fail(shard: str) -> None:
        if shard == "bo":
            raise SourceError("bo: cannot be read")

    with pytest.raises(SourceError, match="bo: cannot be read") as caught:
        finish(workspace, [SourceOf(TWO, fail)])
    assert caught.value.__notes__ == ["in stage import of path curate for shard bo"]
    source = SourceOf(TWO)
    finish(workspace, [source])
    assert source.done == ["bo"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, OSError])
def test_any_error_gives_the_lease_back(workspace: Workspace, error: type[BaseException]) -> None:
    """Nobody has to wait for a unit that failed, however it failed."""

    def fail(_shard: str) -> None:
        raise error

    with pytest.raises(error):
        finish(workspace, [SourceOf({"alex": "red"}, fail)])
    with workspace.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT owner, outputs FROM units").all()
    assert [tuple(row) for row in rows] == [(None, None)]


def test_an_interruption_while_a_lease_is_taken_gives_it_back(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lease was ours in the database before the method that takes it could say so."""
    lease = Store.lease

    def interrupted(store: Store, *arguments: Any) -> bool:
        lease(store, *arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "lease", interrupted)
    with pytest.raises(KeyboardInterrupt):
        finish(workspace, [SourceOf({"alex": "red"})])
    with workspace.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT owner, outputs FROM units").all()
    assert [tuple(row) for row in rows] == [(None, None)]


def test_a_crash_between_blob_and_record_is_harmless(workspace: Workspace) -> None:
    """The blob is there without a record: the unit is done again and finds the bytes the same."""

    class Crashing(SourceOf):
        def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
            made = list(super().run(records, context))
            if self.work is not None:
                raise MemoryError
            return made

    with pytest.raises(MemoryError):
        finish(workspace, [Crashing({"alex": "red"}, lambda _shard: None)])
    blobs = sorted(path for path in workspace.blobs.folder.rglob("*") if path.is_file())
    assert len(blobs) == 1
    finish(workspace, [SourceOf({"alex": "red"})])
    assert sorted(path for path in workspace.blobs.folder.rglob("*") if path.is_file()) == blobs


def test_a_record_of_one_id_cannot_be_made_twice(workspace: Workspace) -> None:
    """A unit that makes different records of one id: an error, not a silent choice."""

    class Colliding(SourceOf):
        def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
            made = list(super().run(records, context))
            return [made[0], made[0].model_copy(update={"collection": "other"})]

    with pytest.raises(RecordError, match=r"conversation alex: .* from stage import, got 2"):
        finish(workspace, [Colliding(TWO)])


@pytest.mark.parametrize("kind", [0, -1])
def test_records_of_another_conversation_are_refused(workspace: Workspace, kind: int) -> None:
    """They are not lost on the way: the error names the record, stage, path and shard."""

    class Straying(SourceOf):
        def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
            made = list(super().run(records, context))
            name = made[kind].id.replace("alex", "alexx")
            return [*made, made[kind].model_copy(update={"id": name})]

    with pytest.raises(RecordError, match=r"of the conversation alex, got the \w+ alexx") as caught:
        finish(workspace, [Straying({"alex": "red"})])
    assert caught.value.__notes__ == ["in stage import of path curate for shard alex"]


def test_data_without_a_conversation_are_refused(workspace: Workspace) -> None:
    """A stage that reads facts of a conversation that no stage made: an error, not no unit."""

    class Ledger(SourceOf):
        def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
            return [one for one in super().run(records, context) if isinstance(one, QAItem)]

    with pytest.raises(RecordError, match=r"alex/Q\w+: expected the conversation alex"):
        finish(workspace, [Ledger({"alex": "red"}), FlawsIn({})])


def test_what_is_no_record_is_refused(workspace: Workspace) -> None:
    """The error names what came instead, and the module that has to be mended."""

    class Talking(SourceOf):
        def run(self, _records: Sequence[Record], _context: StageContext) -> Iterable[Record]:
            return ["a text"]  # type: ignore[list-item]

    with pytest.raises(RecordError, match=r"expected records, got str 'a text'; .*test_engine"):
        finish(workspace, [Talking({"alex": "red"})])


def test_an_error_in_code_of_a_stage_names_the_unit(workspace: Workspace) -> None:
    """It says which stage, path and shard, and who can mend it."""

    def fail(_shard: str) -> None:
        raise ZeroDivisionError("division by zero")

    with pytest.raises(CodeError) as caught:
        finish(workspace, [SourceOf({"alex": "red"}, fail)])
    said = str(caught.value)
    assert said.startswith("stage import of path curate for shard alex raised ZeroDivisionError: ")
    assert "mend the package (module support.engine_builder)" in said
    assert caught.value.exit_code == 70


def test_a_record_of_a_wrong_shape_is_said_in_our_words(workspace: Workspace) -> None:
    """Which field, what was expected and what came; no address of a library's page."""

    def fail(_shard: str) -> None:
        HeldOut(id="x", record="x", kind="raw", stage="x", status="x", reasons=[])

    with pytest.raises(RecordError, match=r"alex: HeldOut\.reasons: expected a list .* got \[\];"):
        finish(workspace, [SourceOf({"alex": "red"}, fail)])


def test_a_deleted_file_is_written_again(workspace: Workspace, tmp_path: Path) -> None:
    """Only the stage that wrote it runs again."""
    path = tmp_path / "file"
    finish(workspace, [SourceOf(TWO), WriterTo(path)])
    path.unlink()
    source, writer = SourceOf(TWO), WriterTo(path)
    finish(workspace, [source, writer])
    assert (source.done, writer.done, path.read_text("utf-8")) == ([], ["*"], "8")
    assert ("write", "*", 2, 2) in _states(workspace)


def test_a_stage_without_conversations_has_no_units(workspace: Workspace) -> None:
    """Everything was held out: later stages of conversations have nothing to do."""
    check, after = FlawsIn({"alex": Severity.ERROR}), FlawsIn({}, name="after")
    run = finish(workspace, [SourceOf({"alex": "red"}), check, after])
    assert (check.done, after.done) == (["alex"], [])
    assert released(run, "question") == []


def test_threads_share_a_run(workspace: Workspace) -> None:
    """Units in any order from several threads: each once, the same stream."""
    colours = {f"c{number}": "red" for number in range(16)}
    wanted = finish(workspace, [SourceOf(colours)]).stream
    other = Workspace(workspace.folder.parent / "other")
    source = SourceOf(colours)
    run = Run(other, Plan("tiny", 0, [source]), Owner(other.owners))
    shards = run.start(source)

    def work(part: list[str]) -> None:
        for shard in part:
            run.run_unit(source, shard)

    # Every shard is given to two threads.
    parts = [shards[0::2], shards[1::2], shards[::-1][0::2], shards[::-1][1::2]]
    threads = [threading.Thread(target=work, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.close(source)
    assert sorted(source.done) == sorted(colours)
    assert run.stream == wanted
    assert {(starts, ends) for _, _, starts, ends in _states(other)} == {(1, 1)}


def test_progress_is_told_and_remembered(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`status` sees a running stage move, and what an earlier run reached is forgotten."""
    monkeypatch.setattr(reached, "TICK_SECONDS", 0.0)
    finish(workspace, [SourceOf(TWO), FlawsIn({}), FlawsIn({}, name="more")])
    seen: list[list[tuple[str, int, int]]] = []

    def look(_shard: str) -> None:
        known = workspace.store.progress()["tiny"]
        seen.append([(one.stage, one.finished, one.total) for one in known])

    source, progress = SourceOf({**TWO, "alex": "blue", "bo": "blue"}, look), SilentProgress()
    run = Run(workspace, Plan("tiny", 0, [source, FlawsIn({})]), Owner(workspace.owners))
    run_plain(run, progress)
    assert seen == [[("import", 0, 2)], [("import", 1, 2)]]
    last = workspace.store.progress()["tiny"]
    assert [(one.stage, one.finished, one.gate["passed"]) for one in last] == [
        ("import", 2, 10),
        ("check", 2, 10),
    ]
    assert progress.advanced == 4


def test_keys_say_nothing_of_where_they_are(tmp_path: Path) -> None:
    """Two workspaces have the same keys: no path, no time, no owner is in them."""
    keys = []
    for name in ("one", "two"):
        workspace = Workspace(tmp_path / name)
        finish(workspace, [SourceOf(TWO), FlawsIn({})])
        with workspace.engine.connect() as connection:
            found = connection.exec_driver_sql("SELECT key FROM units ORDER BY key")
            keys.append(found.scalars().all())
        workspace.close()
    assert keys[0] == keys[1]
