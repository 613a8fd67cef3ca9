"""What a recipe of the path mem-gallery says."""

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from memassay.schemas.contracts.author_sections import (
    ReaderSection,
    Writing,
    identity,
    reader_writing,
)
from memassay.schemas.contracts.recipes import (
    READS_LIVES,
    AuthoredRecipe,
    ClusterSection,
    InnerRecipe,
    PathRecipe,
    SourceSection,
)
from memassay.schemas.values.licences import join_licences
from memassay.synth.histories.sections import DialsSection
from memassay.synth.paths.mem_gallery.rows import cut_apart
from memassay.synth.paths.mem_gallery.stories_recipe import StoriesSection


def _is_none(value: object) -> bool:
    return value is None


def _is_empty(value: object) -> bool:
    return not value


NAME: Final = "mem-gallery"
"""Name of the path, and of the collection of its conversations."""


def _forms(given: object) -> list[object]:
    return given if isinstance(given, list) else [given]


class MemGalleryRecipe(AuthoredRecipe):
    """Long conversations of single dialogues, or told from worlds (Mem-Gallery §3.1, A.2.3)."""

    model_config = ConfigDict(serialize_by_alias=True)

    path: Annotated[Literal["mem-gallery"], Field(description="The path to run.")]
    from_: Annotated[
        Literal["clusters", "stories"] | list[Literal["clusters", "stories"]],
        Field(
            alias="from",
            description="What conversations are made of: clusters of dialogues, stories, or both: "
            "`[stories, clusters]`.",
        ),
    ]
    mode: Annotated[
        Literal["ledger-first", "paper"],
        Field(
            exclude_if=lambda mode: mode == "ledger-first",
            description="Of stories. ledger-first: a world is fixed before it is worded; paper: "
            "models outline, write and ask, people choose, move images and decide.",
        ),
    ] = "ledger-first"
    stories: Annotated[
        StoriesSection | None, Field(description="Whose stories are told.", exclude_if=_is_none)
    ] = None
    sources: Annotated[
        list[SourceSection],
        Field(description="Dialogues of others; format `release` is ours. Each session is one."),
    ] = []
    dialogues: Annotated[
        InnerRecipe, Field(description="A recipe of another path whose sessions are the dialogues.")
    ] = None
    cluster: Annotated[
        ClusterSection | None, Field(description="How clusters are made.", exclude_if=_is_none)
    ] = None
    reader: Annotated[
        ReaderSection | None,
        Field(
            exclude_if=lambda section: section is None,
            description="With the simulator as author, a model that reads joined dialogues for "
            "contradictions; default: nobody.",
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _clusters(cls, given: Any) -> Any:
        """Clusters are made as the section says, or as usual where there is none."""
        if isinstance(given, dict) and "clusters" in _forms(given.get("from", given.get("from_"))):
            return {"cluster": ClusterSection(), **given}
        return given

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
    def story_dials(self) -> DialsSection:
        """What the cards of stories are chosen and ordered by."""
        dials = self.stories.dials if self.stories is not None else DialsSection()
        return dials.of_author(self.author)

    @property
    def by_simulator(self) -> AuthoredRecipe:
        """The same worlds, worded by the simulator: what models read, it does not."""
        stories = self.stories
        if stories is not None:
            stories = stories.model_copy(update={"dials": self.story_dials})
        return super().by_simulator.model_copy(update={"stories": stories})

    @property
    def forms(self) -> frozenset[str]:
        """What conversations are made of."""
        return frozenset(map(str, _forms(self.from_)))

    @property
    def cut_apart(self) -> frozenset[str] | None:
        """Of stories, those whose sessions become single dialogues; else all there is."""
        return cut_apart(self.stories, self.copies) if self.stories is not None else None

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
        """The recipe that makes the dialogues; None where others made them.

        No round of Mem-Gallery shows two images, and its code would show the first alone.
        """
        return self.dialogues.one_image_a_round if self.dialogues is not None else None

    @property
    def offline(self) -> PathRecipe:
        """The same with dialogues of the simulator."""
        inner = self.dialogues.offline if self.dialogues is not None else None
        return super().offline.model_copy(update={"dialogues": inner, "reader": None})

    @property
    def licence(self) -> str:
        """What the release states, or the licences of its dialogues."""
        if self.stories is not None:
            own = [self.stories.material.licence] if self.stories.material is not None else []
            return join_licences([super().licence, *own])
        if self.release.licence or self.dialogues is None:
            own = sorted({section.licence for section in self.sources})
            return self.release.licence or join_licences(own)
        return self.dialogues.licence
