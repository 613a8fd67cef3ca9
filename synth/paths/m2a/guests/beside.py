"""What guests bring that no turn shows: concepts with pictures held out, and questions of these."""

from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.m2a import TYPES
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import attachment_id, record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.concept import Concept, ConceptVqa
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.ledger import Fact, FactScope, FactValue, ValueType
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerOption,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.synth.concepts.groups import Chosen
from memassay.synth.concepts.library import ConceptImage, ConceptSource
from memassay.synth.concepts.pictures import LOOK, taken_in
from memassay.synth.paths.m2a.talks.bank import Quota
from memassay.synth.paths.m2a.talks.visual import NewPicture, VisualQuestions
from memassay.synth.paths.m2a.talks.world import Subject

HELD_OUT: Final = 6
"""Pictures held out of a concept, at most (our choice); those with questions come first."""
ALIKE: Final = 1
"""Pictures of each other thing of the same category (our choice)."""
CONCEPT: Final = "<sks>"
"""The word for the concept in questions of Yo'LLaVA and MC-LLaVA."""


class Beside:
    """Takes in what no turn shows.

    Attributes:
        assets: Pictures for questions alone.
    """

    def __init__(self, conversation: str, licence: str, blobs: BlobStore) -> None:
        """Say whose, under which licence, and where the bytes go."""
        self.conversation, self.licence, self.blobs = conversation, licence, blobs
        self.assets: list[Asset] = []
        self._held_out: dict[str, dict[str, str]] = {}

    def pictures(self, chosen: Chosen, subject: Subject) -> list[NewPicture]:
        """Pictures held out of a concept, and one of another thing of its category."""
        concept = chosen.concept
        asked = {one.image for one in concept.vqa}
        first = sorted(concept.held_out, key=lambda one: one.name not in asked)[:HELD_OUT]
        made = [self._picture(one, subject.look, subject) for one in first]
        names = zip(first, made, strict=True)
        self._held_out[concept.name] = {image.name: new.asset.id for image, new in names}
        if chosen.alike is not None:
            look = chosen.alike.look or chosen.alike.name
            for one in chosen.alike.held_out[:ALIKE]:
                made.append(self._picture(one, look, None, subject))
        return made

    def _picture(
        self, image: ConceptImage, look: str, subject: Subject | None, beside: Subject | None = None
    ) -> NewPicture:
        number = len(self.assets) + 1
        name = record_id(self.conversation, f"H{number:03d}")
        fact = Fact(
            id=record_id(self.conversation, f"N{number:03d}"),
            subject=name,
            attribute=LOOK,
            value=FactValue(type=ValueType.TEXT, text=look),
            scope=FactScope.QUESTION,
        )
        asset, _ = taken_in(image, name, self.licence, self.blobs, [fact.id])
        self.assets.append(asset)
        return NewPicture(asset, fact, subject, beside)

    def concept(self, source: ConceptSource, told: Bundle, shown: list[str]) -> Concept:
        """The record of a concept whose pictures have been taken in."""
        by_id = {asset.id: asset.uri or "" for asset in told.assets}
        held_out = self._held_out[source.name]
        place = {by_id[one]: one for one in shown} | held_out
        return Concept(
            id=record_id(self.conversation, f"K-{source.local}"),
            name=source.name,
            said=f"<{source.name}>",
            category=source.category,
            shown=shown,
            held_out=list(held_out.values()),
            facts=[fact.id for fact in told.facts if fact.subject == source.name],
            vqa=[
                ConceptVqa(
                    asset=place[one.image],
                    question=one.question,
                    options=[AnswerOption(label=at, text=text) for at, text in one.options.items()],
                    answer=one.answer,
                    licence=self.licence,
                )
                for one in source.vqa
                if one.image in place
            ],
        )


def visual_quotas(visual: VisualQuestions, number: int) -> list[Quota]:
    """Half ask what was told, a third which one it is, the rest whether: yes as often as no."""
    whether, which = number // 6, number // 3
    return [
        Quota("5", whether - whether // 2, visual.present()),
        Quota("5", whether // 2, visual.other()),
        Quota("5", which, visual.which()),
        Quota("5", number - whether - which, visual.spoken_facts()),
    ]


def with_vqa(written: Bundle) -> Bundle:
    """A conversation with the questions that its concepts brought along; their options are kept."""
    items = list(written.questions)
    for concept in written.concepts:
        held_out = set(concept.held_out)
        for one in concept.vqa:
            if one.asset in held_out:
                name = record_id(written.id, f"Q{len(items) + 1:03d}")
                items.append(_import(written, concept, one, name))
    return written.model_copy(update={"questions": items})


def _import(written: Bundle, concept: Concept, one: ConceptVqa, name: str) -> QAItem:
    shown = set(concept.shown)
    places = [
        turn.id.partition(".")[0]
        for turn, image in written.conversation.attachments()
        if image.asset in shown
    ]
    return QAItem(
        id=name,
        conversation=written.id,
        question=QuestionText(
            text=one.question.replace(CONCEPT, concept.said),
            attachments=[Attachment(id=attachment_id("Q", 1), asset=one.asset)],
        ),
        answer=Answer(
            format=AnswerFormat.CHOICE if one.options else AnswerFormat.FREE,
            values=[one.answer],
            options=one.options,
        ),
        modalities=[Modality.IMAGE],
        # Any one picture tells what the concept looks like.
        evidence=Evidence(groups=[places], canonical=places[:1]),
        type=TYPES["5"].type,
        benchmark_type="5",
        origin=ItemOrigin.IMPORTED,
    )
