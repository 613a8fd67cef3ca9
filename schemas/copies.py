"""Copies of the conversations of a recipe: how they are called, and what each is a copy of."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, TypeVar

from pydantic import Field

from memassay.schemas.errors import RecipeError

Made = TypeVar("Made")

MOST_COPIES: Final = 999
"""As many as three digits count: all numbers have the same width, so no id begins another, and
more copies later leave those that are there as they are."""

Copies = Annotated[
    int,
    Field(
        ge=1,
        le=MOST_COPIES,
        exclude_if=lambda number: number == 1,
        description="How many conversations are made of each: `alex`, `alex-002`, ..., each with "
        "draws of its own.",
    ),
]


def copy_id(name: str, number: int) -> str:
    """Id of a copy of a conversation: `alex`, `alex-002`, `alex-003`."""
    return name if number == 1 else f"{name}-{number:03d}"


def with_copies(found: Mapping[str, Made], copies: int) -> dict[str, Made]:
    """By id of every copy, what is found under the id of the conversation; copies follow it.

    Units draw by the id of their conversation: copies of one have the same source and size, and
    different draws.

    Raises:
        RecipeError: A copy would have the id of another conversation.
    """
    made: dict[str, Made] = {}
    for name, one in found.items():
        for copy in _ids(name, copies):
            if copy in made or (copy != name and copy in found):
                raise RecipeError(
                    f"copies: expected ids of their own for the copies of {name}, got {copy}, "
                    "which another conversation has; rename that one"
                )
            made[copy] = one
    return made


def _ids(name: str, copies: int) -> Iterator[str]:
    return (copy_id(name, number) for number in range(1, copies + 1))
