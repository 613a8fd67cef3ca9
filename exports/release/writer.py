"""Writes a release: everything beside the old one, checked, synced, then renamed in one step."""

import errno
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from memassay.exports.release.layout import LOGS, kept_release, record_order, sync
from memassay.exports.release.partial import partial_folder, remove_leftovers, sync_tree
from memassay.exports.release.parts.merging import SHARD_BYTES, Logs, Merger, ReleaseHead
from memassay.exports.release.parts.packing import make_part
from memassay.exports.release.parts.part import Part
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore, ForeignFormat
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Flaw, Repair
from memassay.schemas.judgements.provenance import Manifest, Provenance
from memassay.schemas.judgements.review import Decision, HeldOut
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster


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

    @property
    def logs(self) -> dict[str, list[Record]]:
        """The records of each log by its stem, in natural order of their ids."""
        # A finding's id follows from what it says: found twice, it is one finding.
        findings = {finding.id: finding for finding in self.findings}
        said: dict[str, Iterable[Record]] = {
            "concepts": [one for bundle in self.bundles for one in bundle.concepts],
            "findings": findings.values(),
            "certificates": self.certificates,
            "held_out": self.held_out,
            "provenance": self.provenance,
            "decisions": self.decisions,
            "repairs": self.repairs,
            "flaws": self.flaws,
            "bank": self.bank,
            "clusters": self.clusters,
            "alterations": self.alterations,
            "errata": self.errata,
        }
        return {stem: sorted(said[stem], key=record_order) for stem in LOGS}

    def records(self) -> Iterator[Record]:
        """Every record, those of tables and those of logs."""
        for bundle in self.bundles:
            yield from bundle.records()
        for stem, own in self.logs.items():
            # Data that no table holds belong to a conversation all the same.
            yield from own if LOGS[stem] not in DATA_KINDS else ()

    @property
    def head(self) -> ReleaseHead:
        """What the release is, beside its records."""
        return ReleaseHead(
            self.name,
            self.version,
            self.licence,
            sorted((bundle.id for bundle in self.bundles), key=natural_key),
            self.gates,
            self.recipe,
            self.foreign,
            self.shard_bytes,
        )

    def parts(self) -> Iterator[Part]:
        """What the release holds of each conversation, in natural order of their ids."""
        for bundle in sorted(self.bundles, key=lambda one: natural_key(one.id)):
            yield make_part(bundle, self.blobs, self.foreign)


def write_release(folder: Path, content: ReleaseContent) -> Manifest:
    """Write a release folder of records that are all at hand, as `write_parts` does.

    Raises:
        RecordError: A record does not fit its JSON Schema.
    """
    return write_parts(folder, content.head, content.parts(), content.logs, content.blobs)


def write_parts(
    folder: Path, head: ReleaseHead, parts: Iterable[Part], logs: Logs, blobs: BlobStore
) -> Manifest:
    """Write a release folder, whole or not at all.

    Everything is written and synced in a temporary folder beside it, which is then renamed. A
    write that was killed leaves such a folder behind; the next write removes it. Writing the same
    content again changes nothing, unless files were changed or lost since: then the release is
    written again.

    Args:
        folder: Where it will be.
        head: What it is.
        parts: What it holds of each conversation, in their order; one at a time is looked at.
        logs: The records of its logs.
        blobs: The bytes of present assets.

    Raises:
        UsageError: Name, version or licence is empty, or the folder holds something else.
        BlobError: The bytes of a present asset are missing or changed.
        ReleaseError: Two records share an id, one holds a secret, or the folder holds another
            content under the same name and version, which are immutable: raise the version.
    """
    _check(head)
    folder.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(folder)
    with partial_folder(folder) as partial:
        manifest = Merger(partial, head, blobs).merge(parts, logs)
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


def _check(head: ReleaseHead) -> None:
    for name in ("name", "version", "licence"):
        if not str(getattr(head, name)).strip():
            raise UsageError(f"release.{name}: expected a text, got ''; set it in the recipe")
    if head.shard_bytes < 1:
        raise UsageError(f"release.shard_bytes: expected at least 1, got {head.shard_bytes}")
