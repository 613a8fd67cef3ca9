"""Conversations of other ids and the same content."""

import json

from memassay.schemas.json_schemas import parse_record
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle


def copy_of(bundle: Bundle, name: str) -> Bundle:
    """The same conversation under another id."""
    records = []
    for record in bundle.records():
        text = record.model_dump_json().replace(f'"{bundle.id}/', f'"{name}/')
        document = json.loads(text.replace(f'"{bundle.id}"', f'"{name}"'))
        records.append(parse_record(kind_of(record), document))
    return Bundle.from_records(records)
