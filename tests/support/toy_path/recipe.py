"""What a recipe of the path says."""

from typing import Annotated, Literal

from pydantic import Field

from memassay.schemas.contracts.recipes import PathRecipe, Section


class HouseholdSection(Section):
    """What everybody has."""

    animal: Annotated[str, Field(description="What they keep.")] = "bees"


class ToyRecipe(PathRecipe):
    """People and their animals."""

    path: Annotated[Literal["toy"], Field(description="The path to run.")]
    people: Annotated[list[str], Field(min_length=1, description="Their names.")]
    household: HouseholdSection = HouseholdSection()
