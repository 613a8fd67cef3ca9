"""The dialogue stage where a model words what is planned."""

from collections.abc import Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.synth.paths.mmrc.by_model.mending import mend_dialogue
from memassay.synth.paths.mmrc.by_model.wording import ModelWording
from memassay.synth.paths.mmrc.dialogues import Dialogues, number_of
from memassay.synth.paths.mmrc.recipe import NAME
from memassay.synth.telling.mending import DialogueParts


class WordedDialogueStage(DialogueParts):
    """Words of a model and pictures of a planned dialogue, with what they show."""

    name = "dialogue"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "fact"})

    def __init__(self, dialogues: Dialogues, models: Mapping[str, Any]) -> None:
        """Take the dialogues of the recipe, and which models word them."""
        self.dialogues = dialogues
        self.config: dict[str, Any] = {"models": models}

    def run(self, records: Sequence[Record], context: StageContext) -> list[Record]:
        """The conversation, its pictures, their facts, and where each fact can be seen.

        A turn that says something else than is planned after all is a finding.
        """
        topic, ordinal = self.dialogues.place(number_of(context.shard))
        plain = topic.bundle(ordinal, context.shard, NAME, context.blobs)
        wording = ModelWording(topic.plan(ordinal), plain, context.write)
        worded = wording.word()
        for finding in wording.findings:
            context.emit(finding)
        planned = {record.id for record in records if not isinstance(record, Conversation)}
        return [record for record in worded.records() if record.id not in planned]

    def repair(
        self,
        given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> list[Record]:
        """The dialogue with its flagged rounds mended by the model."""
        facts = [record for record in given if not isinstance(record, Conversation)]
        whole = mend_dialogue(Bundle.from_records([*facts, *made]), flagged, attempt, context)
        mended = {record.id: record for record in whole.records()}
        return [mended.get(record.id, record) for record in made]
