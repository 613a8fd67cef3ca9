"""A release that disagrees with itself: card, manifest, rows, checksums, logs."""

import json
import re
from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq
from defect_files import describe_again, write_manifest
from defect_plants import Plant, Site, kind
from defect_rows import Document


def _manifest(site: Site, change: Callable[[Document], str | None], *ids: str) -> Iterator[Plant]:
    path = site.folder / "manifest.json"
    document = json.loads(path.read_bytes())
    what = change(document)
    if what:
        write_manifest(site.folder, document)
        name = str(document["id"])
        yield Plant(site.kind, ("manifest.json", name, *ids), f"manifest.json: {what}")


def _card(site: Site, change: Callable[[str], str]) -> Iterator[Plant]:
    path = site.folder / "README.md"
    old = path.read_text("utf-8")
    new = change(old)
    if new != old:
        path.write_text(new, "utf-8")
        describe_again(site.folder)
        lines = [line for line in new.split("\n") if line not in old.split("\n")]
        yield Plant(site.kind, ("README.md",), f"README.md now says: {' / '.join(lines)[:120]}")


@kind("card-count-wrong", files=True, alone=True, at_most=4)
def card_count(site: Site) -> Iterator[Plant]:
    """A number in the tables of the card is not that of the records."""

    def change(text: str) -> str:
        found = list(re.finditer(r"^\| \w[\w.]* \| (\d+) \|$", text, re.MULTILINE))
        one = site.random.choice(found)
        return text[: one.start(1)] + str(int(one[1]) + 7) + text[one.end(1) :]

    yield from _card(site, change)


@kind("card-licence-other", files=True, alone=True, at_most=3)
def card_licence(site: Site) -> Iterator[Plant]:
    """The card offers the data under another licence than the manifest."""

    def change(text: str) -> str:
        new = site.one("mit", "cc0-1.0", "apache-2.0")
        text = re.sub(r"^license: .*$", f"license: {new}", text, count=1, flags=re.MULTILINE)
        return re.sub(r"(## Licence\n\n)[^ ]+\. ", rf"\g<1>{new.upper()}. ", text)

    yield from _card(site, change)


@kind("manifest-count-wrong", files=True, alone=True, at_most=4)
def manifest_count(site: Site) -> Iterator[Plant]:
    """A count or a tally of the manifest is not that of the records."""

    def change(document: Document) -> str:
        names = ("counts", "questions_by_type", "verdicts", "findings")
        table = site.one(*(name for name in names if document.get(name)))
        name = site.random.choice(sorted(document[table]))
        document[table][name] += site.one(1, 10)
        return f"{table}.{name} is now {document[table][name]}"

    yield from _manifest(site, change)


@kind("manifest-file-count-wrong", files=True, alone=True, at_most=3)
def manifest_file_count(site: Site) -> Iterator[Plant]:
    """The number of records or bytes that the manifest gives of a file is wrong."""

    def change(document: Document) -> str:
        file = site.random.choice([one for one in document["files"] if one["records"]])
        name = site.one("records", "size")
        file[name] += 11
        return f"{name} of {file['path']} is now {file[name]}"

    files = [one["path"] for one in site.copy.manifest["files"] if one["records"]]
    yield from _manifest(site, change, *files)


@kind("manifest-content-hash-wrong", files=True, alone=True, at_most=3)
def manifest_content_hash(site: Site) -> Iterator[Plant]:
    """The content hash of a file or of the release is not that of what is there."""

    def change(document: Document) -> str:
        whole = site.random.random() < 0.4
        one = document if whole else site.random.choice(document["files"])
        one["content_sha256"] = one["content_sha256"][::-1]
        return f"content_sha256 of {'the release' if whole else one['path']} reversed"

    yield from _manifest(site, change, *[one["path"] for one in site.copy.manifest["files"]])


@kind("file-changed-checksum-stale", files=True, at_most=12)
def checksum_stale(site: Site) -> Iterator[Plant]:
    """A file was changed after the manifest was written."""
    paths = [path for path in sorted(site.folder.rglob("*")) if path.is_file()]
    site.random.shuffle(paths)
    for path in paths:
        name = path.relative_to(site.folder).as_posix()
        if name != "manifest.json" and path.suffix in (".md", ".jsonl", ".json", ".png"):
            path.write_bytes(path.read_bytes() + b"\n")
            yield Plant(site.kind, (name,), f"{name} has one more line end")


@kind("file-not-listed", files=True, at_most=6)
def not_listed(site: Site) -> Iterator[Plant]:
    """A file lies in the release that its manifest does not name."""
    names = (
        "notes.txt",
        "data/questions/train-00001-of-00002.parquet",
        "formats/old/data.json",
        "certificates.jsonl.bak",
    )
    for name in names:
        path = site.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"see the first version\n")
        yield Plant(site.kind, (name,), f"{name} is there and not listed")


@kind("row-differs-from-record", files=True)
def row_differs(site: Site) -> Iterator[Plant]:
    """A column says something else than the record of its row; all checksums fit."""
    path = site.folder / "data" / "questions" / "train-00000-of-00001.parquet"
    table = pq.read_table(path)
    rows = table.to_pylist()
    changes: dict[str, Callable[[Document], object]] = {
        "question": lambda row: row["question"].replace("?", ", roughly?"),
        "answers": lambda row: [f"{row['answers'][0]} or so"] if row["answers"] else ["none"],
        "evidence": lambda row: [*row["evidence"], "D1:1"],
        "answerable": lambda row: not row["answerable"],
        "benchmark_type": lambda row: f"{row['benchmark_type']}x",
    }
    site.random.shuffle(rows)
    plants = []
    for row in rows[:20]:
        name = site.random.choice(sorted(changes))
        old, row[name] = row[name], changes[name](row)
        if row[name] != old:
            plants.append(Plant(site.kind, (row["id"],), f"column {name} of {row['id']} differs"))
    order = {name: at for at, name in enumerate(table.column("id").to_pylist())}
    rows.sort(key=lambda row: order[row["id"]])
    again = pa.Table.from_pylist(rows, schema=table.schema)
    pq.write_table(again, path, compression="zstd", row_group_size=100)
    describe_again(site.folder)
    yield from plants
