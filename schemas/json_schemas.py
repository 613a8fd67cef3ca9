"""JSON Schemas of the records, generated from the models, and the two validators.

`jsonschema` is the reference, `jsonschema-rs` the bulk path; a test holds both to one verdict.
Run as a module to write `schemas/json/`: ``python -m memassay.schemas.json_schemas``.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError
from memassay.schemas.judgements.errata import Errata
from memassay.schemas.kinds import KINDS, WORKSPACE_KINDS, class_of, version_of

FOLDER: Final = Path(__file__).parent / "json"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ID_PREFIX: Final = "urn:memassay:schema"


def generate(kind: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a kind of record, from its model."""
    schema = class_of(kind).model_json_schema(mode="serialization", by_alias=True)
    head = {"$schema": DIALECT, "$id": f"{ID_PREFIX}:{kind}:{version_of(kind)}"}
    return {**head, **_portable(schema)}


def _portable(node: Any) -> Any:
    """Drop what validators disagree on or readers do not need (titles, formats, defaults)."""
    if isinstance(node, list):
        return [_portable(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key in {"properties", "$defs"}:
            kept[key] = {name: _portable(child) for name, child in value.items()}
        elif key not in {"title", "format", "default"}:
            kept[key] = _portable(value)
    return kept


def errata_schema() -> dict[str, Any]:
    """The JSON Schema of the errata that `memassay audit` writes, which are no record."""
    schema = Errata.model_json_schema(mode="serialization", by_alias=True)
    return {"$schema": DIALECT, "$id": f"{ID_PREFIX}:errata:1", **_portable(schema)}


def shipped_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind of record as shipped; that of a workspace's own is made."""
    if kind in WORKSPACE_KINDS:
        return generate(kind)
    schema: dict[str, Any] = json.loads((FOLDER / f"{kind}.schema.json").read_text("utf-8"))
    return schema


def write_all(folder: Path = FOLDER) -> list[Path]:
    """Write the schema of every kind and of the errata; gives the paths written."""
    folder.mkdir(parents=True, exist_ok=True)
    schemas = {kind: generate(kind) for kind in KINDS} | {"errata": errata_schema()}
    paths = [folder / f"{name}.schema.json" for name in schemas]
    for schema, path in zip(schemas.values(), paths, strict=True):
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8")
    return paths


@cache
def _bulk_validator(kind: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(shipped_schema(kind))


@cache
def _reference_validator(kind: str) -> Any:
    import jsonschema

    return jsonschema.Draft202012Validator(shipped_schema(kind))


def schema_errors(kind: str, document: Any, *, reference: bool = False) -> list[tuple[str, str]]:
    """What is wrong with a document as a record of a kind: (JSON Pointer, message) pairs.

    Args:
        kind: Kind of record, e.g. `question`.
        document: Decoded JSON.
        reference: Use the reference validator in place of the bulk one.
    """
    if not reference:
        try:
            return _bulk_errors(kind, document)
        except UnicodeEncodeError:
            # Foreign JSON can hold half of a character ("\ud83d"), which Rust has no text for.
            pass
    found = _reference_validator(kind).iter_errors(document)
    return sorted((_pointer(error.absolute_path), error.message) for error in found)


def _bulk_errors(kind: str, document: Any) -> list[tuple[str, str]]:
    validator = _bulk_validator(kind)
    if validator.is_valid(document):
        return []
    found = validator.iter_errors(document)
    return sorted((_pointer(error.instance_path), error.message) for error in found)


def _pointer(path: Any) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def parse_record(kind: str, document: Any) -> Record:
    """A record from decoded JSON, migrated to the current shape and validated as JSON.

    Raises:
        RecordError: The document does not fit; the message names the record and the place.
        MigrationError: The document has a schema version without a path to ours.
    """
    from memassay.schemas.migrations import migrate

    document = migrate(kind, document)
    errors = schema_errors(kind, document)
    if errors:
        name = document.get("id", "?") if isinstance(document, dict) else "?"
        place, message = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise RecordError(f"{kind} {name}{place}: {message}{more}")
    try:
        return class_of(kind).model_validate(document)
    except ValidationError as error:
        # A number such as 1e30 is whole to JSON Schema and not to the model.
        first = error.errors()[0]
        raise RecordError(
            f"{kind} {document['id']}{_pointer(first['loc'])}: {first['msg']}"
        ) from error


if __name__ == "__main__":
    write_all()
