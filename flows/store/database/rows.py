"""Records as rows of a table, and rows as records."""

import json
from typing import TypedDict

from pydantic import ValidationError

from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError
from memassay.schemas.grouping import belongs_to
from memassay.schemas.hashing import canonical_json, sha256
from memassay.schemas.json_schemas import parse_record, schema_errors
from memassay.schemas.judgements.provenance import ReleasePart
from memassay.schemas.kinds import class_of, kind_of, version_of
from memassay.schemas.records.asset import Asset, Availability


class RecordRow(TypedDict):
    """A row of the table of records."""

    sha256: str
    kind: str
    id: str
    conversation: str
    blob: str | None
    document: str


def row_of(record: Record) -> RecordRow:
    """A record as a row of the table; what crosses a stage is validated as JSON.

    Raises:
        RecordError: It does not fit its JSON Schema.
    """
    kind, document = kind_of(record), record.model_dump(mode="json")
    errors = schema_errors(kind, document)
    if errors:
        raise RecordError(f"{kind} {record.id}{errors[0][0]}: {errors[0][1]}")
    text = canonical_json(document)
    return {
        "sha256": sha256(text.encode("utf-8")),
        "kind": kind,
        "id": record.id,
        "conversation": belongs_to(record),
        "blob": _blob_of(record),
        "document": text,
    }


def _blob_of(record: Record) -> str | None:
    """Hash of the bytes that belong to a record; those of a remote or missing image are not ours.

    `upgrade.py` says the same in SQL, for tables that had no such column.
    """
    if isinstance(record, Asset) and record.availability is Availability.PRESENT:
        return record.blob_sha256
    return record.blob_sha256 if isinstance(record, ReleasePart) else None


def own_record(kind: str, document: str) -> Record:
    """The record of a row; it was validated as JSON when it was stored, and is not again.

    Raises:
        RecordError: Somebody changed the row.
        MigrationError: It has a schema version without a path to ours.
    """
    try:
        record = class_of(kind).model_validate_json(document)
    except ValidationError:
        return parse_record(kind, json.loads(document))
    current = version_of(kind)
    if record.schema_version == current:
        return record
    if not record.READABLE_SINCE <= record.schema_version < current:
        return parse_record(kind, json.loads(document))
    return record.model_copy(update={"schema_version": current})
