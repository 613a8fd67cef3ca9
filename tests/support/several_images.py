"""Conversations whose rounds show any number of images, with a fact in each image and turn."""

from collections.abc import Sequence

from memassay.schemas.base import Modality
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    Session,
    Speaker,
    SpeakerKind,
)
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.records.question import Answer, AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.records.question_type import QuestionType
from support.release_builder import MemoryBlobs, exchange, png, present, question

NAME = "album"
BOTH = [Modality.TEXT, Modality.IMAGE]


class Album:
    """Builds a conversation round by round, and the questions about it."""

    def __init__(self, blobs: MemoryBlobs) -> None:
        self.blobs = blobs
        self.assets: list[Asset] = []
        self.facts: list[Fact] = []
        self.mentions: list[Mention] = []
        self.items: list[QAItem] = []

    def bundle(self, sessions: Sequence[Sequence[int]]) -> Bundle:
        """A conversation: by session and round, how many images the user shows."""
        told = [
            Session(
                id=f"D{number}",
                index=number,
                date=f"2024-01-{number:02d}",
                rounds=list(self._rounds(f"D{number}", rounds)),
            )
            for number, rounds in enumerate(sessions, start=1)
        ]
        talk = Conversation(
            id=NAME,
            collection="another",
            path="m3exam",
            speakers=[
                Speaker(id="user", name="Ida", kind=SpeakerKind.HUMAN),
                Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT),
            ],
            sessions=told,
        )
        return Bundle(
            conversation=talk,
            assets=self.assets,
            facts=self.facts,
            mentions=self.mentions,
            questions=self.items,
        )

    def _rounds(self, session: str, rounds: Sequence[int]) -> list[Round]:
        made, shown = [], 0
        for at, images in enumerate(rounds, start=1):
            place = f"{session}:{at}"
            names = [f"{session}:IMG_{shown + 1 + more:03d}" for more in range(images)]
            shown += images
            made.append(
                exchange(
                    place,
                    f"user at {place}",
                    f"reply at {place}",
                    *(self._image(name) for name in names),
                )
            )
            self._ask(place, names)
        return made

    def _image(self, name: str) -> Attachment:
        asset = f"{NAME}/{name.replace(':', '_')}"
        self.assets.append(present(asset, png("red", (6, 4 + len(self.assets))), self.blobs))
        return Attachment(id=name, asset=asset, caption=f"Photo {name[-3:]}")

    def _ask(self, place: str, names: Sequence[str]) -> None:
        user = self._fact(place, f"{place}.1")
        reply = self._fact(place, f"{place}.2")
        drawn = [self._fact(place, f"{place}.1", name) for name in names]
        self._item("user", place, [user])
        self._item("reply", place, [reply])
        self._item("unknown", place, [])
        self._item("turn", f"{place}.2", [])
        for name, fact in zip(names, drawn, strict=True):
            found = Answer(format=AnswerFormat.IMAGE_ID, values=[name], relation=AnswerRelation.ALL)
            seen, kind = [Modality.IMAGE], QuestionType.VISUAL_SEARCH
            self._item("image", place, [fact], found, modalities=seen, type=kind)
            self._item("both", place, [user, fact], modalities=BOTH)

    def _fact(self, place: str, turn: str, image: str | None = None) -> str:
        number = len(self.facts) + 1
        value = FactValue(type=ValueType.TEXT, text=f"value {number}")
        name = f"{NAME}/F{number:04d}"
        self.facts.append(Fact(id=name, subject="album", attribute=f"a{number}", value=value))
        self.mentions.append(
            Mention(
                id=f"{NAME}/M{number:04d}",
                fact=name,
                round=place,
                turn=turn,
                attachment=image,
                modality=Modality.IMAGE if image else Modality.TEXT,
            )
        )
        return name

    def _item(
        self,
        what: str,
        place: str,
        facts: list[str],
        answer: Answer | None = None,
        **fields: object,
    ) -> None:
        number = len(self.items) + 1
        free = Answer(format=AnswerFormat.FREE, values=[f"ash {number}"])
        item = question(
            f"{NAME}/Q{number:04d}",
            f"{what} of {place}, number {number}?",
            answer or free,
            [place],
            **fields,
        )
        evidence = item.evidence.model_copy(update={"facts": facts})
        self.items.append(item.model_copy(update={"evidence": evidence}))
