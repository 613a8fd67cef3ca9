"""Synthesis paths: one folder declares all that the rest of the program asks of a path."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from memassay.schemas.benchmarks.registry import published_benchmark
from memassay.schemas.benchmarks.shapes import Benchmark
from memassay.schemas.contracts.figures import PathFigures
from memassay.schemas.contracts.protocols import Metric, Stage, StageContext
from memassay.schemas.contracts.recipes import ExtendSection, GateSection, PathRecipe, SourceSection
from memassay.schemas.contracts.rules import LooksAt, RuleRegistry
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import PATH_NAME

Recipe = TypeVar("Recipe", bound=PathRecipe)

GROUP: Final = "memassay.paths"
"""Entry points by which other packages add paths."""
MORE_QUESTIONS: Final = "more-questions"
"""Name of the stage that asks more of conversations of a release that is extended."""


@dataclass(frozen=True)
class Setting:
    """Where the stages of a recipe find what is no record.

    Attributes:
        folder: What its paths are relative to.
        workspace: Folder of the workspace, for what is kept from run to run.
        importing: Gives the stage that takes other people's data in.
    """

    folder: Path
    workspace: Path
    importing: Callable[[Sequence[SourceSection]], Stage]


class Visitors(Protocol):
    """Sessions that join the conversations of a recipe: guests (M2A §4.4), or distractors.

    Attributes:
        config: What they depend on; part of the key of the stage that lets them in.
    """

    config: dict[str, Any]

    def join(self, host: Bundle, context: StageContext) -> Bundle:
        """A conversation with its visitors; its own turns and questions stay as they are."""
        ...


class Continues(Protocol):
    """A life whose world is known, so that it can go on.

    Attributes:
        config: What it depends on; part of the key of the stage that adds sessions.
    """

    config: dict[str, Any]

    def extend(
        self, bundle: Bundle, section: ExtendSection, name: str, context: StageContext
    ) -> Bundle | None:
        """A conversation with new sessions and questions behind it; None if no more is known.

        Args:
            bundle: The conversation.
            section: How many it gets.
            name: The `origin` of its new sessions, in front of the ids of what they bring.
            context: Draws, and takes the bytes of pictures.
        """
        ...


@dataclass(frozen=True)
class StageAudit:
    """Which rules look at what a stage makes, inside its unit.

    Attributes:
        looks_at: What the rules look at: the timeline, or the history written from it.
        without: Ids of those among them that do not fit the path.
    """

    looks_at: LooksAt
    without: frozenset[str] = frozenset()


@dataclass
class Tally:
    """Calls of one role, and their tokens and images."""

    calls: int = 0
    input: int = 0
    output: int = 0
    images: int = 0


@dataclass(frozen=True)
class Estimate:
    """What a recipe's models will be asked.

    Attributes:
        by_role: Calls by role.
        either_way: What part of it a bill may lie above or below.
        assumed: What it takes for granted, in words; every breach is a call more.
    """

    by_role: Mapping[str, Tally]
    either_way: Decimal
    assumed: str


OpenContext = Callable[[str, str], StageContext]
"""Gives the context that a stage has for a shard, without authors: ``open("dialogue", "alex")``."""


@dataclass(frozen=True)
class SynthesisPath(Generic[Recipe]):
    """A way from a recipe to conversations and questions; checks and release follow by themselves.

    Attributes:
        name: What `path:` of a recipe says, and the collection of its conversations.
        recipe: Shape of its recipes.
        stages: Its own stages for a recipe, in order.
        gates: Names of the stages it can have, in order, each with the gate it has where the
            recipe says nothing; raises `RecipeError` for a gate that the path cannot take.
        asking: Stages that ask questions of conversations as they are when dialogues were joined,
            in order.
        visitors: Who joins its conversations when its stages are done, in order.
        audits: By stage, which rules look at what it makes.
        rules: What its stages report about their own work.
        benchmark: Codes of its question types, what defines them, and sizes to compare with; None
            where its questions have no codes that `stats` and the review pages could name.
        metrics: Scores of answers that `memassay eval` reports beside those of every release.
        figures: What `memassay stats` counts of it, in the shape of the paper's own tables.
        estimate: What the models of a recipe will be asked; None where none writes.
        more_questions: Stages that ask, of conversations of a release, what its recipe did not ask
            and a new one does, by the name of the stage whose gate they share: given both recipes
            and the ids of the conversations; raises `RecipeError` for what cannot be added.
        continuations: Given a recipe that extends a release, how conversations go on in sessions
            behind their last, by id; those that a model words do not.
        worded: By stage, the kinds of its records that a model words where one is the author of a
            recipe; all else that it makes follows from the recipe. Of a path that names none,
            nothing does.
    """

    name: str
    recipe: type[Recipe]
    stages: Callable[[Recipe, Setting], Sequence[Stage]]
    gates: Callable[[Recipe], Mapping[str, GateSection]]
    asking: Callable[[Recipe, Setting], Sequence[Stage]] = lambda _recipe, _setting: ()
    visitors: Callable[[Recipe, Setting], Sequence[Visitors]] = lambda _recipe, _setting: ()
    audits: Callable[[Recipe], Mapping[str, StageAudit]] = lambda _recipe: {}
    rules: RuleRegistry = field(default_factory=RuleRegistry)
    benchmark: Benchmark | None = None
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    figures: PathFigures = field(default_factory=PathFigures)
    estimate: Callable[[Recipe, Setting, OpenContext], Estimate] | None = None
    more_questions: Callable[[Recipe, Recipe, frozenset[str], Setting], Mapping[str, Stage]] = (
        lambda _before, _after, _conversations, _setting: {}
    )
    continuations: Callable[[Recipe, Setting], Mapping[str, Continues]] = lambda *_: {}
    worded: Callable[[Recipe], Mapping[str, frozenset[str]]] = lambda _recipe: {}

    def __post_init__(self) -> None:
        """Refuse a name that no record could state.

        Raises:
            ValueError: The name is not made of lower-case letters, digits and hyphens.
        """
        if not re.fullmatch(PATH_NAME, self.name):
            raise ValueError(
                f"name: expected a letter, then letters, digits or `-`, 40 at most and all in "
                f"lower case, got {self.name!r}"
            )


AnyPath = SynthesisPath[Any]
"""A path whose recipes are of whatever shape."""


def benchmark_of(collection: str, paths: Mapping[str, AnyPath]) -> Benchmark:
    """What defines the questions of a collection: its path says so, or else a published paper."""
    own = paths[collection].benchmark if collection in paths else None
    return own or published_benchmark(collection)
