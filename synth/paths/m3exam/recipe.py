"""What a recipe of the path m3exam says."""

from typing import Annotated, Final, Literal

from pydantic import Field

from memassay.schemas.contracts.recipes import AuthoredRecipe, PathRecipe, Section
from memassay.schemas.judgements.flaw import FlawKind
from memassay.schemas.values.licences import join_licences
from memassay.synth.histories.sections import DialsSection, SizesSection
from memassay.synth.material.recipe import MaterialSection
from memassay.synth.questions.leanings import Leanings
from memassay.synth.sourcing.recipe import SourcingSection
from memassay.synth.world.dials import Dials
from memassay.synth.world.sizes import Sizes

NAME: Final = "m3exam"
"""Name of the path, and of the collection of its conversations."""

QuestionCode = Literal["ss", "ms", "tr", "mr", "fm", "th", "fj", "ii"]


class QuestionWordingSection(Section):
    """How a model words the questions of ledger-first mode; their queries are fixed before."""

    drafts: Annotated[int, Field(ge=1, le=5, description="Wordings asked for of a question.")] = 3


class M3ExamRecipe(AuthoredRecipe):
    """A data set written from worlds, along the path of M3Exam (§2.2)."""

    path: Annotated[Literal["m3exam"], Field(description="The path to run.")]
    mode: Annotated[
        Literal["ledger-first", "paper"],
        Field(
            description="ledger-first: the world is fixed before it is worded; paper: models plan, "
            "word and read it, and people see every question that no query proves."
        ),
    ] = "ledger-first"
    personas: Annotated[
        list[str],
        Field(min_length=1, description="Personas that ship, or YAML files beside the recipe."),
    ]
    material: Annotated[
        MaterialSection | None, Field(description="The user's own images and PDFs.")
    ] = None
    sourcing: Annotated[
        SourcingSection | None, Field(description="Images found by the keywords of events.")
    ] = None
    sizes: SizesSection = SizesSection()
    dials: DialsSection = DialsSection()
    questions: Annotated[
        dict[QuestionCode, Annotated[int, Field(ge=0)]],
        Field(description="Questions of each type for every persona."),
    ] = {"ss": 12, "ms": 8, "tr": 10, "mr": 14, "fm": 8, "th": 4, "fj": 4, "ii": 4}
    document_questions: Annotated[
        dict[QuestionCode, Annotated[int, Field(ge=0)]],
        Field(
            description="For personas whose history shows documents, instead of the number under "
            "`questions`; default none."
        ),
    ] = {}
    question_wording: Annotated[
        QuestionWordingSection | None,
        Field(
            description="The model that is the author words the questions, too; default: plainly."
        ),
    ] = None
    flaws: Annotated[
        dict[FlawKind, Annotated[int, Field(ge=0)]],
        Field(
            description="Flaws to plant, by kind and over all personas, so that audits can be "
            "measured; default none."
        ),
    ] = {}

    @property
    def by_simulator(self) -> AuthoredRecipe:
        """The same worlds, worded by the simulator: what models read, it does not."""
        plain = {"dials": self._dials, "question_wording": None}
        return super().by_simulator.model_copy(update=plain)

    @property
    def offline(self) -> PathRecipe:
        """The same sizes in ledger-first mode; nothing is looked for or asked."""
        none: dict[str, int] = {}
        asked = {"questions": none, "document_questions": none, "flaws": none}
        own = {"mode": "ledger-first", "sourcing": None, **asked}
        return super().offline.model_copy(update=own)

    @property
    def one_image_a_round(self) -> PathRecipe:
        """The same with one image a round, unless it says how many."""
        return self.model_copy(update={"sizes": self.sizes.one_image_a_round})

    @property
    def licence(self) -> str:
        """The licence of what we make, and that of the user's own files."""
        own = [self.material.licence] if self.material is not None else []
        return join_licences([super().licence, *own])

    @property
    def history_sizes(self) -> Sizes:
        """How large each history is."""
        return self.sizes.of_history

    @property
    def history_dials(self) -> Dials:
        """What the cards of each history are chosen and ordered by."""
        return self._dials.of_history

    @property
    def leanings(self) -> Leanings:
        """Which questions are preferred."""
        return self.dials.leanings

    @property
    def _dials(self) -> DialsSection:
        return self.dials.of_author(self.author)
