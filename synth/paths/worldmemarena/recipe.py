"""What a recipe of the path worldmemarena says."""

from typing import Annotated, Final, Literal

from pydantic import Field

from memassay.schemas.contracts.recipes import PathRecipe, Section

NAME: Final = "worldmemarena"
"""Name of the path, and of the collection of its conversations."""

_Few = Annotated[int, Field(ge=0, le=999)]


class SessionSizes(Section):
    """Sizes of one sample; those of points and images are of each session (WorldMemArena §4.3)."""

    sessions: Annotated[int, Field(ge=6, le=40, description="Sessions, S00 among them.")] = 20
    points: Annotated[int, Field(ge=8, le=14, description="Points that append.")] = 10
    updates: Annotated[
        int, Field(ge=1, le=5, description="Points that revise, delete or merge.")
    ] = 3
    interference: Annotated[int, Field(ge=0, le=4, description="Points of interference.")] = 2
    images: Annotated[int, Field(ge=0, le=6, description="Images.")] = 4
    checkpoints: Annotated[
        int, Field(ge=1, le=8, description="Where questions are asked, evenly apart.")
    ] = 5


class WorldMemArenaRecipe(PathRecipe):
    """Lives and long projects: worlds that change, told session by session (WorldMemArena C)."""

    path: Annotated[Literal["worldmemarena"], Field(description="The path to run.")]
    projects: Annotated[
        dict[str, _Few], Field(description="Samples by vertical, e.g. `software: 3`.")
    ] = {}
    lives: Annotated[_Few, Field(description="Samples of lives.")] = 0
    sizes: SessionSizes = SessionSizes()
    evidence_distance: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            description="How far back questions look: 0 to the last session, 1 to the first.",
        ),
    ] = 0.5
    verticals: Annotated[
        str | None,
        Field(description="Folder of verticals, relative to the recipe; default: ours."),
    ] = None
