"""Bridges that fit any two sessions, as data."""

from functools import cache
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field

_Turn = Annotated[str, Field(min_length=1)]
Pair = tuple[_Turn, _Turn]
"""A turn and the answer to it."""


class NeutralBridges(BaseModel):
    """Bridges that say nothing about anybody.

    Attributes:
        closings: How a talk ends: behind the last round of a session.
        openings: How one begins: before the first round.
        words: More words about talking, which any bridge may use.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    closings: list[Pair]
    openings: list[Pair]
    words: str


@cache
def neutral_bridges() -> NeutralBridges:
    """The bridges that ship."""
    text = Path(__file__).with_name("bridges.yaml").read_text(encoding="utf-8")
    return NeutralBridges.model_validate(yaml.safe_load(text))
