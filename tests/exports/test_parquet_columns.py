"""Tests of the columns that a release's tables are written from."""

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from support.release_builder import MemoryBlobs

from memassay.exports.release.parquet_tables import arrow_schema
from memassay.exports.release.parts.arrow_rows import Bytes, Row, Rows
from memassay.exports.release.parts.table_files import GROUP_ROWS, TableWriter
from memassay.exports.release.rows import BLOB_COLUMNS
from memassay.schemas.hashing import combined_hash

_ROWS: dict[str, list[dict[str, Any]]] = {
    "conversations": [
        {"id": "a", "tags": ["x", "é"], "speakers": [{"id": "s", "traits": []}, None]},
        {"id": "b", "tags": None, "sessions": [{"index": 3, "rounds": [{"id": "D1:1"}]}]},
    ],
    "questions": [
        {"id": "q", "answerable": True, "evidence_groups": [["D1:1"], []], "options": []},
        {"id": "r", "answerable": None},
        {"id": "s", "answerable": False, "options": [{"label": "A", "text": ""}]},
    ],
    "ledger": [{"id": "a", "facts": [{"importance": 0.5, "order": 1}, {"order": -1}]}],
    "assets": [
        {"id": "i", "image": {"bytes": b"\x00\xff", "path": "i.png"}, "box": [1, 2, 3, 4]},
        {"id": "j", "image": None, "data": b"", "width": 7},
    ],
}


def _packed(row: dict[str, Any], blobs: MemoryBlobs) -> Row:
    """A row as a part has it: its bytes are in a store."""
    image = row.get("image")
    data = image["bytes"] if image else row.get("data")
    found = None if data is None else Bytes(blobs.put(data), image["path"] if image else None)
    columns = {name: value for name, value in row.items() if name not in BLOB_COLUMNS}
    return Row(columns, 1, [row["id"].zfill(64)], found)


@pytest.mark.parametrize("config", sorted(_ROWS))
def test_written_columns_equal_those_of_pyarrow(config: str, tmp_path: Path) -> None:
    """A table of packed parts equals what pyarrow itself makes of the rows, nulls included."""
    rows, schema, blobs = _ROWS[config] * (GROUP_ROWS // 2), arrow_schema(config), MemoryBlobs()
    writer = TableWriter(tmp_path, schema, 10**9, blobs)
    for part in (rows[:1], rows[1:]):
        made = Rows.of((_packed(row, blobs) for row in part), schema)
        writer.add(Rows.unpack(made.pack(), schema))
    (shard,) = writer.close()
    wanted = pyarrow.Table.from_pylist(rows, schema=schema)
    assert pyarrow.parquet.read_table(shard.path).equals(wanted)
    assert shard.content.digest() == combined_hash(row["id"].zfill(64) for row in rows)


def test_parts_of_any_size_give_the_same_file(tmp_path: Path) -> None:
    """Row groups and shards end by rows, wherever a part ends."""
    rows, schema, blobs = _ROWS["questions"] * GROUP_ROWS, arrow_schema("questions"), MemoryBlobs()
    found = []
    for step in (1, 7, len(rows)):
        writer = TableWriter(tmp_path / str(step), schema, GROUP_ROWS + 50, blobs)
        for at in range(0, len(rows), step):
            writer.add(Rows.of((_packed(row, blobs) for row in rows[at : at + step]), schema))
        found.append([shard.path.read_bytes() for shard in writer.close()])
    assert len(found[0]) == 2
    assert found[0] == found[1] == found[2]
