"""Bags, shoes, hats, lamps and plants: four shapes of each."""

from memassay.synth.pictures.canvas.sketch import Box, Point
from memassay.synth.pictures.classes.pen import Pen, oval


def bag(pen: Pen, shape: int) -> Box:
    """A bag: a rucksack, a shopper, a shoulder bag or a barrel."""
    if shape == 0:
        pen.stroke(oval(0, -0.6, 0.22, 0.3, 0, 0.5, 1.0), width=3)
        pen.shape(
            [(-0.55, 0.9), (-0.55, -0.2), *oval(0, -0.2, 0.55, 0.55, 0, 0.5, 1.0), (0.55, 0.9)]
        )
        pen.shape([(-0.38, 0.82), (-0.38, 0.35), (0.38, 0.35), (0.38, 0.82)], pen.colours.mark)
        return (-0.34, -0.36, 0.34, 0.24)
    if shape == 1:
        for x in (-0.05, 0.05):
            pen.stroke(oval(x, -0.3, 0.32, 0.6, 0, 0.5, 1.0), width=2.5)
        pen.shape([(-0.62, -0.3), (0.62, -0.3), (0.5, 0.85), (-0.5, 0.85)])
        return (-0.38, -0.1, 0.38, 0.66)
    if shape == 2:
        pen.stroke(oval(0, 0.0, 0.7, 0.92, 0, 0.5, 1.0), width=2)
        pen.shape([(-0.72, -0.05), (0.72, -0.05), (0.72, 0.7), (-0.72, 0.7)])
        pen.shape([(-0.72, -0.05), (0.72, -0.05), (0.5, 0.32), (-0.5, 0.32)], pen.colours.mark)
        pen.oval(0, 0.3, 0.08, 0.08, pen.colours.edge)
        return (-0.4, 0.4, 0.4, 0.66)
    pen.stroke(oval(0, -0.1, 0.36, 0.5, 0, 0.5, 1.0), width=3)
    pen.shape([(-0.6, -0.2), (0.6, -0.2), (0.6, 0.6), (-0.6, 0.6)])
    for x in (-0.6, 0.6):
        pen.oval(x, 0.2, 0.2, 0.4, pen.colours.mark)
    return (-0.34, -0.1, 0.34, 0.5)


def shoe(pen: Pen, shape: int) -> Box:
    """A shoe seen from the side: a trainer, a boot, a clog or one with a heel."""
    uppers: tuple[list[Point], ...] = (
        [
            (-0.85, 0.4),
            (-0.82, -0.4),
            (-0.4, -0.46),
            (-0.16, -0.2),
            (0.3, 0.0),
            (0.85, 0.16),
            (0.92, 0.4),
        ],
        [
            (-0.7, 0.4),
            (-0.68, -0.85),
            (-0.1, -0.85),
            (-0.06, -0.1),
            (0.45, 0.05),
            (0.8, 0.2),
            (0.85, 0.4),
        ],
        [(-0.5, 0.4), (-0.42, 0.1), (-0.05, -0.42), (0.55, -0.34), (0.86, 0.1), (0.9, 0.4)],
        [
            (-0.84, -0.1),
            (-0.8, -0.66),
            (-0.3, -0.6),
            (0.2, 0.1),
            (0.75, 0.34),
            (0.92, 0.55),
            (0.1, 0.55),
        ],
    )
    soles: tuple[list[Point], ...] = (
        [(-0.9, 0.4), (0.95, 0.4), (0.9, 0.62), (-0.86, 0.62)],
        [(-0.72, 0.4), (0.9, 0.4), (0.88, 0.55), (-0.2, 0.55), (-0.2, 0.68), (-0.72, 0.68)],
        [(-0.9, 0.4), (0.95, 0.4), (0.9, 0.7), (-0.86, 0.7)],
        [(-0.84, -0.15), (-0.62, 0.1), (-0.7, 0.7), (-0.84, 0.7)],
    )
    pen.shape(soles[shape], pen.colours.mark if shape == 0 else pen.colours.edge)
    pen.shape(uppers[shape])
    if shape < 2:
        for nth in range(3):
            x = (-0.08, -0.12)[shape] + nth * 0.14
            y = (-0.16, -0.5)[shape] + nth * (0.07, 0.16)[shape]
            pen.stroke([(x - 0.08, y + 0.05), (x + 0.1, y - 0.06)], "#ffffff", 1.4)
    return (
        (-0.74, -0.24, -0.26, 0.3),
        (-0.6, -0.74, -0.2, 0.1),
        (0.0, -0.26, 0.56, 0.28),
        (-0.68, -0.46, -0.26, -0.04),
    )[shape]


def hat(pen: Pen, shape: int) -> Box:
    """A hat: with a wide brim, a bobble, a peak, or a tall crown."""
    if shape == 0:
        pen.oval(0, 0.35, 0.98, 0.2)
        pen.shape([(-0.45, 0.3), (-0.4, -0.4), *oval(0, -0.4, 0.4, 0.16, 0, 0.5, 1.0), (0.45, 0.3)])
        return (-0.32, -0.3, 0.32, 0.2)
    if shape == 1:
        pen.shape(oval(0, 0.3, 0.62, 0.85, 0, 0.5, 1.0))
        pen.shape([(-0.68, 0.3), (0.68, 0.3), (0.68, 0.58), (-0.68, 0.58)], pen.colours.mark)
        pen.oval(0, -0.62, 0.2, 0.19, pen.colours.mark)
        return (-0.36, -0.22, 0.36, 0.24)
    if shape == 2:
        pen.shape([(0.35, 0.22), (1.0, 0.4), (0.95, 0.52), (0.3, 0.42)], pen.colours.mark)
        pen.shape([*oval(-0.05, 0.3, 0.6, 0.66, 0, 0.5, 1.0), (0.55, 0.42), (-0.65, 0.42)])
        return (-0.42, -0.12, 0.3, 0.3)
    pen.oval(0, 0.62, 0.78, 0.13)
    pen.shape([(-0.4, 0.6), (-0.5, -0.75), (0.5, -0.75), (0.4, 0.6)])
    pen.oval(0, -0.75, 0.5, 0.1)
    return (-0.34, -0.45, 0.34, 0.4)


def lamp(pen: Pen, shape: int) -> Box:
    """A lamp: on a thin foot, on a vase, bent over a desk, or a lantern."""
    if shape == 3:
        pen.stroke(oval(0, -0.66, 0.28, 0.28, 0, 0.5, 1.0), width=2)
        pen.shape([(-0.5, -0.55), (0.5, -0.55), (0.3, -0.72), (-0.3, -0.72)], pen.colours.mark)
        pen.shape([(-0.46, -0.55), (0.46, -0.55), (0.46, 0.65), (-0.46, 0.65)])
        pen.shape([(-0.55, 0.65), (0.55, 0.65), (0.55, 0.82), (-0.55, 0.82)], pen.colours.mark)
        return (-0.32, -0.38, 0.32, 0.48)
    if shape == 2:
        pen.oval(0.3, 0.82, 0.4, 0.1, pen.colours.edge)
        pen.stroke([(0.3, 0.8), (0.55, 0.1), (-0.1, -0.55)], width=3.4)
        head: list[Point] = [(-0.05, -0.75), (-0.85, -0.45), (-0.6, 0.2), (0.1, -0.4)]
        pen.shape(head)
        return (-0.6, -0.44, -0.2, -0.06)
    if shape == 0:
        pen.stroke([(0, -0.1), (0, 0.85)], width=3.4)
        pen.oval(0, 0.85, 0.36, 0.09, pen.colours.edge)
        pen.shape([(-0.34, -0.9), (0.34, -0.9), (0.62, 0.0), (-0.62, 0.0)])
        return (-0.34, -0.7, 0.34, -0.14)
    pen.oval(0, 0.5, 0.36, 0.42, pen.colours.mark)
    pen.shape([(-0.5, -0.8), (0.5, -0.8), (0.5, 0.1), (-0.5, 0.1)])
    return (-0.34, -0.62, 0.34, -0.06)


def plant(pen: Pen, shape: int) -> Box:
    """A plant in a pot: a cactus, long blades, round leaves or a little tree."""
    green, dark = "#4f9a4a", "#2f6b33"
    if shape == 0:
        for x, y, rx, ry in (
            (0.34, -0.35, 0.12, 0.24),
            (-0.34, -0.2, 0.12, 0.2),
            (0, -0.3, 0.24, 0.58),
        ):
            pen.oval(x, y, rx, ry, green)
        for x in (-0.1, 0.0, 0.1):
            pen.stroke([(x, -0.75), (x, 0.1)], dark, 0.7)
    elif shape == 1:
        for tip in (-0.7, -0.4, -0.12, 0.15, 0.45, 0.75):
            height = -0.95 + abs(tip) * 0.6
            pen.shape([(-0.12, 0.2), (tip, height), (0.12, 0.2)], green)
    elif shape == 2:
        for x, y in ((-0.45, -0.3), (0.42, -0.42), (0.0, -0.7), (-0.2, 0.0), (0.3, -0.05)):
            pen.stroke([(0, 0.2), (x, y)], dark, 1.4)
            pen.oval(x, y, 0.22, 0.2, green)
    else:
        pen.stroke([(0, 0.25), (0, -0.4)], "#7a5a3a", 4)
        for x, y, r in ((-0.3, -0.45, 0.3), (0.3, -0.45, 0.3), (0, -0.7, 0.32), (0, -0.38, 0.3)):
            pen.oval(x, y, r, r, green)
    pots: tuple[list[Point], ...] = (
        [(-0.4, 0.2), (0.4, 0.2), (0.3, 0.95), (-0.3, 0.95)],
        [(-0.42, 0.2), (0.42, 0.2), (0.42, 0.95), (-0.42, 0.95)],
        oval(0, 0.56, 0.5, 0.38),
        [(-0.34, 0.2), (0.34, 0.2), (0.46, 0.95), (-0.46, 0.95)],
    )
    pen.shape(pots[shape])
    return (-0.27, 0.34, 0.27, 0.82)
