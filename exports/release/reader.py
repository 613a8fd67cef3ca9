"""Reads a release: manifest, records and pixels, with every checksum verified on opening."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from memassay.exports.release.blobs import ReleaseBlobs
from memassay.exports.release.layout import LOGS, log_path, read_manifest
from memassay.exports.release.parquet_tables import offered_shards, read_rows, shards_of
from memassay.exports.release.public.messages import messages_of
from memassay.exports.release.public.tables import TABLES
from memassay.exports.release.reading.log_records import as_kind, log_records, record_of_line
from memassay.exports.release.reading.owned_lines import OwnedLines
from memassay.exports.release.reading.owned_rows import (
    column_rows_of,
    record_rows_of,
    rows_by_owner,
    rows_of_owner,
)
from memassay.exports.release.rows import CONFIGS, record_of, record_rows
from memassay.schemas.base import Record
from memassay.schemas.errors import BlobError, ReleaseError, UsageError
from memassay.schemas.hashing import file_sha256
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Flaw, Repair
from memassay.schemas.judgements.provenance import Manifest, Provenance
from memassay.schemas.judgements.review import Decision, HeldOut
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.concept import Concept
from memassay.schemas.records.conversation import Conversation, Session
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.pixels import PixelError, open_image

if TYPE_CHECKING:
    from pandas import DataFrame
    from PIL.Image import Image

_R = TypeVar("_R", bound=Record)
_NAMED: Final = 10
"""Conversations that a message names."""


class Release:
    """A release as an evaluator reads it; made by `open_release`.

    Attributes:
        folder: Where it lies.
        manifest: Name, version, counts and the checksum of every file.
        blobs: The bytes of its assets by SHA-256, read only.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self.blobs = ReleaseBlobs(folder)

    def verify(self) -> None:
        """Compare every file with its checksum in the manifest.

        Raises:
            ReleaseError: A file is missing or changed; the message names it.
        """
        for file in self.manifest.files:
            path = self.folder / file.path
            if not path.is_file():
                raise ReleaseError(
                    f"{file.path}: expected a file of the release, got none; "
                    "fetch the release again, `memassay validate` lists all damage"
                )
            found = file_sha256(path)
            if found != file.sha256:
                raise ReleaseError(
                    f"{file.path}: expected SHA-256 {file.sha256}, got {found}; the file was "
                    "changed, fetch the release again, `memassay validate` lists all damage"
                )

    def bundles(self, tables: Sequence[str] = tuple(CONFIGS)) -> Iterator[Bundle]:
        """Conversations in natural order of their ids, each with all that belongs to it.

        Sessions are in the order of time; assets, facts, mentions and questions by id. One
        conversation is in memory at a time.

        Args:
            tables: Tables of records that are read, `conversations` among them; of the others
                nothing is in the bundles.

        Raises:
            RecordError: A record does not fit its schema.
            ReleaseError: A file is not readable as Parquet, or its rows are in another order.
        """
        for owner, rows in rows_by_owner(self.folder, tables):
            if rows["conversations"]:
                yield self._bundle(owner, rows)

    def bundle(self, conversation: str, tables: Sequence[str] = tuple(CONFIGS)) -> Bundle:
        """One conversation with all that belongs to it; the others are not decoded.

        Args:
            conversation: Its id.
            tables: As `bundles` takes them.

        Raises:
            UsageError: The release has no such conversation.
            RecordError: A record does not fit its schema.
            ReleaseError: A file is not readable as Parquet.
        """
        rows = rows_of_owner(self.folder, conversation, tables)
        if not any(rows.values()):
            raise UsageError(self._unknown(conversation))
        return self._bundle(conversation, rows)

    def _bundle(self, owner: str, rows: Mapping[str, list[dict[str, Any]]]) -> Bundle:
        records = [
            record_of(inner, kind)
            for config, own in rows.items()
            for row in own
            for kind, inner in record_rows(config, row)
        ]
        return Bundle.from_records([*records, *self._concepts_of(owner)])

    def conversations(self) -> Iterator[Conversation]:
        """Every conversation alone, in natural order of their ids.

        Raises:
            RecordError: A record does not fit its schema.
            ReleaseError: A file is not readable as Parquet.
        """
        for row in record_rows_of(self.folder, "conversations"):
            yield as_kind(Conversation, record_of(row, "conversation"))

    def ids(self) -> list[str]:
        """Ids of its conversations, in natural order.

        Raises:
            ReleaseError: A file is not readable as Parquet.
        """
        return [row["id"] for row in column_rows_of(self.folder, "conversations", ["id"])]

    @cached_property
    def collections(self) -> set[str]:
        """Names of the collections that its conversations are of."""
        rows = column_rows_of(self.folder, "conversations", ["collection"])
        return {row["collection"] for row in rows}

    def _unknown(self, conversation: str) -> str:
        names = self.ids()
        close = get_close_matches(conversation, names, n=1) or names[:_NAMED]
        more = f" and {len(names) - len(close)} more" if len(close) > 1 and names[_NAMED:] else ""
        hint = f"it has {', '.join(close)}{more}" if len(close) > 1 else f"did you mean {close[0]}?"
        return (
            f"{self.folder}: expected one of its conversations, got {conversation!r}; "
            f"{hint if names else 'it has none'}"
        )

    def questions(self) -> Iterator[QAItem]:
        """Every question with its gold answer and evidence, by conversation and id.

        Raises:
            RecordError: A record does not fit its schema.
            ReleaseError: A file is not readable as Parquet.
        """
        for row in record_rows_of(self.folder, "questions"):
            yield as_kind(QAItem, record_of(row, "question"))

    def assets(self) -> Iterator[Asset]:
        """Every image and document of the release, by conversation and id.

        Raises:
            RecordError: A record does not fit its schema.
            ReleaseError: A file is not readable as Parquet.
        """
        for row in record_rows_of(self.folder, "assets"):
            yield as_kind(Asset, record_of(row, "asset"))

    def concepts(self) -> Iterator[Concept]:
        """People and things that conversations introduce by pictures, by id; mostly none."""
        return self._log("concepts", Concept)

    def image(self, asset: str) -> "Image":
        """The pixels of an asset, decoded.

        Args:
            asset: Its record id, e.g. `alex/D1_IMG_001`.

        Raises:
            UsageError: The release has no such asset.
            BlobError: The asset has no bytes in the release, or they are no image.
        """
        hashes = self._blob_of_asset
        if asset not in hashes:
            raise UsageError(f"{asset}: expected the id of an asset of {self.folder}, got another")
        digest = hashes[asset]
        if digest is None or digest not in self.blobs:
            raise BlobError(f"{asset}: expected an image in the release, got an asset without one")
        try:
            return open_image(self.blobs.get(digest))
        except PixelError as error:
            raise BlobError(f"{asset}: {error}") from error

    @cached_property
    def images(self) -> "Mapping[str, Image]":
        """The images that have pixels here, by the id of their asset; each is decoded when read."""
        return ReleaseImages(self)

    def sessions(self) -> Iterator[tuple[str, Session]]:
        """Every session with the id of its conversation, in the order of time.

        Raises:
            RecordError: A record does not fit its schema.
            ReleaseError: A file is not readable as Parquet.
        """
        for talk in self.conversations():
            yield from ((talk.id, session) for session in talk.sessions)

    def as_messages(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """The id of each question, and what a model is sent to be asked it, as OpenAI has it.

        The messages are the whole history up to the asking time, with images as parts, and then
        the question with the form that its answer must have.

        Raises:
            RecordError: A record does not fit its schema.
            ReleaseError: A file is not readable as Parquet.
        """
        for bundle in self.bundles():
            for item in bundle.questions:
                yield item.id, messages_of(item, bundle, self.blobs)

    def to_pandas(self, table: str = "questions") -> "DataFrame":
        """A table of the release as a data frame, without the columns that hold bytes.

        Args:
            table: One of the records (`conversations`, `questions`, `ledger`, `assets`), one that
                `datasets` is offered (`default`, `eval`, `images`, `gold`), or a list beside them
                (`certificates`, `findings`, `held_out`, `provenance` and so on).

        Raises:
            UsageError: There is no such table.
            ReleaseError: A file is not readable as Parquet.
        """
        import pandas

        if table in CONFIGS:
            return pandas.DataFrame(list(self._rows(table)))
        if table in TABLES:
            shards = offered_shards(self.folder, TABLES[table])
            return pandas.DataFrame([row for shard in shards for row in read_rows(shard)])
        if table in LOGS:
            kinds: Iterator[Record] = self._log(table, Record)
            return pandas.DataFrame([one.model_dump(mode="json") for one in kinds])
        known = ", ".join(dict.fromkeys((*CONFIGS, *TABLES, *LOGS)))
        raise UsageError(f"{self.folder}: expected one of the tables {known}, got {table!r}")

    def findings(self) -> Iterator[Finding]:
        """What the rules found in the records of the release, by id."""
        return self._log("findings", Finding)

    def certificates(self) -> Iterator[Certificate]:
        """The checks and the verdict of each question, by id."""
        return self._log("certificates", Certificate)

    def held_out(self) -> Iterator[HeldOut]:
        """What was kept out of the release, and why, by id."""
        return self._log("held_out", HeldOut)

    def decisions(self) -> Iterator[Decision]:
        """What people accepted, in the states they saw, by id; none where nobody was asked."""
        return self._log("decisions", Decision)

    def repairs(self) -> Iterator[Repair]:
        """What audits flagged and stages mended while the release was made, by id."""
        return self._log("repairs", Repair)

    def flaws(self) -> Iterator[Flaw]:
        """What was planted to measure the audits, by id; none where the recipe plants nothing."""
        return self._log("flaws", Flaw)

    def bank(self) -> Iterator[BankTally]:
        """What question banks made and dropped of each type, by id; none for what is curated."""
        return self._log("bank", BankTally)

    def clusters(self) -> Iterator[Cluster]:
        """Which single dialogues became which conversation, by id; none if nothing was joined."""
        return self._log("clusters", Cluster)

    def alterations(self) -> Iterator[Alteration]:
        """Every text that was changed or added to join dialogues, by id."""
        return self._log("alterations", Alteration)

    def errata(self) -> Iterator[ReleasedErratum]:
        """Items of this data set that were wrong in earlier versions, by id."""
        return self._log("errata", ReleasedErratum)

    def provenance(self) -> Iterator[Provenance]:
        """How the records were made, by id."""
        return self._log("provenance", Provenance)

    def _rows(self, config: str) -> Iterator[dict[str, Any]]:
        for shard in shards_of(self.folder, config):
            yield from read_rows(shard)

    @cached_property
    def _blob_of_asset(self) -> dict[str, str | None]:
        rows = column_rows_of(self.folder, "assets", ["id", "blob_sha256"])
        return {row["id"]: row["blob_sha256"] for row in rows}

    def _log(self, stem: str, cls: type[_R]) -> Iterator[_R]:
        return log_records(self.folder, stem, cls)

    @cached_property
    def _concept_lines(self) -> OwnedLines | None:
        path = log_path(self.folder, "concepts")
        return OwnedLines(path) if path.is_file() else None

    def _concepts_of(self, conversation: str) -> Iterator[Concept]:
        lines = self._concept_lines.of(conversation) if self._concept_lines else ()
        return (record_of_line("concepts", Concept, number, line) for number, line in lines)


class ReleaseImages(Mapping[str, "Image"]):
    """The images of a release that have pixels there, by asset id; each is decoded when read."""

    def __init__(self, release: Release) -> None:
        self._release = release

    def __getitem__(self, asset: str) -> "Image":
        """The pixels of an asset.

        Raises:
            KeyError: The release has no image of that id.
            BlobError: Its bytes are no image, or no longer match.
        """
        if asset not in self._ids:
            raise KeyError(asset)
        return self._release.image(asset)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    @cached_property
    def _ids(self) -> dict[str, None]:
        """Kept in the order of the release."""
        return {
            asset.id: None
            for asset in self._release.assets()
            if (asset.media_type or "").startswith("image/")
            and asset.blob_sha256 in self._release.blobs
        }


def open_release(path: str | PathLike[str], *, verify: bool = True) -> Release:
    """Open a release folder for reading.

    Example:
        >>> release = open_release("releases/demo-0.1.0")
        >>> for bundle in release.bundles():
        ...     for question in bundle.questions:
        ...         print(question.question.text, question.evidence.canonical)

    Args:
        path: The folder that holds `manifest.json`.
        verify: Compare every file with its checksum now (about a second per gigabyte);
            `Release.verify` does it later.

    Raises:
        UsageError: There is no such folder, or it is not a release.
        MigrationError: The release is of a newer schema version than this memassay.
        RecordError: The manifest does not fit its schema.
        ReleaseError: A file is missing or changed; the message names it.
    """
    folder = Path(path)
    release = Release(folder, read_manifest(folder))
    if verify:
        release.verify()
    return release
