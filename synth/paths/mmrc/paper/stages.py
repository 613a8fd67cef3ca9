"""The stages of paper mode before the ledger is read out: a card, then a chat by models."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.conversation import Conversation, Round, Session
from memassay.synth.extraction.audits import (
    DialogueAuditor,
    flags_left,
    mend_rounds,
    problems_by_turn,
)
from memassay.synth.extraction.quoting import User, blobs_of
from memassay.synth.extraction.repairs import ATTEMPTS
from memassay.synth.packs.words.naming import USER
from memassay.synth.paths.mmrc.deck import LONGEST
from memassay.synth.paths.mmrc.dialogues import Dialogues, number_of
from memassay.synth.paths.mmrc.paper.chatting import SESSION, Chatting, aim_of
from memassay.synth.paths.mmrc.paper.pictures import album_of
from memassay.synth.paths.mmrc.recipe import NAME
from memassay.synth.paths.mmrc.stages import PlanStage
from memassay.synth.telling.mending import DialogueParts


class PaperPlanStage(PlanStage):
    """Dialogues that nobody has spoken yet; what is true in them, models will say."""

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """A dialogue with its topic."""
        return [one for one in super().run(records, context) if isinstance(one, Conversation)]


class PaperDialogueStage(DialogueParts):
    """The conversation with its pictures and what they show, audited by a model."""

    name = "dialogue"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation"})

    def __init__(self, dialogues: Dialogues, models: Mapping[str, Any]) -> None:
        """Take the dialogues of the recipe, and which models write them."""
        self.dialogues = dialogues
        self.config: dict[str, Any] = {"mode": "paper", "models": models}

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The dialogue, and what was mended in it; what is still flagged is a finding."""
        topic, ordinal = self.dialogues.place(number_of(context.shard))
        plan = topic.plan(ordinal)
        plain = topic.bundle(ordinal, context.shard, NAME, context.blobs)
        album = album_of(plain)
        blobs = blobs_of(album.assets)
        chatting = Chatting(plan, context.shard, album.shown, blobs, context.write)
        user = User(context.shard, USER, aim_of(plan))
        auditor = DialogueAuditor(user, [], {}, context, chunk=LONGEST)
        talk = _with_rounds(plain.conversation, auditor.audit(chatting.chat()))
        for finding in flags_left(talk, auditor.left):
            context.emit(finding)
        return iter([talk, *album.assets, *album.facts, *album.mentions, *auditor.repairs])

    def repair(
        self,
        _given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The dialogue with its flagged rounds mended by the model."""
        topic, ordinal = self.dialogues.place(number_of(context.shard))
        talk = next(one for one in made if isinstance(one, Conversation))
        user = User(context.shard, USER, aim_of(topic.plan(ordinal)))
        # Draws of the audit by rules follow those of the model's own.
        draw = ATTEMPTS + attempt
        problems = problems_by_turn(talk, flagged)
        mended = mend_rounds(user, talk.rounds(), problems, draw, context)
        again = _with_rounds(talk, mended)
        return [again if one is talk else one for one in made]


def _with_rounds(talk: Conversation, rounds: Sequence[Round]) -> Conversation:
    session = Session(id=SESSION, index=1, rounds=list(rounds))
    return talk.model_copy(update={"sessions": [session]})
