"""A copy of a release as plain documents: read, changed, written again with every checksum right.

Written from the description of releases alone; it shares nothing with the code that checks them.
"""

import copy
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from defect_rows import Document, canonical, digest, row_columns

TABLES: Final = ("conversations", "questions", "ledger", "assets")
KINDS: Final = {"conversations": "conversation", "questions": "question", "assets": "asset"}
_INNER: Final = ("persona", "event", "fact", "mention")
_LOGS: Final = {
    "findings": "finding",
    "certificates": "certificate",
    "held_out": "held_out",
    "provenance": "provenance",
    "decisions": "decision",
    "repairs": "repair",
    "flaws": "flaw",
    "bank": "bank",
}
_TALLIES: Final = (
    ("verdicts", "certificates", "verdict"),
    ("findings", "findings", "rule"),
    ("held_out", "held_out", "status"),
)
_HOW_MADE: Final = ("provenance", "repairs", "flaws", "bank")


def combined(hashes: list[str]) -> str:
    """One hash of an ordered list of hashes."""
    return digest("\n".join(hashes))


def pixels(data: bytes) -> str | None:
    """Hash of the decoded pixels as releases state it; None for bytes that are no image."""
    from memassay.schemas.values.pixels import PixelError, open_image, pixel_sha256

    try:
        return pixel_sha256(open_image(data))
    except PixelError:
        return None


class Copy:
    """The documents of a release; `write` gives a folder that a careful forger would give.

    Attributes:
        folder: The release that was read.
        conversations: Conversation documents by id.
        questions: Question documents by id.
        ledgers: By conversation, the lists `personas`, `events`, `facts` and `mentions`.
        assets: Asset documents by id, with their transcription.
        blobs: Bytes of assets by asset id.
        logs: Documents of each JSON Lines file by its stem.
        manifest: The manifest; `write` brings counts and hashes up to date.
        card: The text of the card.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: Document = json.loads((folder / "manifest.json").read_bytes())
        self._schemas: dict[str, pa.Schema] = {}
        self._rows: dict[str, list[Document]] = {}
        for table in TABLES:
            self._read(table)
        self.conversations = self._documents("conversations")
        self.questions = self._documents("questions")
        self.assets = self._documents("assets")
        self.blobs: dict[str, bytes] = {
            row["id"]: data
            for row in [*self._rows["assets"], *self._shown()]
            if (data := (row.get("image") or {}).get("bytes") or row.get("data"))
        }
        self.ledgers: dict[str, dict[str, list[Document]]] = {
            row["id"]: {
                f"{kind}s": [json.loads(one["record_json"]) for one in row.get(f"{kind}s") or []]
                for kind in _INNER
            }
            for row in self._rows["ledger"]
        }
        self.logs = {
            stem: [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
            for stem in _LOGS
            if (path := folder / f"{stem}.jsonl").is_file()
        }
        self.card = (folder / "README.md").read_text("utf-8")
        self._was = copy.deepcopy((self.questions, self.ledgers, self.assets))

    # --- reading ------------------------------------------------------------------------------

    def _read(self, table: str) -> None:
        rows: list[Document] = []
        for path in sorted((self.folder / "data" / table).glob("*.parquet")):
            found = pq.read_table(path)
            self._schemas[table] = found.schema
            rows += found.to_pylist()
        self._rows[table] = rows

    def _shown(self) -> list[Document]:
        """Rows of the table with the bytes of what is shown.

        Copies are written without the tables and layouts that are made of records: a defect is to
        be found in the records, not because what follows from them was not made again.
        """
        names: dict[str, list[str]] = {}
        for row in self._rows["assets"]:
            names.setdefault(row["blob_sha256"], []).append(row["id"])
        rows: list[Document] = []
        for path in sorted((self.folder / "public" / "images").glob("*.parquet")):
            columns = ["blob_sha256", "image", "data"]
            for row in pq.read_table(path, columns=columns).to_pylist():
                rows += [{**row, "id": name} for name in names.get(row["blob_sha256"], ())]
        return rows

    def _documents(self, table: str) -> dict[str, Document]:
        documents = {}
        for row in self._rows[table]:
            document = json.loads(row["record_json"])
            if table == "assets":
                document["transcription"] = row.get("private_transcription")
            documents[row["id"]] = document
        return documents

    # --- writing ------------------------------------------------------------------------------

    def write(self, target: Path) -> None:
        """Write all documents, with rows, hashes and counts brought into step."""
        if target.exists():
            shutil.rmtree(target)
        replaced = self._replaced_hashes()
        self._refresh_logs(replaced)
        parts, files = {}, []
        for table in TABLES:
            hashes = self._hashes(table)
            parts[table] = combined(hashes)
            path = target / "data" / table / "train-00000-of-00001.parquet"
            self._write_table(path, table)
            files.append(_described(target, path, len(hashes), parts[table]))
        for stem, documents in self.logs.items():
            parts[stem] = combined([digest(canonical(one)) for one in documents])
            path = target / f"{stem}.jsonl"
            path.write_text("".join(canonical(one) + "\n" for one in documents), "utf-8")
            files.append(_described(target, path, len(documents), parts[stem]))
        self._count()
        card = target / "README.md"
        card.write_text(self._counted_card(), "utf-8")
        files.append(_described(target, card, None, None))
        self.manifest["files"] = sorted(files, key=lambda file: str(file["path"]))
        self.manifest["content_sha256"] = self._content_hash(parts)
        write_manifest(target, self.manifest)

    def _content_hash(self, parts: dict[str, str]) -> str:
        content = {stem: parts[stem] for stem in parts if stem not in _HOW_MADE}
        names = ("name", "version", "licence")
        return digest(canonical({**{n: self.manifest[n] for n in names}, "parts": content}))

    def document_hash(self, document: Document, *, asset: bool = False) -> str:
        """What a record counts as in the hashes of a release; images count by their pixels."""
        seen = document.get("pixel_sha256")
        if asset and document.get("availability") == "present" and seen is None:
            seen = pixels(self.blobs.get(document["id"], b""))
        if asset and document.get("availability") == "present" and seen:
            return digest(canonical({**document, "blob_sha256": None, "pixel_sha256": seen}))
        return digest(canonical(document))

    def _hashes(self, table: str) -> list[str]:
        if table == "ledger":
            return [
                digest(canonical(one))
                for ledger in self.ledgers.values()
                for kind in _INNER
                for one in ledger[f"{kind}s"]
            ]
        documents: dict[str, Document] = getattr(self, table)
        return [self.document_hash(one, asset=table == "assets") for one in documents.values()]

    def _replaced_hashes(self) -> dict[str, str]:
        """The hash of each changed record by the hash it had."""
        replaced: dict[str, str] = {}
        pairs = ((self._was[0], self.questions), (self._was[2], self.assets))
        for old, new in pairs:
            for name in old:
                if old[name] != new[name]:
                    replaced[digest(canonical(old[name]))] = digest(canonical(new[name]))
        for name, ledger in self.ledgers.items():
            for kind in _INNER:
                was = {one["id"]: one for one in self._was[1][name][f"{kind}s"]}
                for one in ledger[f"{kind}s"]:
                    if was[one["id"]] != one:
                        replaced[digest(canonical(was[one["id"]]))] = digest(canonical(one))
        return replaced

    def _refresh_logs(self, replaced: dict[str, str]) -> None:
        for certificate in self.logs.get("certificates", []):
            old = certificate["item_sha256"]
            certificate["item_sha256"] = replaced.get(old, old)
        for made in self.logs.get("provenance", []):
            made["made"] = [replaced.get(old, old) for old in made["made"]]
        for decision in self.logs.get("decisions", []):
            for cover in decision.get("covers", []):
                cover["sha256"] = replaced.get(cover["sha256"], cover["sha256"])

    def _count(self) -> None:
        for kind in _INNER:
            total = sum(len(ledger[f"{kind}s"]) for ledger in self.ledgers.values())
            self.manifest["counts"][kind] = total
        for stem, documents in self.logs.items():
            self.manifest["counts"][_LOGS[stem]] = len(documents)
        for name, stem, key in _TALLIES:
            found = Counter(one[key] for one in self.logs[stem])
            self.manifest[name] = dict(sorted(found.items()))

    def _counted_card(self) -> str:
        """The card with the numbers of the manifest in its tables."""
        tables = ("counts", "questions_by_type", "verdicts", "held_out", "findings")
        numbers = {key: value for name in tables for key, value in self.manifest[name].items()}
        lines = []
        for line in self.card.split("\n"):
            cells = line.split(" | ")
            name = cells[0].removeprefix("| ")
            if len(cells) == 2 and name in numbers and cells[1].removesuffix(" |").isdigit():
                line = f"| {name} | {numbers[name]} |"
            lines.append(line)
        return "\n".join(lines)

    def _write_table(self, path: Path, table: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if table == "ledger":
            rows = [self._ledger_row(row) for row in self._rows[table]]
        else:
            rows = self._flat_rows(table)
        found = pa.Table.from_pylist(rows, schema=self._schemas[table])
        pq.write_table(found, path, compression="zstd", row_group_size=100)

    def _flat_rows(self, table: str) -> list[Document]:
        was = {row["id"]: row for row in self._rows[table]}
        some: Document = next(iter(was.values()), {})
        rows = []
        for name, document in getattr(self, table).items():
            row = dict(was.get(name, dict.fromkeys(some)))
            kind = KINDS[table]
            rows.append(row_columns(row, kind, document))
            if table == "assets":
                self._bytes_columns(row, document)
        return rows

    def _bytes_columns(self, row: Document, document: Document) -> None:
        data = self.blobs.get(document["id"])
        old = row.get("image")
        row["image"] = row["data"] = None
        if data is None or document["availability"] != "present":
            return
        if (document["media_type"] or "").startswith("image/"):
            name = old["path"] if old else document["id"].replace("/", "_") + ".png"
            row["image"] = {"bytes": data, "path": name}
        else:
            row["data"] = data

    def _ledger_row(self, row: Document) -> Document:
        new = {"id": row["id"], "conversation": row["conversation"]}
        for kind in _INNER:
            was = {one["id"]: one for one in row.get(f"{kind}s") or []}
            some: Document = next(iter(was.values()), {})
            new[f"{kind}s"] = [
                row_columns(dict(was.get(one["id"], dict.fromkeys(some))), kind, one)
                for one in self.ledgers[row["id"]][f"{kind}s"]
            ]
        return new


def _described(
    target: Path, path: Path, records: int | None, content: str | None
) -> dict[str, object]:
    data = path.read_bytes()
    return {
        "path": path.relative_to(target).as_posix(),
        "sha256": digest(data),
        "size": len(data),
        "records": records,
        "content_sha256": content or file_content(path.suffix, data),
    }


def file_content(suffix: str, data: bytes) -> str:
    """Content hash of a file that is no table."""
    if suffix == ".json":
        return combined([digest(canonical(json.loads(data)))])
    if suffix in (".png", ".jpg", ".jpeg"):
        return pixels(data) or digest(data)
    return digest(data)


def write_manifest(target: Path, manifest: Document) -> None:
    """Write the manifest as releases do."""
    (target / "manifest.json").write_text(
        json.dumps(manifest, indent=2, sort_keys=True) + "\n", "utf-8"
    )


def describe_again(target: Path, *paths: Path) -> None:
    """Bring the checksums of changed files into step; of all files if none is named."""
    manifest = json.loads((target / "manifest.json").read_bytes())
    known = {file["path"]: file for file in manifest["files"]}
    for path in paths or sorted(one for one in target.rglob("*") if one.is_file()):
        name = path.relative_to(target).as_posix()
        if name == "manifest.json":
            continue
        old = known.pop(name, {})
        if path.is_file():
            known[name] = _described(target, path, old.get("records"), None)
            if path.suffix in (".jsonl", ".parquet") and old:
                known[name]["content_sha256"] = old["content_sha256"]
    manifest["files"] = [known[name] for name in sorted(known)]
    write_manifest(target, manifest)
