"""The stage that adds sessions at the end of conversations of a release."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from memassay.flows.stages.lives.join import alterations
from memassay.schemas.base import Record
from memassay.schemas.benchmarks.shapes import Benchmark
from memassay.schemas.contracts.paths import Continues
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.contracts.recipes import ExtendSection
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.bank import BankTally, count_more
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.alteration import Alteration, AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.synth.lives.extending.extending import Behind, extend_life
from memassay.synth.lives.extending.matters import EXTENSION, is_extension
from memassay.synth.lives.life import Change, Life

ROLES_USED: Final = ("user",)
"""Role of the model that words new sessions."""


class NewSessionsStage:
    """Conversations with new sessions behind their last one; nothing that is there moves."""

    name = "new-sessions"
    version = "5"
    scope = Scope.CONVERSATION
    reads = DATA_KINDS | {"alteration", "bank"}

    def __init__(
        self,
        conversations: frozenset[str],
        section: ExtendSection,
        models: dict[str, Any] | None,
        benchmark: Callable[[str], Benchmark],
        continuations: Mapping[str, Continues],
    ) -> None:
        """Say which conversations get what, and which models word it, if any do.

        Args:
            conversations: Their ids.
            section: How many sessions and questions each gets.
            models: What of the models is in keys of work; None without any.
            benchmark: By collection, the types of its questions.
            continuations: By id of a conversation whose world is known, how it goes on; the others
                go back to what they speak of.
        """
        self.conversations = conversations
        self.section = section
        self.benchmark = benchmark
        self.continuations = continuations
        worlds = {name: one.config for name, one in sorted(continuations.items())}
        self.config: dict[str, Any] = {
            "conversations": sorted(conversations),
            "sessions": section.sessions,
            "questions": section.asked,
            **({"models": models} if models else {}),
            **({"continuations": worlds} if worlds else {}),
        }

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """What is new, and the conversation, which is longer now."""
        if context.shard not in self.conversations:
            return
        before = {(kind_of(one), one.id): content_hash(one) for one in records}
        bundle = Bundle.from_records(records)
        types = self.benchmark(bundle.conversation.collection)
        life = self._continue(bundle, context) or self._return(bundle, types, context)
        asked = Counter[str]()
        for record in life.bundle.records():
            if before.get((kind_of(record), record.id)) == content_hash(record):
                continue
            if isinstance(record, QAItem):
                code = types.code_of(record)
                asked[code] += 1
                yield record.model_copy(update={"benchmark_type": code})
            else:
                yield record
        yield from alterations(life, sum(isinstance(one, Alteration) for one in records))
        tallies = [one for one in records if isinstance(one, BankTally)]
        yield from count_more(tallies, bundle.id, asked)

    def _continue(self, bundle: Bundle, context: StageContext) -> Life | None:
        """A life whose world goes on; None where nothing of it is known, or is left."""
        if bundle.id not in self.continuations:
            return None
        number = sum(map(is_extension, bundle.conversation.sessions)) + 1
        name = f"{EXTENSION}{number}"
        longer = self.continuations[bundle.id].extend(bundle, self.section, name, context)
        if longer is None:
            return None
        facts = {name for event in bundle.events for name in event.facts.values()}
        changes = []
        for session in longer.conversation.sessions[len(bundle.conversation.sessions) :]:
            told = [one for one in longer.events if one.session == session.index]
            titles = " and ".join(one.title for one in told)
            new = {one for event in told for one in event.facts.values()} - facts
            opened = session.rounds[0].turns[0].text
            reason = f"a new session that tells of {titles}"
            ids = tuple(sorted(new, key=natural_key))
            changes.append(Change(AlterationKind.EXTENSION, session.id, "", opened, reason, ids))
        return Life(longer, tuple(changes))

    def _return(self, bundle: Bundle, types: Benchmark, context: StageContext) -> Life:
        """A life that goes back to what it speaks of again and again."""
        behind = Behind(self.section.asked, partial(_fits, types))
        by_model, wanted = "models" in self.config, self.section.sessions
        return extend_life(Life(bundle), wanted, context, by_model=by_model, behind=behind)


def _fits(types: Benchmark, item: QAItem) -> bool:
    """Whether a data set can ask a question; one with a format prompt needs a type of its own."""
    own = {one.type for one in types.types.values()}
    if item.format_prompt is None or item.type in own:
        return True
    single = {code for code, one in types.types.items() if one.type is QuestionType.FACT_RECALL}
    judged = item.answer.format is AnswerFormat.YES_NO
    return judged and types.code_of(item) not in single
