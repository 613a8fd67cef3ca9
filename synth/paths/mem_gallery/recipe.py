"""What a recipe of the path mem-gallery says."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from memassay.schemas.contracts.author_sections import ReaderSection, identity
from memassay.schemas.contracts.recipes import (
    READS_LIVES,
    AuthoredRecipe,
    ClusterSection,
    InnerRecipe,
    PathRecipe,
    SourceSection,
    Writing,
    reader_writing,
)
from memassay.schemas.values.licences import join_licences


class MemGalleryRecipe(AuthoredRecipe):
    """Long conversations made of single dialogues (Mem-Gallery §3.1, A.2.3)."""

    model_config = ConfigDict(serialize_by_alias=True)

    path: Annotated[Literal["mem-gallery"], Field(description="The path to run.")]
    from_: Annotated[
        Literal["clusters"],
        Field(alias="from", description="What conversations are made of: clusters of dialogues."),
    ]
    sources: Annotated[
        list[SourceSection],
        Field(description="Dialogues of others; format `release` is ours. Each session is one."),
    ] = []
    dialogues: Annotated[
        InnerRecipe, Field(description="A recipe of another path whose sessions are the dialogues.")
    ] = None
    cluster: ClusterSection = ClusterSection()
    reader: Annotated[
        ReaderSection | None,
        Field(
            exclude_if=lambda section: section is None,
            description="With the simulator as author, a model that reads joined dialogues for "
            "contradictions; default: nobody.",
        ),
    ] = None

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
        """The recipe that makes the dialogues; None where others made them."""
        return self.dialogues

    @property
    def offline(self) -> PathRecipe:
        """The same with dialogues of the simulator."""
        inner = self.dialogues.offline if self.dialogues is not None else None
        return super().offline.model_copy(update={"dialogues": inner, "reader": None})

    @property
    def licence(self) -> str:
        """What the release states, or the licences of its dialogues."""
        if self.release.licence or self.dialogues is None:
            own = sorted({section.licence for section in self.sources})
            return self.release.licence or join_licences(own)
        return self.dialogues.licence
