"""The vendored font: measuring, wrapping and shrinking text before it is drawn."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memassay.synth.pictures.canvas.totals import sum_in_order

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

FILES: Final = {
    False: Path(__file__).parent / "font_files" / "OpenSans-Regular-Latin.ttf",
    True: Path(__file__).parent / "font_files" / "OpenSans-Bold-Latin.ttf",
}
"""Font file by boldness."""
CAPITAL: Final = 0.714
"""Height of a capital letter, as a share of the font size."""
LEADING: Final = 1.32
"""Distance of baselines, as a share of the font size."""
_COVERED: Final = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *(0x2010, 0x2011, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026),
    *(0x2030, 0x2032, 0x2033, 0x20AC, 0x2212, 0x2248, 0x2264, 0x2265, 0x03BC),
)
_DRAWABLE: Final = frozenset(map(chr, _COVERED))


@cache
def font(size: int, bold: bool) -> "FreeTypeFont":
    """The font in a size in pixels; basic layout, so that no system library changes it."""
    from PIL import ImageFont

    return ImageFont.truetype(FILES[bold], size, layout_engine=ImageFont.Layout.BASIC)


def check_drawable(words: str) -> None:
    """Refuse characters that the vendored font does not hold.

    Raises:
        ValueError: There is one; it would be drawn as an empty box.
    """
    for character in words:
        if character not in _DRAWABLE:
            raise ValueError(
                f"picture text {words!r}: expected Latin letters and signs, got {character!r}; "
                "write it in the Latin alphabet"
            )


def text_width(words: str, size: int, bold: bool = False) -> float:
    """Advance width in pixels; the font does not kern, so that widths of letters add up."""
    return sum_in_order(_advance(character, size, bold) for character in words)


@cache
def _advance(character: str, size: int, bold: bool) -> float:
    return font(size, bold).getlength(character)


def wrap(words: str, width: float, size: int, bold: bool = False) -> list[str]:
    """Lines no wider than `width`; a word that is wider alone is broken within."""
    lines: list[str] = []
    line = ""
    for word in words.split():
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, bold) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width, size, bold)
        lines += full
    return [*lines, line] if line or not lines else lines


def _pieces(word: str, width: float, size: int, bold: bool) -> list[str]:
    pieces = [""]
    for character in word:
        if pieces[-1] and text_width(pieces[-1] + character, size, bold) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def fitting_size(
    words: list[str], width: float, largest: int, least: int, bold: bool = False
) -> int:
    """The largest size at which every text fits into `width`, but no smaller than `least`."""
    for size in range(largest, least, -1):
        if all(text_width(text, size, bold) <= width for text in words):
            return size
    return least


def balance_heading(
    words: str, width: float, largest: int, least: int, bold: bool
) -> tuple[int, list[str]]:
    """Size and lines of a heading: one line if it fits, else the fewest lines, evenly filled."""
    size = fitting_size([words], width, largest, least, bold)
    lines = wrap(words, width, size, bold)
    if len(lines) == 1:
        return size, lines
    size = (largest + least) // 2
    lines = wrap(words, width, size, bold)
    narrower = width
    while narrower > width / 2 and len(wrap(words, narrower - 12, size, bold)) == len(lines):
        narrower -= 12
    return size, wrap(words, narrower, size, bold)
