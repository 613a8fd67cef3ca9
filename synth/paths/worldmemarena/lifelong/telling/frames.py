"""Frames: pairs of sentences of the same words around a claim that holds, or does not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict, Field

from memassay.schemas.queries.asked.words import run_of
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Draws

CLAIM: Final = "claim"
PEOPLE: Final = ("a", "b")
_FILE: Final = Path(__file__).parent / "frames.yaml"
_PAPERS: Final = "papers"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Pair(_Part):
    """Two sentences of the same words: in one the claim holds, in the other it does not."""

    holds: str
    fails: str

    def pattern(self, *, is_false: bool) -> str:
        """The one for a claim that is false, or true."""
        return self.fails if is_false else self.holds


class Family(_Part):
    """Pairs that share a thought, and the lists of their slots."""

    lists: Annotated[dict[str, list[str] | list[tuple[str, str]]], Field(min_length=1)]
    pairs: Annotated[list[Pair], Field(min_length=1, max_length=30)]

    def fillings(self) -> list[dict[str, str]]:
        """Every way to fill the slots of its list."""
        [(name, entries)] = self.lists.items()
        return [_filling(name, entry) for entry in entries]


def _filling(name: str, entry: str | tuple[str, str]) -> dict[str, str]:
    if isinstance(entry, str):
        return {name: entry}
    strong, weak = entry
    return {"strong": strong, "weak": weak}


class Frames(_Part):
    """All frames, and the tails that place a claim after it was told."""

    families: dict[str, Family]
    tails: Annotated[list[Pair], Field(min_length=1, max_length=30)]


class Frame(NamedTuple):
    """One pair with its list slots filled."""

    family: str
    pair: Pair
    filling: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """What it is known by, in draws."""
        return f"{self.family}/{self.pair.holds}/{self.filling}"


@cache
def load_frames() -> Frames:
    """The frames of the file beside this module."""
    return Frames.model_validate(yaml.safe_load(_FILE.read_text(encoding="utf-8")))


@cache
def all_frames() -> tuple[Frame, ...]:
    """Every pair, once for each entry of its list."""
    return tuple(
        Frame(name, pair, tuple(filling.items()))
        for name, family in load_frames().families.items()
        for pair in family.pairs
        for filling in family.fillings()
    )


def deal_frames(draws: Draws, session: int, count: int) -> list[Frame]:
    """So many frames for a session: no pair comes twice in it."""
    taken: list[Frame] = []
    by_name = {frame.name: frame for frame in all_frames()}
    for name in draws.rank(by_name, "frames", session):
        frame = by_name[name]
        if all(frame.pair != one.pair for one in taken):
            taken.append(frame)
        if len(taken) == count:
            break
    return taken


def unequal_words(pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Counter[str]]]:
    """Pairs whose two sentences have other words, with those words.

    The names of the two people are one word: which of them is named twice is drawn.
    """
    for pair in pairs:
        both = [
            Counter(run_of(one.replace("{a}", "person").replace("{b}", "person")))
            for one in (pair.holds, pair.fails)
        ]
        apart = (both[0] - both[1]) + (both[1] - both[0])
        if apart:
            yield pair, apart
