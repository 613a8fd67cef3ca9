"""Packs what a release holds of one conversation."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from memassay.exports.release.parts.arrow_rows import Bytes, Row, Rows
from memassay.exports.release.parts.layout_part import LayoutPart, lay_out
from memassay.exports.release.parts.part import DATA_TABLES, OFFERED_TABLES, Part, schema_of
from memassay.exports.release.public.facts import RECORD_TABLES, facts_of
from memassay.exports.release.public.tables import (
    IMAGES,
    offered_rows,
    public_images,
    row_hash,
    shown_assets,
)
from memassay.exports.release.rows import document_content_hash, table_rows
from memassay.exports.release.secret_scan import refuse_secret
from memassay.exports.release.text_lines import portable_json
from memassay.schemas.contracts.protocols import BlobStore, ForeignFormat
from memassay.schemas.errors import ReleaseError
from memassay.schemas.ids import conversation_of
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.pixels import PixelError, measure

_SUFFIXES: Final = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "image/bmp": ".bmp",
    "image/tiff": ".tiff",
}


def make_part(bundle: Bundle, blobs: BlobStore, formats: Mapping[str, ForeignFormat]) -> Part:
    """What a release holds of one conversation.

    Args:
        bundle: The conversation with all data that belongs to it.
        blobs: The bytes of its assets.
        formats: Foreign layouts that the release has, by name.

    Raises:
        RecordError: A record does not fit its JSON Schema.
        BlobError: The bytes of a present asset are missing or changed.
        ReleaseError: Two records share an id, one belongs to another conversation, or one holds
            a secret.
    """
    _check_ids(bundle)
    packing = _Packing(bundle, blobs)
    tables = {
        folder: Rows.of(packing.data_rows(folder), schema_of(folder)) for folder in DATA_TABLES
    }
    tables |= {
        folder: Rows.of(packing.offered_rows(folder), schema_of(folder))
        for folder in OFFERED_TABLES
    }
    layouts = {name: lay_out(formats[name], bundle, blobs)[1] for name in sorted(formats)}
    for name, part in layouts.items():
        _scan_layout(f"formats/{name}", part)
    return Part(
        conversation=bundle.id,
        counts=Counter(map(kind_of, bundle.records())),
        types=Counter(item.type.value for item in bundle.questions),
        facts=facts_of(bundle, packing.texts),
        layouts=layouts,
        tables=tables,
    )


def _check_ids(bundle: Bundle) -> None:
    records = bundle.records()
    for record in records:
        if conversation_of(record.id) != bundle.id:
            raise ReleaseError(
                f"{record.id}: expected a record of conversation {bundle.id}, got another; "
                "give it an id of its conversation"
            )
    refuse_twice((kind_of(record), record.id) for record in records)


def refuse_twice(names: Iterable[tuple[str, str]]) -> None:
    """Refuse records that share kind and id.

    Raises:
        ReleaseError: Two do.
    """
    twice = sorted(name for name, number in Counter(names).items() if number > 1)
    if twice:
        kind, name = twice[0]
        raise ReleaseError(f"{kind} {name}: expected each id once, got it twice; rename one")


class _Packing:
    """Makes the rows of one conversation.

    Attributes:
        texts: Bytes of the texts of the rows made so far, by configuration of the card.
    """

    def __init__(self, bundle: Bundle, blobs: BlobStore) -> None:
        self.texts: Counter[str] = Counter()
        self._bundle, self._blobs = bundle, blobs
        self._shown = shown_assets(bundle)
        self._assets = {name: asset for asset, name in public_images(bundle).items()}

    def data_rows(self, folder: str) -> Iterator[Row]:
        """The rows of a table of records."""
        config = DATA_TABLES[folder]
        for made in table_rows(config, self._bundle):
            size = sum(len(text.encode("utf-8")) for text in made.texts)
            refuse_secret(f"{folder} row {made.columns['id']}", "\n".join(made.texts))
            if config in RECORD_TABLES:
                text = portable_json(made.columns)
                self.texts[config] += len(text.encode("utf-8"))
            if config != "assets":
                yield Row(made.columns, size, made.hashes)
                continue
            (document,) = made.documents
            refuse_secret(f"{folder} row {document['id']}", document["transcription"] or "")
            asset = self._bundle.asset_by_id[document["id"]]
            found, length, pixels = self._bytes_of(asset, asset.id)
            shown = asset.id in self._shown
            yield Row(
                made.columns,
                size + (0 if shown else length),
                [document_content_hash(document, pixels)],
                None if shown else found,
            )

    def offered_rows(self, folder: str) -> Iterator[Row]:
        """The rows of a table for `datasets`."""
        table = OFFERED_TABLES[folder]
        for columns in offered_rows(table, self._bundle):
            text = portable_json(columns)
            refuse_secret(f"{folder} row {columns['id']}", text)
            size = len(text.encode("utf-8"))
            self.texts[table] += size
            found, length = None, 0
            if folder == IMAGES:
                asset = self._bundle.asset_by_id[self._assets[columns["id"]]]
                found, length, _ = self._bytes_of(asset, columns["id"])
            yield Row(columns, size + length, [row_hash(columns)], found)

    def _bytes_of(self, asset: Asset, name: str) -> tuple[Bytes | None, int, str | None]:
        """Where an asset's bytes are, their number, and the pixels of an image that states none."""
        if asset.availability is not Availability.PRESENT:
            return None, 0, None
        if asset.blob_sha256 is None:
            raise ReleaseError(
                f"{asset.id}.blob_sha256: expected a hash for a present asset, got none; "
                "import the asset again or mark it missing"
            )
        data = self._blobs.get(asset.blob_sha256)
        if not (asset.media_type or "").startswith("image/"):
            return Bytes(asset.blob_sha256, None), len(data), None
        path = re.sub("[/:]", "_", name) + _SUFFIXES.get(asset.media_type or "", "")
        found = Bytes(asset.blob_sha256, path)
        return found, len(data), None if asset.pixel_sha256 else _pixels(asset, data)


def _pixels(asset: Asset, data: bytes) -> str:
    try:
        return measure(data).pixel_sha256
    except PixelError as error:
        raise ReleaseError(f"{asset.id}: {error}; replace the image or mark it missing") from error


def _scan_layout(place: str, part: LayoutPart) -> None:
    for path, text in part.texts.items():
        refuse_secret(f"{place}/{path}", text.text)
    for path, items in part.items.items():
        for item in items:
            refuse_secret(f"{place}/{path}", item.text)
