"""Reads one piece of a release folder, in whatever process."""

from functools import lru_cache

from memassay.exports.release import rules
from memassay.exports.release.blobs import ReleaseBlobs
from memassay.exports.release.checking.pieces import (
    FilesPiece,
    LogPiece,
    Looked,
    OfferedPiece,
    Piece,
    Reading,
    Rows,
    RowsPiece,
)
from memassay.exports.release.checking.row_checks import FETCH, check_rows
from memassay.exports.release.checking.taking import Taking
from memassay.exports.release.layout import LOGS, file_content_hash, record_order
from memassay.exports.release.parquet_tables import read_rows
from memassay.exports.release.public.tables import row_hash
from memassay.exports.release.secret_scan import secrets_in
from memassay.exports.release.text_lines import strict_json
from memassay.schemas.errors import RecordError, ReleaseError
from memassay.schemas.files import read_lines
from memassay.schemas.hashing import content_hash
from memassay.schemas.json_schemas import parse_record


def read_piece(reading: Reading, piece: Piece) -> Rows | Looked:
    """What a piece holds, and what is wrong with it.

    Args:
        reading: The release.
        piece: One of its pieces.
    """
    match piece:
        case RowsPiece():
            return check_rows(reading, piece, _blobs(reading))
        case LogPiece():
            return _check_lines(reading, piece)
        case OfferedPiece():
            try:
                return Looked([[row_hash(row) for row in read_rows(piece.shard)]])
            except ReleaseError as error:
                return Looked(error=error)
        case FilesPiece():
            if piece.searched:
                return Looked([list(secrets_in(path)) for path in piece.paths])
            return Looked([[file_content_hash(path)] for path in piece.paths])


@lru_cache(maxsize=1)
def _blobs(reading: Reading) -> ReleaseBlobs:
    """Kept from piece to piece: it knows where the bytes of each hash are."""
    return ReleaseBlobs(reading.folder)


def _check_lines(reading: Reading, piece: LogPiece) -> Rows:
    taking = Taking(reading.scratch)
    for number, line in enumerate(read_lines(piece.path), start=1):
        name = f"{piece.path.name}:{number}"
        try:
            document = strict_json(line)
            record = parse_record(LOGS[piece.stem], document)
        except ValueError as error:
            said = f"{name}: expected JSON, got {error}"
            taking.rows.findings.append(rules.READABLE.finding(name, "", said, FETCH))
        except RecordError as error:
            said = f"{name}: {error}"
            taking.rows.findings.append(rules.RECORD_VALID.finding(name, "", said, FETCH))
        else:
            taking.place(record_order(record))
            taking.take(LOGS[piece.stem], record, content_hash(document))
    return taking.end(piece.stem)
