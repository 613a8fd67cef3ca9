"""Concepts that nobody has to photograph: classes of things, drawn (M2A C, offline)."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from memassay.schemas.contracts.drawings import Box
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.drawn import Drawn
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.concepts.library import ConceptImage, ConceptSource
from memassay.synth.pictures.canvas.figures import Drawing, Figure
from memassay.synth.pictures.classes.families import (
    CLASSES,
    EXEMPLAR,
    FAMILIES,
    RECOLOURED,
    class_name,
    exemplar_figure,
)
from memassay.synth.pictures.drawing.again import drawn_figure, libraries
from memassay.synth.pictures.drawing.renderer import draw
from memassay.synth.world.grammar import Randoms

NAMES: Final = {
    "dog": ("bo", "biscuit", "juno", "otto", "pepper", "milo", "nell", "waldo"),
    "cat": ("mochi", "tilly", "smokey", "pearl", "ziggy", "olive", "ash", "fig"),
    "bird": ("kiwi", "pip", "sunny", "rio", "echo", "jasper", "lark", "coco"),
    "rabbit": ("clover", "thumper", "hazel", "nutmeg", "basil", "daisy", "rusty", "bun"),
    "mug": ("ajax", "bertie", "cosmo", "dorothy", "eggbert", "frankie", "gilda", "hubert"),
    "teapot": ("agatha", "baron", "duchess", "empress", "galahad", "winnie", "ludwig", "mabel"),
    "vase": ("aurora", "brunhild", "cleo", "delphi", "ophelia", "fortuna", "juniper", "lazlo"),
    "plant": ("morton", "rodrigo", "monty", "lola", "gus", "jim-jam", "pat", "bonny"),
    "bag": ("atlas", "bosco", "nomad", "jasmine", "pilgrim", "rambo", "tango", "yeti"),
    "shoe": ("comet", "hermes", "blitz", "rocket", "sherpa", "salsa", "gazelle", "whisper"),
    "hat": ("humphrey", "chaplin", "picasso", "dandy", "viking", "tornado", "marlowe", "rigoletto"),
    "lamp": ("archie", "moby", "neptune", "orion", "quincy", "vesper", "wilbur", "xerxes"),
}
"""What people call the eight of each family; no name says what it is."""

SHOWN: Final = 4
"""Pictures of each that conversations may show."""
HELD_OUT: Final = 3
"""Pictures of each that only questions show."""


def drawn_concepts(randoms: Randoms, folder: str) -> list[ConceptSource]:
    """All classes of all families, by name; every picture is drawn when it is read.

    Args:
        randoms: Gives the generators of their looks.
        folder: Unique name of who shows them, for the paths of the pictures.
    """
    return sorted(
        (
            ConceptSource(
                name=name,
                category=family,
                shown=exemplars(family, number, randoms, f"train/{folder}/{name}", SHOWN),
                held_out=exemplars(family, number, randoms, f"test/{folder}/{name}", HELD_OUT),
                look=class_name(family, number),
            )
            for family in FAMILIES
            for number, name in zip(range(CLASSES), NAMES[family], strict=True)
        ),
        key=lambda one: one.name,
    )


def drawn_looks(assets: Iterable[Asset]) -> set[str]:
    """Which classes pictures show, as `ConceptSource.look` has them."""
    figures = [one.drawn.figure for one in assets if one.drawn is not None]
    return {
        cell
        for figure in figures
        if figure is not None and figure.kind in (EXEMPLAR, RECOLOURED)
        for cells in figure.cells
        for cell in cells
    }


def exemplars(
    family: str, number: int, randoms: Randoms, folder: str, count: int
) -> tuple[ConceptImage, ...]:
    """So many pictures of a class, no two alike; each is drawn when it is read."""
    return tuple(
        exemplar_image(
            exemplar_figure(family, number),
            randoms("looks", folder, str(nth)).key,
            f"{folder}/{nth}.png",
        )
        for nth in range(1, count + 1)
    )


def exemplar_image(figure: Figure, key: tuple[str, ...], path: str) -> ConceptImage:
    """A picture of a class, drawn when it is read.

    Args:
        figure: One of `exemplar_figure`.
        key: Of the generator of its looks.
        path: Where an export puts it.
    """
    (family,) = figure.rows

    @cache
    def drawing() -> Drawing:
        return draw(figure, keyed_random(*key))

    def looks() -> tuple[Drawn, Box]:
        drawn = Drawn(seed_path=list(key), libraries=libraries(), figure=drawn_figure(figure))
        return drawn, drawing().boxes[family]

    return ConceptImage(path, lambda: drawing().png, looks)
