"""The stages of the path: worlds, words and pictures, questions; a unit is one sample."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.records.bundle import Bundle
from memassay.synth.paths.worldmemarena.findings import not_asked
from memassay.synth.paths.worldmemarena.lifelong.sample import ask_sample, plan_sample, tell_sample
from memassay.synth.paths.worldmemarena.samples import Samples


class WorldStage:
    """What is true of a sample, session by session: its points, before they are told."""

    name = "world"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, samples: Samples) -> None:
        """Take the samples of the recipe."""
        self.samples = samples
        self.config: dict[str, Any] = {}

    def shards(self) -> dict[str, list[str]]:
        """By sample, the hash of its vertical and its sizes."""
        return {name: [self.samples.state(name)] for name in self.samples.names}

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """A conversation that nobody has spoken yet, and its points with their importance."""
        bundle = plan_sample(self.samples.plan(context.shard))
        unspoken = bundle.conversation.model_copy(update={"sessions": [], "checkpoints": []})
        return [unspoken, *bundle.facts]


class TellingStage:
    """Words and pictures of a sample, with what they tell and show."""

    name = "dialogue"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "fact"})

    def __init__(self, samples: Samples) -> None:
        """Take the samples of the recipe."""
        self.samples = samples
        # Words are of the vertical, too: facts alone do not tell when it changes.
        self.config: dict[str, Any] = {"verticals": samples.states}

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """The conversation, its pictures, and where each point can be seen."""
        bundle = tell_sample(self.samples.plan(context.shard), context.blobs)
        return [bundle.conversation, *bundle.assets, *bundle.mentions]


class QuestionStage:
    """The questions of the checkpoints of a sample, each gold the result of its query."""

    name = "questions"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "fact", "mention", "asset"})

    def __init__(self, samples: Samples) -> None:
        """Take the samples of the recipe."""
        self.samples = samples
        # Words are of the vertical, too: facts alone do not tell when it changes.
        self.config: dict[str, Any] = {"verticals": samples.states}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The questions; what a checkpoint is due to ask and nothing proves is reported."""
        questions = ask_sample(self.samples.plan(context.shard), Bundle.from_records(records))
        for checkpoint, what in questions.missing:
            context.emit(not_asked(context.shard, checkpoint, what))
        yield from questions.items
