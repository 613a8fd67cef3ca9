"""Scenery: draws what a round shows, stores it, and notes what can be read in it."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from random import Random

from memassay.schemas.base import Modality
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.ids import attachment_id, record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.drawn import Drawn, DrawnPage
from memassay.schemas.records.ledger import Fact, FactValue
from memassay.synth.pictures.canvas.figures import Drawing
from memassay.synth.pictures.drawing.again import document_libraries, drawn_figure, libraries
from memassay.synth.pictures.drawing.rendered import LICENCE
from memassay.synth.pictures.drawing.renderer import draw, draw_document, painted_into, written_into
from memassay.synth.telling.sightings import Sightings
from memassay.synth.telling.staging import document_of, figure_of, printed_slots, with_laws
from memassay.synth.world.grammar import Expansion, Randoms, expand
from memassay.synth.world.persona_file import CardSpec, ImageSpec, RoundSpec


class Scenery:
    """The pictures of one conversation; `assets` grows with what is shown."""

    def __init__(
        self,
        conversation: str,
        blobs: BlobStore,
        sightings: Sightings,
        randoms: Randoms,
        known: Mapping[str, Fact],
    ) -> None:
        """Take where blobs and mentions go, and facts of earlier cards by `card.slot`."""
        self.known = known
        self.conversation = conversation
        self.blobs = blobs
        self.sightings = sightings
        self.randoms = randoms
        self.assets: list[Asset] = []
        self._session = ""
        self._shown = {"IMG": 0, "DOC": 0}
        self._documents: dict[str, tuple[str, tuple[Drawing, ...], list[list[Expansion]]]] = {}

    def pixels(self, asset: str) -> str | None:
        """SHA-256 of the bytes of an asset that was shown; None if there are none."""
        return next((one.blob_sha256 for one in reversed(self.assets) if one.id == asset), None)

    def enter(self, session: str) -> None:
        """Start a session: attachment numbers start again."""
        self._session = session
        self._shown = {"IMG": 0, "DOC": 0}

    def show(
        self,
        round_: str,
        card: CardSpec,
        spec: RoundSpec,
        facts: Mapping[str, Fact],
        values: Mapping[str, str],
    ) -> list[Attachment]:
        """The attachments of a round, drawn and stored."""
        shown = [self._image(round_, name, card, facts, values) for name in spec.shows]
        return shown + [self._page(round_, card, page, facts, values) for page in spec.pages]

    def _next(self, kind: str) -> str:
        self._shown[kind] += 1
        return attachment_id(self._session, self._shown[kind], kind)

    def _image(
        self,
        round_: str,
        name: str,
        card: CardSpec,
        facts: Mapping[str, Fact],
        values: Mapping[str, str],
    ) -> Attachment:
        image, prefix = card.images[name], f"image:{name}"
        figure = figure_of(image, prefix, facts, values)
        random = self.randoms("picture", card.id, name)
        drawing = draw(figure, random)
        attachment, caption = self._next("IMG"), caption_of(image, values)
        read = _facts_by_key(drawing, printed_slots(image, facts, prefix), facts)
        day = date.fromisoformat(facts[f"{prefix}:title"].valid_from or "")
        drawn = Drawn(
            seed_path=list(random.key),
            libraries=libraries(),
            about=caption,
            figure=with_laws(drawn_figure(figure), image, day, partial(self._value, card, facts)),
            facts=_ids(read),
        )
        asset = self._store(attachment, drawing, f"rendered:{image.kind}", drawn=drawn)
        self._note(round_, attachment, asset, drawing, read, Modality.IMAGE)
        return Attachment(id=attachment, asset=asset, caption=caption)

    def _value(self, card: CardSpec, facts: Mapping[str, Fact], slot: str) -> FactValue:
        """The value of a fact as a card names it: of this event, of its card, of another."""
        found = facts.get(slot) or self.known.get(f"{card.id}.{slot}") or self.known[slot]
        return found.value

    def _page(
        self,
        round_: str,
        card: CardSpec,
        number: int,
        facts: Mapping[str, Fact],
        values: Mapping[str, str],
    ) -> Attachment:
        parent, pages, paragraphs = self._document(card, facts, values)
        drawing = pages[number - 1]
        attachment = self._next("DOC")
        asset = self._store(attachment, drawing, "rendered:page", parent=parent, page=number)
        read = _facts_by_key(
            drawing, _page_slots(card, number, paragraphs[number - 1], facts), facts
        )
        self._note(round_, attachment, asset, drawing, read, Modality.DOCUMENT)
        caption = page_caption_of(card, number, values)
        return Attachment(id=attachment, asset=asset, caption=caption, page=number)

    def _document(
        self, card: CardSpec, facts: Mapping[str, Fact], values: Mapping[str, str]
    ) -> tuple[str, tuple[Drawing, ...], list[list[Expansion]]]:
        if card.id not in self._documents:
            document, paragraphs = document_of(
                card, facts, values, self.randoms("document", card.id)
            )
            # The looks have a generator of their own, which is all that drawing again needs.
            random = self.randoms("document", card.id, "looks")
            drawn = draw_document(document, random)
            pages = [
                DrawnPage(
                    heading=page.heading,
                    paragraphs=list(page.paragraphs),
                    figure=drawn_figure(page.figure) if page.figure else None,
                    facts=_ids(_facts_by_key(drawing, _page_slots(card, at, said, facts), facts)),
                )
                for at, (page, drawing, said) in enumerate(
                    zip(document.pages, drawn.pages, paragraphs, strict=True), start=1
                )
            ]
            asset = Asset(
                id=record_id(self.conversation, f"PDF_{card.id}"),
                **written_into(self.blobs, drawn),
                licence=LICENCE,
                origin="rendered:document",
                drawn=Drawn(
                    seed_path=list(random.key),
                    libraries=document_libraries(),
                    title=document.title,
                    pages=pages,
                ),
            )
            self.assets.append(asset)
            self._documents[card.id] = (asset.id, drawn.pages, paragraphs)
        return self._documents[card.id]

    def _store(
        self,
        attachment: str,
        drawing: Drawing,
        origin: str,
        parent: str | None = None,
        page: int | None = None,
        drawn: Drawn | None = None,
    ) -> str:
        asset = Asset(
            id=record_id(self.conversation, attachment),
            **painted_into(self.blobs, drawing),
            parent=parent,
            page=page,
            transcription=drawing.transcription,
            licence=LICENCE,
            origin=origin,
            drawn=drawn,
        )
        self.assets.append(asset)
        return asset.id

    def _note(
        self,
        round_: str,
        attachment: str,
        asset: str,
        drawing: Drawing,
        read: Mapping[str, list[Fact]],
        modality: Modality,
    ) -> None:
        for key, facts in read.items():
            for fact in facts:
                box = drawing.boxes[key]
                self.sightings.in_picture(fact, round_, attachment, asset, box, modality)


def _facts_by_key(
    drawing: Drawing, keyed: Mapping[str, list[str]], facts: Mapping[str, Fact]
) -> dict[str, list[Fact]]:
    """By key of a drawing, the facts that can be read there."""
    found = {
        key: [facts[slot] for slot in slots if slot in facts]
        for key, slots in keyed.items()
        if key in drawing.boxes
    }
    return {key: read for key, read in found.items() if read}


def _ids(read: Mapping[str, list[Fact]]) -> dict[str, list[str]]:
    return {key: [fact.id for fact in facts] for key, facts in read.items()}


def _page_slots(
    card: CardSpec, number: int, paragraphs: list[Expansion], facts: Mapping[str, Fact]
) -> dict[str, list[str]]:
    """By key of a page, the slots of facts that can be read there."""
    keyed = {
        f"paragraph {at}": [span.slot for span in text.spans]
        for at, text in enumerate(paragraphs, start=1)
    }
    assert card.document is not None
    figure = card.document.pages[number - 1].figure
    if figure is not None:
        # A page prints its figure's title as the title of the figure, not of the page.
        own = printed_slots(figure, facts, f"page:{number}")
        keyed |= {("figure title" if key == "title" else key): s for key, s in own.items()}
    return keyed


def caption_of(image: ImageSpec, values: Mapping[str, str]) -> str:
    """What the picture is, never what can be read in it."""
    kind = image.kind.replace("_", " ")
    about = expand(image.about, Random(0), values).text
    return f"{kind.capitalize()}: {about}"


def page_caption_of(card: CardSpec, number: int, values: Mapping[str, str]) -> str:
    """Which page of what it is."""
    assert card.document is not None
    return f"Page {number} of {expand(card.document.about, Random(0), values).text}"
