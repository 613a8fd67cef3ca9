"""Twelve families of eight classes, no two of which differ in colour alone.

Each exemplar of a class is drawn by itself: its size, lean, side, place, ground and light change,
while build, mark and proportions stay what the class is known by. So do its colours, unless they
are drawn for each exemplar: then no colour tells anything of the class.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.sketch import Box, Point, Shape, Sketch
from memassay.synth.pictures.classes.animals import bird, cat, dog, rabbit
from memassay.synth.pictures.classes.belongings import bag, hat, lamp, plant, shoe
from memassay.synth.pictures.classes.colours import draw_colours
from memassay.synth.pictures.classes.marks import MARKS
from memassay.synth.pictures.classes.pen import Colours, Pen
from memassay.synth.pictures.classes.vessels import mug, teapot, vase

FAMILIES: Final[dict[str, Callable[[Pen, int], Box]]] = {
    "dog": dog,
    "cat": cat,
    "bird": bird,
    "rabbit": rabbit,
    "mug": mug,
    "teapot": teapot,
    "vase": vase,
    "plant": plant,
    "bag": bag,
    "shoe": shoe,
    "hat": hat,
    "lamp": lamp,
}
"""Draws a thing of a family in one of four shapes, and gives the panel for its mark."""

CLASSES: Final = 8
"""Classes of a family."""
SHAPES: Final = range(4)
"""Shapes of a family; each is that of two classes."""
EXEMPLAR: Final = "exemplar"
"""Kind of figure that a picture of a class in its own colours is."""
RECOLOURED: Final = "exemplar-recoloured"
"""The same in colours that are drawn for the picture."""

_STRETCHES: Final = (0.82, 1.0, 1.18)
_PALETTES: Final = (
    Colours("#b5763f", "#f0e0c4", "#5b3517"),
    Colours("#8d9aa6", "#f4f4f2", "#414b54"),
    Colours("#e3d3b3", "#8a5a33", "#6d5433"),
    Colours("#d9a23c", "#6e3d12", "#7a5310"),
    Colours("#5f8fb8", "#f2e6b8", "#27496a"),
    Colours("#b9606a", "#f3dfd9", "#6a2730"),
)
_GROUNDS: Final = (
    ("#eef0ea", "#c9b79b"),
    ("#dfe9ef", "#a9b9a1"),
    ("#f1e7dc", "#9c8b7d"),
    ("#e8e4ef", "#b6aebf"),
    ("#e6efe3", "#8fa6b5"),
)
_LEAN: Final = 0.12
_LESS_LEAN: Final = 0.06
"""How far a thing leans at most, in radians; less where colour does not help to know it."""
_WIDER: Final = 1.3
"""How much larger marks are there."""
_WIDTH: Final = 480
_HEIGHT: Final = 400


@dataclass(frozen=True)
class ThingClass:
    """What the pictures of one thing have in common.

    Attributes:
        family: Key of `FAMILIES`.
        shape: Which of the four shapes of its family it has.
        mark: Key of `MARKS`.
        stretch: Its width beside its height.
        palette: Which colours it has; others of its family share them.
    """

    family: str
    shape: int
    mark: str
    stretch: float
    palette: int


def thing_class(family: str, number: int) -> ThingClass:
    """One of the eight classes of a family, from 0.

    Any two of a family differ in shape or proportions and in their mark as well.

    Raises:
        ValueError: There is no such family or class.
    """
    if family not in FAMILIES or not 0 <= number < CLASSES:
        raise ValueError(
            f"class {family} {number}: expected one of {', '.join(FAMILIES)} and a number from 0 "
            f"to {CLASSES - 1}"
        )
    turn = list(FAMILIES).index(family)
    return ThingClass(
        family=family,
        shape=shape_of(number),
        mark=list(MARKS)[(number + turn) % len(MARKS)],
        stretch=_STRETCHES[(number // 4 + number + turn) % len(_STRETCHES)],
        # Four colours for eight classes: every colour is that of two of them.
        palette=(number % 2 + 2 * (number // 4) + turn) % len(_PALETTES),
    )


def shape_of(number: int) -> int:
    """Which of the four shapes of its family a class has."""
    return number % len(SHAPES)


def class_name(family: str, number: int) -> str:
    """What a picture of a class was drawn of: `dog 4` for class 3 of the dogs."""
    return f"{family} {number + 1}"


def exemplar_figure(family: str, number: int, *, recoloured: bool = False) -> Figure:
    """A picture of one of the eight classes of a family, as data.

    Args:
        family: Key of `FAMILIES`.
        number: Which class, from 0.
        recoloured: Whether its colours are drawn with it, and are not those of its class.
    """
    kind = RECOLOURED if recoloured else EXEMPLAR
    return Figure(kind=kind, title="", rows=(family,), cells=((class_name(family, number),),))


def exemplar(figure: Figure, random: Random) -> Sketch:
    """A thing as it is seen on some day.

    Args:
        figure: Its family, and which of its classes it is.
        random: Picks where, how large, from which side and on what ground it is, and in which
            colours if these are not those of its class.

    Raises:
        ValueError: There is no such family or class.
    """
    thing = _class_of(figure)
    wall, floor = random.choice(_GROUNDS)
    sketch = Sketch(_WIDTH, _HEIGHT, wall)
    horizon = random.uniform(0.62, 0.8) * _HEIGHT
    sketch.rectangle((0, horizon, _WIDTH, _HEIGHT), floor)
    ground = random.uniform(horizon + 18, _HEIGHT - 24)
    middle = random.uniform(0.38, 0.62) * _WIDTH
    _things_around(sketch, (middle, ground), random)
    shapes = _shapes(thing, random, recoloured=figure.kind == RECOLOURED)
    sketch.boxes[thing.family] = _stand(sketch, shapes, (middle, ground), _darker(floor))
    return sketch


def _class_of(figure: Figure) -> ThingClass:
    """The class that a figure names."""
    (family,), ((name,),) = figure.rows, figure.cells
    number = name.removeprefix(f"{family} ")
    if not (number.isascii() and number.isdecimal()):
        raise ValueError(f"{EXEMPLAR}: expected a class such as {family} 1, got {name!r}")
    return thing_class(family, int(number) - 1)


def _shapes(thing: ThingClass, random: Random, *, recoloured: bool) -> list[Shape]:
    """The shapes of a thing around the corner of a picture."""
    sketch, size = Sketch(1, 1, ""), random.uniform(95, 135)
    colours = draw_colours(thing.family, random) if recoloured else _PALETTES[thing.palette]
    lean = _LESS_LEAN if recoloured else _LEAN
    pen = Pen(
        sketch=sketch,
        size=size,
        lean=random.uniform(-lean, lean),
        stretch=thing.stretch,
        mirrored=random.random() < 0.5,
        line=max(2.0, size / 48),
        colours=colours,
    )
    panel = FAMILIES[thing.family](pen, thing.shape)
    MARKS[thing.mark](pen, _widen(panel) if recoloured else panel)
    return sketch.shapes


def _widen(panel: Box) -> Box:
    left, top, right, bottom = panel
    across, down = ((right - left) * (_WIDER - 1) / 2, (bottom - top) * (_WIDER - 1) / 2)
    return (left - across, top - down, right + across, bottom + down)


def _stand(sketch: Sketch, shapes: Sequence[Shape], foot: Point, shade: str) -> Box:
    """Set a thing on the ground, on its shadow; gives its box."""
    points = [point for shape in shapes for point in shape.points]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    bottom = max(y for _, y in points)
    x, y = foot
    wide = (right - left) / 2
    sketch.ellipse((x - wide, y - 12, x + wide, y + 10), shade)
    sketch.shapes += [shape.move(x - (left + right) / 2, y - bottom) for shape in shapes]
    top = y - bottom + min(y for _, y in points)
    return (x - wide, top, x + wide, y)


def _things_around(sketch: Sketch, foot: Point, random: Random) -> None:
    """Frames on the wall, a window or a rug: what differs from picture to picture."""
    for _ in range(random.randint(0, 2)):
        x, y = random.uniform(10, _WIDTH - 90), random.uniform(10, 70)
        width, height = random.uniform(40, 80), random.uniform(40, 70)
        sketch.rectangle((x, y, x + width, y + height), "#fbfaf6", "#8c7f70", 3)
    if random.random() < 0.5:
        wide = random.uniform(120, 200)
        rug = (foot[0] - wide, foot[1] - 26, foot[0] + wide, foot[1] + 22)
        sketch.ellipse(rug, random.choice(("#d8c7b0", "#b9c7cf", "#cdbcc8", "#c3cdb5")))


def _darker(colour: str) -> str:
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{part * 4 // 5:02x}" for part in parts)
