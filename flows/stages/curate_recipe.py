"""What a recipe of the path curate says."""

from typing import Annotated, Any, Literal

from pydantic import Field

from memassay.schemas.contracts.author_sections import (
    ReaderSection,
    Writing,
    identity,
    reader_writing,
)
from memassay.schemas.contracts.recipes import (
    READS_LIVES,
    PathRecipe,
    SourceSection,
)


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
        return reader_writing(self.reader) if self.reader is not None else None

    def life_readers(self) -> dict[str, Any] | None:
        """The reader also looks for contradictions between joined dialogues."""
        return identity(self.reader, None, READS_LIVES) if self.reader is not None else None

    @property
    def offline(self) -> PathRecipe:
        """The same with nobody who reads."""
        return self.model_copy(update={"reader": None})

    @property
    def licence(self) -> str:
        """What the release states, or the licences of its sources."""
        sources = " AND ".join(sorted({section.licence for section in self.sources}))
        return self.release.licence or sources
