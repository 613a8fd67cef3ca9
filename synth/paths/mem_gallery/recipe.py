"""What a recipe of the path mem-gallery says."""

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from memassay.schemas.contracts.author_sections import (
    ReaderSection,
    Writing,
    identity,
    reader_writing,
)
from memassay.schemas.contracts.recipes import (
    READS_LIVES,
    AuthoredRecipe,
    ClusterSection,
    InnerRecipe,
    PathRecipe,
    Section,
    SourceSection,
)
from memassay.schemas.ids import ConversationId
from memassay.schemas.values.licences import join_licences
from memassay.synth.histories.sections import DialsSection, SizesSection
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.material.recipe import MaterialSection
from memassay.synth.sourcing.recipe import SourcingSection
from memassay.synth.world.sizes import Sizes


def _is_none(value: object) -> bool:
    return value is None


def _is_empty(value: object) -> bool:
    return not value


NAME: Final = "mem-gallery"
"""Name of the path, and of the collection of its conversations."""

StoryCode = Literal["FR", "VS", "TR", "VR", "MR", "KR", "CD", "AR"]
PicturedCode = Literal["VS", "VR", "CD"]


class StoriesSection(Section):
    """Conversations told from worlds or by models (Mem-Gallery §3.1); lengths of Table 5.

    Histories of our personas show more pictures than the paper's 4.2 a session (our choice).
    """

    personas: Annotated[
        list[str], Field(description="Personas that ship, or YAML files beside the recipe.")
    ] = []
    profiles: Annotated[
        dict[ConversationId, str],
        Field(
            exclude_if=_is_empty,
            description="In mode paper, further protagonists by id: what is known of them and of "
            "their themes, in words; a model makes up the rest, or all where nothing is said.",
        ),
    ] = {}
    material: Annotated[
        MaterialSection | None,
        Field(exclude_if=_is_none, description="In mode paper, images of your own."),
    ] = None
    sourcing: Annotated[
        SourcingSection | None,
        Field(
            exclude_if=_is_none,
            description="In mode paper, images found by what the outlines ask for.",
        ),
    ] = None
    sizes: SizesSection = SizesSection(sessions=12, rounds=16.5, images=8, documents=0)
    dials: DialsSection = DialsSection()
    lessons: Annotated[
        LessonsSection | None,
        Field(description="Classes of things taught by pictures, and asked of as TTL."),
    ] = LessonsSection(count=2, questions=16)
    questions: Annotated[
        dict[StoryCode, Annotated[int, Field(ge=0)]],
        Field(description="Questions of each type for every persona."),
    ] = {"FR": 11, "VS": 15, "TR": 6, "VR": 9, "MR": 10, "KR": 4, "CD": 4, "AR": 9}
    question_images: Annotated[
        dict[PicturedCode, Annotated[int, Field(ge=0)]],
        Field(
            description="How many of them come with a picture of their own, of a class that the "
            "lessons taught."
        ),
    ] = {}

    @model_validator(mode="after")
    def _check_images(self) -> "StoriesSection":
        for code, number in self.question_images.items():
            if number > self.questions.get(code, 0):
                raise PydanticCustomError(
                    "question_images",
                    f"question_images.{code}: expected at most the {self.questions.get(code, 0)} "
                    f"of questions.{code}, got {number}",
                )
        if any(self.question_images.values()) and self.lessons is None:
            raise PydanticCustomError(
                "question_images", "question_images: expected lessons that teach what they show"
            )
        return self

    @property
    def asked_in_words(self) -> dict[str, int]:
        """How many of each type are asked in words alone."""
        pictured = {str(code): number for code, number in self.question_images.items()}
        return {
            str(code): number - pictured.get(code, 0) for code, number in self.questions.items()
        }

    @model_validator(mode="after")
    def _somebody(self) -> "StoriesSection":
        if not self.personas and not self.profiles:
            said = "expected `personas`, or in mode paper `profiles`, got neither"
            raise PydanticCustomError("protagonists", said)
        return self

    @property
    def of_models_alone(self) -> list[str]:
        """Names of what is given that a world of the simulator cannot take."""
        names = ("profiles", "material", "sourcing")
        return [name for name in names if getattr(self, name)]

    @property
    def history_sizes(self) -> Sizes:
        """How large each history is; no round of Mem-Gallery shows two images."""
        return self.sizes.one_image_a_round.of_history


class MemGalleryRecipe(AuthoredRecipe):
    """Long conversations of single dialogues, or told from worlds (Mem-Gallery §3.1, A.2.3)."""

    model_config = ConfigDict(serialize_by_alias=True)

    path: Annotated[Literal["mem-gallery"], Field(description="The path to run.")]
    from_: Annotated[
        Literal["clusters", "stories"],
        Field(
            alias="from",
            description="What conversations are made of: clusters of dialogues, or stories.",
        ),
    ]
    mode: Annotated[
        Literal["ledger-first", "paper"],
        Field(
            exclude_if=lambda mode: mode == "ledger-first",
            description="Of stories. ledger-first: a world is fixed before it is worded; paper: "
            "models outline, write and ask, people choose, move images and decide.",
        ),
    ] = "ledger-first"
    stories: Annotated[
        StoriesSection | None, Field(description="Whose stories are told.", exclude_if=_is_none)
    ] = None
    sources: Annotated[
        list[SourceSection],
        Field(description="Dialogues of others; format `release` is ours. Each session is one."),
    ] = []
    dialogues: Annotated[
        InnerRecipe, Field(description="A recipe of another path whose sessions are the dialogues.")
    ] = None
    cluster: Annotated[
        ClusterSection | None, Field(description="How clusters are made.", exclude_if=_is_none)
    ] = None
    reader: Annotated[
        ReaderSection | None,
        Field(
            exclude_if=lambda section: section is None,
            description="With the simulator as author, a model that reads joined dialogues for "
            "contradictions; default: nobody.",
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _clusters(cls, given: Any) -> Any:
        """Clusters are made as the section says, or as usual where there is none."""
        if isinstance(given, dict) and given.get("from", given.get("from_")) == "clusters":
            return {"cluster": ClusterSection(), **given}
        return given

    @model_validator(mode="after")
    def _one_reader(self) -> "MemGalleryRecipe":
        if self.reader is not None and not isinstance(self.author, str):
            raise PydanticCustomError(
                "reader",
                "reader: expected none beside a model as author; give that model's roles auditor "
                "and extractor another one instead",
            )
        return self

    @property
    def story_dials(self) -> DialsSection:
        """What the cards of stories are chosen and ordered by."""
        dials = self.stories.dials if self.stories is not None else DialsSection()
        return dials.of_author(self.author)

    @property
    def by_simulator(self) -> AuthoredRecipe:
        """The same worlds, worded by the simulator: what models read, it does not."""
        stories = self.stories
        if stories is not None:
            stories = stories.model_copy(update={"dials": self.story_dials})
        return super().by_simulator.model_copy(update={"stories": stories})

    @property
    def writing(self) -> Writing | None:
        """How the models of the author write, or how the reader is asked."""
        if self.reader is not None:
            return reader_writing(self.reader)
        return super().writing

    def life_readers(self) -> dict[str, Any] | None:
        """The reader, or the models of the author."""
        if self.reader is not None:
            return identity(self.reader, None, READS_LIVES)
        return super().life_readers()

    @property
    def before(self) -> PathRecipe | None:
        """The recipe that makes the dialogues; None where others made them.

        No round of Mem-Gallery shows two images, and its code would show the first alone.
        """
        return self.dialogues.one_image_a_round if self.dialogues is not None else None

    @property
    def offline(self) -> PathRecipe:
        """The same with dialogues of the simulator."""
        inner = self.dialogues.offline if self.dialogues is not None else None
        return super().offline.model_copy(update={"dialogues": inner, "reader": None})

    @property
    def licence(self) -> str:
        """What the release states, or the licences of its dialogues."""
        if self.stories is not None:
            own = [self.stories.material.licence] if self.stories.material is not None else []
            return join_licences([super().licence, *own])
        if self.release.licence or self.dialogues is None:
            own = sorted({section.licence for section in self.sources})
            return self.release.licence or join_licences(own)
        return self.dialogues.licence
