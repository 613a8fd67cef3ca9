"""Concepts that nobody has to photograph: classes of things, drawn (M2A C, offline)."""

from functools import partial
from random import Random
from typing import Final

from memassay.synth.classes.families import CLASSES, FAMILIES, exemplar, thing_class
from memassay.synth.concepts.library import ConceptImage, ConceptSource

NAMES: Final = {
    "dog": ("bo", "biscuit", "juno", "otto", "pepper", "milo", "nell", "waldo"),
    "cat": ("mochi", "tilly", "smokey", "pearl", "ziggy", "olive", "ash", "fig"),
    "bird": ("kiwi", "pip", "sunny", "rio", "echo", "jasper", "lark", "coco"),
    "rabbit": ("clover", "thumper", "hazel", "nutmeg", "basil", "daisy", "rusty", "bun"),
    "mug": (
        *("monday-mug", "nan's-mug", "camp-mug", "desk-mug"),
        *("chipped-mug", "lucky-mug", "pottery-mug", "cocoa-mug"),
    ),
    "teapot": (
        *("sunday-pot", "gran's-teapot", "market-teapot", "tall-pot"),
        *("guest-teapot", "wedding-teapot", "picnic-pot", "office-teapot"),
    ),
    "vase": (
        *("hall-vase", "tulip-vase", "blue-day-vase", "balcony-vase"),
        *("attic-vase", "gift-vase", "kiln-vase", "window-vase"),
    ),
    "plant": ("spike", "fernando", "herb", "lola", "prickles", "jungle-jim", "pat", "bonny"),
    "bag": (
        *("gym-bag", "weekend-bag", "work-bag", "beach-bag"),
        *("trail-bag", "library-bag", "swim-bag", "studio-bag"),
    ),
    "shoe": (
        *("race-shoes", "rain-boots", "garden-clogs", "party-heels"),
        *("court-shoes", "hill-boots", "slip-ons", "stage-heels"),
    ),
    "hat": (
        *("sun-hat", "ski-hat", "boat-cap", "magic-hat"),
        *("derby-hat", "bobble-hat", "team-cap", "costume-hat"),
    ),
    "lamp": (
        *("reading-lamp", "hallway-lamp", "drafting-lamp", "porch-lamp"),
        *("bedside-lamp", "flea-market-lamp", "sewing-lamp", "tent-lamp"),
    ),
}
"""What people call the eight of each family."""

ORIGIN: Final = "exemplar"
"""Origin of pictures of classes."""
SHOWN: Final = 4
"""Pictures of each that conversations may show."""
HELD_OUT: Final = 3
"""Pictures of each that only questions show."""


def drawn_concepts() -> list[ConceptSource]:
    """All classes of all families, by name; every picture is drawn when it is read."""
    return sorted(
        (
            ConceptSource(
                name=name,
                category=family,
                shown=_drawn(family, number, "shown", SHOWN),
                held_out=_drawn(family, number, "held_out", HELD_OUT),
            )
            for family in FAMILIES
            for number, name in zip(range(CLASSES), NAMES[family], strict=True)
        ),
        key=lambda one: one.name,
    )


def _drawn(family: str, number: int, part: str, count: int) -> tuple[ConceptImage, ...]:
    return tuple(
        ConceptImage(
            f"concepts/{family}/{number}/{part}/{nth}.png",
            partial(_picture, family, number, f"{family} {number} {part} {nth}"),
            ORIGIN,
        )
        for nth in range(1, count + 1)
    )


def _picture(family: str, number: int, key: str) -> bytes:
    return exemplar(thing_class(family, number), Random(key)).png
