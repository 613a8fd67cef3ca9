"""Ways to damage an exported release, and two ways of covering it up in the manifest."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memassay.exports.release.layout import (
    LOGS,
    OCCASIONAL_LOGS,
    file_content_hash,
    release_content_hash,
)
from memassay.exports.release.parquet_tables import (
    arrow_schema,
    offered_shards,
    read_rows,
    shards_of,
)
from memassay.exports.release.public.tables import TABLES, offered_schema, row_hash
from memassay.exports.release.rows import (
    CONFIGS,
    document_content_hash,
    record_of,
    record_rows,
    row_of,
)
from memassay.exports.release.tallies import Tally
from memassay.schemas.base import Record
from memassay.schemas.errors import MemassayError
from memassay.schemas.hashing import combined_hash, content_hash, file_sha256
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.kinds import kind_of

Rows = list[dict[str, Any]]


def shard(release: Path, config: str) -> Path:
    """The only shard of a table of records, or of one for `datasets`."""
    place = TABLES.get(config) if config == "images" else None
    (path,) = offered_shards(release, place) if place else shards_of(release, config)
    return path


def rewrite(release: Path, config: str, change: Callable[[Rows], Rows | None]) -> None:
    """Change the rows of a table, bytes included, and write it again under its schema."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = shard(release, config)
    rows = list(read_rows(path, blobs=True))
    changed = change(rows)
    schema = offered_schema(config) if config == "images" else arrow_schema(config)
    table = pa.Table.from_pylist(rows if changed is None else changed, schema)
    pq.write_table(table, path, compression="zstd")


def edit_row(config: str, name: str, **columns: Any) -> Callable[[Path], None]:
    """Set columns of one row and leave its record alone."""

    def damage(release: Path) -> None:
        def change(rows: Rows) -> None:
            next(row for row in rows if row["id"] == name).update(columns)

        rewrite(release, config, change)

    return damage


def edit_record(
    config: str, name: str, change: Callable[[dict[str, Any]], None]
) -> Callable[[Path], None]:
    """Change one record, and the columns that repeat it if it still fits its schema."""

    def damage(release: Path) -> None:
        def edit(rows: Rows) -> None:
            inner = [one for row in rows for one in record_rows(config, row)]
            kind, row = next((kind, each) for kind, each in inner if each["id"] == name)
            document = json.loads(row["record_json"])
            change(document)
            row["record_json"] = json.dumps(document)
            try:
                row.update(row_of(record_of(row, kind)).columns)
            except MemassayError:
                return

        rewrite(release, config, edit)

    return damage


def edit_manifest(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    """Change the decoded manifest."""

    def damage(release: Path) -> None:
        path = release / "manifest.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        change(document)
        path.write_text(json.dumps(document), encoding="utf-8")

    return damage


def repair_checksums(release: Path) -> None:
    """State the sizes and hashes that the listed files have now."""

    def change(document: dict[str, Any]) -> None:
        for file in document["files"]:
            path = release / file["path"]
            if path.is_file():
                file["sha256"], file["size"] = file_sha256(path), path.stat().st_size

    _if_readable(release, change)


def repair_everything(release: Path) -> None:
    """State the files, counts and content hashes there are now, and certify what is there."""
    _certify(release)
    records, parts, described = _read(release)

    def change(document: dict[str, Any]) -> None:
        known = dict.fromkeys(document["counts"], 0)
        document["counts"] = known | dict(Counter(kind_of(record) for record in records))
        tally = Tally()
        for record in records:
            tally.add(record)
        document |= tally.fields()
        _repair_card(release / "README.md", document)
        found = sorted(path for path in release.rglob("*") if path.is_file())
        names = [path.relative_to(release).as_posix() for path in found]
        document["files"] = [
            {
                "path": name,
                "sha256": file_sha256(release / name),
                "size": (release / name).stat().st_size,
                **described.get(
                    name, {"records": None, "content_sha256": file_content_hash(release / name)}
                ),
            }
            for name in names
            if name != "manifest.json"
        ]
        named = (document["name"], document["version"], document["licence"])
        document["content_sha256"] = release_content_hash(*named, parts)

    _if_readable(release, change)


_SECTIONS = {
    "## Counts": "counts",
    "## Questions by type": "questions_by_type",
    "## Certificates": "verdicts",
    "## Held out of this release": "held_out",
    "## Findings": "findings",
}


def _repair_card(path: Path, document: dict[str, Any]) -> None:
    """Put the manifest's numbers into the tables that a card has."""
    if not path.is_file():
        return
    lines: list[str] = []
    field = None
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("## "):
            field = _SECTIONS.get(line.strip())
        if field is None or not line.rstrip("| \n")[-1:].isdigit():
            lines.append(line)
        if field is not None and line.startswith("| --- |"):
            lines += [f"| {name} | {number} |\n" for name, number in document[field].items()]
    path.write_text("".join(lines), encoding="utf-8")


def _if_readable(release: Path, change: Callable[[dict[str, Any]], None]) -> None:
    try:
        edit_manifest(change)(release)
    except (OSError, ValueError, KeyError):
        return  # there is no manifest left to repair


def _certify(release: Path) -> None:
    path = release / "certificates.jsonl"
    if not path.is_file():
        return
    try:
        questions = {
            row["id"]: content_hash(record_of(row, "question"))
            for row in read_rows(shard(release, "questions"))
        }
        documents = [json.loads(line) for line in path.read_bytes().splitlines()]
    except (MemassayError, ValueError):
        return
    kept = [
        {**document, "item_sha256": questions[document["item"]]}
        for document in documents
        if document["item"] in questions
    ]
    text = "".join(json.dumps(document, sort_keys=True) + "\n" for document in kept)
    path.write_text(text, encoding="utf-8")


def _read(release: Path) -> tuple[list[Record], dict[str, str], dict[str, dict[str, Any]]]:
    """Readable records, combined hash by table or log, and what the manifest says by file."""
    records: list[Record] = []
    parts: dict[str, str] = {}
    described: dict[str, dict[str, Any]] = {}

    def add(stem: str, path: Path, documents: list[tuple[str, Callable[[], Record]]]) -> None:
        own = []
        for _, make in documents:
            try:
                own.append(make())
            except (MemassayError, ValueError):
                continue
        hashes = [document_content_hash(record.model_dump(mode="json")) for record in own]
        records.extend(own)
        parts[stem] = combined_hash(hashes)
        name = path.relative_to(release).as_posix()
        described[name] = {"records": len(own), "content_sha256": combined_hash(hashes)}

    for config in CONFIGS:
        parts[config] = combined_hash([])
        for path in shards_of(release, config):
            try:
                rows = [one for row in read_rows(path) for one in record_rows(config, row)]
            except MemassayError:
                rows = []
            makers = [(kind, lambda row=row, kind=kind: record_of(row, kind)) for kind, row in rows]
            add(config, path, makers)
    for place in TABLES.values():
        for path in offered_shards(release, place):
            hashes = [row_hash(row) for row in _readable(path)]
            name = path.relative_to(release).as_posix()
            described[name] = {"records": len(hashes), "content_sha256": combined_hash(hashes)}
    for stem, kind in LOGS.items():
        path = release / f"{stem}.jsonl"
        if stem in OCCASIONAL_LOGS and not path.is_file():
            continue
        lines = path.read_bytes().splitlines() if path.is_file() else []
        texts = [
            (kind, lambda line=line, kind=kind: parse_record(kind, json.loads(line)))
            for line in lines
        ]
        add(stem, path, texts)
    return records, parts, described


def _readable(path: Path) -> Rows:
    try:
        return list(read_rows(path))
    except MemassayError:
        return []
