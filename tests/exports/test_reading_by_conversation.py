"""Reading a release one conversation at a time, whatever their ids and however it is cut up."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.copies import copy_of
from support.release_builder import content
from support.release_damage import Rows, rewrite

from memassay.exports import open_release
from memassay.exports.release.reading.owned_rows import rows_of_owner
from memassay.exports.release.writer import write_release
from memassay.schemas.errors import ReleaseError, UsageError
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.concept import Concept

IDS = ("a", "a-b", "a0", "a.b", "a2", "a10", "ab", "B")
"""Some lie between `a` and `a/...` in one order or the other."""


def _bundles(names: set[str]) -> list[Bundle]:
    _, alex = content().bundles
    copies = (copy_of(alex, name) for name in sorted(names, key=natural_key))
    return [
        one.model_copy(
            update={"concepts": [Concept(id=record_id(one.id, "C1"), name="rex", said="<rex>")]}
        )
        for one in copies
    ]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Conversations of odd ids, each row in a row group and each group in a file of its own."""
    folder = tmp_path_factory.mktemp("releases") / "odd-0.1.0"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memassay.exports.release.parts.table_files.GROUP_ROWS", 1)
        release = content(bundles=_bundles(set(IDS)), certificates=(), findings=(), shard_bytes=1)
        write_release(folder, release)
    return folder


def test_conversations_are_put_together_over_files(written: Path) -> None:
    """Each comes once, in natural order, with all that belongs to it and nothing else."""
    assert list(open_release(written).bundles()) == _bundles(set(IDS))


def test_a_conversation_alone_is_the_same(written: Path) -> None:
    """As among all others."""
    release = open_release(written, verify=False)
    assert [release.bundle(one.id) for one in release.bundles()] == list(release.bundles())


@settings(max_examples=20)
@given(st.text(min_size=1, max_size=3).filter(lambda name: name not in IDS))
def test_no_other_conversation_is_found(written: Path, name: str) -> None:
    """An id that is no conversation's has no rows, even if it begins like one."""
    with pytest.raises(UsageError, match="expected one of its conversations"):
        open_release(written, verify=False).bundle(name)


def test_row_groups_of_others_are_not_read(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many row groups, those are read that can hold the conversation."""
    import pyarrow.parquet as pq

    read: list[int] = []
    real = pq.ParquetFile.read_row_group

    def count(self: object, group: int, **options: object) -> object:
        read.append(group)
        return real(self, group, **options)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", count)
    rows = rows_of_owner(written, "a10")
    # Twice each: where it is, then what it says.
    assert len(read) == 2 * sum(len(own) for own in rows.values())


def test_conversations_come_before_later_ones_are_read(tmp_path: Path) -> None:
    """A table out of order is refused where that is seen, and not before."""
    bundles = _bundles({"a", "b", "c"})
    write_release(
        tmp_path / "odd", content(bundles=bundles, certificates=(), findings=(), held_out=())
    )

    def misplace(rows: Rows) -> Rows:
        return [*rows[1:], rows[0]]

    rewrite(tmp_path / "odd", "ledger", misplace)
    found = open_release(tmp_path / "odd", verify=False).bundles()
    with pytest.raises(ReleaseError, match="data/ledger: expected rows in natural order"):
        list(found)
