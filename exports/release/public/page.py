"""The files that describe a release to others, each made from its records and its manifest."""

from collections.abc import Mapping, Sequence
from typing import Final

from memassay.exports.release.layout import CARD
from memassay.exports.release.public.card import card
from memassay.exports.release.public.citation import citation
from memassay.exports.release.public.croissant import croissant
from memassay.exports.release.public.facts import Facts
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.records.asset import Asset

CITATION: Final = "CITATION.cff"
CROISSANT: Final = "croissant.json"
EXAMPLES: Final = {
    "image/png": "example.png",
    "image/jpeg": "example.jpg",
    "image/webp": "example.webp",
    "image/gif": "example.gif",
}
"""Name of the picture that the card shows, by its type; browsers show no other types."""


def described_files(
    manifest: Manifest,
    found: Facts,
    blobs: BlobStore,
    audits: Sequence[Mapping[str, object]] = (),
    errata: Sequence[ReleasedErratum] = (),
) -> dict[str, bytes]:
    """The data card, its picture, the citation and the Croissant description, by path.

    Args:
        manifest: The manifest; of its files, the tables for `datasets` are looked at.
        found: The facts of its records.
        blobs: The bytes of present assets.
        audits: What audits found in the making, a row per kind of flaw, all with the same heads.
        errata: Items of earlier versions that were wrong, in the order of the release.

    Raises:
        BlobError: The bytes of the picture are missing or changed.
    """
    shown = found.pictured or found.example
    picture = _example_name(shown.asset) if shown else None
    texts = {
        CARD: card(manifest, found, audits, picture, errata),
        CITATION: citation(manifest),
        CROISSANT: croissant(manifest, found),
    }
    files = {name: text.encode("utf-8") for name, text in texts.items()}
    if picture and shown and shown.asset and shown.asset.blob_sha256:
        files[picture] = blobs.get(shown.asset.blob_sha256)
    return files


def _example_name(asset: Asset | None) -> str | None:
    return EXAMPLES.get(asset.media_type or "") if asset and asset.blob_sha256 else None
