"""Tests of the columns that a release's tables are written from."""

import pyarrow
import pyarrow.parquet
import pytest

from memassay.exports.release.parquet_tables import GROUP_ROWS, TableWriter, arrow_schema

_ROWS = {
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


@pytest.mark.parametrize("config", sorted(_ROWS))
def test_written_columns_equal_those_of_pyarrow(config, tmp_path):
    """A table that is read back equals what pyarrow itself makes of the rows, nulls included."""
    rows, schema = _ROWS[config] * (GROUP_ROWS // 2), arrow_schema(config)
    writer = TableWriter(tmp_path, schema, shard_bytes=10**9)
    for row in rows:
        writer.add(row, 1)
    (path,) = writer.close()
    wanted = pyarrow.Table.from_pylist(rows, schema=schema)
    assert pyarrow.parquet.read_table(path).equals(wanted)
