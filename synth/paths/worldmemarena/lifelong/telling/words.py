"""Words between points, as data: how news begins, what the assistant says to it."""

from functools import cache
from pathlib import Path
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict

from memassay.synth.paths.worldmemarena.lifelong.files.parts import Texts

_FILE: Final = Path(__file__).parent / "words.yaml"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Asks(_Part):
    """What the assistant asks at the end of a turn.

    Attributes:
        fresh: For a property that nobody told yet.
        known: After something that was told before.
        open: After anything.
    """

    fresh: Texts
    known: Texts
    open: Texts


class Words(_Part):
    """The words of the file beside this module.

    Attributes:
        joins: How a sentence follows another one in a turn.
        news: Sentences around news about what had a value before.
        claims: Sentences around what a source says.
        acks: What the assistant says to anything.
        asks: What it asks.
    """

    joins: Texts
    news: Texts
    claims: Texts
    acks: Texts
    asks: Asks


@cache
def load_words() -> Words:
    """The words of the file beside this module."""
    return Words.model_validate(yaml.safe_load(_FILE.read_text(encoding="utf-8")))
