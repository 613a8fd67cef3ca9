"""What a recipe of the path curate says."""

from typing import Annotated, Literal

from pydantic import Field

from memassay.schemas.contracts.author_sections import (
    ReaderSection,
    calls_at_once,
    models_by_role,
)
from memassay.schemas.contracts.recipes import PathRecipe, SourceSection, Writing


class CurateRecipe(PathRecipe):
    """Other people's data, taken in, checked and released; only the sources have no default."""

    path: Annotated[Literal["curate"], Field(description="The path to run.")] = "curate"
    strict: Annotated[bool, Field(description="Refuse a source with any error.")] = False
    sources: Annotated[list[SourceSection], Field(min_length=1, description="Data to take in.")]

    reader: Annotated[
        ReaderSection | None,
        Field(
            exclude_if=lambda section: section is None,
            description="A model that reads every item before it is checked; default: nobody.",
        ),
    ] = None

    @property
    def writing(self) -> Writing | None:
        """The model that reads; None where none does."""
        if self.reader is None:
            return None
        return Writing(
            models=models_by_role(self.reader),
            best_of=None,
            budget=self.reader.budget,
            prices=self.reader.prices,
            at_once=calls_at_once(self.reader),
        )

    @property
    def offline(self) -> PathRecipe:
        """The same with nobody who reads."""
        return self.model_copy(update={"reader": None})

    @property
    def licence(self) -> str:
        """What the release states, or the licences of its sources."""
        sources = " AND ".join(sorted({section.licence for section in self.sources}))
        return self.release.licence or sources
