"""Rules on images that were drawn from facts: drawn again, they look the same and say the same."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.contracts.drawings import Box, Redrawn, RedrawnDocument
from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.errors import BlobError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactStatus, Mention, MentionForm
from memassay.schemas.values.likeness import difference_box
from memassay.schemas.values.pixels import PixelError, open_image, pixel_sha256
from memassay.validators.histories.asset_rules import DRAWN
from memassay.validators.places import DEPICTS, Parts, attachments, seen_whole
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "memassay design, the assay: the picture shows it"
_LEEWAY: Final = 3
"""Pixels by which other libraries may measure the same letters larger or smaller."""
_OF_PICTURE: Final = re.compile(r"(?:image|page):")


def _again_by_asset(
    bundle: Bundle, context: RuleContext
) -> Iterator[tuple[Asset, Redrawn | RedrawnDocument | str]]:
    """Present images with what they are when drawn again, each conversation drawn once."""
    if context.redraw is None:
        return
    drawn = context.once(context.redraw, bundle)
    for asset in bundle.assets:
        if asset.id in drawn and asset.availability is Availability.PRESENT:
            yield asset, drawn[asset.id]


def _redrawn_images(bundle: Bundle, context: RuleContext) -> Iterator[tuple[Asset, Redrawn]]:
    for asset, again in _again_by_asset(bundle, context):
        if isinstance(again, Redrawn):
            yield asset, again


@RULES.conversation("drawn.unrecorded", Severity.INFO, _SOURCE, looks_at=LooksAt.HISTORY)
def records_source(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """It is noted what images were drawn from, so that they can be drawn again."""
    drawn = [asset for asset in bundle.assets if (asset.origin or "").startswith(DRAWN)]
    if drawn and all(asset.drawn is None for asset in drawn):
        fix = "nothing need be done; a newer version of memassay notes it"
        got = f"none of {len(drawn)} images, which were not drawn again"
        yield problem(bundle.id, (), "what each image was drawn from", got, fix)


@RULES.conversation("drawn.recorded", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def records_kind(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """If some drawn images note what they were drawn from, each is of the kind that it notes."""
    if all(asset.drawn is None for asset in bundle.assets):
        return
    for asset in bundle.assets:
        noted = _origin_of(bundle, asset)
        said = asset.origin if (asset.origin or "").startswith(DRAWN) else None
        if noted != said:
            yield problem(
                asset.id,
                ("origin",),
                noted or "an origin of an image that was not drawn",
                asset.origin or "none",
                "restore the origin, or what it was drawn from",
            )


def _origin_of(bundle: Bundle, asset: Asset) -> str | None:
    """The origin of an image by what it was drawn from; None if nothing is noted."""
    if asset.drawn is not None:
        return f"{DRAWN}{asset.drawn.figure.kind if asset.drawn.figure else 'document'}"
    parent = bundle.asset_by_id.get(asset.parent or "")
    pages = parent.drawn.pages if parent is not None and parent.drawn is not None else []
    return f"{DRAWN}page" if 1 <= (asset.page or 0) <= len(pages) else None


@RULES.conversation("drawn.again", Severity.WARNING, _SOURCE, looks_at=LooksAt.PIXELS)
def again(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """What an image was drawn from can be drawn again."""
    for asset, reason in _again_by_asset(bundle, context):
        if isinstance(reason, str):
            fix = "restore what it was drawn from, or look at the image"
            yield problem(asset.id, ("drawn",), "an image that can be drawn", reason, fix)


@RULES.conversation("drawn.pixels", Severity.ERROR, _SOURCE, looks_at=LooksAt.PIXELS)
def pixels(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """Drawn again, an image has the same pixels; beside other libraries, the same to the eye."""
    for asset, redrawn in _redrawn_images(bundle, context):
        if asset.pixel_sha256 == pixel_sha256(redrawn.image):
            continue
        got = _difference(asset, redrawn, context)
        if got is not None:
            yield problem(
                asset.id,
                ("pixel_sha256",),
                "the pixels that are drawn from its facts",
                got,
                "restore the image, or what it was drawn from",
            )


@RULES.conversation("drawn.document", Severity.ERROR, _SOURCE, looks_at=LooksAt.PIXELS)
def document(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """Written again by the same libraries, a document has the same bytes."""
    for asset, again in _again_by_asset(bundle, context):
        if isinstance(again, RedrawnDocument) and again.sha256 != asset.blob_sha256:
            got = asset.blob_sha256 or "none"
            fix = "restore the file, or what it was written from"
            yield problem(asset.id, ("blob_sha256",), again.sha256, got, fix)


def _difference(asset: Asset, redrawn: Redrawn, context: RuleContext) -> str | None:
    """What differs to the eye, in words; None if nothing does and other libraries drew it."""
    expected = redrawn.image
    if (asset.width, asset.height) != expected.size:
        return f"{asset.width} x {asset.height} px for {expected.width} x {expected.height}"
    try:
        if context.blobs is None or asset.blob_sha256 is None:
            return "others" if redrawn.alike else None
        image = open_image(context.blobs.get(asset.blob_sha256))
    except (BlobError, PixelError):
        return "none that can be read"
    if image.size != expected.size:
        return f"{image.width} x {image.height} px for {expected.width} x {expected.height}"
    box = difference_box(image, expected)
    if box is None:
        return "others, though nearly alike" if redrawn.alike else None
    keys = [key for key, place in redrawn.boxes.items() if _overlap(box, place)]
    return f"others at {box}: {', '.join(keys) or 'beside all texts'}"


def _overlap(left: Box, right: Box) -> bool:
    return all(left[at] < right[at + 2] and right[at] < left[at + 2] for at in (0, 1))


@RULES.conversation("drawn.transcription", Severity.ERROR, _SOURCE, looks_at=LooksAt.PIXELS)
def transcription(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """What is written down of an image is what is printed when it is drawn again."""
    for asset, redrawn in _redrawn_images(bundle, context):
        if asset.transcription != redrawn.transcription:
            expected, got = _first_line(redrawn.transcription, asset.transcription or "")
            fix = "write down what the image shows"
            yield problem(asset.id, ("transcription",), expected, got, fix)


def _first_line(expected: str, got: str) -> tuple[str, str]:
    lines, others = expected.split("\n"), got.split("\n")
    for at, line in enumerate(lines):
        if at >= len(others) or line != others[at]:
            return line, others[at] if at < len(others) else "nothing more"
    return "no further line", others[len(lines)]


@RULES.conversation("drawn.boxes", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def boxes(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """The region of a mention is where its fact is printed when the image is drawn again."""
    whole = seen_whole(bundle)
    by_id = {fact.id: fact for fact in bundle.facts if fact.id not in whole}
    mentions: dict[str | None, list[Mention]] = defaultdict(list)
    for mention in bundle.mentions:
        mentions[mention.asset].append(mention)
    for asset, redrawn in _redrawn_images(bundle, context):
        for mention in mentions[asset.id]:
            if mention.box is None or mention.form is not MentionForm.FULL:
                continue
            fact, said = by_id.get(mention.fact), _drawing_of(bundle, asset)
            if fact is not None and said and not _is_printed_at(mention, fact, said, redrawn):
                yield problem(
                    mention.id,
                    ("box",),
                    f"where {asset.id} shows {fact.value.text} of {fact.id}",
                    mention.box,
                    "mend the box or the fact, or drop the mention",
                )


def _is_printed_at(mention: Mention, fact: Fact, said: "_Drawing", redrawn: Redrawn) -> bool:
    """Whether a fact is printed at the box of its mention."""
    if places := [key for key, facts in said.facts.items() if fact.id in facts]:
        return any(_same(mention.box, redrawn.boxes.get(key), redrawn.alike) for key in places)
    # A person may note what else the image shows.
    left, top, right, bottom = mention.box or (0, 0, 0, 0)
    inside = [
        key for key, box in redrawn.boxes.items() if _overlap((left, top, right, bottom), box)
    ]
    return any(_prints(said.texts.get(key, ""), fact) for key in inside)


def _same(left: list[int] | None, right: Box | None, alike: bool) -> bool:
    if left is None or right is None:
        return False
    leeway = 0 if alike else _LEEWAY
    return all(abs(one - other) <= leeway for one, other in zip(left, right, strict=True))


def _prints(text: str, fact: Fact) -> bool:
    # A sentence begins with a capital, whatever the value does.
    return spoken_value(fact.value).casefold() in text.casefold()


class _Drawing(NamedTuple):
    """What an image was drawn from.

    Attributes:
        parts: Where the asset says so, or where a page names its document, which does.
        texts: What is printed by key.
        facts: Facts read there by key.
        unit: Unit that a chart states for its numbers.
    """

    parts: Parts
    texts: Mapping[str, str]
    facts: Mapping[str, list[str]]
    unit: str | None


def _drawing_of(bundle: Bundle, asset: Asset) -> _Drawing | None:
    drawn = asset.drawn
    if drawn is not None and drawn.figure is not None:
        texts, unit = drawn.figure.texts(), drawn.figure.unit
        return _Drawing(("drawn", "facts"), texts, drawn.facts, unit)
    parent = bundle.asset_by_id.get(asset.parent or "")
    if parent is None or parent.drawn is None or not asset.page:
        return None
    for page in parent.drawn.pages[asset.page - 1 : asset.page]:
        unit = page.figure.unit if page.figure else None
        return _Drawing(("parent",), page.texts(), page.facts, unit)
    return None


@RULES.conversation("drawn.facts", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def facts(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """What an image was drawn from is what the ledger says of it, fact by fact."""
    by_id = {fact.id: fact for fact in bundle.facts}
    by_subject: dict[str, list[Fact]] = defaultdict(list)
    whole = seen_whole(bundle)
    for fact in bundle.facts:
        if fact.id not in whole:
            by_subject[fact.subject].append(fact)
    for asset in bundle.assets:
        said = _drawing_of(bundle, asset)
        if said is None:
            continue
        own = {fact.subject for read in said.facts.values() for fact in _own(read, by_id)}
        stated = (fact for subject in sorted(own) for fact in by_subject[subject])
        # What somebody misread there is a fact about the image that it does not show.
        pictured = [fact for fact in stated if fact.status is not FactStatus.RETRACTED]
        for key, expected, got in (*_wrong_texts(said, by_id), *_missing_facts(said, pictured)):
            fix = "mend the fact, or draw the image from it again"
            yield problem(asset.id, said.parts, f"{expected} at {key}", got, fix)


def _own(read: Iterable[str], by_id: Mapping[str, Fact]) -> Iterator[Fact]:
    """Of facts those about the picture itself, whose attribute is the key they are printed at."""
    for name in read:
        if name in by_id and _OF_PICTURE.match(by_id[name].subject):
            yield by_id[name]


def _wrong_texts(said: _Drawing, by_id: Mapping[str, Fact]) -> Iterator[tuple[str, str, str]]:
    """Key, what the ledger says and what is printed, of each fact that is not printed there."""
    for key, read in said.facts.items():
        text = said.texts.get(key, "")
        for name in read:
            fact = by_id.get(name)
            if fact is None:
                yield key, "a fact of the ledger", name
            elif not _prints(text, fact):
                yield key, f"{spoken_value(fact.value)} of {name}", text
        for fact in _own(read, by_id):
            if said.unit and fact.value.unit not in (None, said.unit):
                yield key, f"numbers in {fact.value.unit}, as {fact.id}", said.unit
            if fact.attribute not in (DEPICTS, key):
                yield key, f"{fact.attribute} of {fact.id}", key


def _missing_facts(said: _Drawing, pictured: Iterable[Fact]) -> Iterator[tuple[str, str, str]]:
    shown = {name for read in said.facts.values() for name in read}
    for fact in pictured:
        if fact.id not in shown:
            yield fact.attribute, f"{spoken_value(fact.value)} of {fact.id}", "no such fact"


@RULES.conversation("drawn.mentions", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def mentions_facts(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Every fact that was drawn into an image of the history is mentioned there."""
    shown = {shown.asset for _, _, shown in attachments(bundle)}
    seen = {(mention.asset, mention.fact) for mention in bundle.mentions}
    for asset in bundle.assets:
        said = _drawing_of(bundle, asset)
        if said is None or asset.id not in shown:
            continue
        for key, read in said.facts.items():
            for name in read:
                if (asset.id, name) not in seen:
                    yield problem(
                        asset.id,
                        said.parts,
                        f"a mention of {name}, which is printed at {key}",
                        "none",
                        "restore the mention",
                    )


@RULES.conversation("drawn.about", Severity.WARNING, _SOURCE, looks_at=LooksAt.HISTORY)
def about(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """The caption of a drawn image is the one that it was drawn for."""
    for _, _, shown in attachments(bundle):
        asset = bundle.asset_by_id.get(shown.asset)
        drawn = asset.drawn if asset is not None else None
        if drawn is not None and drawn.about is not None and shown.caption != drawn.about:
            yield problem(
                shown.asset,
                ("drawn", "about"),
                f"the caption of {shown.id}, {shown.caption}",
                drawn.about,
                "look whether the caption fits the image",
            )
