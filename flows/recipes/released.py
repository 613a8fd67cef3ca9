"""The recipe that a release was made from, as its manifest has it."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from memassay.flows.recipes.loading import read_recipe
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.contracts.recipes import PathRecipe
from memassay.schemas.errors import MemassayError
from memassay.schemas.section_errors import known_keys


def released_recipe(asked: Mapping[str, Any]) -> PathRecipe | None:
    """The recipe as its path reads it, without what the release adds; None where none reads it."""
    try:
        known = known_keys(PATHS[str(asked.get("path"))].recipe)
        return read_recipe({name: value for name, value in asked.items() if name in known})
    except (KeyError, MemassayError, ValidationError):
        return None
