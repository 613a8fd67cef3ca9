"""The dialogue stage of paper mode: rounds by models, audited by models and rules (M3Exam §2.2)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import (
    Conversation,
)
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.extraction.audits import (
    DialogueAuditor,
    flags_left,
    mend_rounds,
    problems_by_turn,
)
from memassay.synth.extraction.quoting import User, blobs_of, seeds
from memassay.synth.extraction.repairs import ATTEMPTS
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.streams import conversation_of, timeline_of
from memassay.synth.material.dealing import dealt, own_files
from memassay.synth.paths.m3exam.paper.telling import PaperTeller
from memassay.synth.paths.m3exam.recipe import NAME
from memassay.synth.telling.mending import DialogueParts
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.sizes import Sizes


class PaperDialogueStage(DialogueParts):
    """The conversation and where the captions of the user's own files can be read in it."""

    name = "dialogue"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"asset", "event", "fact", "persona"})

    def __init__(self, personas: Personas, sizes: Sizes, models: Mapping[str, Any]) -> None:
        """Say who speaks, how long, and which models write it."""
        self.personas = personas
        self.sizes = sizes
        length = [sizes.sessions, sizes.rounds]
        self.config: dict[str, Any] = {"mode": "paper", "length": length, "models": models}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The dialogue of one persona, and what was mended in it."""
        persona = self.personas.by_id[context.shard]
        events = timeline_of(records)
        if events:
            yield from self._write(persona, events, records, context)

    def _write(
        self,
        persona: PersonaFile,
        events: Sequence[TimelineEvent],
        records: Sequence[Record],
        context: StageContext,
    ) -> list[Record]:
        assets = [record for record in records if isinstance(record, Asset)]
        facts = [record for record in records if isinstance(record, Fact)]
        files = dealt(own_files(assets, facts), events)
        teller = PaperTeller(persona, files, blobs_of(assets), context.write)
        rounds = teller.tell(events, round(self.sizes.sessions * self.sizes.rounds))
        auditor = DialogueAuditor(_user(persona), events, teller.summaries, context)
        talk = conversation_of(persona.id, NAME, persona, events, auditor.audit(rounds))
        for finding in flags_left(talk, auditor.left):
            context.emit(finding)
        return [talk, *teller.mentions, *auditor.repairs]

    def repair(
        self,
        given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The dialogue with flagged rounds mended by the model and sessions dated again."""
        persona = self.personas.by_id[context.shard]
        talk = next(one for one in made if isinstance(one, Conversation))
        problems = problems_by_turn(talk, flagged)
        # Draws of the audit by rules follow those of the model's own.
        draw = ATTEMPTS + attempt
        mended = mend_rounds(_user(persona), talk.rounds(), problems, draw, context)
        again = conversation_of(persona.id, NAME, persona, timeline_of(given), mended)
        return [again if one is talk else one for one in made]


def _user(persona: PersonaFile) -> User:
    return User(persona.id, persona.name, seeds(persona))
