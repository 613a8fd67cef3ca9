"""A user's own material: files become assets and captions, whatever is wrong a finding."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.hashing import sha256
from memassay.schemas.ids import record_id, slug
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.ledger import Fact, FactHolder, FactValue, ValueType
from memassay.schemas.values.pixels import (
    ImageTooLargeError,
    NotAnImageError,
    Picture,
    PixelError,
    take_in,
)
from memassay.synth.material.folder import MaterialFile
from memassay.synth.material.pdf import pages_of
from memassay.synth.material.rules import (
    DUPLICATE,
    NOT_AN_IMAGE,
    SIDECAR,
    TOO_LARGE,
    UNREADABLE,
    RefusedError,
)
from memassay.synth.material.sidecar import Description, describe, pair

ORIGIN: Final = "user"
"""Origin of a user's assets; everything else in a synthetic history was drawn by us."""
CAPTION: Final = "caption"
EXTRAS: Final = "material"
SOURCING: Final = "sourcing"
"""Key of the extras of assets that were sourced for an event, and name of the stage."""
_PREFIX: Final = "MAT_"
_LONGEST: Final = 90
_BREAKS: Final = re.compile(r"[\s_.-]+")


def is_sourced(asset: Asset) -> bool:
    """Whether an asset was sourced for an event, from a folder or from a provider."""
    return SOURCING in asset.extras


@dataclass(frozen=True)
class Terms:
    """Under which terms the files of a folder may be published.

    Attributes:
        licence: SPDX expression; a sidecar can give a file another one.
        attribution: Whom to credit.
    """

    licence: str
    attribution: str | None = None


class Intake:
    """Takes the files of a folder into one conversation."""

    def __init__(
        self, conversation: str, terms: Terms, blobs: BlobStore, emit: Callable[[Finding], None]
    ) -> None:
        """Say whose files they are, where their bytes go and who hears what is wrong."""
        self.conversation = conversation
        self.terms = terms
        self.blobs = blobs
        self.emit = emit
        self._taken: dict[str, str] = {}

    def take(self, files: Sequence[MaterialFile]) -> list[Record]:
        """The assets of the good files and the facts of what their sidecars say.

        Args:
            files: Every file of the folder, in the order in which a duplicate is the later one.
        """
        works = [file for file in files if file.kind in ("image", "document")]
        sidecars = [file for file in files if file.kind == "sidecar"]
        pairs, orphans = pair(works, sidecars)
        shared = Counter(one.name for group in pairs.values() for one in group)
        for orphan in orphans:
            self.emit(_orphan().finding(orphan.name))
        made: list[Record] = []
        for file in files:
            try:
                if file.refused is not None:
                    raise file.refused
                if file.kind != "sidecar":
                    made.extend(self._take(file, describe(pairs[file.name], shared)))
            except RefusedError as error:
                self.emit(error.finding(file.name))
        return _group_duplicates(made)

    def _take(self, file: MaterialFile, said: Description) -> Iterator[Record]:
        data = file.read()
        digest = sha256(data)
        self._refuse_again(digest)
        if file.kind == "image":
            assets = [self._image(file, data, said)]
        else:
            assets = self._document(file, data, said)
        for known in (digest, assets[0].pixel_sha256):
            if known is not None:
                self._taken[known] = file.name
        yield from assets
        if said.caption is not None:
            yield caption_fact(assets[0].id, said.caption)

    def _refuse_again(self, digest: str) -> None:
        if digest in self._taken:
            said = f"expected a file of its own, got the same as {self._taken[digest]}"
            raise RefusedError(DUPLICATE, said, "Remove one of them.")

    def _image(self, file: MaterialFile, data: bytes, said: Description) -> Asset:
        picture = picture_of(data)
        self._refuse_again(picture.pixel_sha256)
        return self._asset(file, data, said).model_copy(
            update={**self._pixels(picture), "exif_removed": list(picture.exif_removed)}
        )

    def _document(self, file: MaterialFile, data: bytes, said: Description) -> list[Asset]:
        pages = pages_of(data)
        whole = self._asset(file, data, said).model_copy(
            update={
                "blob_sha256": self.blobs.put(pages.pdf),
                "media_type": "application/pdf",
                "exif_removed": list(pages.removed),
            }
        )
        unsaid = self._asset(file, data, replace(said, transcription=None))
        shown = [
            unsaid.model_copy(
                update={
                    **self._pixels(take_in(image)),
                    "id": f"{whole.id}.p{number}",
                    "parent": whole.id,
                    "page": number,
                }
            )
            for number, image in enumerate(pages.images, start=1)
        ]
        return [whole, *shown]

    def _asset(self, file: MaterialFile, data: bytes, said: Description) -> Asset:
        """What is known of a file before its pixels are."""
        return Asset(
            id=record_id(self.conversation, local_name(file.name)),
            availability=Availability.PRESENT,
            uri=file.name,
            transcription=said.transcription,
            licence=said.licence or self.terms.licence,
            attribution=said.attribution or self.terms.attribution,
            origin=ORIGIN,
            # Of the file as the user has it: the bytes that are kept depend on our libraries.
            extras={EXTRAS: {"source_sha256": sha256(data)}},
        )

    def _pixels(self, picture: Picture) -> Mapping[str, object]:
        return {
            "blob_sha256": self.blobs.put(picture.data),
            "pixel_sha256": picture.pixel_sha256,
            "perceptual_hash": picture.perceptual_hash,
            "media_type": picture.media_type,
            "width": picture.width,
            "height": picture.height,
        }


def local_name(name: str) -> str:
    """The local id of a file: readable, and another for every other name."""
    readable = slug(name, "file")[:_LONGEST]
    if readable == name:
        return f"{_PREFIX}{name}"
    digest = sha256(name.encode("utf-8", "surrogatepass"))
    return f"{_PREFIX}{readable}-{digest[:8]}"


def caption_subject(asset: str) -> str:
    """The subject of what a user says about a file, by the id of its asset."""
    return f"image:material.{asset.partition('/')[2].removeprefix(_PREFIX)}"


def readable_name(name: str) -> str:
    """The stem of a file's name as words: `harbour view` for `trips/harbour_view.jpg`."""
    words = _BREAKS.sub(" ", PurePosixPath(name).stem)
    # Names can hold anything; what cannot be printed would break texts and exports.
    kept = "".join(sign for sign in words if unicodedata.category(sign)[0] != "C").strip()
    return kept or "a file without a name"


def caption_fact(asset: str, caption: str) -> Fact:
    """What the user says about a file, by the id of its asset."""
    return Fact(
        id=f"{asset}.{CAPTION}",
        subject=caption_subject(asset),
        attribute=CAPTION,
        value=FactValue(type=ValueType.TEXT, text=caption),
        holder=FactHolder.SPEAKER,
        speaker="user",
    )


def picture_of(data: bytes) -> Picture:
    """An image that comes from outside, of which nothing but the pixels is kept.

    Raises:
        RefusedError: It is none, is broken or is too large.
    """
    try:
        return take_in(data, again=True)
    except ImageTooLargeError as error:
        raise RefusedError(TOO_LARGE, str(error), "Save it smaller.") from error
    except NotAnImageError as error:
        fix = "Export it from its program as JPEG or PNG, or remove it."
        raise RefusedError(NOT_AN_IMAGE, str(error), fix) from error
    except PixelError as error:
        fix = "Copy it again from where it came from."
        raise RefusedError(UNREADABLE, str(error), fix) from error


def _orphan() -> RefusedError:
    said = "expected an image or PDF of the same name, got none"
    return RefusedError(SIDECAR, said, "Name it like the file it describes, or remove it.")


def _group_duplicates(records: Sequence[Record]) -> list[Record]:
    """The same records; assets of the same pixels (pages, mostly) share a duplicate group."""
    pixels = Counter(
        record.pixel_sha256
        for record in records
        if isinstance(record, Asset) and record.pixel_sha256 is not None
    )
    return [
        record.model_copy(update={"duplicate_group": f"pixels-{record.pixel_sha256[:16]}"})
        if isinstance(record, Asset) and record.pixel_sha256 and pixels[record.pixel_sha256] > 1
        else record
        for record in records
    ]
