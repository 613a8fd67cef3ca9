"""What a benchmark's paper defines: its question types, and what it prints of its own sizes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from memassay.schemas.benchmarks.constraints import Constraint
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType


class PaperType(NamedTuple):
    """A question type as a paper defines it.

    Attributes:
        name: The paper's name for it.
        meaning: What it asks, in one sentence of ours.
        type: The nearest type of our taxonomy.
    """

    name: str
    meaning: str
    type: QuestionType


class Sizes(NamedTuple):
    """Sizes of one conversation or of a whole collection; None where nothing is printed."""

    sessions: int | None = None
    rounds: int | None = None
    images: int | None = None
    questions: int | None = None
    question_images: int | None = None


class TypeSize(NamedTuple):
    """Questions of one type, and the mean number of evidence places of each."""

    questions: int | None = None
    mean_evidence: float | None = None


@dataclass(frozen=True)
class PaperTables:
    """The printed tables of one collection.

    Attributes:
        source: Where they are printed.
        total: Sizes of the whole collection.
        types: By the paper's own code of a question type.
        conversations: Sizes by title; words decide, not punctuation.
    """

    source: str
    total: Sizes
    types: Mapping[str, TypeSize]
    conversations: Mapping[str, Sizes] = field(default_factory=dict)


@dataclass(frozen=True)
class Benchmark:
    """What defines the questions of a collection, as its paper or its path has it.

    Attributes:
        types: By its own code, what a question type is.
        printed: Its printed tables; None where there is nothing to compare with.
        constraints: What defines its question types.
        explains_refusals: Whether the gold of a question without an answer explains to a judge why
            it has none, in words of its own.
    """

    types: Mapping[str, PaperType] = field(default_factory=dict)
    printed: PaperTables | None = None
    constraints: tuple[Constraint, ...] = ()
    explains_refusals: bool = False

    def code_of(self, item: QAItem) -> str:
        """Its own code for an item; the item's if it has none for what is asked.

        A type that it does not have is one of several facts if several sessions prove the answer,
        else one of a single fact.
        """
        sessions = {place.partition(":")[0] for place in item.evidence.canonical}
        facts = QuestionType.MULTI_FACT if len(sessions) > 1 else QuestionType.FACT_RECALL
        by_type = {each.type: code for code, each in reversed([*self.types.items()])}
        return by_type.get(item.type) or by_type.get(facts) or item.benchmark_type
