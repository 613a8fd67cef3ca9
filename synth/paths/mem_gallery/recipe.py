"""What a recipe of the path mem-gallery says."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from memassay.schemas.contracts.recipes import (
    AuthoredRecipe,
    ClusterSection,
    InnerRecipe,
    PathRecipe,
    SourceSection,
)
from memassay.schemas.values.licences import joined


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

    @property
    def before(self) -> PathRecipe | None:
        """The recipe that makes the dialogues; None where others made them."""
        return self.dialogues

    @property
    def offline(self) -> PathRecipe:
        """The same with dialogues of the simulator."""
        inner = self.dialogues.offline if self.dialogues is not None else None
        return super().offline.model_copy(update={"dialogues": inner})

    @property
    def licence(self) -> str:
        """What the release states, or the licences of its dialogues."""
        if self.release.licence or self.dialogues is None:
            own = sorted({section.licence for section in self.sources})
            return self.release.licence or joined(own)
        return self.dialogues.licence
