"""The path: its stage, its gate, its rule, its figure."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.benchmarks.shapes import Benchmark, PaperType
from memassay.schemas.contracts.figures import Figure, PathFigures
from memassay.schemas.contracts.paths import Setting, SynthesisPath
from memassay.schemas.contracts.protocols import Scope, Stage, StageContext
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType

ToyRecipe: Any = import_module(f"{__package__}.recipe").ToyRecipe  # it stands in two places
WORDS: Any = import_module(f"{__package__}.words")
RULES: Final = RuleRegistry()
TYPES: Final = {"keep": PaperType("Kept", "Which animal is kept.", QuestionType.FACT_RECALL)}
QUIET = RULES.declare("toy.quiet", Severity.INFO, "Animals are quiet.", "toy")


class ToyStage:
    """Everybody says what they keep, and is asked for it."""

    name = "tell"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, recipe: ToyRecipe) -> None:
        """Take who tells what."""
        self.recipe = recipe
        self.config: dict[str, Any] = {"animal": recipe.household.animal}

    def shards(self) -> dict[str, list[str]]:
        """One for everybody."""
        return {name: [content_hash(name)] for name in self.recipe.people}

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """A conversation of one round, the fact it states and a question."""
        name, animal = context.shard, self.recipe.household.animal
        people = [
            Speaker(id="user", name=name, kind=SpeakerKind.HUMAN),
            Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT),
        ]
        turns = [
            Turn(id="D1:1.1", speaker="user", text=f"I keep {animal}."),
            Turn(id="D1:1.2", speaker="assistant", text="How nice."),
        ]
        rounds = [Round(id="D1:1", kind=RoundKind.EXCHANGE, turns=turns)]
        session = Session(id="D1", index=1, date="2024-03-14", rounds=rounds)
        yield Conversation(
            id=name, collection="toy", path="toy", speakers=people, sessions=[session]
        )
        fact = Fact(
            id=f"{name}/F1",
            subject="user",
            attribute="animal",
            value=FactValue(type=ValueType.TEXT, text=animal),
            valid_from="2024-03-14",
        )
        yield fact
        yield Mention(
            id=f"{name}/M1",
            fact=fact.id,
            round="D1:1",
            turn="D1:1.1",
            modality="text",
            speaker="user",
            span=[7, 7 + len(animal)],
        )
        where = {"subject": "user", "attribute": "animal"}
        yield QAItem(
            id=f"{name}/q-0001",
            conversation=name,
            question=QuestionText(text=f"Which animal does {name} keep?"),
            answer=Answer(format=AnswerFormat.FREE, values=[animal]),
            modalities=["text"],
            evidence=Evidence(groups=[["D1:1"]], canonical=["D1:1"], facts=[fact.id]),
            type=QuestionType.FACT_RECALL,
            benchmark_type="keep",
            query={"op": "get", "of": {"op": "select", "where": where}, "field": "value"},
            origin=ItemOrigin.MACHINE,
        )
        context.emit(QUIET.finding(name, "", f"{name}: {animal} hum", "Listen."))


def _stages(recipe: ToyRecipe, _setting: Setting) -> list[Stage]:
    return [ToyStage(recipe), WORDS.WordsStage()]


def _right(item: QAItem, answer: str) -> float:
    """1 where the answer names the animal."""
    return float(item.answer.values[0] in answer)


def _animals(bundle: Bundle) -> list[str]:
    return [fact.value.text for fact in bundle.facts]


def _figures(counts: Sequence[list[str]]) -> list[Figure]:
    animals = [animal for own in counts for animal in own]
    return [Figure("Toy: animals", [{"animal": animal} for animal in animals])]


PATH: Final = SynthesisPath(
    name="toy",
    recipe=ToyRecipe,
    stages=_stages,
    gates=lambda _recipe: {ToyStage.name: GateSection()},
    rules=RuleRegistry(RULES, WORDS.REPORTED),
    benchmark=Benchmark(TYPES),
    metrics={"named": _right},
    figures=PathFigures(_animals, _figures),
)
