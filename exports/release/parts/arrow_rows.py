"""Rows of a release's table as Arrow has them, without the bytes of assets, which a store has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from memassay.exports.release.parquet_tables import column_of, record_batch

if TYPE_CHECKING:
    import pyarrow

_BESIDE: Final = ("_sizes", "_hashes", "_blobs", "_paths")
"""Names of the columns that a packed table has behind its own."""


class Bytes(NamedTuple):
    """Which bytes belong into a row.

    Attributes:
        sha256: Their hash in the blob store.
        path: File name of an image for `datasets`; None for a document.
    """

    sha256: str
    path: str | None


class Row(NamedTuple):
    """A row before it is Arrow's.

    Attributes:
        columns: Its columns by name, those with bytes left out.
        size: Bytes that it takes before compression, those of its asset included.
        hashes: Content hash of each record that it holds.
        data: The bytes that belong into it, if any.
    """

    columns: dict[str, Any]
    size: int
    hashes: Sequence[str]
    data: Bytes | None = None


@dataclass(frozen=True)
class Rows:
    """Rows of one table.

    Attributes:
        batch: Their columns; those with bytes are null.
        sizes: Bytes of each before compression.
        hashes: Content hashes of the records of each.
        data: The bytes that belong into each.
    """

    batch: "pyarrow.RecordBatch"
    sizes: list[int]
    hashes: list[list[str]]
    data: list[Bytes | None]

    @classmethod
    def of(cls, rows: Iterable[Row], schema: "pyarrow.Schema") -> "Rows":
        """Rows of a schema."""
        listed = list(rows)
        return cls(
            record_batch([row.columns for row in listed], schema),
            [row.size for row in listed],
            [list(row.hashes) for row in listed],
            [row.data for row in listed],
        )

    def pack(self) -> bytes:
        """All of it as one stream of Arrow; its bytes follow from the rows."""
        import pyarrow as pa

        texts = pa.string()
        found = [one or Bytes("", None) for one in self.data]
        beside = [
            column_of(self.sizes, pa.int64()),
            column_of(self.hashes, pa.list_(texts)),
            column_of([one.sha256 for one in found], texts),
            column_of([one.path for one in found], texts),
        ]
        names = [*self.batch.schema.names, *_BESIDE]
        whole = pa.RecordBatch.from_arrays([*self.batch.columns, *beside], names=names)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, whole.schema) as stream:
            stream.write_batch(whole)
        packed: bytes = sink.getvalue().to_pybytes()
        return packed

    @classmethod
    def unpack(cls, data: bytes, schema: "pyarrow.Schema") -> "Rows":
        """What `pack` gave, with the schema of its table."""
        import pyarrow as pa

        with pa.ipc.open_stream(data) as stream:
            whole = stream.read_next_batch()
        sizes, hashes, blobs, paths = (whole.column(name).to_pylist() for name in _BESIDE)
        columns = whole.columns[: -len(_BESIDE)]
        found = [
            Bytes(sha256, path) if sha256 else None
            for sha256, path in zip(blobs, paths, strict=True)
        ]
        return cls(pa.RecordBatch.from_arrays(columns, schema=schema), sizes, hashes, found)
