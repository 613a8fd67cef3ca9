"""The Parquet side of a release: one closed schema per table, its columns, its shards.

What is written depends on the rows and on the versions of the libraries alone: schema,
compression and row groups are fixed, and there is no pandas metadata.
"""

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memassay.exports.release.rows import BLOB_COLUMNS
from memassay.schemas.errors import ReleaseError

if TYPE_CHECKING:
    import pyarrow

_TEXT: Final = ("id", "conversation", "record_json", "extras_json")
_FACT: Final = (
    "subject",
    "attribute",
    "value_type",
    "value_text",
    "value_unit",
    "value_rule_json",
    "statement",
    "source",
    "session",
    "holder",
    "speaker",
    "status",
    "valid_from",
    "valid_to",
    "operation",
    "scope",
    "citation",
)
_PERSONA: Final = ("name", "profession", "summary", "style", "core_event")
_EVENT: Final = ("date", "line", "title", "query", "keyword", "card")
_MENTION: Final = ("fact", "round", "turn", "attachment", "asset", "modality", "speaker", "form")
_STRINGS: Final = {
    "conversations": ("collection", "path", "title", "domain", "twin_of"),
    "questions": (
        "question",
        "answer_format",
        "answer_relation",
        "asked_at_checkpoint",
        "asked_at_session",
        "type",
        "benchmark_type",
        "query_json",
        "wording_json",
        "twin_of",
        "origin",
        "format_prompt",
        "public_id",
    ),
    "assets": (
        "availability",
        "blob_sha256",
        "pixel_sha256",
        "perceptual_hash",
        "media_type",
        "uri",
        "parent",
        "licence",
        "attribution",
        "origin",
        "duplicate_group",
        "private_transcription",
    ),
}
_LISTS: Final = {
    "conversations": ("tags",),
    "questions": (
        "answers",
        "equivalents",
        "coarser",
        "competitors",
        "traps",
        "modalities",
        "evidence",
        "evidence_facts",
        "decoys",
    ),
    "assets": ("exif_removed",),
}


@cache
def arrow_schema(config: str) -> "pyarrow.Schema":
    """The schema of a table; it holds for shards without rows or with nothing but nulls too."""
    import pyarrow as pa

    text, number = pa.string(), pa.int64()
    if config == "ledger":
        return pa.schema([("id", text), ("conversation", text), *_ledger_types(pa).items()])
    types = dict.fromkeys((*_TEXT, *_STRINGS[config]), text)
    types |= {name: pa.list_(text) for name in _LISTS.get(config, ())}
    metadata = None
    if config == "conversations":
        del types["conversation"]
        types |= _conversation_types(pa)
    elif config == "questions":
        option = pa.struct([("label", text), ("text", text)])
        types |= {"answerable": pa.bool_(), "evidence_groups": pa.list_(pa.list_(text))}
        types |= {"options": pa.list_(option), "attachments": _attachments(pa)}
    else:
        types |= dict.fromkeys(("width", "height", "page"), number)
        types |= {"box": pa.list_(number), "data": pa.binary()}
        types["image"] = pa.struct([("bytes", pa.binary()), ("path", text)])
        # What `datasets` itself writes for a column of images.
        features = {"info": {"features": {"image": {"_type": "Image"}}}}
        metadata = {"huggingface": json.dumps(features)}
    first = [name for name in ("id", "conversation", "image", "question") if name in types]
    order = [*first, *sorted(set(types) - {*first, "record_json"}), "record_json"]
    return pa.schema([(name, types[name]) for name in order], metadata=metadata)


def _ledger_types(pa: Any) -> dict[str, Any]:
    text, number = pa.string(), pa.int64()
    places, texts = pa.list_(number), pa.list_(text)
    fact = dict.fromkeys((*_TEXT, *_FACT), text)
    fact |= {"order": number, "importance": pa.float64(), "supersedes": texts}
    fact |= {"entailed_by": texts}
    mention = dict.fromkeys((*_TEXT, *_MENTION), text) | {"box": places, "span": places}
    event = dict.fromkeys((*_TEXT, *_EVENT), text) | {"position": number, "session": number}
    persona = dict.fromkeys((*_TEXT, *_PERSONA), text) | {"traits": texts, "domains": texts}
    shapes = {"personas": persona, "events": event, "facts": fact, "mentions": mention}
    return {name: pa.list_(pa.struct(list(shape.items()))) for name, shape in shapes.items()}


def _attachments(pa: Any) -> Any:
    text = pa.string()
    fields = [("id", text), ("asset", text), ("caption", text), ("page", pa.int64())]
    return pa.list_(pa.struct(fields))


def _conversation_types(pa: Any) -> dict[str, Any]:
    text = pa.string()
    turn = [(name, text) for name in ("id", "speaker", "kind", "text", "time", "action_json")]
    turns = pa.list_(pa.struct([*turn, ("attachments", _attachments(pa))]))
    round_ = [(name, text) for name in ("id", "kind", "event", "date")]
    rounds = pa.list_(pa.struct([*round_, ("turns", turns)]))
    session = [("id", text), ("index", pa.int64()), ("date", text), ("arc", text)]
    session += [("event_type", text), ("origin", text), ("rounds", rounds)]
    speaker = [(name, text) for name in ("id", "name", "kind", "model", "summary")]
    speaker += [("traits", pa.list_(text)), ("style", text)]
    checkpoint = [("id", text), ("covered_sessions", pa.list_(text))]
    shapes = {"speakers": speaker, "sessions": session, "checkpoints": checkpoint}
    return {name: pa.list_(pa.struct(fields)) for name, fields in shapes.items()}


def record_batch(rows: Sequence[dict[str, Any]], schema: "pyarrow.Schema") -> "pyarrow.RecordBatch":
    """Rows of a table; a column that a row lacks is null there.

    It is built of buffers: `pyarrow.array` would load pandas (50 MB, 0.3 s) to look for frames.
    """
    import pyarrow as pa

    columns = [column_of([row.get(field.name) for row in rows], field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def column_of(values: Sequence[Any], type_: Any) -> Any:
    """One array; the types are those of our schemas: text, bytes, numbers, lists and structs."""
    import pyarrow as pa
    from pyarrow import types

    buffers, children = [_bits([value is not None for value in values])], None
    if types.is_struct(type_):
        empty: dict[str, Any] = {}
        children = [
            column_of([(value or empty).get(field.name) for value in values], field.type)
            for field in type_
        ]
    elif types.is_list(type_):
        buffers.append(_offsets(values))
        inner = [each for value in values if value for each in value]
        children = [column_of(inner, type_.value_type)]
    elif types.is_string(type_) or types.is_binary(type_):
        data = [v.encode("utf-8") if isinstance(v, str) else v or b"" for v in values]
        buffers += [_offsets(data), pa.py_buffer(b"".join(data))]
    elif types.is_boolean(type_):
        buffers.append(_bits(list(map(bool, values))))
    else:
        code = "d" if types.is_floating(type_) else "q"
        buffers.append(pa.py_buffer(array(code, [value or 0 for value in values])))
    return pa.Array.from_buffers(type_, len(values), buffers, children=children)


def _offsets(values: Sequence[Any]) -> Any:
    import pyarrow as pa

    return pa.py_buffer(array("i", accumulate((len(v or ()) for v in values), initial=0)))


def _bits(values: Sequence[bool]) -> Any:
    """A bit for each value, the first the lowest."""
    import numpy as np
    import pyarrow as pa

    return pa.py_buffer(np.packbits(np.array(values, dtype=bool), bitorder="little"))


def shards_of(release: Path, config: str) -> list[Path]:
    """The shards of a table of records in a release folder, in order."""
    return _plain_files(release / "data" / config, "train-*.parquet")


def offered_shards(release: Path, folder: str) -> list[Path]:
    """The shards of a table for `datasets`, in order; none in a release of before 0.1.0.

    Args:
        release: The release.
        folder: Where the table lies in it.
    """
    return _plain_files(release / folder, "test-*.parquet")


def _plain_files(folder: Path, pattern: str) -> list[Path]:
    """In order; a pipe is none, which Arrow would wait for."""
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def read_rows(path: Path, *, blobs: bool = False) -> Iterator[dict[str, Any]]:
    """Every row of a shard, in order, by default without the columns that hold bytes.

    Raises:
        ReleaseError: The file is not readable as Parquet.
    """
    for group in range(group_count(path)):
        yield from read_group(path, group, blobs=blobs)


def group_count(path: Path) -> int:
    """Number of row groups of a shard.

    Raises:
        ReleaseError: The file is not readable as Parquet.
    """
    return int(_metadata(path).num_row_groups)


def group_sizes(path: Path) -> list[tuple[int, int]]:
    """Rows and bytes, before compression, of each row group of a shard.

    Raises:
        ReleaseError: The file is not readable as Parquet.
    """
    found = _metadata(path)
    groups = [found.row_group(group) for group in range(found.num_row_groups)]
    return [(int(group.num_rows), int(group.total_byte_size)) for group in groups]


def _metadata(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_metadata(path)
    except (OSError, pa.ArrowException) as error:
        raise unreadable_shard(path, error) from error


def read_group(
    path: Path,
    group: int,
    *,
    blobs: bool = False,
    columns: Iterable[str] | None = None,
    rows: slice = slice(None),
) -> list[dict[str, Any]]:
    """The rows of one row group, all columns (with or without bytes) or the named ones.

    Args:
        path: The shard.
        group: Position of the row group.
        blobs: Whether columns that hold bytes are read.
        columns: Those to read; all if none are named.
        rows: Positions of the rows in the group.

    Raises:
        ReleaseError: The file is not readable as Parquet.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names if columns is None else list(columns)
            names = [name for name in names if blobs or name not in BLOB_COLUMNS]
            found = file.read_row_group(group, columns=names)
            start, stop, _ = rows.indices(found.num_rows)
            listed: list[dict[str, Any]] = found.slice(start, stop - start).to_pylist()
            return listed
    except (OSError, pa.ArrowException, ValueError) as error:
        raise unreadable_shard(path, error) from error


def column_differences(path: Path, schema: "pyarrow.Schema") -> list[str]:
    """How the columns of a shard differ from its table's schema, one sentence each.

    Raises:
        ReleaseError: The file is not readable as Parquet.
    """
    found = {field.name: field.type for field in _metadata(path).schema.to_arrow_schema()}
    wanted = {field.name: field.type for field in schema}
    return [
        *(f"expected column {name}, got none" for name in wanted if name not in found),
        *(f"expected no column {name}, got one" for name in found if name not in wanted),
        *(
            f"expected column {name} of type {wanted[name]}, got {found[name]}"
            for name in wanted
            if name in found and found[name] != wanted[name]
        ),
    ]


def unreadable_shard(path: Path, error: Exception) -> ReleaseError:
    """What to say about a shard that cannot be read."""
    text = str(error).partition("\n")[0]
    name = "/".join(path.parts[-3:])
    return ReleaseError(f"{name}: expected a Parquet file, got one that cannot be read: {text}")
