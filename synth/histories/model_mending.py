"""Flagged rounds mended by a model, conditioned on their neighbours (M3Exam §2.2, A.4)."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.authors import Task
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.conversation import Round, Session, Turn
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Mention
from memassay.synth.extraction.quoting import quoted_turns
from memassay.synth.extraction.repair_tasks import RoundRepair, turn_repair
from memassay.synth.extraction.stating import move_mentions
from memassay.synth.telling.mending import DialogueMender
from memassay.synth.telling.storyteller import Storyteller


class ModelMender(DialogueMender):
    """Sends a flagged round's turns back to a model with what is wrong with them."""

    def __init__(
        self,
        teller: Storyteller,
        events: Sequence[TimelineEvent],
        made: Sequence[Record],
        randoms: Callable[..., Random],
        write: Callable[[Task[Any]], Any],
    ) -> None:
        """Take what a mender takes, and who writes."""
        super().__init__(teller, events, made, randoms)
        self.write = write
        self._flagged: Mapping[str, Sequence[Finding]] = {}

    def mend(self, flagged: Mapping[str, Sequence[Finding]], attempt: int) -> list[Record]:  # type: ignore[override]
        """The dialogue with its flagged parts made again and all others as they were."""
        self._flagged = flagged
        return super().mend(flagged, attempt)

    def _anew(
        self, _session: Session, round_: Round, beside: Sequence[Round], attempt: int
    ) -> tuple[Round, list[Mention]]:
        """A round with its turns mended; one that would lose a fact stays as it was."""
        findings = self._flagged[record_id(self.talk.id, round_.id)]
        problems = [f"{finding.message} {finding.fix}".strip() for finding in findings]
        turns: list[Turn] = []
        noted: list[Mention] = []
        for turn in round_.turns:
            task = turn_repair(
                RoundRepair(
                    user_name=self.teller.persona.name,
                    record=record_id(self.talk.id, round_.id),
                    recent=[quoted_turns(one) for one in beside],
                    draw=attempt,
                ),
                turn.speaker,
                turn.text,
                problems,
            )
            text = self.write(task).text
            seen = move_mentions(turn, text, self.mentions, self.teller.fact_by_id)
            kept = seen is None
            turns.append(turn if kept else turn.model_copy(update={"text": text}))
            noted += [] if seen is None else seen
        return round_.model_copy(update={"turns": turns}), noted
