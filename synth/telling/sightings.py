"""Sightings: every place where a fact was said or drawn becomes a mention."""

from memassay.schemas.base import Modality
from memassay.schemas.ids import record_id
from memassay.schemas.records.ledger import Fact, Mention, MentionForm


class Sightings:
    """Collects the mentions of one conversation in the order in which they are seen."""

    def __init__(self, conversation: str) -> None:
        """Start without mentions."""
        self.conversation = conversation
        self.mentions: list[Mention] = []

    def in_text(
        self,
        fact: Fact,
        round_: str,
        turn: str,
        speaker: str,
        span: tuple[int, int] | None,
        form: MentionForm = MentionForm.FULL,
    ) -> None:
        """A fact was said in a turn, at a span of its text or (None) anywhere, or denied there."""
        self.mentions.append(
            Mention(
                id=self._next_id(),
                fact=fact.id,
                round=round_,
                turn=turn,
                modality=Modality.TEXT,
                speaker=speaker,
                span=None if span is None else list(span),
                form=form,
            )
        )

    def in_picture(
        self,
        fact: Fact,
        round_: str,
        attachment: str,
        asset: str,
        box: tuple[int, int, int, int],
        modality: Modality,
    ) -> None:
        """A fact can be read in a picture that the first turn of a round shows."""
        self.mentions.append(
            Mention(
                id=self._next_id(),
                fact=fact.id,
                round=round_,
                turn=f"{round_}.1",
                attachment=attachment,
                asset=asset,
                box=list(box),
                modality=modality,
                speaker="user",
            )
        )

    def _next_id(self) -> str:
        return record_id(self.conversation, f"M{len(self.mentions) + 1:05d}")
