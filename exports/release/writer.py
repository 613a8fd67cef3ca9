"""Writes a release: everything beside the old one, checked, synced, then renamed in one step."""

import errno
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import JsonValue

from memassay.exports.release.layout import (
    FORMATS,
    LOGS,
    MANIFEST,
    OCCASIONAL_LOGS,
    file_content_hash,
    kept_release,
    layout_versions,
    log_path,
    manifest_text,
    record_order,
    release_content_hash,
    sync,
    write_layout,
    write_lines,
    write_text,
)
from memassay.exports.release.parquet_tables import TableWriter, arrow_schema
from memassay.exports.release.partial import partial_folder, remove_leftovers, sync_tree
from memassay.exports.release.public.facts import facts_of, sum_of_facts, text_bytes
from memassay.exports.release.public.page import described_files
from memassay.exports.release.public.tables import (
    IMAGES,
    SPLIT,
    TABLES,
    offered_rows,
    offered_schema,
    public_images,
    row_hash,
    shown_assets,
)
from memassay.exports.release.rows import CONFIGS, document_content_hash, table_rows
from memassay.exports.release.secret_scan import refuse_secrets
from memassay.exports.release.tallies import audit_rows, counts_of, tallies
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore, ForeignFormat
from memassay.schemas.errors import ReleaseError, UsageError
from memassay.schemas.hashing import combined_hash, file_sha256
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Flaw, Repair
from memassay.schemas.judgements.provenance import Manifest, Provenance, ReleaseFile
from memassay.schemas.judgements.review import Decision, HeldOut
from memassay.schemas.kinds import DATA_KINDS, SCHEMA_VERSION, kind_of
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.values.pixels import PixelError, measure

SHARD_BYTES: Final = 256 * 1024 * 1024

_SUFFIXES: Final = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "image/bmp": ".bmp",
    "image/tiff": ".tiff",
}


@dataclass(frozen=True)
class ReleaseContent:
    """What a release is made of; the order of the sequences has no influence.

    Attributes:
        name: Name of the data set.
        version: Version of the release.
        licence: SPDX identifier of the whole.
        bundles: Conversations with all that belongs to them.
        blobs: Where the bytes of present assets are.
        findings: What the rules found in what is released.
        certificates: Checks and verdict of each question.
        held_out: What is not released, with the reasons.
        provenance: How the records were made.
        decisions: What people accepted, in the states they saw.
        repairs: What audits flagged and stages mended on the way.
        flaws: What was planted to measure the audits.
        bank: What question banks made and dropped, and why.
        clusters: Which dialogues became which conversation.
        alterations: What was changed to make them one.
        errata: Items of earlier versions that were wrong.
        gates: State of each gate.
        recipe: What was asked for.
        foreign: Foreign layouts to write as well, by name.
        shard_bytes: Size from which a table gets another file, in bytes before compression.
    """

    name: str
    version: str
    licence: str
    bundles: Sequence[Bundle]
    blobs: BlobStore
    findings: Sequence[Finding] = ()
    certificates: Sequence[Certificate] = ()
    held_out: Sequence[HeldOut] = ()
    provenance: Sequence[Provenance] = ()
    decisions: Sequence[Decision] = ()
    repairs: Sequence[Repair] = ()
    flaws: Sequence[Flaw] = ()
    bank: Sequence[BankTally] = ()
    clusters: Sequence[Cluster] = ()
    alterations: Sequence[Alteration] = ()
    errata: Sequence[ReleasedErratum] = ()
    gates: Mapping[str, JsonValue] = field(default_factory=dict)
    recipe: Mapping[str, JsonValue] = field(default_factory=dict)
    foreign: Mapping[str, ForeignFormat] = field(default_factory=dict)
    shard_bytes: int = SHARD_BYTES

    def records(self) -> Iterator[Record]:
        """Every record, those of tables and those of logs."""
        for bundle in self.bundles:
            yield from bundle.records()
        for stem, own in _logs(self).items():
            # Data that no table holds belong to a conversation all the same.
            yield from own if LOGS[stem] not in DATA_KINDS else ()


def write_release(folder: Path, content: ReleaseContent) -> Manifest:
    """Write a release folder, whole or not at all.

    Everything is written and synced in a temporary folder beside it, which is then renamed. A
    write that was killed leaves such a folder behind; the next write removes it. Writing the same
    content again changes nothing, unless files were changed or lost since: then the release is
    written again.

    Raises:
        UsageError: Name, version or licence is empty, or the folder holds something else.
        RecordError: A record does not fit its JSON Schema.
        BlobError: The bytes of a present asset are missing or changed.
        ReleaseError: Two records share an id, a file holds a secret, or the folder holds another
            content under the same name and version, which are immutable: raise the version.
    """
    _check(content)
    folder.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(folder)
    with partial_folder(folder) as partial:
        manifest = _write_all(partial, content)
        refuse_secrets(partial)
        sync_tree(partial)
        if folder.is_dir() and any(folder.iterdir()):
            if (kept := kept_release(folder, manifest)) is not None:
                return kept
            with partial_folder(folder) as aside:
                folder.rename(aside / "damaged")
        try:
            partial.rename(folder)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST) and folder.is_dir():
                # Another process was first.
                return kept_release(folder, manifest) or manifest
            raise UsageError(
                f"{folder}: expected a folder to write to, got {error.strerror}"
            ) from error
    sync(folder.parent)
    return manifest


def _check(content: ReleaseContent) -> None:
    for name in ("name", "version", "licence"):
        if not str(getattr(content, name)).strip():
            raise UsageError(f"release.{name}: expected a text, got ''; set it in the recipe")
    if content.shard_bytes < 1:
        raise UsageError(f"release.shard_bytes: expected at least 1, got {content.shard_bytes}")
    for bundle in content.bundles:
        for record in bundle.records():
            if conversation_of(record.id) != bundle.id:
                raise ReleaseError(
                    f"{record.id}: expected a record of conversation {bundle.id}, got another; "
                    "give it an id of its conversation"
                )
    records = [record for bundle in content.bundles for record in bundle.records()]
    logs = (content.certificates, content.held_out, content.provenance, content.decisions)
    made = (content.repairs, content.flaws, content.bank, content.clusters, content.alterations)
    for group in (records, *logs, *made, content.errata):
        counted = Counter((kind_of(record), record.id) for record in group)
        twice = sorted(key for key, number in counted.items() if number > 1)
        if twice:
            kind, name = twice[0]
            raise ReleaseError(f"{kind} {name}: expected each id once, got it twice; rename one")


# --- its content ------------------------------------------------------------------------------


def _write_all(folder: Path, content: ReleaseContent) -> Manifest:
    bundles = sorted(content.bundles, key=lambda bundle: (natural_key(bundle.id), bundle.id))
    files: list[ReleaseFile] = []
    parts: dict[str, str] = {}
    for config in CONFIGS:
        hashes, written = _write_table(folder, config, bundles, content)
        parts[config] = combined_hash(hashes)
        files += written
    for table in TABLES:
        files += _write_offered(folder, table, bundles, content)
    for stem, records in _logs(content).items():
        hashes = write_lines(log_path(folder, stem), records)
        parts[stem] = combined_hash(hashes)
        files.append(_describe(folder, log_path(folder, stem), len(hashes), parts[stem]))
    files += _write_formats(folder, bundles, content)
    manifest = _manifest(content, parts).model_copy(update={"files": files})
    audits = audit_rows(content.flaws, content.repairs)
    facts = sum_of_facts(facts_of(bundle, text_bytes(bundle)) for bundle in bundles)
    described = described_files(
        manifest, facts, content.blobs, audits, sorted(content.errata, key=record_order)
    )
    for name, data in described.items():
        (folder / name).write_bytes(data)
        files.append(_describe(folder, folder / name))
    ordered = sorted(files, key=lambda file: file.path)
    manifest = manifest.model_copy(update={"files": ordered})
    write_text(folder / MANIFEST, manifest_text(manifest))
    return manifest


def _logs(content: ReleaseContent) -> dict[str, list[Record]]:
    # A finding's id follows from what it says: found twice, it is one finding.
    findings = {finding.id: finding for finding in content.findings}
    said: dict[str, Iterable[Record]] = {
        "concepts": [one for bundle in content.bundles for one in bundle.concepts],
        "findings": findings.values(),
        "certificates": content.certificates,
        "held_out": content.held_out,
        "provenance": content.provenance,
        "decisions": content.decisions,
        "repairs": content.repairs,
        "flaws": content.flaws,
        "bank": content.bank,
        "clusters": content.clusters,
        "alterations": content.alterations,
        "errata": content.errata,
    }
    logs = {stem: sorted(said[stem], key=record_order) for stem in LOGS}
    return {stem: logs[stem] for stem in LOGS if logs[stem] or stem not in OCCASIONAL_LOGS}


def _describe(
    folder: Path, path: Path, records: int | None = None, content_sha256: str | None = None
) -> ReleaseFile:
    return ReleaseFile(
        path=path.relative_to(folder).as_posix(),
        sha256=file_sha256(path),
        size=path.stat().st_size,
        records=records,
        content_sha256=content_sha256 or file_content_hash(path),
    )


def _write_table(
    folder: Path, config: str, bundles: Sequence[Bundle], content: ReleaseContent
) -> tuple[list[str], list[ReleaseFile]]:
    """Write the shards of one table; gives the content hash of each record, and the files."""
    writer = TableWriter(folder / "data" / config, arrow_schema(config), content.shard_bytes)
    hashes: list[str] = []
    for bundle in bundles:
        shown = shown_assets(bundle)
        for row, records in table_rows(config, bundle):
            pixels = None
            for asset in (record for record in records if isinstance(record, Asset)):
                columns, pixels = _bytes_columns(asset, asset.id, content.blobs)
                row |= dict.fromkeys(columns) if asset.id in shown else columns
            writer.add(row, len(records))
            documents = (record.model_dump(mode="json") for record in records)
            hashes += [document_content_hash(document, pixels) for document in documents]
    files, done = [], 0
    for path, number in zip(writer.close(), writer.records_per_shard, strict=True):
        shard_hash = combined_hash(hashes[done : done + number])
        files.append(_describe(folder, path, number, shard_hash))
        done += number
    return hashes, files


def _write_offered(
    folder: Path, table: str, bundles: Sequence[Bundle], content: ReleaseContent
) -> list[ReleaseFile]:
    """Write the shards of a table for `datasets`."""
    place = TABLES[table]
    writer = TableWriter(folder / place, offered_schema(table), content.shard_bytes, SPLIT)
    hashes: list[str] = []
    for bundle in bundles:
        shown = {name: asset for asset, name in public_images(bundle).items()}
        for row in offered_rows(table, bundle):
            columns: dict[str, Any] = {}
            if place == IMAGES:
                asset = bundle.asset_by_id[shown[row["id"]]]
                columns, _ = _bytes_columns(asset, row["id"], content.blobs)
            writer.add({**row, **columns}, 1)
            hashes.append(row_hash(row))
    files, done = [], 0
    for path, number in zip(writer.close(), writer.records_per_shard, strict=True):
        shard_hash = combined_hash(hashes[done : done + number])
        files.append(_describe(folder, path, number, shard_hash))
        done += number
    return files


def _bytes_columns(asset: Asset, name: str, blobs: BlobStore) -> tuple[dict[str, Any], str | None]:
    """The columns with an asset's bytes, and the pixel hash of an image without a stated one."""
    if asset.availability is not Availability.PRESENT:
        return {"image": None, "data": None}, None
    if asset.blob_sha256 is None:
        raise ReleaseError(
            f"{asset.id}.blob_sha256: expected a hash for a present asset, got none; "
            "import the asset again or mark it missing"
        )
    data = blobs.get(asset.blob_sha256)
    if not (asset.media_type or "").startswith("image/"):
        return {"image": None, "data": data}, None
    suffix = _SUFFIXES.get(asset.media_type or "", "")
    image = {"bytes": data, "path": re.sub("[/:]", "_", name) + suffix}
    return {"image": image, "data": None}, None if asset.pixel_sha256 else _pixels(asset, data)


def _pixels(asset: Asset, data: bytes) -> str:
    try:
        return measure(data).pixel_sha256
    except PixelError as error:
        raise ReleaseError(f"{asset.id}: {error}; replace the image or mark it missing") from error


def _write_formats(
    folder: Path, bundles: Sequence[Bundle], content: ReleaseContent
) -> list[ReleaseFile]:
    files = []
    for name in sorted(content.foreign):
        target = folder / FORMATS / name
        target.mkdir(parents=True)
        write_layout(content.foreign[name], bundles, content.blobs, target)
        files += [_describe(folder, path) for path in sorted(target.rglob("*")) if path.is_file()]
    return files


def _manifest(content: ReleaseContent, parts: Mapping[str, str]) -> Manifest:
    logs = _logs(content)
    records = list(content.records())
    return Manifest(
        id=f"{content.name}@{content.version}",
        name=content.name,
        version=content.version,
        licence=content.licence,
        record_schema_version=SCHEMA_VERSION,
        content_sha256=release_content_hash(content.name, content.version, content.licence, parts),
        counts=counts_of(records, logs),
        **tallies(records),
        gates=dict(content.gates),
        recipe={**content.recipe, **layout_versions(content.foreign)},
        files=[],
    )
