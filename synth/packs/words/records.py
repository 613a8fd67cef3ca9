"""The records of a planned and worded dialogue: conversation, ledger, mentions, pictures."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import attachment_id, record_id, round_id, session_id, turn_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import Fact, FactOperation, FactValue, ValueType
from memassay.synth.packs.plans.dealing import random_of
from memassay.synth.packs.plans.plan import Entry, EntryKind, Plan, Step
from memassay.synth.packs.words.naming import ASSISTANT, USER
from memassay.synth.packs.words.picturing import Cell, cells_of, figure_of
from memassay.synth.packs.words.telling import SpokenTurn, Teller
from memassay.synth.packs.words.wording import Wordings
from memassay.synth.pictures.canvas.figures import Drawing
from memassay.synth.pictures.drawing.rendered import rendered_asset
from memassay.synth.pictures.drawing.renderer import draw
from memassay.synth.telling.sightings import Sightings

DEPICTS: Final = "depicts"
"""Attribute of what a picture is of, and of what it has in common with others."""
_SESSION: Final = 1


def speakers() -> list[Speaker]:
    """The two of every dialogue."""
    return [
        Speaker(id=USER, name=USER, kind=SpeakerKind.HUMAN),
        Speaker(id=ASSISTANT, name=ASSISTANT, kind=SpeakerKind.ASSISTANT),
    ]


def property_of(say: str) -> str:
    """A noun phrase as the attribute of a fact: without its article."""
    return say.removeprefix("the ")


def facts_of(plan: Plan, conversation: str) -> list[Fact]:
    """The facts of a plan, in the order in which they become known.

    Args:
        plan: The plan.
        conversation: Id of the dialogue.
    """
    return [_fact(plan, entry, at, conversation) for at, entry in enumerate(plan.entries)]


def _fact(plan: Plan, entry: Entry, at: int, conversation: str) -> Fact:
    said = (plan.pack.lists if entry.kind is EntryKind.PIECE else plan.pack.facts)[entry.name].say
    replaced = entry.replaces
    return Fact(
        id=_fact_id(conversation, at),
        subject=entry.subject or USER,
        attribute=property_of(said),
        value=entry.value,
        order=entry.order,
        operation=FactOperation.APPEND if replaced is None else FactOperation.REVISE,
        supersedes=[] if replaced is None else [_fact_id(conversation, replaced)],
    )


def _fact_id(conversation: str, at: int) -> str:
    return record_id(conversation, f"F{at + 1:03d}")


@dataclass(frozen=True)
class _Shown:
    """A picture of a round: its attachment, its facts, and where they are in it."""

    attachment: Attachment
    asset: Asset
    facts: list[Fact]


class DialogueWriter:
    """Writes the records of one dialogue."""

    def __init__(
        self, plan: Plan, wordings: Wordings, conversation: str, path: str, blobs: BlobStore
    ) -> None:
        """Take a plan with its wordings, the id it gets, and where pictures go."""
        self.plan, self.conversation, self.path, self.blobs = plan, conversation, path, blobs
        self.teller = Teller(plan, wordings)
        self.facts = facts_of(plan, conversation)
        self.sightings = Sightings(conversation)
        self.assets: list[Asset] = []
        self.shown: Counter[str] = Counter()

    def bundle(self, twin_of: str | None = None) -> Bundle:
        """The dialogue with ledger and pictures, without questions.

        Args:
            twin_of: The dialogue that it is the twin of.
        """
        session = session_id(_SESSION)
        rounds = [self._round(step) for step in self.plan.steps]
        pack = self.plan.pack
        return Bundle(
            conversation=Conversation(
                id=self.conversation,
                collection=self.path,
                path=self.path,
                domain=pack.category,
                speakers=speakers(),
                sessions=[Session(id=session, index=_SESSION, rounds=rounds)],
                tags=[pack.group, pack.domain],
                twin_of=twin_of,
            ),
            assets=self.assets,
            facts=self.facts,
            mentions=self.sightings.mentions,
        )

    def _round(self, step: Step) -> Round:
        place = round_id(session_id(_SESSION), step.number)
        turns = self.teller.tell(step)
        shown = self._picture(place, step) if step.image else []
        made = []
        for nth, side in enumerate((USER, ASSISTANT), start=1):
            name = turn_id(place, nth)
            self._note(turns[side], place, name, side)
            made.append(
                Turn(
                    id=name,
                    speaker=side,
                    text=turns[side].text,
                    attachments=shown if side == USER else [],
                )
            )
        return Round(id=place, kind=RoundKind.EXCHANGE, turns=made)

    def _note(self, turn: SpokenTurn, place: str, name: str, side: str) -> None:
        for one in turn.places:
            fact, span = self.facts[one.entry], (one.start, one.end)
            self.sightings.in_text(fact, place, name, side, span)

    def _picture(self, place: str, step: Step) -> list[Attachment]:
        """The picture of a round, drawn and stored, with what can be read in it."""
        image = self.plan.pack.images[step.image]
        self.shown[step.image] += 1
        name = attachment_id(session_id(_SESSION), self.shown.total(), "IMG")
        random = random_of(
            self.plan.seed, self.plan.pack.pack, self.plan.ordinal, "picture", step.number
        )
        pieces = [(at, one) for at, one in enumerate(self.plan.entries) if self._is_in(one, step)]
        items = [spoken_value(one.value) for _, one in pieces]
        cells = cells_of(image, lambda slot: self._say(slot, step), items, random)
        figure = figure_of(image, cells, lambda slot: self._say(slot, step))
        looks = random_of(*random.key, "looks")
        drawing = draw(figure, looks)
        own = list(self._own_facts(step, cells))
        read = {cell.key: fact for cell, fact in own}
        read |= {cell.key: self.facts[self._entry(cell.fact, step)] for cell in cells if cell.fact}
        read |= {str(nth): self.facts[at] for nth, (at, _) in enumerate(pieces, start=1)}
        caption = self._what(step)
        shown = {key: fact.id for key, fact in read.items() if key in drawing.boxes}
        asset_id = record_id(self.conversation, name)
        asset = rendered_asset(asset_id, figure, drawing, looks, caption, shown, self.blobs)
        self.assets.append(asset)
        for key, fact in read.items():
            if key in drawing.boxes:
                box = drawing.boxes[key]
                self.sightings.in_picture(fact, place, name, asset.id, box, Modality.IMAGE)
        self._depict(place, step, name, asset, drawing)
        return [Attachment(id=name, asset=asset.id, caption=caption)]

    def _depict(self, place: str, step: Step, name: str, asset: Asset, drawing: Drawing) -> None:
        """Note what the picture is of."""
        group = self.plan.pack.images[step.image].group
        for what in filter(None, (self._what(step), group)):
            value = FactValue(type=ValueType.TEXT, text=what)
            fact = self._add_fact(self._subject(step), DEPICTS, value)
            box = (0, 0, drawing.width, drawing.height)
            self.sightings.in_picture(fact, place, name, asset.id, box, Modality.IMAGE)

    def _own_facts(self, step: Step, cells: Sequence[Cell]) -> Iterator[tuple[Cell, Fact]]:
        for cell in cells:
            if cell.value is not None:
                yield cell, self._add_fact(self._subject(step), cell.key, cell.value)

    def _add_fact(self, subject: str, attribute: str, value: FactValue) -> Fact:
        made = _fact_id(self.conversation, len(self.facts))
        fact = Fact(id=made, subject=subject, attribute=attribute, value=value)
        self.facts.append(fact)
        return fact

    def _subject(self, step: Step) -> str:
        of = self.plan.pack.images[step.image].of
        return f"image:{step.image}:{self.shown[step.image]}" if of else f"image:{step.image}"

    def _what(self, step: Step) -> str:
        """What a picture is of, its thing named."""
        what = self.plan.pack.images[step.image].what
        name = step.bound.name if step.bound is not None else ""
        role = self.plan.pack.images[step.image].of
        return what.replace(f"{{@{role}}}", name) if role else what

    def _say(self, slot: str, step: Step) -> str:
        if slot.startswith("@"):
            return step.bound.name if step.bound is not None else self.plan.cast[slot[1:]][0].name
        return spoken_value(self.plan.entries[self._entry(slot, step)].value)

    def _entry(self, fact: str, step: Step) -> int:
        own = step.bound.name if step.bound and self.plan.pack.facts[fact].of else ""
        return self.teller.current[fact, own]

    @staticmethod
    def _is_in(entry: Entry, step: Step) -> bool:
        return entry.image == step.image and entry.round == step.number
