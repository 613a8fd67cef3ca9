"""Rows of a table of records, each compared with the records that it holds."""

from collections.abc import Iterator
from typing import Any, Final

from memassay.exports.release import rules
from memassay.exports.release.blobs import ReleaseBlobs, blob_of_row
from memassay.exports.release.checking.pieces import Reading, Rows, RowsPiece
from memassay.exports.release.checking.taking import Taking
from memassay.exports.release.parquet_tables import read_group
from memassay.exports.release.rows import (
    BLOB_COLUMNS,
    columns_of,
    document_content_hash,
    document_of,
    record_rows,
)
from memassay.schemas.base import Record
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.errors import BlobError, RecordError, ReleaseError
from memassay.schemas.hashing import sha256
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.kinds import version_of
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.values.pixels import PixelError, measure

FETCH: Final = "fetch or write the release again"
REPAIR: Final = "write the release again from its records"


def check_rows(reading: Reading, piece: RowsPiece, blobs: ReleaseBlobs) -> Rows:
    """Check some rows, and keep the records that can be read.

    Args:
        reading: The release.
        piece: The rows.
        blobs: Its bytes.
    """
    return _RowsCheck(reading, piece, blobs).run()


class _RowsCheck:
    """One pass over some rows."""

    def __init__(self, reading: Reading, piece: RowsPiece, blobs: ReleaseBlobs) -> None:
        self.reading, self.piece, self.blobs = reading, piece, blobs
        self.file = piece.shard.relative_to(reading.folder).as_posix()
        self.taking = Taking(reading.scratch)
        self.found = self.taking.rows

    def run(self) -> Rows:
        """Check them; a row group that cannot be read is the error of what is given."""
        try:
            for row in self._rows():
                self.taking.place(_row_order(self.piece.config, row))
                self._check(row)
        except ReleaseError as error:
            self.found.error = error
        return self.taking.end(f"{self.piece.config}-{self.piece.shard.stem}-{self.piece.group}")

    def _rows(self) -> Iterator[dict[str, Any]]:
        piece = self.piece
        rows = slice(piece.start, piece.stop)
        has_bytes = piece.config == "assets"
        yield from read_group(piece.shard, piece.group, blobs=has_bytes, rows=rows)

    def _check(self, row: dict[str, Any]) -> None:
        """Check one row and each record that it holds."""
        told = self.piece.config == "ledger"
        if told and row.get("conversation") != row.get("id"):
            self._mismatch(str(row.get("id")), "conversation", row.get("id"), row)
        for kind, inner in record_rows(self.piece.config, row):
            target = str(inner.get("id") or self.file)
            try:
                document = document_of(inner, kind)
                record = parse_record(kind, document)
            except RecordError as error:
                message = f"{self.file}: {error}"
                self.found.findings.append(rules.RECORD_VALID.finding(target, "", message, FETCH))
                continue
            if told and conversation_of(record.id) != row.get("id"):
                self._mismatch(record.id, "id", f"{row.get('id')}/...", {"id": record.id})
            if version_of(kind) <= self.reading.version:
                self._compare(record, inner)
            pixels = self._check_blob(record, inner) if isinstance(record, Asset) else None
            self.taking.take(kind, record, document_content_hash(document, pixels))

    def _say(self, rule: Rule, target: str, where: str, message: str, fix: str) -> None:
        self.found.findings.append(rule.finding(target, where, f"{target}{message}", fix))

    def _compare(self, record: Record, row: dict[str, Any]) -> None:
        for column, value in columns_of(record, record.model_dump(mode="json")).items():
            if column in row and row[column] != value:
                self._mismatch(record.id, column, value, row)

    def _mismatch(self, target: str, column: str, value: object, row: dict[str, Any]) -> None:
        said = f".{column}: expected {_short(value)} as its record says, got {_short(row[column])}"
        self._say(rules.ROW_MATCHES, target, pointer(column), said, REPAIR)

    def _check_blob(self, asset: Asset, row: dict[str, Any]) -> str | None:
        """Check the bytes of an asset; gives the pixel hash of an image that states none."""
        data = blob_of_row({name: row.get(name) for name in BLOB_COLUMNS})
        if data is None and asset.availability is Availability.PRESENT:
            try:
                data = self.blobs.bytes_at(asset.blob_sha256 or "")
            except BlobError as error:
                self.found.findings.append(rules.unreadable(error))
                return None
        if asset.availability is not Availability.PRESENT:
            if data is not None:
                said = f": expected no bytes for a {asset.availability} asset, got {len(data)}"
                self._say(rules.BLOB, asset.id, "/availability", said, REPAIR)
            return None
        if data is None:
            said = ": expected the bytes of a present asset, got none"
            self._say(rules.BLOB, asset.id, "/availability", said, FETCH)
            self.found.damaged.add(asset.blob_sha256 or "")
            return None
        if sha256(data) != asset.blob_sha256:
            self.found.damaged.add(asset.blob_sha256 or "")
            said = f".blob_sha256: expected {asset.blob_sha256}, got bytes of {sha256(data)}"
            self._say(rules.BLOB, asset.id, "/blob_sha256", said, FETCH)
        if asset.pixel_sha256 or not (asset.media_type or "").startswith("image/"):
            return None
        try:
            return measure(data).pixel_sha256
        except PixelError as error:
            self._say(rules.BLOB, asset.id, "", f": {error}", FETCH)
            return None


def _row_order(config: str, row: dict[str, Any]) -> tuple[Any, ...]:
    name = str(row.get("id"))
    owner = name if config == "ledger" else conversation_of(name)
    return natural_key(owner), owner, natural_key(name), name


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
