"""What a recipe says of lessons."""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from memassay.schemas.contracts.recipes import Licence, Section

Span = Annotated[
    tuple[Annotated[int, Field(ge=1, le=12)], Annotated[int, Field(ge=1, le=12)]],
    Field(description="Least and most, drawn uniformly."),
]


class ClassFolder(Section):
    """Pictures of others, a folder for each class."""

    path: Annotated[str, Field(description="The folder, relative to the recipe.")]
    licence: Annotated[Licence, Field(description="SPDX identifier of the pictures.")]
    noun: Annotated[str, Field(min_length=1, description="What they show, e.g. `bird`.")]
    plural: Annotated[str, Field(description="The same of several; default: with an `s`.")] = ""
    kind: Annotated[
        str, Field(min_length=1, description="What its classes are, e.g. `species`, `breed`.")
    ] = "kind"
    made_up: Annotated[
        bool, Field(description="Whether users call classes by made-up names, not the folders'.")
    ] = False


class LessonsSection(Section):
    """How much is taught in a conversation, and asked of it (Mem-Gallery A.3, TTL)."""

    count: Annotated[int, Field(ge=1, le=12, description="Lessons, each about one family.")] = 1
    classes: Annotated[Span, Field(description="Classes of a lesson.")] = (2, 4)
    exemplars: Annotated[Span, Field(description="Pictures that teach a class.")] = (2, 6)
    sessions: Annotated[Span, Field(description="Over how many sessions a lesson goes.")] = (1, 2)
    questions: Annotated[
        int, Field(ge=0, le=200, description="Questions of a conversation, each of a new picture.")
    ] = 8
    evidence: Annotated[
        Literal["class", "family"],
        Field(description="Clues: all exemplars of the right class, or of its whole family."),
    ] = "class"
    place: Annotated[
        Literal["sessions", "ends"],
        Field(description="Sessions of their own, or rounds at the ends of those there are."),
    ] = "sessions"
    hints: Annotated[
        float, Field(ge=0, le=1, description="Share of exemplars of which a mark is named.")
    ] = 0.35
    quiz: Annotated[
        float, Field(ge=0, le=1, description="Share of later exemplars that the assistant names.")
    ] = 0.2
    recoloured: Annotated[
        bool, Field(description="Whether colours are drawn for each picture, not for each class.")
    ] = True
    folder: Annotated[
        ClassFolder | None, Field(description="Classes of others; default: those that we draw.")
    ] = None

    @model_validator(mode="after")
    def _check_spans(self) -> "LessonsSection":
        for name in ("classes", "exemplars", "sessions"):
            least, most = getattr(self, name)
            if least > most:
                raise PydanticCustomError(
                    "span", f"{name}: expected least and most, got {least} and {most}"
                )
        return self
