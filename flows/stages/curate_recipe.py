"""What a recipe of the path curate says."""

from typing import Annotated, Literal

from pydantic import Field

from memassay.schemas.contracts.recipes import PathRecipe, SourceSection


class CurateRecipe(PathRecipe):
    """Other people's data, taken in, checked and released; only the sources have no default."""

    path: Annotated[Literal["curate"], Field(description="The path to run.")] = "curate"
    strict: Annotated[bool, Field(description="Refuse a source with any error.")] = False
    sources: Annotated[list[SourceSection], Field(min_length=1, description="Data to take in.")]

    @property
    def licence(self) -> str:
        """What the release states, or the licences of its sources."""
        sources = " AND ".join(sorted({section.licence for section in self.sources}))
        return self.release.licence or sources
