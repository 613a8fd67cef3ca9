"""What every drawing consists of: a frame with a text alternative, scales, ticks, text.

Drawings are 400 units wide, so that letters of 12 units are still read on a phone. Colours are
classes (`s0` to `s3`), which the style of the page sets for light, dark and paper.
"""

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final

WIDTH: Final = 400
LINE: Final = 16
"""Height of a line of text."""
_LETTER: Final = 6.6
"""Width that a letter takes at most, on average."""
_TICKS: Final = 5
_LEAST: Final = 1e-9
"""What is less than this, in whatever unit, is drawn as nothing."""


def frame(height: float, parts: Iterable[str], alternative: str) -> str:
    """An SVG element of full width.

    Args:
        height: In units; the width is `WIDTH`.
        parts: What is drawn.
        alternative: What a screen reader says instead.
    """
    return (
        f'<svg viewBox="0 0 {WIDTH} {number(height)}" role="img" '
        f'aria-label="{escape(alternative)}">{"".join(parts)}</svg>'
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """A line of text; `anchor` is start, middle or end."""
    named = f' class="{kind}"' if kind else ""
    ends = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{number(x)}" y="{number(y)}"{ends}{named}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    places = zip(("x1", "y1", "x2", "y2"), (x1, y1, x2, y2), strict=True)
    shape = " ".join(f'{name}="{number(at)}"' for name, at in places)
    return f'<line {shape} class="{kind}"/>'


def box(x: float, y: float, width: float, height: float, kind: str, says: str) -> str:
    """A filled rectangle; `says` is shown when one points at it."""
    places = zip(("x", "y", "width", "height"), (x, y, width, height), strict=True)
    shape = " ".join(f'{name}="{number(at)}"' for name, at in places)
    return f'<rect {shape} class="{kind}"><title>{escape(says)}</title></rect>'


def dot(x: float, y: float, radius: float, kind: str, says: str) -> str:
    """A filled circle; `says` is shown when one points at it."""
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" class="{kind}">'
        f"<title>{escape(says)}</title></circle>"
    )


def number(value: float) -> str:
    """A number in at most one decimal, the same everywhere."""
    return f"{value:.1f}".removesuffix(".0")


def fit(words: str, width: float) -> str:
    """The beginning of a text that is no wider than so many units."""
    room = max(1, int(width / _LETTER))
    return words if len(words) <= room else f"{words[: room - 1]}…"


def ticks(most: float, *, whole: bool = True) -> list[float]:
    """Round numbers from 0 to at least the most, about five of them.

    Args:
        most: The largest value that is drawn.
        whole: Whether what is counted comes in ones.
    """
    least = 1.0 if whole else 0.0
    if most < _LEAST:
        return [0.0, 1.0]
    power = 10.0 ** floor(log10(most / _TICKS))
    steps = (factor * power for factor in (1, 2, 5, 10))
    step = max(next(one for one in steps if one * _TICKS >= most * 0.999), least)
    return [step * at for at in range(ceil(most / step - 1e-9) + 1)]


def tick_text(value: float) -> str:
    """A tick's number, without zeros at the end."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def legend(series: Sequence[str], y: float) -> tuple[list[str], float]:
    """Colours and their names, and where the next thing begins; nothing for a single series."""
    if len(series) < 2:
        return [], y
    parts, x = list[str](), 0.0
    for at, name in enumerate(series):
        wide = 22 + len(name) * _LETTER
        if x + wide > WIDTH and x:
            x, y = 0.0, y + LINE
        parts += [box(x, y, 11, 11, f"s{at}", name), text(x + 16, y + 10, name)]
        x += wide
    return parts, y + LINE + 4
