"""A record says the oldest version that has its fields, so that its hash outlives new ones."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.newer_fields import content_3
from support.places import GOLDEN
from support.release_builder import content

from memassay.schemas.base import Record
from memassay.schemas.hashing import content_hash
from memassay.schemas.json_schemas import generate, parse_record
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.kinds import KINDS, kind_of, version_of

ADDED = "x-since"


def _plain() -> list[Record]:
    return [record for bundle in content().bundles for record in bundle.records()]


def _newer() -> list[Record]:
    whole = content_3()
    records = (one for each in whole.bundles for one in each.records())
    return [*records, *whole.certificates, *whole.decisions]


def _added(node: Any) -> Iterator[tuple[str, int]]:
    """Names of fields in a JSON Schema that joined later, each with its version."""
    if isinstance(node, dict):
        for name, field in node.get("properties", {}).items():
            if ADDED in field:
                yield name, field[ADDED]
        for child in node.values():
            yield from _added(child)


def _keys(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node
        for child in node.values():
            yield from _keys(child)
    elif isinstance(node, list):
        for child in node:
            yield from _keys(child)


@pytest.mark.parametrize("record", _plain(), ids=lambda record: record.id)
def test_what_uses_no_newer_field_is_of_version_1(record: Record) -> None:
    """In memory it is of the newest version, as JSON of the oldest that has its fields."""
    document = record.model_dump(mode="json")
    assert record.schema_version == version_of(kind_of(record))
    assert document["schema_version"] == 1


def test_the_hash_of_a_record_is_that_of_version_1() -> None:
    """Decisions and edits that cover it go on standing."""
    text = (GOLDEN / "release_v1" / "certificates.jsonl").read_text(encoding="utf-8")
    certificates = [json.loads(line) for line in text.splitlines()]
    covered = {each["item"]: each["item_sha256"] for each in certificates}
    items = [item for bundle in content().bundles for item in bundle.questions]
    assert {item.id: content_hash(item) for item in items} == covered


@pytest.mark.parametrize("record", _plain(), ids=lambda record: record.id)
def test_a_document_of_version_1_is_read_and_written_unchanged(record: Record) -> None:
    """Read, migrated and written again it is the same document and the same record."""
    document = record.model_dump(mode="json")
    read = parse_record(kind_of(record), document)
    assert read == record
    assert read.model_dump(mode="json") == document


def test_every_newer_field_in_use_raises_the_version() -> None:
    """Also deep inside a conversation; read again, the record is the same."""
    said = {}
    for record in _newer():
        document = record.model_dump(mode="json")
        assert parse_record(kind_of(record), document) == record
        said[record.id] = document["schema_version"]
    newer = {"alex", "bo"} | {f"{one}/F1{at:03d}" for one in ("alex", "bo") for at in range(1, 5)}
    newer |= {f"{one}/Q{at:04d}" for one in ("alex", "bo") for at in range(1, 5)} - {"bo/Q0001"}
    assert {name for name, version in said.items() if version == 2} == newer
    newest = {
        f"{one}/{name}" for one in ("alex", "bo") for name in ("D10_IMG_001", "K-rex", "E001")
    }
    newest |= {"bo/Q0001"} | {one.id for one in (*content_3().certificates, *content_3().decisions)}
    assert {name for name, version in said.items() if version == 3} == newest


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("twin_of",), "bo"),
        (("tags",), ["pets"]),
        (("speakers", 1, "model"), "reader-7b"),
        (("sessions", 3, "origin"), "dialogue-7"),
        (("sessions", 9, "rounds", 0, "date"), "2024-03-10"),
    ],
    ids=lambda given: str(given[-1]),
)
def test_one_newer_field_of_a_conversation_is_enough(path: tuple[Any, ...], value: Any) -> None:
    """Wherever it stands, the document is of version 2, and is written as it was read."""
    document = content().bundles[1].conversation.model_dump(mode="json")
    place = document
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    document["schema_version"] = 2
    assert parse_record("conversation", document).model_dump(mode="json") == document


def test_each_added_field_is_in_the_golden_release() -> None:
    """The golden content of a version uses every field that the version brought."""
    added = {(kind, each) for kind in KINDS for each, _ in _added(generate(kind))}
    used = {
        (kind_of(record), key)
        for record in _newer()
        for key in _keys(record.model_dump(mode="json"))
    }
    assert added
    assert added <= used


def test_provenance_of_one_record_becomes_that_of_a_unit() -> None:
    """Version 1 was written in two shapes; both are read as version 2."""
    digest = "0" * 64
    document = {
        "id": "p-1",
        "schema_version": 1,
        "stage": "world",
        "stage_version": "1",
        "config_sha256": digest,
    }
    old = parse_record("provenance", {**document, "content_sha256": digest})
    new = parse_record("provenance", {**document, "made": [digest]})
    assert isinstance(old, Provenance)
    assert old == new
    assert old.made == [digest]
    assert old.model_dump(mode="json")["schema_version"] == 2
