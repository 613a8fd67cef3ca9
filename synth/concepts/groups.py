"""Groups of distinct concepts for one conversation (M2A C, step 1)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.values.pixels import hash_distance, take_in
from memassay.synth.concepts.library import ConceptImage, ConceptSource

SIZES: Final = (3, 4)
"""Concepts of a group, drawn uniformly (M2A C, step 1)."""
IMAGES: Final = (2, 3)
"""Pictures of a concept that are shown, drawn uniformly (M2A C, step 1)."""
LIKE_NAMES: Final = 0.75
"""From which likeness on two names are taken for one another (our choice)."""
LIKE_PIXELS: Final = 6
"""Up to how many different bits of 64 two pictures are taken for one another (our choice)."""


@dataclass(frozen=True)
class Chosen:
    """A concept of a group.

    Attributes:
        concept: Where it comes from.
        images: Those of its pictures that are shown, in order.
        alike: Another of its category, of which nobody talks; None if there is none.
    """

    concept: ConceptSource
    images: tuple[ConceptImage, ...]
    alike: ConceptSource | None = None


def concept_group(
    concepts: Sequence[ConceptSource], random: Random, taken: Sequence[str] = ()
) -> list[Chosen]:
    """Three or four concepts that nobody confuses, with two or three pictures each.

    No two are of one category, have names that are nearly equal, or show nearly the same picture.
    Where only three are left, or one has only two pictures, that is taken.

    Args:
        concepts: What there is to choose from.
        random: Draws the sizes, the concepts and the pictures.
        taken: Names of concepts that are in the conversation already.

    Raises:
        UsageError: There are too few concepts that differ.
    """
    size = random.choice(SIZES)
    pool = [one for one in concepts if not any(_like(one.name, name) for name in taken)]
    random.shuffle(pool)
    group: list[Chosen] = []
    for one in pool:
        wanted = min(random.choice(IMAGES), len(one.shown))
        if wanted < min(IMAGES) or not _distinct(one, [other.concept for other in group]):
            continue
        chosen = Chosen(one, tuple(random.sample(one.shown, wanted)))
        if not _seen_before(chosen, group):
            group.append(chosen)
        if len(group) == size:
            break
    if len(group) < min(SIZES):
        raise UsageError(
            f"concepts: expected {min(SIZES)} that differ in name, category and pictures, each "
            f"with {min(IMAGES)} pictures to show, got {len(group)} of {len(pool)}; add concepts"
        )
    return [_beside(each, pool, random) for each in group]


def _beside(chosen: Chosen, pool: Sequence[ConceptSource], random: Random) -> Chosen:
    """A concept of a group with another of its category; a group has one of each."""
    own = chosen.concept
    others = [one for one in pool if one.category == own.category and one.name != own.name]
    if own.category is None or not others:
        return chosen
    return replace(chosen, alike=random.choice(others))


def _distinct(one: ConceptSource, others: Sequence[ConceptSource]) -> bool:
    return not any(
        (one.category is not None and one.category == other.category) or _like(one.name, other.name)
        for other in others
    )


def _like(one: str, other: str) -> bool:
    first, second = one.casefold(), other.casefold()
    return (
        first.startswith(second)
        or second.startswith(first)
        or SequenceMatcher(None, first, second).ratio() >= LIKE_NAMES
    )


def _seen_before(chosen: Chosen, group: Sequence[Chosen]) -> bool:
    own = [take_in(image.read()).perceptual_hash for image in chosen.images]
    others = [take_in(image.read()).perceptual_hash for one in group for image in one.images]
    pairs = [(a, b) for at, a in enumerate(own) for b in [*own[at + 1 :], *others]]
    return any(hash_distance(one, other) <= LIKE_PIXELS for one, other in pairs)
