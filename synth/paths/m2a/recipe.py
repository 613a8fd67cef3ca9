"""What a recipe of the path m2a says."""

from typing import Annotated, Literal

from pydantic import Field

from memassay.schemas.contracts.recipes import Licence, PathRecipe, Section, SourceSection
from memassay.schemas.values.licences import joined


class ConceptsSection(Section):
    """Where concepts come from: a folder of them, or none for those that we draw."""

    folder: Annotated[
        str | None,
        Field(description="Yo'LLaVA's or MC-LLaVA's folder, or one with a folder per concept."),
    ] = None
    licence: Annotated[Licence, Field(description="SPDX identifier of their pictures.")] = (
        "CC-BY-4.0"
    )


class GuestsSection(Section):
    """How many guests a host has, and how much is asked about them (M2A C)."""

    groups: Annotated[int, Field(ge=1, le=4, description="Groups of concepts a host.")] = 1
    questions: Annotated[int, Field(ge=1, le=60, description="Questions about each group.")] = 20
    gap_days: Annotated[
        int, Field(ge=1, le=60, description="Least days between two sessions at the gap.")
    ] = 1


class M2ARecipe(PathRecipe):
    """Long conversations with guest sessions about pictured concepts (M2A §4.4)."""

    path: Annotated[Literal["m2a"], Field(description="The path to run.")]
    sources: Annotated[
        list[SourceSection], Field(min_length=1, description="Conversations to be hosts.")
    ]
    concepts: ConceptsSection = ConceptsSection()
    guests: GuestsSection = GuestsSection()

    @property
    def licence(self) -> str:
        """What the release states, or the licences of hosts and concepts."""
        sources = sorted({section.licence for section in self.sources})
        return self.release.licence or joined([*sources, self.concepts.licence])
