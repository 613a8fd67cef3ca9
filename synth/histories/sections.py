"""What a recipe says of the histories of its personas."""

from typing import Annotated

from pydantic import Field

from memassay.schemas.contracts.author_sections import AuthorSection
from memassay.schemas.contracts.recipes import Section
from memassay.synth.questions.leanings import Leanings
from memassay.synth.world.dials import Dials
from memassay.synth.world.sizes import Sizes


class SizesSection(Section):
    """How large the history of each persona is (M3Exam §2.3, Table 1)."""

    sessions: Annotated[int, Field(ge=2, le=60, description="Sessions.")] = 16
    rounds: Annotated[float, Field(ge=4, le=40, description="Mean rounds a session.")] = 12.7
    images: Annotated[float, Field(ge=0, le=20, description="Mean images a session.")] = 6.5
    images_a_round: Annotated[
        int | None,
        Field(
            ge=1,
            le=10,
            exclude_if=lambda number: number is None,
            description="Most images a round shows; further ones get rounds of their own. Default: "
            "as the cards have them; 1 on the path mem-gallery.",
        ),
    ] = None
    documents: Annotated[
        int | None,
        Field(ge=0, le=10, description="Documents of a persona; default: 2, if it has any."),
    ] = None
    procedures: Annotated[
        int | None,
        Field(ge=0, le=30, description="Procedures told, for th; default: half the sessions."),
    ] = None
    inferences: Annotated[
        int | None,
        Field(ge=0, le=30, description="Unstated facts, for ii; default: half the sessions."),
    ] = None

    @property
    def one_image_a_round(self) -> "SizesSection":
        """The same with one image a round, unless it says how many."""
        if self.images_a_round is not None:
            return self
        return self.model_copy(update={"images_a_round": 1})

    @property
    def of_history(self) -> Sizes:
        """How large each history is; it does not depend on how many questions are asked."""
        return Sizes(**self.model_dump())


class DialsSection(Section):
    """What the simulator prefers, as far as the length of a history leaves it a choice."""

    evidence_distance: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            description="How far apart, in sessions, the evidence of ms, tr and ii questions lies, "
            "and a fact and what replaces it: 0 near, 1 far.",
        ),
    ] = 0.75
    updates: Annotated[
        float | None,
        Field(ge=0, le=1, description="How often facts change: 0 rarely, 1 often; default chance."),
    ] = None
    distractor_likeness: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            description="How much pictures and units of side events resemble the core's: "
            "0 by chance, 1 as much as they can.",
        ),
    ] = 0.0
    visual_share: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="How many facts stand in pictures only: 0 few, 1 many; default: chance.",
        ),
    ] = None
    rounds_needed: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="Which questions are preferred: 0 those that one round answers, 1 those "
            "that need several; default: chance.",
        ),
    ] = None
    assistant_reads: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            description="Share of the rounds with a picture in which the assistant says what it "
            "reads there; a few in a hundred are wrong and put right later on.",
        ),
    ] = 0.4

    def of_author(self, author: AuthorSection) -> "DialsSection":
        """As an author is given them: a model that words a history looks at its pictures itself."""
        if isinstance(author, str):
            return self
        return self.model_copy(update={"assistant_reads": 0.0})

    @property
    def of_history(self) -> Dials:
        """What the cards of each history are chosen and ordered by."""
        return Dials(**self.model_dump(exclude={"rounds_needed"}))

    @property
    def leanings(self) -> Leanings:
        """Which questions are preferred."""
        return Leanings(self.evidence_distance, self.rounds_needed)
