"""What somebody with an editor and a hash program does to a release: change it, cover it up.

Shares no code with what looks for it but the way pixels are hashed.
"""

import hashlib
import json
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

Document = dict[str, Any]


def canonical(value: Any) -> str:
    """JSON as the release's hashes see it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def lines_of(release: Path, name: str) -> list[Document]:
    """The documents of a JSON Lines file."""
    return [json.loads(line) for line in (release / name).read_bytes().splitlines()]


def write_lines_of(release: Path, name: str, documents: list[Document]) -> None:
    """Write a JSON Lines file."""
    text = "".join(canonical(document) + "\n" for document in documents)
    (release / name).write_text(text, encoding="utf-8")


def manifest_of(release: Path) -> Document:
    """The manifest."""
    document: Document = json.loads((release / "manifest.json").read_bytes())
    return document


def write_manifest(release: Path, document: Document) -> None:
    """Write the manifest."""
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    (release / "manifest.json").write_text(text, encoding="utf-8")


def question_file(release: Path) -> Path:
    """The question bank of the first persona of the M3Exam layout."""
    return sorted((release / "formats/m3exam").glob("*/question.json"))[0]


def talk_file(release: Path) -> Path:
    """The conversation of the first persona of the M3Exam layout."""
    return sorted((release / "formats/m3exam").glob("*/conversation.json"))[0]


# --- checksums stated again ---------------------------------------------------------------------


def cover_up(release: Path, *, counts: bool) -> None:
    """State the hashes, sizes and numbers of records that the files have now.

    Args:
        release: The release.
        counts: Whether the tallies of certificates, findings and held-out records follow too.
    """
    document = manifest_of(release)
    if counts:
        _count_again(release, document)
    known = {file["path"]: file for file in document["files"]}
    parts = {name: _table_part(document, name) for name in _TABLES}
    twice = [file for at, file in enumerate(document["files"]) if file in document["files"][:at]]
    document["files"] = twice
    for path in sorted(release.rglob("*")):
        name = path.relative_to(release).as_posix()
        if path.is_file() and name != "manifest.json":
            file = {"records": None, **known.get(name, {"path": name})}
            data = path.read_bytes()
            file |= {"sha256": digest(data), "size": len(data)}
            if not name.endswith(".parquet") and (name not in known or "content_sha256" in file):
                file["content_sha256"] = _content_hash(path)
            if path.suffix == ".jsonl":
                file["records"] = len(data.splitlines())
                parts[path.stem] = file["content_sha256"]
            document["files"].append(file)
    kept = {stem: parts[stem] for stem in sorted(parts) if stem not in _HOW_MADE}
    said = {name: document[name] for name in ("name", "version", "licence")}
    document["content_sha256"] = digest(canonical({**said, "parts": kept}).encode())
    write_manifest(release, document)


_TABLES = ("conversations", "questions", "ledger", "assets")
_HOW_MADE = ("provenance", "repairs", "flaws", "bank", "clusters", "alterations")


def _table_part(document: Document, table: str) -> str:
    (shard,) = [each for each in document["files"] if each["path"].startswith(f"data/{table}/")]
    return str(shard["content_sha256"])


def _content_hash(path: Path) -> str:
    """Of a file that is no table: of what it says, not of its bytes."""
    data = path.read_bytes()
    if path.suffix == ".png":
        return _pixels(data)
    if path.suffix == ".jsonl":
        return _combined([digest(canonical(json.loads(one)).encode()) for one in data.splitlines()])
    if path.suffix == ".json":
        return _combined([digest(canonical(json.loads(data)).encode())])
    return digest(data)


def _combined(hashes: list[str]) -> str:
    from memassay.schemas.hashing import combined_hash

    return combined_hash(hashes)


@lru_cache(maxsize=64)
def _pixels(data: bytes) -> str:
    from memassay.schemas.values.pixels import open_image, pixel_sha256

    return pixel_sha256(open_image(data))


def _count_again(release: Path, document: Document) -> None:
    for name, kind, tally, field in (
        ("certificates", "certificate", "verdicts", "verdict"),
        ("findings", "finding", "findings", "rule"),
        ("held_out", "held_out", "held_out", "status"),
        ("provenance", "provenance", None, ""),
        ("bank", "bank", None, ""),
    ):
        documents = lines_of(release, f"{name}.jsonl")
        document["counts"][kind] = len(documents)
        if tally:
            document[tally] = dict(Counter(each[field] for each in documents))
            path = release / "README.md"
            text = path.read_text(encoding="utf-8")
            text = re.sub(
                rf"^\| {kind} \| \d+ \|$", f"| {kind} | {len(documents)} |", text, flags=re.M
            )
            path.write_text(text, encoding="utf-8")
