"""Dogs, cats, birds and rabbits: four builds of each."""

from memassay.synth.pictures.canvas.sketch import Box, Point
from memassay.synth.pictures.classes.pen import Pen, oval


def _face(pen: Pen, x: float, y: float, eyes: float) -> None:
    for side in (-1, 1):
        pen.dot(x + side * eyes, y, 0.07, "#ffffff")
        pen.dot(x + side * eyes, y, 0.045, "#1d1d1d")
    pen.patch([(x - 0.07, y + 0.16), (x + 0.07, y + 0.16), (x, y + 0.24)], "#1d1d1d")


def dog(pen: Pen, shape: int) -> Box:
    """A dog: hanging, pointed, folded or long ears; its tail and legs go with them."""
    long, legs = (0.62, 0.78, 0.55, 0.85)[shape], (0.42, 0.5, 0.3, 0.22)[shape]
    tails: tuple[list[Point], ...] = (
        [(long - 0.1, 0.05), (long + 0.2, -0.35), (long + 0.1, -0.5)],
        [(long - 0.1, 0.1), (long + 0.3, 0.2), (long + 0.35, 0.45)],
        oval(long + 0.05, -0.1, 0.14, 0.16, 0, 0.0, 0.85),
        [(long - 0.1, 0.1), (long + 0.12, -0.02)],
    )
    pen.stroke(tails[shape], pen.colours.body, 6)
    for x in (-0.42, -0.2, long - 0.4, long - 0.16):
        leg = [(x, 0.3), (x + 0.16, 0.3), (x + 0.16, 0.42 + legs), (x, 0.42 + legs)]
        pen.shape(leg)
    pen.oval((long - 0.5) / 2, 0.2, (long + 0.55) / 2, 0.32)
    pen.oval(-0.55, -0.25, 0.36, 0.33)
    ears: tuple[list[list[Point]], ...] = (
        [oval(-0.88, -0.18, 0.12, 0.3, 0.25), oval(-0.24, -0.18, 0.12, 0.3, -0.25)],
        [
            [(-0.86, -0.36), (-0.8, -0.85), (-0.58, -0.53)],
            [(-0.5, -0.53), (-0.3, -0.85), (-0.24, -0.36)],
        ],
        [
            [(-0.86, -0.4), (-0.98, -0.7), (-0.66, -0.55)],
            [(-0.44, -0.55), (-0.12, -0.7), (-0.24, -0.4)],
        ],
        [oval(-0.92, 0.02, 0.11, 0.46, 0.12), oval(-0.2, 0.02, 0.11, 0.46, -0.12)],
    )
    for ear in ears[shape]:
        pen.shape(ear, pen.colours.mark if shape in (0, 3) else None)
    # A long muzzle with a tongue: nobody takes it for a cat or a pig.
    pen.oval(-0.56, 0.02, 0.19, 0.24, pen.colours.mark)
    pen.oval(-0.56, 0.26, 0.07, 0.12, "#d9707e")
    _face(pen, -0.56, -0.34, 0.15)
    return (-0.1, 0.04, long - 0.1, 0.4)


def cat(pen: Pen, shape: int) -> Box:
    """A sitting cat: slim, heavy, long-haired or with a stump of a tail."""
    wide = (0.42, 0.6, 0.52, 0.46)[shape]
    tails: tuple[list[Point], ...] = (
        [(wide - 0.1, 0.7), (wide + 0.35, 0.55), (wide + 0.3, 0.05), (wide + 0.45, -0.1)],
        [(wide - 0.1, 0.75), (wide + 0.3, 0.8), (wide + 0.4, 0.6)],
        oval(wide + 0.15, 0.5, 0.22, 0.34, 0.3),
        [(wide - 0.1, 0.7), (wide + 0.12, 0.62)],
    )
    pen.stroke(tails[shape], pen.colours.body, 8 if shape == 2 else 5)
    pen.oval(0, 0.4, wide, 0.52)
    if shape == 2:
        ruff = [
            (-0.42, -0.05),
            (0.42, -0.05),
            (0.3, 0.2),
            (0.16, 0.08),
            (0, 0.28),
            (-0.16, 0.08),
            (-0.3, 0.2),
        ]
        pen.shape(ruff, pen.colours.mark)
    tall = (0.42, 0.26, 0.34, 0.3)[shape]
    for side in (-1, 1):
        pen.shape([(side * 0.36, -0.5), (side * 0.3, -0.62 - tall), (side * 0.06, -0.68)])
        pen.oval(side * wide * 0.45, 0.88, 0.16, 0.09)
    pen.oval(0, -0.4, 0.4, 0.34)
    _face(pen, 0, -0.45, 0.16)
    for side in (-1, 1):
        for tilt in (-0.05, 0.05):
            pen.stroke([(side * 0.12, -0.26), (side * 0.5, -0.28 + tilt * 2)], width=0.6)
    return (-wide * 0.6, 0.22, wide * 0.6, 0.72)


def bird(pen: Pen, shape: int) -> Box:
    """A bird on a branch: round, crested, long-tailed or with a large beak."""
    pen.stroke([(-0.72, 0.7), (0.8, 0.63)], "#7a5a3a", 6)
    for x in (-0.1, 0.12):
        pen.stroke([(x, 0.4), (x, 0.7)], "#b3741e", 2)
    tails: tuple[list[Point], ...] = (
        [(0.4, 0.2), (0.78, 0.3), (0.72, 0.5), (0.35, 0.4)],
        [(0.4, 0.1), (0.9, -0.12), (0.92, 0.12), (0.4, 0.35)],
        [(0.35, 0.15), (0.98, 0.78), (0.82, 0.95), (0.25, 0.4)],
        [(0.38, 0.2), (0.7, 0.15), (0.82, 0.42), (0.4, 0.42)],
    )
    pen.shape(tails[shape])
    pen.oval(0.05, 0.12, *((0.52, 0.46), (0.5, 0.34), (0.46, 0.32), (0.48, 0.4))[shape])
    pen.oval(-0.42, -0.35, 0.28, 0.27)
    if shape == 1:
        pen.shape(
            [(-0.5, -0.58), (-0.62, -0.98), (-0.42, -0.72), (-0.36, -1.0), (-0.28, -0.56)],
            pen.colours.mark,
        )
    beak = (0.16, 0.2, 0.16, 0.42)[shape]
    pen.shape([(-0.66, -0.44), (-0.68 - beak, -0.3), (-0.64, -0.22)], "#e9a31f")
    pen.dot(-0.48, -0.4, 0.06, "#ffffff")
    pen.dot(-0.48, -0.4, 0.038, "#1d1d1d")
    return (-0.24, -0.14, 0.38, 0.38)


def rabbit(pen: Pen, shape: int) -> Box:
    """A rabbit: ears up, one down, both down, or short and wide."""
    pen.dot(0.56, 0.62, 0.18, "#fbfbfb")
    pen.oval(0.1, 0.42, *((0.46, 0.5), (0.5, 0.46), (0.58, 0.44), (0.42, 0.42))[shape])
    ears: tuple[list[list[Point]], ...] = (
        [oval(-0.36, -0.82, 0.1, 0.36, -0.12), oval(-0.06, -0.82, 0.1, 0.36, 0.12)],
        [oval(-0.36, -0.82, 0.1, 0.36, -0.12), oval(0.16, -0.42, 0.1, 0.36, -0.6)],
        [oval(-0.58, -0.12, 0.11, 0.38, 0.2), oval(0.14, -0.12, 0.11, 0.38, -0.2)],
        [oval(-0.42, -0.68, 0.12, 0.24, -0.35), oval(0.0, -0.68, 0.12, 0.24, 0.35)],
    )
    for ear in ears[shape]:
        pen.shape(ear)
    pen.oval(-0.21, -0.26, 0.36, 0.3)
    teeth = [(-0.28, -0.08), (-0.14, -0.08), (-0.14, 0.06), (-0.28, 0.06)]
    pen.shape(teeth, "#fbfbfb")
    _face(pen, -0.21, -0.32, 0.15)
    for x in (-0.2, 0.3):
        pen.oval(x, 0.88, 0.2, 0.09)
    return (-0.12, 0.2, 0.36, 0.68)
