"""The stages of the path: plans, words and pictures, questions; a unit is one dialogue."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.ledger import Fact
from memassay.synth.packs.words.records import facts_of, speakers
from memassay.synth.paths.mmrc.abilities.ar import kept_back
from memassay.synth.paths.mmrc.abilities.asking import ask_dialogue
from memassay.synth.paths.mmrc.abilities.told import Told
from memassay.synth.paths.mmrc.dialogues import Dialogues, number_of, original_of
from memassay.synth.paths.mmrc.findings import not_asked
from memassay.synth.paths.mmrc.recipe import NAME
from memassay.synth.paths.mmrc.twins import ask_twin, names_with_twins, tell_twin


class PlanStage:
    """What is true in a dialogue, and what nobody tells: the facts of its plan."""

    name = "plan"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, dialogues: Dialogues, count: int, twins: int = 0) -> None:
        """Say how many dialogues there are, and how many of them have a modality twin."""
        self.dialogues, self.count, self.twins = dialogues, count, twins
        self.config: dict[str, Any] = {}

    def shards(self) -> dict[str, list[str]]:
        """By dialogue, the hash of the packs: which of them it has depends on their number."""
        state = [content_hash([self.dialogues.state, self.dialogues.seed])]
        return dict.fromkeys(names_with_twins(self.dialogues, self.count, self.twins), state)

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """A dialogue that nobody has spoken yet, and its facts."""
        topic, ordinal = self.dialogues.place(number_of(context.shard))
        plan, pack = topic.plan(ordinal), topic.pack
        unspoken = Conversation(
            id=context.shard,
            collection=NAME,
            path=NAME,
            domain=pack.category,
            speakers=speakers(),
            sessions=[],
            tags=[pack.group, pack.domain],
            twin_of=original_of(context.shard),
        )
        return [unspoken, *facts_of(plan, context.shard), *kept_back(pack, context.shard)]


class DialogueStage:
    """Words and pictures of a planned dialogue, with what they show."""

    name = "dialogue"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "fact"})

    def __init__(self, dialogues: Dialogues) -> None:
        """Take the dialogues of the recipe."""
        self.dialogues = dialogues
        # Words are of the packs, too: facts alone do not tell when these change.
        self.config: dict[str, Any] = {"packs": dialogues.state}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """The conversation, its pictures, their facts, and where each fact can be seen."""
        planned = {record.id: record for record in records if isinstance(record, Fact)}
        bundle = self._tell(planned, context)
        return [record for record in bundle.records() if record.id not in planned]

    def _tell(self, planned: Mapping[str, Fact], context: StageContext) -> Bundle:
        topic, ordinal = self.dialogues.place(number_of(context.shard))
        original = original_of(context.shard)
        if original is not None:
            twin = tell_twin(self.dialogues, original, context.blobs)
            assert twin is not None  # only such dialogues are named
            return twin
        told = facts_of(topic.plan(ordinal), context.shard)
        values = [planned.get(fact.id, fact).value for fact in told]
        return topic.bundle(ordinal, context.shard, NAME, context.blobs, values)


class QuestionStage:
    """The questions of a dialogue, each gold the result of its query."""

    name = "questions"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "fact", "mention", "asset"})

    def __init__(self, dialogues: Dialogues) -> None:
        """Take the dialogues of the recipe."""
        self.dialogues = dialogues
        # Words are of the packs, too: facts alone do not tell when these change.
        self.config: dict[str, Any] = {"packs": dialogues.state}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """One question of each ability that the card asks; one that nothing proves is an error."""
        number = number_of(context.shard)
        topic, ordinal = self.dialogues.place(number)
        bundle = Bundle.from_records(records)
        asked, original = self.dialogues.card(number).asked, original_of(context.shard)
        if original is not None:
            yield from ask_twin(self.dialogues, original, bundle)
            return
        told = Told(bundle, topic.plan(ordinal))
        made = ask_dialogue(told, asked, self.dialogues.randoms(context.shard))
        for code in made.missing:
            context.emit(not_asked(context.shard, code, topic.pack.pack))
        yield from made.items
