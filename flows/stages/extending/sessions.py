"""The stage that adds sessions at the end of conversations of a release."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from memassay.flows.stages.lives.join import alterations
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.bank import BankTally, tally_id
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.extending.extending import extend_life
from memassay.synth.lives.life import Life

ROLES_USED: Final = ("user",)
"""Role of the model that words new sessions."""


class NewSessionsStage:
    """Conversations with new sessions behind their last one; nothing that is there moves."""

    name = "new-sessions"
    version = "2"
    scope = Scope.CONVERSATION
    reads = DATA_KINDS | {"alteration", "bank"}

    def __init__(
        self, conversations: frozenset[str], sessions: int, models: dict[str, Any] | None
    ) -> None:
        """Say which conversations get them, how many, and which models word them, if any do."""
        self.conversations = conversations
        self.sessions = sessions
        self.config: dict[str, Any] = {
            "conversations": sorted(conversations),
            "sessions": sessions,
            **({"models": models} if models else {}),
        }

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """What is new, and the conversation, which is longer now."""
        if context.shard not in self.conversations:
            return
        before = {(kind_of(one), one.id): content_hash(one) for one in records}
        bundle = Bundle.from_records(records)
        by_model = "models" in self.config
        life = extend_life(Life(bundle), self.sessions, context, by_model=by_model, at_end=True)
        for record in life.bundle.records():
            if before.get((kind_of(record), record.id)) != content_hash(record):
                yield record
        yield from alterations(life, sum(isinstance(one, Alteration) for one in records))
        if any(isinstance(one, BankTally) for one in records):
            yield from _tallies(bundle, life.bundle)


def _tallies(before: Bundle, after: Bundle) -> Iterator[BankTally]:
    """Of each type of the new questions, how many there are; each is made once and kept."""
    known = {item.id for item in before.questions}
    new = {item.benchmark_type for item in after.questions if item.id not in known}
    counts = Counter(item.benchmark_type for item in after.questions)
    for code in sorted(new):
        kept = counts[code]
        name = tally_id(after.id, code)
        yield BankTally(id=name, conversation=after.id, code=code, wanted=kept, kept=kept)
