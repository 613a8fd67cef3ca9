"""What a recipe of the path m2a says."""

from typing import Annotated, Final, Literal

from pydantic import Field

from memassay.schemas.contracts.recipes import (
    AuthoredRecipe,
    Licence,
    Section,
    SourceSection,
)
from memassay.schemas.values.licences import join_licences

NAME: Final = "m2a"
"""Name of the path, and of the collection of its conversations."""

HostCode = Literal["1", "2", "3", "4", "adversarial"]


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
    visual: Annotated[
        int, Field(ge=0, le=24, description="Questions about new pictures of each group.")
    ] = 12
    gap_days: Annotated[
        int, Field(ge=1, le=60, description="Least days between two sessions at the gap.")
    ] = 1
    repairs: Annotated[
        int,
        Field(
            ge=0,
            le=5,
            description="How often a model is asked again for sessions that are wrong, and then "
            "for questions.",
        ),
    ] = 3


class HostsSection(Section):
    """Hosts that the simulator writes where LoCoMo is absent."""

    count: Annotated[int, Field(ge=0, le=10, description="Conversations.")] = 0
    sessions: Annotated[int, Field(ge=4, le=60, description="Sessions of each.")] = 28
    beats: Annotated[int, Field(ge=1, le=8, description="Things told in a session.")] = 7
    asides: Annotated[int, Field(ge=0, le=3, description="Small talk in a session.")] = 2
    images: Annotated[
        int, Field(ge=0, le=60, description="Images of their own that they show.")
    ] = 13
    questions: Annotated[
        dict[HostCode, Annotated[int, Field(ge=0)]],
        Field(description="Questions of LoCoMo's categories for each."),
    ] = {"1": 28, "2": 32, "3": 10, "4": 84, "adversarial": 18}


class M2ARecipe(AuthoredRecipe):
    """Long conversations with guest sessions about pictured concepts (M2A §4.4)."""

    path: Annotated[Literal["m2a"], Field(description="The path to run.")]
    hosts: HostsSection = HostsSection()
    sources: Annotated[
        list[SourceSection], Field(description="Conversations of others to be hosts.")
    ] = []
    concepts: ConceptsSection = ConceptsSection()
    guests: GuestsSection = GuestsSection()

    @property
    def licence(self) -> str:
        """What the release states, or the licences of hosts and concepts."""
        sources = sorted({section.licence for section in self.sources})
        return self.release.licence or join_licences([*sources, self.concepts.licence])
