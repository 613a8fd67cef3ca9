"""Where on a picture something is, and the pages of a document one after the other."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memassay.schemas.ids import natural_key
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import normalise

_USUAL_SIZE: Final = (320, 240)
"""Pixels that are kept free for a picture whose size nobody knows."""

_SOURCE: Final = {
    "licence": "Licence",
    "attribution": "Attribution",
    "origin": "Origin",
    "uri": "File or address",
}
"""Fields of an asset that say where it comes from, by the names that people see."""

_AIR: Final = 4
"""Pixels between what is there and the line around it."""


@dataclass(frozen=True)
class Box:
    """A part of a picture, in hundredths of its width and height.

    Attributes:
        left: Its left edge.
        top: Its upper edge.
        width: How wide it is.
        height: How high it is.
        label: What is there.
    """

    left: float
    top: float
    width: float
    height: float
    label: str


@dataclass(frozen=True)
class Leaf:
    """A picture, or a page among the pages of its document that a history shows.

    Attributes:
        id: Id of the attachment.
        caption: Its caption.
        round: Round that shows it; empty for the image of a question.
        width: Width in pixels.
        height: Height in pixels.
        present: Whether its pixels are here.
        document: Whether it is a page of a document.
        page: 1-based page of the document; for a picture, 1.
        at: 1-based position among the pages shown.
        of: How many pages are shown.
        before: Attachment of the page before it; empty for the first.
        after: Attachment of the page after it; empty for the last.
        boxes: Where on it the evidence is.
        source: Where it comes from and what may be done with it, each as its name and value.
    """

    id: str
    caption: str
    round: str
    width: int
    height: int
    present: bool
    document: bool
    page: int
    at: int
    of: int
    before: str
    after: str
    boxes: tuple[Box, ...]
    source: tuple[tuple[str, str], ...] = ()


class Pictures:
    """The pictures of a conversation and where on them the evidence of a question is."""

    def __init__(self, bundle: Bundle, question: QAItem | None, cited: Iterable[str] = ()) -> None:
        """Look at a conversation, and at what is marked: a question's evidence, cited places."""
        self._bundle = bundle
        self._shown = {item.id: (turn.id, item) for turn, item in bundle.conversation.attachments()}
        if question is not None:
            self._shown |= {item.id: ("", item) for item in question.question.attachments}
        self._documents: dict[str, list[str]] = {}
        for _, item in self._shown.values():
            asset = bundle.asset_by_id.get(item.asset)
            if asset is not None and asset.parent and _page(item, asset) and asset.box is None:
                self._documents.setdefault(asset.parent, []).append(item.id)
        for pages in self._documents.values():
            pages.sort(key=self._page_order)
        self._boxes = self._find_boxes(question, set(cited))

    def leaf(self, attachment: str) -> Leaf | None:
        """A picture by the id of its attachment; None for one that nobody shows."""
        if attachment not in self._shown:
            return None
        turn, item = self._shown[attachment]
        asset = self._bundle.asset_by_id.get(item.asset)
        pages = self._documents.get((asset.parent if asset else None) or "", [])
        pages = pages if attachment in pages else [attachment]
        at = pages.index(attachment)
        page = _page(item, asset)
        width, height = _size(asset) or _USUAL_SIZE
        return Leaf(
            id=attachment,
            caption=item.caption or "",
            round=turn.rpartition(".")[0],
            width=width,
            height=height,
            present=asset is not None and asset.availability is Availability.PRESENT,
            document=page is not None,
            page=page or 1,
            at=at + 1,
            of=len(pages),
            before=pages[at - 1] if at else "",
            after=pages[at + 1] if at + 1 < len(pages) else "",
            boxes=tuple(self._boxes.get(attachment, ())),
            source=tuple(self._source(asset)),
        )

    def _source(self, asset: Asset | None) -> Iterable[tuple[str, str]]:
        """What is known of an asset's source; of a page, what its document says counts as well."""
        whole = self._bundle.asset_by_id.get((asset.parent if asset else None) or "")
        for name, title in _SOURCE.items():
            found = next(
                (getattr(one, name) for one in (asset, whole) if one and getattr(one, name)), ""
            )
            yield title, found or "not said"

    def _page_order(self, attachment: str) -> tuple[int, object]:
        _, item = self._shown[attachment]
        page = _page(item, self._bundle.asset_by_id.get(item.asset))
        return page or 0, natural_key(attachment)

    def _find_boxes(self, question: QAItem | None, cited: set[str]) -> dict[str, list[Box]]:
        boxes: dict[str, list[Box]] = {}
        facts = {fact.id: fact for fact in self._bundle.facts}
        proving = _proving(self._bundle.mentions, facts, question) if question else ()
        for mention in proving:
            asset = self._bundle.asset_by_id.get(mention.asset or "")
            box = _box(mention.box, asset, _value_text(facts[mention.fact]))
            if box is not None and mention.attachment is not None:
                boxes.setdefault(mention.attachment, []).append(box)
        for attachment, box in self._cuttings(cited):
            boxes.setdefault(attachment, []).append(box)
        return boxes

    def _cuttings(self, cited: set[str]) -> Iterable[tuple[str, Box]]:
        """On a page that is shown, the parts of it that are cited as pictures."""
        for name in sorted(cited & set(self._shown), key=natural_key):
            cut = self._bundle.asset_by_id.get(self._shown[name][1].asset)
            if cut is None or cut.box is None or cut.parent is None:
                continue
            for other, (_, item) in self._shown.items():
                whole = self._bundle.asset_by_id.get(item.asset)
                if whole is not None and _holds(whole, cut):
                    box = _box(cut.box, whole, name)
                    if box is not None:
                        yield other, box


def _holds(whole: Asset, cut: Asset) -> bool:
    """Whether an asset is the picture, or the page of the document, that another was cut from."""
    if whole.box is not None:
        return False
    return whole.id == cut.parent or (whole.parent, whole.page) == (cut.parent, cut.page)


def _proving(
    mentions: Iterable[Mention], facts: dict[str, Fact], question: QAItem
) -> Iterable[Mention]:
    """Mentions of the facts that the answer rests on.

    Where none are named, as in what people write, those of its gold in what it cites.
    """
    named = set(question.evidence.facts)
    cited = {place for group in question.evidence.groups for place in group}
    gold = {normalise(value) for value in question.answer.values}
    for mention in mentions:
        if mention.fact not in facts or mention.box is None:
            continue
        if mention.fact in named:
            yield mention
        elif not named and cited & {mention.round, mention.turn, mention.attachment}:
            fact = facts[mention.fact]
            if gold & {normalise(fact.value.text), normalise(_value_text(fact))}:
                yield mention


def _value_text(fact: Fact) -> str:
    return f"{fact.value.text} {fact.value.unit}" if fact.value.unit else fact.value.text


def _page(item: Attachment, asset: Asset | None) -> int | None:
    return item.page if item.page is not None else (asset.page if asset else None)


def _size(asset: Asset | None) -> tuple[int, int] | None:
    if asset is None or not asset.width or not asset.height:
        return None
    return asset.width, asset.height


def _box(pixels: list[int] | None, asset: Asset | None, label: str) -> Box | None:
    size = _size(asset)
    if pixels is None or size is None:
        return None
    width, height = size
    left, top = max(pixels[0] - _AIR, 0), max(pixels[1] - _AIR, 0)
    right, bottom = min(pixels[2] + _AIR, width), min(pixels[3] + _AIR, height)
    return Box(
        100 * left / width,
        100 * top / height,
        100 * (right - left) / width,
        100 * (bottom - top) / height,
        label,
    )
