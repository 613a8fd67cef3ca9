"""Rules on images and documents: the bytes are what the record says, and are shown once."""

from collections import defaultdict
from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.errors import BlobError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.licences import spdx
from memassay.schemas.values.pixels import (
    PDF,
    Measured,
    PixelError,
    hash_distance,
    measure,
)
from memassay.validators.places import attachments
from memassay.validators.registry import RULES, problem, question_rule

if TYPE_CHECKING:
    from memassay.schemas.contracts.protocols import BlobStore

NEAR_BITS: Final = 2
"""Perceptual hashes (64 bits) that differ in at most so many bits are look-alikes."""

SWATCH: Final = 64 * 64
"""Most pixels of an image that shows nothing but its colour."""

LEAST_SHARE: Final = 1 / 8
"""Least longer side of an image, as a share of the median in its conversation."""

_SEVERAL: Final = 5
"""Fewest images that have a usual size."""

LEAST_LETTER: Final = 40
"""Least pixels of a readable character: 5 x 8, with nothing around it."""

DRAWN: Final = "rendered:"
"""How the origin of a drawn image begins; its kind follows, e.g. `bar_chart`."""

_PDF_MARK: Final = b"%PDF-"
_PDF_HEAD: Final = 1024
"""Readers of PDF accept its mark anywhere in so many bytes."""


def _present(bundle: Bundle) -> list[Asset]:
    return [asset for asset in bundle.assets if asset.availability is Availability.PRESENT]


def _bytes_of(asset: Asset, blobs: "BlobStore | None") -> bytes | None:
    """The bytes of an asset; None where there is no store, or it cannot give them."""
    if blobs is None or asset.blob_sha256 is None:
        return None
    try:
        return blobs.get(asset.blob_sha256)
    except BlobError:
        return None


@RULES.conversation("assets.blob", Severity.ERROR, "Mem-Gallery loader, unreadable images")
def blob(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A present asset names its bytes, and the store holds them unchanged."""
    for asset in _present(bundle):
        fix = "restore the file, or mark the asset as missing"
        if asset.blob_sha256 is None:
            yield problem(asset.id, ("blob_sha256",), "the hash of its bytes", "none", fix)
        elif context.blobs is not None:
            try:
                context.blobs.get(asset.blob_sha256)
            except BlobError as error:
                yield problem(asset.id, ("blob_sha256",), "bytes of this hash", error, fix)


@RULES.conversation(
    "assets.pixels", Severity.ERROR, "memassay records, assets", looks_at=LooksAt.PIXELS
)
def pixels(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """Media type, size and hashes of a present image are those of its bytes, which hide nothing."""
    for asset in _present(bundle):
        data = _bytes_of(asset, context.blobs)
        if data is None:
            continue
        if not (asset.media_type or "image/").startswith("image/"):
            yield from _misnamed_type(asset, data)
            continue
        try:
            seen = measure(data)
        except PixelError as error:
            yield problem(asset.id, ("blob_sha256",), "an image", error, "restore the file")
            continue
        near = seen.perceptual_hash if context.draws else asset.perceptual_hash
        for name, value in (
            ("media_type", seen.media_type),
            ("width", seen.width),
            ("height", seen.height),
            ("pixel_sha256", seen.pixel_sha256),
            ("perceptual_hash", near),
        ):
            if getattr(asset, name) != value:
                fix = "measure the image again"
                yield problem(asset.id, (name,), str(value), getattr(asset, name), fix)
        yield from _unshown(asset, seen)


def _misnamed_type(asset: Asset, data: bytes) -> Iterator[Problem]:
    is_pdf = _PDF_MARK in data[:_PDF_HEAD]
    if is_pdf != (asset.media_type == PDF):
        got = PDF if is_pdf else "the start of another file"
        yield problem(asset.id, ("blob_sha256",), asset.media_type or "", got, "restore the file")


def _unshown(asset: Asset, seen: Measured) -> Iterator[Problem]:
    """What bytes hold that the picture does not show, and what it should show and does not."""
    if seen.metadata:
        fix = "save the image without it; metadata can give an answer away"
        yield problem(asset.id, ("blob_sha256",), "an image without metadata", seen.metadata, fix)
    large = seen.width * seen.height > SWATCH
    if (asset.transcription or large) and seen.one_colour:
        fix = "restore the file, or drop what is said of it"
        place = "transcription" if asset.transcription else "blob_sha256"
        yield problem(asset.id, (place,), "an image with something on it", "one colour", fix)


@RULES.conversation("assets.readable", Severity.ERROR, "our choice, from attacks on releases")
def readable(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """An image that was drawn, or shows facts, has room for all that can be read in it."""
    showing = {mention.asset for mention in bundle.mentions}
    for asset in _present(bundle):
        if asset.width is None or asset.height is None or not asset.transcription:
            continue
        # What people write beside an image of their own may say more than the image shows.
        if asset.id not in showing and not (asset.origin or "").startswith(DRAWN):
            continue
        letters = sum(not each.isspace() for each in asset.transcription)
        if asset.width * asset.height < letters * LEAST_LETTER:
            yield problem(
                asset.id,
                ("width",),
                f"at least {letters * LEAST_LETTER} pixels for {letters} characters",
                f"{asset.width} x {asset.height}",
                "supply the image in a size that can be read",
            )


@RULES.conversation("assets.thumbnail", Severity.WARNING, "our choice, from attacks on releases")
def thumbnail(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No image is far smaller than the others of its conversation, as a thumbnail is."""
    sides = {
        asset.id: max(asset.width, asset.height)
        for asset in _present(bundle)
        if asset.width is not None and asset.height is not None and asset.parent is None
    }
    if len(sides) < _SEVERAL:
        return
    usual = median(sides.values())
    for name, side in sides.items():
        if side < usual * LEAST_SHARE:
            fix = "supply the image in its full size"
            yield problem(name, ("width",), f"a longer side near {usual:g} px", side, fix)


@RULES.conversation("assets.box", Severity.ERROR, "memassay records, boxes in px")
def box(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A box has an area and lies inside the image that it is measured in."""
    boxed: list[tuple[str, list[int], str | None]] = [
        *((each.id, each.box, each.parent) for each in bundle.assets if each.box is not None),
        *((each.id, each.box, each.asset) for each in bundle.mentions if each.box is not None),
    ]
    for target, edges, name in boxed:
        inside = bundle.asset_by_id.get(name or "")
        if not _fits(edges, inside):
            size = f"{inside.width} x {inside.height}" if inside else "unknown size"
            yield problem(
                target,
                ("box",),
                f"left < right and top < bottom inside an image of {size}",
                edges,
                "measure the box in the pixels of the image",
            )


def _fits(edges: list[int], inside: Asset | None) -> bool:
    left, top, right, bottom = edges
    width = inside.width if inside is not None else None
    height = inside.height if inside is not None else None
    return (
        0 <= left < right
        and 0 <= top < bottom
        and (width is None or right <= width)
        and (height is None or bottom <= height)
    )


def _without_caption(
    bundle: Bundle, availability: Availability
) -> Iterator[tuple[str, tuple[str | int, ...], Attachment]]:
    """Attachments of assets of an availability that no caption replaces."""
    for item in bundle.questions:
        for at, shown in enumerate(item.question.attachments):
            if _lacks(bundle, shown, availability):
                yield item.id, ("question", "attachments", at), shown
    for _, _, shown in attachments(bundle):
        if _lacks(bundle, shown, availability):
            yield shown.asset, ("availability",), shown


def _lacks(bundle: Bundle, shown: Attachment, availability: Availability) -> bool:
    asset = bundle.asset_by_id.get(shown.asset)
    captioned = bool(shown.caption and shown.caption.strip())
    return asset is not None and asset.availability is availability and not captioned


@RULES.conversation("assets.missing", Severity.ERROR, "Mem-Gallery loader, missing images")
def missing(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """An image that is missing has a caption in its place."""
    for target, parts, shown in _without_caption(bundle, Availability.MISSING):
        fix = "supply the file, or a caption in its place"
        yield problem(target, parts, "a file or a caption", f"{shown.id} without either", fix)


@RULES.conversation("assets.remote", Severity.WARNING, "LoCoMo data, images at addresses")
def remote(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """An image that is only an address has a caption in its place."""
    for target, parts, shown in _without_caption(bundle, Availability.REMOTE):
        fix = "fetch the image, or caption it; addresses go away"
        yield problem(target, parts, "a caption", f"{shown.id} at an address only", fix)


def _shows_images(item: QAItem) -> bool:
    return bool(item.question.attachments)


def _history_assets(bundle: Bundle) -> list[tuple[str, Asset]]:
    """Assets of the history with the attachment that shows each."""
    return [
        (shown.id, bundle.asset_by_id[shown.asset])
        for _, _, shown in attachments(bundle)
        if shown.asset in bundle.asset_by_id
    ]


def _same_pixels(left: Asset, right: Asset) -> bool:
    if left.id == right.id:
        return True
    return left.pixel_sha256 is not None and left.pixel_sha256 == right.pixel_sha256


def _look_alike(left: Asset, right: Asset, bits: float) -> bool:
    if left.perceptual_hash is None or right.perceptual_hash is None:
        return False
    return hash_distance(left.perceptual_hash, right.perceptual_hash) <= bits


@question_rule(
    "assets.question_in_history",
    Severity.ERROR,
    "Mem-Gallery 3.3, question images are not in the dialogue",
    applies=_shows_images,
)
def question_in_history(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No image of a question has the pixels of an image of the history."""
    history = _history_assets(bundle)
    for at, shown in enumerate(item.question.attachments):
        asset = bundle.asset_by_id.get(shown.asset)
        twins = [name for name, other in history if asset and _same_pixels(asset, other)]
        if twins:
            yield problem(
                item.id,
                ("question", "attachments", at),
                "an image that the history does not show",
                f"the same pixels as {', '.join(twins)}",
                "ask with another image of the same thing",
            )


@question_rule(
    "assets.question_like_history",
    Severity.WARNING,
    "our choice: image duplicates between question and history",
    applies=_shows_images,
    threshold=NEAR_BITS,
)
def question_like_history(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """No image of a question looks almost the same as an image of the history."""
    bits = context.threshold
    history = _history_assets(bundle)
    for at, shown in enumerate(item.question.attachments):
        asset = bundle.asset_by_id.get(shown.asset)
        if asset is None:
            continue
        alike = [
            name
            for name, other in history
            if _look_alike(asset, other, bits) and not _same_pixels(asset, other)
        ]
        if alike:
            yield problem(
                item.id,
                ("question", "attachments", at),
                "an image unlike those of the history",
                f"nearly {', '.join(alike)}",
                "compare the images; ask with another one if they are the same picture",
            )


@RULES.conversation("assets.duplicate_group", Severity.WARNING, "memassay records, assets")
def duplicate_group(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Assets share a duplicate group if and only if they have the same pixels."""
    by_pixels: dict[str, list[Asset]] = defaultdict(list)
    for asset in bundle.assets:
        if asset.pixel_sha256 is not None:
            by_pixels[asset.pixel_sha256].append(asset)
    for group in by_pixels.values():
        names = {asset.duplicate_group for asset in group}
        if len(group) > 1 and (None in names or len(names) > 1):
            for asset in group[1:]:
                yield problem(
                    asset.id,
                    ("duplicate_group",),
                    f"one group with {group[0].id}",
                    asset.duplicate_group or "none",
                    "give assets of the same pixels one duplicate group",
                )
    yield from _false_groups(bundle)


def _false_groups(bundle: Bundle) -> Iterator[Problem]:
    first: dict[str, Asset] = {}
    for asset in bundle.assets:
        if asset.duplicate_group is None or asset.pixel_sha256 is None:
            continue
        other = first.setdefault(asset.duplicate_group, asset)
        if asset.pixel_sha256 != other.pixel_sha256:
            yield problem(
                asset.id,
                ("duplicate_group",),
                f"the pixels of {other.id}",
                asset.duplicate_group,
                "give assets of other pixels a group of their own, or none",
            )


@RULES.conversation("assets.licence", Severity.ERROR, "SPDX; licences of the published sets")
def licence(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A present asset has an SPDX licence, or one of its own name, so that it may be released."""
    for asset in _present(bundle):
        try:
            spdx(asset.licence or "")
        except ValueError:
            yield problem(
                asset.id,
                ("licence",),
                "an SPDX expression, or LicenseRef-NAME",
                asset.licence or "none",
                "state the licence, or leave the bytes out",
            )
