"""Puts the parts of a release together, one conversation after the other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from memassay.exports.release.layout import (
    FORMATS,
    LOGS,
    MANIFEST,
    OCCASIONAL_LOGS,
    file_content_hash,
    layout_versions,
    log_path,
    manifest_text,
    release_content_hash,
    write_text,
)
from memassay.exports.release.parts.layout_files import LayoutFiles
from memassay.exports.release.parts.log_files import write_log
from memassay.exports.release.parts.packing import refuse_twice
from memassay.exports.release.parts.part import DATA_TABLES, OFFERED_TABLES, Part, schema_of
from memassay.exports.release.parts.table_files import Shard, TableWriter
from memassay.exports.release.public.facts import Facts
from memassay.exports.release.public.page import described_files
from memassay.exports.release.public.tables import SPLIT
from memassay.exports.release.secret_scan import refuse_secret, refuse_secrets_in
from memassay.exports.release.tallies import Tally
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore, ForeignFormat
from memassay.schemas.errors import ReleaseError
from memassay.schemas.hashing import file_sha256
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.provenance import Manifest, ReleaseFile
from memassay.schemas.kinds import SCHEMA_VERSION

SHARD_BYTES: Final = 256 * 1024 * 1024


@dataclass(frozen=True)
class ReleaseHead:
    """What a release is, beside its records.

    Attributes:
        name: Name of the data set.
        version: Version of the release.
        licence: SPDX identifier of the whole.
        conversations: Ids of its conversations, in natural order.
        gates: State of each gate.
        recipe: What was asked for.
        foreign: Foreign layouts to write as well, by name.
        shard_bytes: Size from which a table gets another file, in bytes before compression.
    """

    name: str
    version: str
    licence: str
    conversations: Sequence[str]
    gates: Mapping[str, JsonValue] = field(default_factory=dict)
    recipe: Mapping[str, JsonValue] = field(default_factory=dict)
    foreign: Mapping[str, ForeignFormat] = field(default_factory=dict)
    shard_bytes: int = SHARD_BYTES


Logs = Mapping[str, Iterable[Record]]
"""The records of each log by its stem, in natural order of their ids; each is gone through once."""


class Merger:
    """Writes a release below a folder."""

    def __init__(self, folder: Path, head: ReleaseHead, blobs: BlobStore) -> None:
        """Take an empty folder."""
        self._folder, self._head, self._blobs = folder, head, blobs
        self._files: list[ReleaseFile] = []
        self._hashes: dict[str, str] = {}
        self._tally, self._facts = Tally(), Facts()

    def merge(self, parts: Iterable[Part], logs: Logs) -> Manifest:
        """Write everything; gives the manifest.

        Args:
            parts: The parts, in the order of the conversations; one at a time is looked at.
            logs: The records of logs.

        Raises:
            BlobError: The bytes of a present asset are missing or changed.
            ReleaseError: Two records share an id, or one holds a secret.
        """
        self._write_parts(parts)
        errata = list[ReleasedErratum]()
        for stem in LOGS:
            self._write_log(stem, _noting(logs.get(stem, ()), errata))
        return self._describe(errata)

    def _write_parts(self, parts: Iterable[Part]) -> None:
        head, below = self._head, self._folder / FORMATS
        tables = {
            folder: TableWriter(
                self._folder / folder, schema_of(folder), head.shard_bytes, self._blobs, split
            )
            for folders, split in ((DATA_TABLES, "train"), (OFFERED_TABLES, SPLIT))
            for folder in folders
        }
        layouts = {
            name: LayoutFiles(
                below / name, head.foreign[name].arrange(head.conversations), self._blobs
            )
            for name in sorted(head.foreign)
        }
        for part in _in_order(parts, head.conversations):
            for folder, writer in tables.items():
                writer.add(part.tables[folder])
            for name, files in layouts.items():
                files.add(part.conversation, part.layouts[name])
            self._tally.kinds.update(part.counts)
            self._tally.add_questions(part.types)
            self._facts.add(part.facts)
        for folder, writer in tables.items():
            self._files += [self._shard(one) for one in writer.close()]
            if folder in DATA_TABLES:
                self._hashes[DATA_TABLES[folder]] = writer.content.digest()
        for name, files in layouts.items():
            self._files += [
                file.model_copy(update={"path": f"{FORMATS}/{name}/{file.path}"})
                for file in files.close()
            ]

    def _shard(self, shard: Shard) -> ReleaseFile:
        return self._file(shard.path, shard.content.number, shard.content.digest())

    def _write_log(self, stem: str, records: Iterable[Record]) -> None:
        counted = self._tally
        # Concepts are data, and counted with the others; this log is where a release has them.
        hashes = write_log(self._folder, stem, records, counted if stem != "concepts" else Tally())
        path = log_path(self._folder, stem)
        if not hashes.number:
            if stem in OCCASIONAL_LOGS:
                return
            write_text(path, "")
        self._hashes[stem] = hashes.digest()
        self._files.append(self._file(path, hashes.number, self._hashes[stem]))

    def _describe(self, errata: Sequence[ReleasedErratum]) -> Manifest:
        """Write what describes the release, and the manifest at last."""
        manifest = self._manifest()
        described = described_files(
            manifest, self._facts, self._blobs, self._tally.audits(), errata
        )
        for name, data in described.items():
            path = self._folder / name
            path.write_bytes(data)
            refuse_secrets_in(name, data)
            self._files.append(self._file(path, None, file_content_hash(path)))
        ordered = sorted(self._files, key=lambda file: file.path)
        manifest = manifest.model_copy(update={"files": ordered})
        text = manifest_text(manifest)
        refuse_secret(MANIFEST, text)
        write_text(self._folder / MANIFEST, text)
        return manifest

    def _manifest(self) -> Manifest:
        head, hashes = self._head, self._hashes
        return Manifest(
            id=f"{head.name}@{head.version}",
            name=head.name,
            version=head.version,
            licence=head.licence,
            record_schema_version=SCHEMA_VERSION,
            content_sha256=release_content_hash(head.name, head.version, head.licence, hashes),
            counts=self._tally.counts(stem for stem in LOGS if stem in hashes),
            **self._tally.fields(),
            gates=dict(head.gates),
            recipe={**head.recipe, **layout_versions(head.foreign)},
            files=self._files,
        )

    def _file(self, path: Path, records: int | None, content_sha256: str) -> ReleaseFile:
        return ReleaseFile(
            path=path.relative_to(self._folder).as_posix(),
            sha256=file_sha256(path),
            size=path.stat().st_size,
            records=records,
            content_sha256=content_sha256,
        )


def _in_order(parts: Iterable[Part], conversations: Sequence[str]) -> Iterator[Part]:
    """Parts, once it is sure that they are those of the conversations."""
    refuse_twice(("conversation", name) for name in conversations)
    ordered = sorted(conversations, key=natural_key)
    number = 0
    for number, part in enumerate(parts, start=1):
        expected = ordered[number - 1] if number <= len(ordered) else "the end"
        if part.conversation != expected:
            raise ReleaseError(
                f"{part.conversation}: expected the part of {expected}; run the release again"
            )
        yield part
    if number < len(ordered):
        raise ReleaseError(f"{ordered[number]}: expected its part, got the end; run again")


def _noting(records: Iterable[Record], errata: list[ReleasedErratum]) -> Iterator[Record]:
    """Records as they are; errata among them are kept, for the card."""
    for record in records:
        if isinstance(record, ReleasedErratum):
            errata.append(record)
        yield record
