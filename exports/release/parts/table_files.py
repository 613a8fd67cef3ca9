"""Tables on a disk, written row by row into shards of bounded size.

What is written depends on the rows and on the versions of the libraries alone, and not on the
parts in which they come: row groups and shards end by the sizes of rows.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memassay.exports.release.parquet_tables import column_of
from memassay.exports.release.parts.arrow_rows import Rows
from memassay.exports.release.rows import BLOB_COLUMNS
from memassay.exports.release.secret_scan import refuse_key
from memassay.schemas.contracts.protocols import BlobStore

if TYPE_CHECKING:
    import pyarrow

GROUP_ROWS: Final = 100
GROUP_BYTES: Final = 16 * 1024 * 1024
"""A row group ends at this many rows or bytes, so that one image costs one small read."""


class HashChain:
    """The combined hash of hashes that come one by one."""

    def __init__(self) -> None:
        """Begin with none."""
        self._sum, self.number = hashlib.sha256(), 0

    def add(self, hashes: Iterable[str]) -> None:
        """Take hashes in their order."""
        for one in hashes:
            self._sum.update(f"\n{one}".encode("ascii") if self.number else one.encode("ascii"))
            self.number += 1

    def digest(self) -> str:
        """What `combined_hash` gives of all of them."""
        return self._sum.hexdigest()


@dataclass
class Shard:
    """A file of a table.

    Attributes:
        path: Where it is; its name changes when all shards are known.
        content: The content hashes of its records.
    """

    path: Path
    content: HashChain


@dataclass
class _Pending:
    """Rows that belong into the next row group, which stand together in one part."""

    rows: Rows
    start: int
    stop: int


class TableWriter:
    """Writes the rows of one table, in the order given."""

    def __init__(
        self,
        folder: Path,
        schema: "pyarrow.Schema",
        shard_bytes: int,
        blobs: BlobStore,
        split: str = "train",
    ) -> None:
        """Write below a folder, with the bytes of assets from a store."""
        self._folder, self._schema, self._limit = folder, schema, shard_bytes
        self._blobs, self._split = blobs, split
        self._pending: list[_Pending] = []
        self._group_rows = self._group_bytes = self._shard_bytes = 0
        self._writer: Any = None
        self._shards: list[Shard] = []
        self.content = HashChain()

    def add(self, rows: Rows) -> None:
        """Write rows; a shard that a row would make too large ends before it.

        Raises:
            BlobError: The bytes of an asset are missing or changed.
        """
        for at, size in enumerate(rows.sizes):
            if self._shard_bytes and self._shard_bytes + size > self._limit:
                self._end_shard()
            if self._writer is None:
                self._start_shard()
            self._hold(rows, at)
            self._shards[-1].content.add(rows.hashes[at])
            self.content.add(rows.hashes[at])
            self._group_rows += 1
            self._group_bytes += size
            self._shard_bytes += size
            if self._group_rows >= GROUP_ROWS or self._group_bytes >= GROUP_BYTES:
                self._end_group()

    def _hold(self, rows: Rows, at: int) -> None:
        last = self._pending[-1] if self._pending else None
        if last is not None and last.rows is rows and last.stop == at:
            last.stop += 1
        else:
            self._pending.append(_Pending(rows, at, at + 1))

    def close(self) -> list[Shard]:
        """End the last shard and give every shard its final name; a table has at least one."""
        if not self._shards:
            self._start_shard()
        if self._writer is not None:
            self._end_shard()
        total = len(self._shards)
        for position, shard in enumerate(self._shards):
            name = f"{self._split}-{position:05d}-of-{total:05d}.parquet"
            shard.path = shard.path.rename(self._folder / name)
        return self._shards

    def _start_shard(self) -> None:
        import pyarrow.parquet as pq

        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"shard-{len(self._shards):05d}"
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd", compression_level=3)
        self._shards.append(Shard(path, HashChain()))
        self._shard_bytes = 0

    def _end_group(self) -> None:
        import pyarrow as pa

        slices = [
            each.rows.batch.slice(each.start, each.stop - each.start) for each in self._pending
        ]
        batch = pa.concat_batches(slices)
        if set(BLOB_COLUMNS) <= {*self._schema.names}:
            batch = self._with_bytes(batch)
        self._writer.write_batch(batch, row_group_size=batch.num_rows)
        self._pending, self._group_rows, self._group_bytes = [], 0, 0

    def _with_bytes(self, batch: "pyarrow.RecordBatch") -> "pyarrow.RecordBatch":
        """A row group with the bytes of its assets, which are here for as long as it is."""
        import pyarrow as pa

        images, documents = list[Any](), list[Any]()
        for each in self._pending:
            for found in each.rows.data[each.start : each.stop]:
                data = self._blobs.get(found.sha256) if found is not None else None
                if data is not None:
                    refuse_key(self._folder.name, data)
                path = found.path if found is not None else None
                images.append({"bytes": data, "path": path} if path else None)
                documents.append(None if path else data)
        values = {"image": images, "data": documents}
        columns = [
            column_of(values[field.name], field.type) if field.name in values else column
            for field, column in zip(self._schema, batch.columns, strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)

    def _end_shard(self) -> None:
        if self._pending:
            self._end_group()
        self._writer.close()
        self._writer, self._shard_bytes = None, 0
