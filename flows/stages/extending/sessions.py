"""The stage that adds sessions at the end of conversations of a release."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from memassay.flows.stages.lives.join import alterations
from memassay.schemas.base import Record
from memassay.schemas.benchmarks.shapes import Benchmark
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.bank import BankTally, count_more
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.synth.lives.extending.extending import extend_life
from memassay.synth.lives.life import Life

ROLES_USED: Final = ("user",)
"""Role of the model that words new sessions."""


class NewSessionsStage:
    """Conversations with new sessions behind their last one; nothing that is there moves."""

    name = "new-sessions"
    version = "4"
    scope = Scope.CONVERSATION
    reads = DATA_KINDS | {"alteration", "bank"}

    def __init__(
        self,
        conversations: frozenset[str],
        sessions: int,
        models: dict[str, Any] | None,
        benchmark: Callable[[str], Benchmark],
    ) -> None:
        """Say which conversations get them, how many, and which models word them, if any do.

        Args:
            conversations: Their ids.
            sessions: How many each gets.
            models: What of the models is in keys of work; None without any.
            benchmark: By collection, the types of its questions.
        """
        self.conversations = conversations
        self.sessions = sessions
        self.benchmark = benchmark
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
        types = self.benchmark(bundle.conversation.collection)
        own = {one.type for one in types.types.values()}
        single = {code for code, one in types.types.items() if one.type is QuestionType.FACT_RECALL}
        asked = Counter[str]()
        for record in life.bundle.records():
            if before.get((kind_of(record), record.id)) == content_hash(record):
                continue
            if isinstance(record, QAItem):
                code = types.code_of(record)
                # A statement to be judged, as another data set has them, is none of the path's.
                if record.format_prompt and record.type not in own and code in single:
                    continue
                asked[code] += 1
                yield record.model_copy(update={"benchmark_type": code})
            else:
                yield record
        yield from alterations(life, sum(isinstance(one, Alteration) for one in records))
        tallies = [one for one in records if isinstance(one, BankTally)]
        yield from count_more(tallies, bundle.id, asked)
