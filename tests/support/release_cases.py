"""Kinds of damage to an exported release, and the rule that finds each at every depth."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from memassay.schemas.hashing import sha256
from support.release_builder import png
from support.release_damage import Rows, edit_manifest, edit_record, edit_row, rewrite, shard

Damage = Callable[[Path], None]


def _write(name: str, text: str) -> Damage:
    return lambda release: (release / name).write_text(text, encoding="utf-8") and None


def _append(name: str, text: str) -> Damage:
    def damage(release: Path) -> None:
        path = release / name
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")

    return damage


def _delete(name: str) -> Damage:
    return lambda release: (release / name).unlink()


def _rows(config: str, change: Callable[[Rows], Rows | None]) -> Damage:
    return lambda release: rewrite(release, config, change)


def _truncate(config: str) -> Damage:
    def damage(release: Path) -> None:
        path = shard(release, config)
        path.write_bytes(path.read_bytes()[:-30])

    return damage


def _swap_images(rows: Rows) -> None:
    first, second = (row for row in rows if row["image"])
    first["image"], second["image"] = second["image"], first["image"]


def _swap_images_and_hashes(release: Path) -> None:
    data = png("blue")

    def swap(rows: Rows) -> None:
        rows[0]["image"]["bytes"] = data
        rows[0]["blob_sha256"] = sha256(data)

    rewrite(release, "images", swap)
    edit_record("assets", "alex/D1_IMG_001", set_fields(blob_sha256=sha256(data)))(release)


def set_fields(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """A change that sets top-level fields of a document."""
    return lambda document: document.update(fields)


def _nan(rows: Rows) -> None:
    rows[0]["record_json"] = rows[0]["record_json"].replace('"answerable":true', '"answerable":NaN')


def _swap_dates(document: dict[str, Any]) -> None:
    first, second = document["sessions"][:2]
    first["date"], second["date"] = second["date"], first["date"]


def _drop_session(document: dict[str, Any]) -> None:
    del document["sessions"][4]


def _unknown_speaker(document: dict[str, Any]) -> None:
    document["sessions"][0]["rounds"][0]["turns"][0]["speaker"] = "nobody"


def _slot(document: dict[str, Any]) -> None:
    document["sessions"][3]["rounds"][0]["turns"][0]["text"] = "{daughter} has taught the dog."


def _evidence(*places: str) -> Callable[[dict[str, Any]], None]:
    stated = {"groups": [[place] for place in places], "canonical": list(places), "facts": []}
    return set_fields(evidence=stated)


def _answer(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["answer"].update(fields)


def _copied_question(rows: Rows) -> Rows:
    document = {**json.loads(rows[0]["record_json"]), "id": "alex/Q0009"}
    copied = {**rows[0], "id": "alex/Q0009", "record_json": json.dumps(document)}
    return [*rows[:4], copied, *rows[4:]]


def _with_column(change: Callable[[Any], Any], config: str = "questions") -> Damage:
    def damage(release: Path) -> None:
        import pyarrow.parquet as pq

        path = shard(release, config)
        pq.write_table(change(pq.read_table(path)), path)

    return damage


def _extra_column(table: Any) -> Any:
    return table.append_column("mine", table.column("id"))


def _without_column(table: Any) -> Any:
    return table.drop_columns(["origin"])


def _bytes_of_missing(rows: Rows) -> None:
    rows[1]["image"] = rows[0]["image"]


def _no_bytes(rows: Rows) -> None:
    rows[0]["image"] = None


def _held_out_too(release: Path) -> None:
    path = release / "held_out.jsonl"
    text = path.read_text(encoding="utf-8").replace("alex/Q0005", "alex/Q0001")
    path.write_text(text, encoding="utf-8")


def _refute(release: Path) -> None:
    path = release / "certificates.jsonl"
    text = path.read_text(encoding="utf-8").replace('"supported"', '"refuted"', 1)
    path.write_text(text, encoding="utf-8")


def _outside(document: dict[str, Any]) -> None:
    document["files"][0]["path"] = "../README.md"


def _count(document: dict[str, Any]) -> None:
    document["counts"]["question"] += 1


def _type_count(document: dict[str, Any]) -> None:
    document["questions_by_type"]["temporal"] = 3


def _shard_count(document: dict[str, Any]) -> None:
    next(file for file in document["files"] if "questions" in file["path"])["records"] = 7


QUESTIONS = "data/questions/train-00000-of-00001.parquet"
QUESTION = "alex/Q0001"
_KEY = "sk-proj-Abc123def456Ghi789jkl012"
CHANGED = "release.file_unchanged"
HASH = "release.content_hash"
VALID = "another valid release"

CASES: Final[dict[str, tuple[Damage, str, str, str]]] = {
    "card-edited": (_append("README.md", "x"), CHANGED, HASH, VALID),
    "secret-in-card": (_append("README.md", _KEY), CHANGED, *["release.secret"] * 2),
    "card-deleted": (_delete("README.md"), *["release.file_present"] * 3),
    "card-without-tables": (_write("README.md", "# bare"), CHANGED, "release.card", "release.card"),
    "file-added": (_write("notes.txt", "x"), *["release.file_listed"] * 2, "release.file_owned"),
    "shard-deleted": (_delete(QUESTIONS), *["release.file_present"] * 3),
    "shard-truncated": (_truncate("questions"), CHANGED, *["release.readable"] * 2),
    "images-truncated": (_truncate("assets"), CHANGED, *["release.readable"] * 2),
    "image-column-removed": (
        _with_column(lambda table: table.drop_columns(["image"]), "images"),
        CHANGED,
        *["release.blob"] * 2,
    ),
    "hash-column-removed": (
        _with_column(lambda table: table.drop_columns(["blob_sha256"]), "assets"),
        CHANGED,
        *["release.columns"] * 2,
    ),
    "log-deleted": (_delete("findings.jsonl"), *["release.file_present"] * 3),
    "log-not-json": (
        _append("findings.jsonl", "{oops\n"),
        CHANGED,
        *["release.readable"] * 2,
    ),
    "log-not-a-record": (
        _append("findings.jsonl", '{"id": "x"}\n'),
        CHANGED,
        *["release.record_valid"] * 2,
    ),
    "log-with-nan": (
        _append("provenance.jsonl", '{"id": NaN}\n'),
        CHANGED,
        *["release.readable"] * 2,
    ),
    "nan-in-record": (_rows("questions", _nan), CHANGED, *["release.record_valid"] * 2),
    "images-swapped": (_rows("images", _swap_images), CHANGED, *["release.blob"] * 2),
    "image-and-hash-swapped": (_swap_images_and_hashes, CHANGED, *["assets.pixels"] * 2),
    "image-removed": (_rows("images", _no_bytes), CHANGED, *["release.blob"] * 2),
    "bytes-of-a-missing-asset": (
        _rows("images", _bytes_of_missing),
        CHANGED,
        *["release.blob"] * 2,
    ),
    "asset-width": (
        edit_record("assets", "alex/D1_IMG_001", set_fields(width=60)),
        CHANGED,
        HASH,
        "assets.pixels",
    ),
    "asset-row-removed": (
        _rows("assets", lambda rows: rows[1:]),
        CHANGED,
        "release.count",
        "ids.asset_exists",
    ),
    "evidence-id": (
        edit_record("questions", QUESTION, _evidence("D1:99")),
        CHANGED,
        "release.certificate",
        "evidence.resolves",
    ),
    "evidence-removed": (
        edit_record("questions", QUESTION, _evidence()),
        CHANGED,
        "release.certificate",
        "evidence.present",
    ),
    "gold-removed": (
        edit_record("questions", QUESTION, _answer(values=[])),
        CHANGED,
        "release.certificate",
        "answers.present",
    ),
    "gold-changed-in-the-column": (
        edit_row("questions", QUESTION, answers=["Bella"]),
        CHANGED,
        *["release.row_matches"] * 2,
    ),
    "answer-image-unknown": (
        edit_record("questions", "alex/Q0002", _answer(values=["D1:IMG_002"])),
        CHANGED,
        HASH,
        "answers.image_exists",
    ),
    "question-twice": (
        _rows("questions", lambda rows: [rows[0], *rows]),
        CHANGED,
        "release.id_unique",
        "release.id_unique",
    ),
    "question-copied": (
        _rows("questions", _copied_question),
        CHANGED,
        "release.count",
        "duplicates.question",
    ),
    "question-not-certified": (
        _rows("questions", _copied_question),
        CHANGED,
        *["release.certified"] * 2,
    ),
    "question-removed": (
        _rows("questions", lambda rows: rows[1:]),
        CHANGED,
        HASH,
        "release.public",
    ),
    "rows-shuffled": (
        _rows("questions", lambda rows: rows[::-1]),
        CHANGED,
        *["release.order"] * 2,
    ),
    "dates-swapped": (
        edit_record("conversations", "alex", _swap_dates),
        CHANGED,
        HASH,
        "time.session_order",
    ),
    "session-removed": (
        edit_record("conversations", "alex", _drop_session),
        CHANGED,
        HASH,
        "ids.consecutive_sessions",
    ),
    "speaker-unknown": (
        edit_record("conversations", "alex", _unknown_speaker),
        CHANGED,
        HASH,
        "speakers.known",
    ),
    "slot-in-a-turn": (
        edit_record("conversations", "alex", _slot),
        CHANGED,
        HASH,
        "text.slot",
    ),
    "conversation-removed": (
        _rows("conversations", lambda rows: rows[1:]),
        CHANGED,
        *["release.reference"] * 2,
    ),
    "conversation-twice": (
        _rows("conversations", lambda rows: [rows[0], *rows]),
        CHANGED,
        *["release.id_unique"] * 2,
    ),
    "mention-of-no-fact": (
        edit_record("ledger", "alex/M0001", set_fields(fact="alex/F0009")),
        CHANGED,
        HASH,
        "ledger.mention_resolves",
    ),
    "record-version": (
        edit_record("questions", QUESTION, set_fields(schema_version=99)),
        CHANGED,
        *["release.record_valid"] * 2,
    ),
    "column-added": (_with_column(_extra_column), CHANGED, *["release.columns"] * 2),
    "column-removed": (_with_column(_without_column), CHANGED, *["release.columns"] * 2),
    "certificate-refuted": (_refute, CHANGED, *["release.refuted"] * 2),
    "held-out-and-released": (_held_out_too, CHANGED, *["release.held_out"] * 2),
    "manifest-deleted": (_delete("manifest.json"), *["release.manifest"] * 3),
    "manifest-not-json": (_write("manifest.json", "{"), *["release.manifest"] * 3),
    "manifest-empty": (_write("manifest.json", "{}"), *["release.manifest"] * 3),
    "licence-emptied": (edit_manifest(set_fields(licence="")), *["release.manifest"] * 3),
    "path-outside": (edit_manifest(_outside), *["release.file_present"] * 2, VALID),
    "count-changed": (edit_manifest(_count), *["release.count"] * 2, VALID),
    "type-count-changed": (edit_manifest(_type_count), *["release.count"] * 2, VALID),
    "shard-count-changed": (edit_manifest(_shard_count), *["release.count"] * 2, VALID),
}
"""By name: the damage, then the rule that finds it as it is, under repaired checksums, and under a
manifest and certificates made anew; by then some damage is indistinguishable from intent."""
