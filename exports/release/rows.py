"""Rows of a release's tables: useful columns of a record, and the record itself as JSON.

A row's `record_json` holds the whole record and is what the reader rebuilds it from; the other
columns repeat parts of it for people and for `datasets`. One thing has a column only:
the private transcription of an asset, so that nobody takes it for text of the history.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from memassay.exports.release.text_lines import portable_json, printable, strict_json
from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError
from memassay.schemas.hashing import content_hash, sha256
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.json_schemas import parse_record, schema_errors
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation

CONFIGS: Final[dict[str, tuple[str, ...]]] = {
    "conversations": ("conversation",),
    "questions": ("question",),
    "ledger": ("persona", "event", "fact", "mention"),
    "assets": ("asset",),
}
"""Kinds of record by table; the order is that of the data card."""

BLOB_COLUMNS: Final = ("image", "data")
"""Columns with the bytes of an asset: an image for `datasets`, or a document."""

NESTED: Final = ("personas", "events", "facts", "mentions")
"""Columns of the ledger, whose rows hold the records of a conversation."""

_TURN: Final = ("id", "speaker", "kind", "text", "time")
_ATTACHMENT: Final = ("id", "asset", "caption", "page")
_PLAIN: Final = {
    "question": (
        "answerable",
        "modalities",
        "decoys",
        "type",
        "benchmark_type",
        "twin_of",
        "origin",
        "format_prompt",
        "public_id",
    ),
    "persona": ("name", "profession", "summary", "traits", "style", "core_event", "domains"),
    "event": ("position", "session", "date", "line", "title", "query", "keyword", "card"),
    "fact": (
        "subject",
        "attribute",
        "order",
        "statement",
        "source",
        "session",
        "holder",
        "speaker",
        "status",
        "valid_from",
        "valid_to",
        "operation",
        "supersedes",
        "entailed_by",
        "importance",
        "scope",
        "citation",
    ),
    "mention": (
        "fact",
        "round",
        "turn",
        "attachment",
        "asset",
        "box",
        "modality",
        "speaker",
        "span",
        "form",
    ),
    "asset": (
        "availability",
        "blob_sha256",
        "pixel_sha256",
        "perceptual_hash",
        "media_type",
        "width",
        "height",
        "uri",
        "parent",
        "page",
        "box",
        "licence",
        "attribution",
        "origin",
        "exif_removed",
        "duplicate_group",
    ),
}


class MadeRow(NamedTuple):
    """A row of a table.

    Attributes:
        columns: Its columns, without the bytes of an asset.
        documents: The records that it holds, as JSON.
    """

    columns: dict[str, Any]
    documents: list[dict[str, Any]]

    @property
    def texts(self) -> list[str]:
        """The records that it holds, as JSON texts."""
        inner = [each for name in NESTED for each in self.columns.get(name, ())]
        return [each["record_json"] for each in (*inner, self.columns) if "record_json" in each]

    @property
    def hashes(self) -> list[str]:
        """The content hash of each record, of those that have no bytes."""
        return list(map(text_content_hash, self.texts, self.documents))


def row_of(record: Record) -> MadeRow:
    """The row of a record.

    Raises:
        RecordError: The record does not fit its JSON Schema.
    """
    kind, document = kind_of(record), record.model_dump(mode="json")
    if errors := schema_errors(kind, document):
        raise RecordError(f"{kind} {record.id}{errors[0][0]}: {errors[0][1]}")
    columns, shown = columns_of(record, document), document
    if isinstance(record, Asset):
        shown = {name: value for name, value in document.items() if name != "transcription"}
    return MadeRow({**columns, "record_json": portable_json(shown)}, [document])


def columns_of(record: Record, document: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a row that repeat what is in `record_json`.

    Args:
        record: The record.
        document: Its JSON.
    """
    kind = kind_of(record)
    columns = {
        "id": record.id,
        **_columns(kind, document),
        **_pick(document, _PLAIN.get(kind, ())),
        "extras_json": portable_json(document["extras"]),
    }
    if not isinstance(record, Conversation):
        columns["conversation"] = conversation_of(record.id)
    if isinstance(record, Asset):
        columns["private_transcription"] = document["transcription"]
    # The columns beside the record are for people; a lone surrogate cannot stand in them.
    readable: dict[str, Any] = printable(columns)
    return readable


def document_of(row: Mapping[str, Any], kind: str) -> Any:
    """The record of a row as JSON, as it was released.

    Raises:
        RecordError: What the row holds is not JSON.
    """
    try:
        document = strict_json(row["record_json"])
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"{kind} {row.get('id')}: expected JSON, got {error}") from error
    if kind == "asset" and isinstance(document, dict):
        return {**document, "transcription": row.get("private_transcription")}
    return document


def record_of(row: Mapping[str, Any], kind: str) -> Record:
    """The record of a row, migrated to the current shape.

    Raises:
        RecordError: What the row holds is not JSON or does not fit the schema of its kind.
    """
    return parse_record(kind, document_of(row, kind))


def table_rows(config: str, bundle: Bundle) -> Iterator[MadeRow]:
    """The rows of one conversation in a table, in order.

    Raises:
        RecordError: A record does not fit its JSON Schema.
    """
    kinds = CONFIGS[config]
    own = [record for record in bundle.records() if kind_of(record) in kinds]
    own.sort(key=lambda record: (kinds.index(kind_of(record)), natural_key(record.id), record.id))
    if config != "ledger":
        for record in own:
            yield row_of(record)
        return
    lists: dict[str, list[dict[str, Any]]] = {f"{kind}s": [] for kind in kinds}
    documents = []
    for record in own:
        row = row_of(record)
        lists[f"{kind_of(record)}s"].append(row.columns)
        documents += row.documents
    yield MadeRow({"id": bundle.id, "conversation": bundle.id, **lists}, documents)


def record_rows(config: str, row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What a row of a table holds: the kind and the columns of each record."""
    if config != "ledger":
        return [(CONFIGS[config][0], row)]
    return [(kind, inner) for kind in CONFIGS[config] for inner in row.get(f"{kind}s") or []]


def document_content_hash(document: Any, pixels: str | None = None) -> str:
    """Hash of what a record says, the same in every version of the image libraries.

    It is taken over the JSON as released: a migration does not change it. An image counts by its
    pixels; how they are encoded, `blob_sha256`, takes no part.

    Args:
        document: The record as JSON.
        pixels: Pixel hash of an image whose record states none.
    """
    if isinstance(document, dict) and document.get("availability") == Availability.PRESENT:
        seen = document.get("pixel_sha256") or pixels
        if seen is not None:
            return content_hash({**document, "blob_sha256": None, "pixel_sha256": seen})
    return content_hash(document)


def text_content_hash(text: str, document: Any) -> str:
    """The same of a record that has no bytes, by its JSON in a release, which is canonical.

    Args:
        text: What `portable_json` gives of it.
        document: The record as JSON.
    """
    # Half of a character is an escape in the text, and is hashed as what it is.
    return content_hash(document) if "\\ud" in text else sha256(text.encode("utf-8"))


def _columns(kind: str, document: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "conversation":
        return _conversation_columns(document)
    if kind == "question":
        return _question_columns(document)
    if kind == "fact":
        value = document["value"]
        columns = {f"value_{name}": value[name] for name in ("type", "text", "unit")}
        return {**columns, "value_rule_json": _json(value.get("rule"))}
    return {}


def _pick(document: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Fields by name; those that joined a shape later are left out of a document while empty."""
    return {name: document.get(name) for name in names}


def _json(value: Any) -> str | None:
    return None if value is None else portable_json(value)


def _conversation_columns(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_pick(document, ("collection", "path", "title", "domain", "twin_of")),
        "tags": document.get("tags", []),
        "speakers": [_speaker(speaker) for speaker in document["speakers"]],
        "sessions": [_session(session) for session in document["sessions"]],
        "checkpoints": [
            _pick(checkpoint, ("id", "covered_sessions")) for checkpoint in document["checkpoints"]
        ],
    }


def _speaker(speaker: dict[str, Any]) -> dict[str, Any]:
    profile = speaker["profile"] or {"summary": None, "traits": [], "style": None}
    return {**_pick(speaker, ("id", "name", "kind", "model")), **profile}


def _session(session: dict[str, Any]) -> dict[str, Any]:
    return {
        **_pick(session, ("id", "index", "date", "arc", "event_type", "origin")),
        "rounds": [
            {
                **_pick(round_, ("id", "kind", "event", "date")),
                "turns": [_turn(turn) for turn in round_["turns"]],
            }
            for round_ in session["rounds"]
        ],
    }


def _turn(turn: dict[str, Any]) -> dict[str, Any]:
    return {
        **_pick(turn, _TURN),
        "action_json": _json(turn["action"]),
        "attachments": [_pick(item, _ATTACHMENT) for item in turn["attachments"]],
    }


def _question_columns(document: Mapping[str, Any]) -> dict[str, Any]:
    question, answer = document["question"], document["answer"]
    evidence = document["evidence"]
    return {
        "question": question["text"],
        "attachments": [_pick(item, _ATTACHMENT) for item in question["attachments"]],
        "answers": answer["values"],
        **{f"answer_{name}": answer[name] for name in ("format", "relation")},
        **_pick(answer, ("equivalents", "coarser", "competitors", "traps", "options")),
        "asked_at_checkpoint": document["asked_at"]["checkpoint"],
        "asked_at_session": document["asked_at"]["session"],
        "evidence": evidence["canonical"],
        "evidence_groups": evidence["groups"],
        "evidence_facts": evidence["facts"],
        "query_json": _json(document["query"]),
        "wording_json": _json(document.get("wording")),
    }
