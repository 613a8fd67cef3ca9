"""Mugs, teapots and vases: four shapes of each."""

from memassay.synth.pictures.canvas.sketch import Box, Point
from memassay.synth.pictures.classes.pen import Pen, oval


def mug(pen: Pen, shape: int) -> Box:
    """A mug: straight, waisted, round or conical, with a handle of its own."""
    handles = ((0.3, 0.38), (0.26, 0.28), (0.34, 0.42), (0.22, 0.5))
    rx, ry = handles[shape]
    pen.stroke(oval(0.58, 0.02, rx, ry, 0, -0.3, 0.3), width=5)
    sides: tuple[list[Point], ...] = (
        [(-0.6, -0.7), (0.6, -0.7), (0.6, 0.75), (-0.6, 0.75)],
        [(-0.62, -0.7), (0.62, -0.7), (0.45, 0.05), (0.6, 0.75), (-0.6, 0.75), (-0.45, 0.05)],
        [(-0.5, -0.7), (0.5, -0.7), *oval(0, 0.1, 0.68, 0.66, 0, -0.1, 0.6)],
        [(-0.66, -0.7), (0.66, -0.7), (0.4, 0.75), (-0.4, 0.75)],
    )
    pen.shape(sides[shape])
    rim = (0.6, 0.62, 0.5, 0.66)[shape]
    pen.oval(0, -0.7, rim, 0.13, pen.colours.edge)
    return (-0.36, -0.38, 0.36, 0.56)


def teapot(pen: Pen, shape: int) -> Box:
    """A teapot: round, tall, flat or square, with a spout and a lid of its own."""
    spouts: tuple[list[Point], ...] = (
        [(-0.45, 0.2), (-0.98, -0.42), (-0.82, -0.5), (-0.4, -0.1)],
        [(-0.35, 0.45), (-0.95, -0.2), (-0.8, -0.28), (-0.35, 0.1)],
        [(-0.6, 0.3), (-1.05, 0.02), (-0.98, -0.12), (-0.6, 0.05)],
        [(-0.5, 0.25), (-1.0, 0.25), (-1.0, -0.3), (-0.84, -0.3), (-0.84, 0.0), (-0.5, 0.0)],
    )
    pen.shape(spouts[shape])
    if shape in (0, 2):
        pen.stroke(oval(0.62, 0.1, 0.36, 0.4, 0, -0.28, 0.28), width=5)
    else:
        pen.stroke(oval(0, -0.5, 0.5, 0.5, 0, 0.5, 1.0), width=4)
    bodies: tuple[list[Point], ...] = (
        oval(0, 0.15, 0.66, 0.62),
        oval(0, 0.1, 0.48, 0.72),
        oval(0, 0.25, 0.8, 0.42),
        [(-0.55, -0.4), (0.55, -0.4), (0.6, 0.7), (-0.6, 0.7)],
    )
    pen.shape(bodies[shape])
    top = (-0.45, -0.6, -0.15, -0.42)[shape]
    pen.oval(0, top, 0.3, 0.1)
    pen.oval(0, top - 0.14, 0.1, 0.09, pen.colours.mark)
    return (
        (-0.36, -0.2, 0.36, 0.55),
        (-0.28, -0.3, 0.28, 0.5),
        (-0.45, 0.02, 0.45, 0.52),
        (-0.38, -0.2, 0.38, 0.55),
    )[shape]


def vase(pen: Pen, shape: int) -> Box:
    """A vase with three flowers: bellied, slim, two-handled or a cone."""
    flower = pen.colours.flower or ("#f2d24b" if shape % 2 else "#e88fb0")
    for x, y in ((-0.4, -0.72), (0.02, -0.86), (0.42, -0.7)):
        pen.stroke([(x * 0.2, -0.1), (x, y)], "#3f7d3a", 1.6)
        for nth in range(5):
            petal = oval(x, y, 0.14, 0.14)[nth * 8]
            pen.oval(*petal, 0.085, 0.085, flower)
        pen.dot(x, y, 0.07, "#7a4a1e")
    if shape == 2:
        for x in (-0.46, 0.46):
            pen.stroke(oval(x, 0.12, 0.2, 0.26), width=3)
    outlines: tuple[list[Point], ...] = (
        [
            (-0.2, -0.22),
            (0.2, -0.22),
            (0.25, 0.0),
            *oval(0, 0.4, 0.52, 0.46, 0, -0.1, 0.6),
            (-0.25, 0.0),
        ],
        [(-0.24, -0.22), (0.24, -0.22), (0.2, 0.4), (0.32, 0.9), (-0.32, 0.9), (-0.2, 0.4)],
        [(-0.3, -0.22), (0.3, -0.22), (0.44, 0.2), (0.22, 0.9), (-0.22, 0.9), (-0.44, 0.2)],
        [(-0.55, -0.22), (0.55, -0.22), (0.2, 0.9), (-0.2, 0.9)],
    )
    pen.shape(outlines[shape])
    return (
        (-0.3, 0.16, 0.3, 0.68),
        (-0.18, -0.05, 0.18, 0.7),
        (-0.24, -0.02, 0.24, 0.55),
        (-0.26, -0.1, 0.26, 0.42),
    )[shape]
