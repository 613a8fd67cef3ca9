"""What a recipe of the path mmrc says."""

from typing import Annotated, Final, Literal

from pydantic import Field

from memassay.schemas.contracts.recipes import AuthoredRecipe

NAME: Final = "mmrc"
"""Name of the path, and of the collection of its conversations."""


class MMRCRecipe(AuthoredRecipe):
    """Single dialogues out of topic packs, each asked up to six questions (MMRC §3)."""

    path: Annotated[Literal["mmrc"], Field(description="The path to run.")]
    dialogues: Annotated[int, Field(ge=1, le=99_999, description="Dialogues.")] = 60
    packs: Annotated[
        str | None,
        Field(description="Folder of topic packs, relative to the recipe; default: ours."),
    ] = None
