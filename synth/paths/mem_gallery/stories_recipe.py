"""What a recipe says of stories: personas with common sizes, or a table of scenarios."""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from memassay.schemas.contracts.recipes import Section
from memassay.schemas.ids import ConversationId
from memassay.synth.histories.sections import DialsSection, SizesSection
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.material.recipe import MaterialSection
from memassay.synth.sourcing.recipe import SourcingSection
from memassay.synth.world.sizes import Sizes

PicturedCode = Literal["TTL", "VS", "VR", "KR", "CD"]


def _is_none(value: object) -> bool:
    return value is None


def _is_empty(value: object) -> bool:
    return not value


StoryCode = Literal["FR", "VS", "TTL", "TR", "VR", "MR", "KR", "CD", "AR"]
Number = Annotated[int, Field(ge=0)]


class ScenarioSection(Section):
    """A conversation with its sizes (Mem-Gallery, Table 5)."""

    model_config = ConfigDict(serialize_by_alias=True)

    name: Annotated[str, Field(min_length=1, max_length=128, description="What it is called.")]
    persona: Annotated[
        str,
        Field(description="Whose life it is: a name that ships, or a YAML file."),
    ]
    sessions: Annotated[int, Field(ge=3, le=60, description="Sessions, with all that joins it.")]
    rounds: Annotated[int, Field(ge=20, le=2000, description="Rounds of them together.")]
    images: Annotated[int, Field(ge=0, le=1000, description="Images of them together.")]
    questions: Annotated[int, Field(ge=0, le=1000, description="Questions.")]
    question_images: Annotated[
        int, Field(ge=0, le=1000, description="Questions that show an image.")
    ] = 0
    at_most: Annotated[
        dict[StoryCode, Number],
        Field(
            exclude_if=_is_empty,
            description="Most questions of a type, where its life has no more to ask; others get "
            "what is left.",
        ),
    ] = {}
    from_: Annotated[
        Literal["stories", "clusters"],
        Field(
            alias="from",
            description="Whether it is told as it is, or its sessions are cut apart and put "
            "together again, with bridges and new sessions.",
        ),
    ] = "stories"


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
    scenarios: Annotated[
        list[ScenarioSection],
        Field(description="Conversations with sizes of their own, in place of `personas`."),
    ] = []
    sizes: SizesSection = SizesSection(sessions=12, rounds=16.5, images=8, documents=0)
    dials: DialsSection = DialsSection()
    lessons: Annotated[
        LessonsSection | None,
        Field(
            description="Classes of things taught by pictures, and asked of as TTL; how many of "
            "each follows from the sizes of a scenario."
        ),
    ] = LessonsSection(count=2, questions=16)
    questions: Annotated[
        dict[StoryCode, Number],
        Field(
            description="Questions of each type for every persona, or of all scenarios together."
        ),
    ] = {"FR": 11, "VS": 15, "TR": 6, "VR": 9, "MR": 10, "KR": 4, "CD": 4, "AR": 9}
    question_images: Annotated[
        dict[PicturedCode, Number],
        Field(
            description="How many of them come with a picture of their own, of a class that the "
            "lessons taught."
        ),
    ] = {}

    @field_validator("questions", "question_images")
    @classmethod
    def _put_in_order(cls, given: dict[str, int], info: ValidationInfo) -> dict[str, int]:
        """Types in one order: a manifest has them by name, and draws go through them in turn."""
        codes = get_args(StoryCode if info.field_name == "questions" else PicturedCode)
        return {code: given[code] for code in codes if code in given}

    @model_validator(mode="after")
    def _one_form(self) -> "StoriesSection":
        people = bool(self.personas or self.profiles)
        if people == bool(self.scenarios):
            got = "both" if people else "neither"
            said = "expected `personas` (in mode paper also `profiles`) or `scenarios`, got {got}"
            raise PydanticCustomError("form", said, {"got": got})
        if people and "TTL" in {*self.questions, *self.question_images}:
            raise PydanticCustomError(
                "form",
                "expected no TTL with `personas`; `lessons.questions` says how many each gets",
            )
        return self

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
    def by_code(self) -> Mapping[str, int]:
        """Questions by code of their type."""
        return {str(code): number for code, number in self.questions.items()}

    @property
    def asked_in_words(self) -> dict[str, int]:
        """How many of each type every persona is asked in words alone."""
        pictured = {str(code): number for code, number in self.question_images.items()}
        return {code: number - pictured.get(code, 0) for code, number in self.by_code.items()}

    @property
    def of_models_alone(self) -> list[str]:
        """Names of what is given that a world of the simulator cannot take."""
        names = ("profiles", "material", "sourcing")
        return [name for name in names if getattr(self, name)]

    @property
    def history_sizes(self) -> Sizes:
        """How large each history is; no round of Mem-Gallery shows two images."""
        return self.sizes.one_image_a_round.of_history
