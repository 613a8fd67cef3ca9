"""What a recipe of the path mmrc says."""

from typing import Annotated, Final, Literal

from pydantic import Field

from memassay.schemas.contracts.recipes import AuthoredRecipe, PathRecipe

NAME: Final = "mmrc"
"""Name of the path, and of the collection of its conversations."""


class MMRCRecipe(AuthoredRecipe):
    """Single dialogues out of topic packs, each asked up to six questions (MMRC §3)."""

    path: Annotated[Literal["mmrc"], Field(description="The path to run.")]
    mode: Annotated[
        Literal["ledger-first", "paper"],
        Field(
            exclude_if=lambda mode: mode == "ledger-first",
            description="ledger-first: dialogues are planned before they are worded; paper: models "
            "chat and ask, and people see every question that no query proves.",
        ),
    ] = "ledger-first"
    dialogues: Annotated[int, Field(ge=1, le=99_999, description="Dialogues.")] = 60
    modality_twins: Annotated[
        int,
        Field(
            ge=0,
            le=99_999,
            exclude_if=lambda twins: twins == 0,
            description="Dialogues told again with one text left to its picture.",
        ),
    ] = 0
    packs: Annotated[
        str | None,
        Field(description="Folder of topic packs, relative to the recipe; default: ours."),
    ] = None

    @property
    def offline(self) -> PathRecipe:
        """The same dialogues as they are planned; nobody is asked."""
        return super().offline.model_copy(update={"mode": "ledger-first"})
