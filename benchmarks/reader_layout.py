"""Labels and values of pictures by where they stand: charts, plans, tables, receipts, cards."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from reader_ocr import Word
from reader_pixels import Box, around

_ALIKE: Final = str.maketrans({"o": "0", "l": "1", "i": "1", "|": "1", "s": "5", "b": "8"})
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_SPACE: Final = 1.05
"""Widest space between words of a phrase, in heights of a word."""
_WRAPPED: Final = 160
"""Least width in pixels of a line that goes on below: shorter ones had room."""
_NARROW: Final = 0.6
"""Widest space in heights between two digits of which one is a 1."""
_MATCH: Final = 0.75
"""Least likeness of a label asked for and one read."""


@dataclass(frozen=True)
class Phrase:
    """Words of one line that belong together."""

    text: str
    box: Box

    @property
    def number(self) -> Decimal | None:
        """The number, if the phrase is nothing else but perhaps a unit."""
        match = re.fullmatch(r"(-?\d+(?:[.,]\d+)?)(?:\s?%|\s?[^\W\d][\w/]*)?", self.text.strip())
        return Decimal(match.group(1).replace(",", ".")) if match else None

    @property
    def bare(self) -> bool:
        """Whether the phrase is a number without anything."""
        return re.fullmatch(r"-?\d+([.,]\d+)?", self.text.strip()) is not None


def phrases(words: Sequence[Word]) -> list[Phrase]:
    """Words joined into phrases, from the top down."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.box.left):
        for line in lines:
            last = line[-1].box
            height = max(last.height, word.box.height)
            gap = word.box.left - last.right
            level = abs(last.y - word.box.y) < 0.5 * height
            open_ended = not line[-1].text.endswith(":")
            if level and open_ended and -0.3 * height < gap < _SPACE * height:
                line.append(word)
                break
        else:
            lines.append([word])
    joined = [Phrase(_spelled(line), around(one.box for one in line)) for line in lines]
    return sorted(joined, key=lambda phrase: (phrase.box.y, phrase.box.left))


def _spelled(line: Sequence[Word]) -> str:
    """The words of a line; digits that stand as close as narrow ones do are one number."""
    text = line[0].text
    for before, word in pairwise(line):
        gap = (word.box.left - before.box.right) / max(before.box.height, word.box.height)
        narrow = before.text.endswith("1") or word.text.startswith("1")
        digits = before.text[-1].isdigit() and word.text[0].isdigit()
        text += word.text if digits and narrow and gap < _NARROW else f" {word.text}"
    return text


def plain(text: str) -> str:
    """Letters and digits only, those that look alike made one."""
    return "".join(filter(str.isalnum, text.lower())).translate(_ALIKE)


def likeness(one: str, other: str) -> float:
    """How alike two texts look, in [0, 1]."""
    return difflib.SequenceMatcher(None, plain(one), plain(other), autojunk=False).ratio()


def lying_pairs(found: Sequence[Phrase]) -> dict[str, Decimal]:
    """Labels at the left with the numbers on their height; empty if it is no such chart."""
    numbers = [one for one in found if one.bare]
    texts = [one for one in found if not one.bare]
    ticks = _lowest_row(numbers)
    pairs: dict[str, Decimal] = {}
    for one in numbers:
        left = [text for text in texts if text.box.right <= one.box.left]
        level = [text for text in left if abs(text.box.y - one.box.y) < one.box.height * 1.5]
        if one in ticks or not level or one.number is None:
            continue
        level.sort(key=lambda text: text.box.y)
        pairs[" ".join(text.text for text in level)] = one.number
    return pairs


def _lowest_row(numbers: Sequence[Phrase]) -> list[Phrase]:
    lowest = max((one.box.y for one in numbers), default=0.0)
    row = [one for one in numbers if lowest - one.box.y < 10]
    return row if len(row) > 1 else []


def upright_pairs(found: Sequence[Phrase]) -> dict[str, Decimal]:
    """Labels along the bottom with the number above each; empty if it is no such chart."""
    labels = _bottom_labels(found)
    if len(labels) < 3:
        return {}
    labels.sort(key=lambda label: label.box.x)
    slot = (labels[-1].box.x - labels[0].box.x) / (len(labels) - 1)
    top = min(label.box.top for label in labels)
    first = labels[0].box.x - slot / 2
    numbers = [one for one in found if one.bare and one.box.bottom <= top and one.box.x > first]
    pairs: dict[str, Decimal] = {}
    near = sorted(
        (abs(one.box.x - label.box.x), label.text, at)
        for label in labels
        for at, one in enumerate(numbers)
    )
    used: set[int] = set()
    for distance, label, at in near:
        number = numbers[at].number
        if label not in pairs and at not in used and distance < slot and number is not None:
            pairs[label] = number
            used.add(at)
    return pairs


def _bottom_labels(found: Sequence[Phrase]) -> list[Phrase]:
    """The lowest row of phrases, and the row above it if they take turns."""
    last = max((one.box.y for one in found), default=0.0)
    lowest = [one for one in found if last - one.box.y < 9]
    higher = [one for one in found if 12 < last - one.box.y < 34 and not one.bare]
    if len(higher) >= 2 and abs(len(higher) - len(lowest)) <= 1:
        return lowest + higher
    return lowest


def plan_pairs(found: Sequence[Phrase]) -> dict[str, Decimal]:
    """Names with the number below each."""
    pairs: dict[str, Decimal] = {}
    for one in found:
        above = [
            text
            for text in found
            if text.number is None
            and 0 < one.box.y - text.box.y < 4.5 * one.box.height
            and abs(text.box.x - one.box.x) < max(text.box.width, one.box.width) * 0.7
        ]
        if one.number is not None and above:
            closest = max(above, key=lambda text: text.box.y)
            stacked = [t for t in above if closest.box.y - t.box.y < 1.8 * closest.box.height]
            pairs[" ".join(text.text for text in stacked)] = one.number
    return pairs


def cell(found: Sequence[Phrase], row: str, column: str) -> str | None:
    """What stands where a row and a column meet."""
    head = _best(found, column)
    side = _best([one for one in found if head and one.box.top > head.box.bottom], row)
    if head is None or side is None:
        return None
    others = [
        one for one in found if one.box.left >= side.box.right and one.box.top > head.box.bottom
    ]
    in_row = [one for one in others if abs(one.box.y - side.box.y) < 1.1 * side.box.height]
    best = min(in_row, key=lambda one: _apart(one.box, head.box), default=None)
    return best.text if best and _apart(best.box, head.box) < 60 else None


def _apart(box: Box, head: Box) -> float:
    """How far a cell stands from below its heading, centred or aligned at the left."""
    return min(abs(box.x - head.x), abs(box.left - head.left))


def _best(found: Sequence[Phrase], asked: str) -> Phrase | None:
    best = max(found, key=lambda one: likeness(asked, one.text), default=None)
    return best if best and likeness(asked, best.text) >= _MATCH else None


def beside(found: Sequence[Phrase], key: str) -> str | None:
    """What stands at the far right of a key's line, as on a receipt."""
    label = _best(found, key)
    if label is None:
        return None
    level = [
        one
        for one in found
        if one.box.left >= label.box.right and abs(one.box.y - label.box.y) < label.box.height
    ]
    numbers = [one for one in level if any(map(str.isdigit, one.text))]
    return max(numbers or level, key=lambda one: one.box.right).text if level else None


def keyed(found: Sequence[Phrase], key: str) -> str | None:
    """The value of a key: after its colon, in its line, or below it."""
    label = _best(found, key)
    if label is None:
        return None
    if label.text.rstrip().endswith(":"):
        level = [
            one
            for one in found
            if one.box.left >= label.box.right and abs(one.box.y - label.box.y) < label.box.height
        ]
        if level:
            first = min(level, key=lambda one: one.box.left)
            return " ".join([first.text, *_continued(found, first)])
    below = [
        one
        for one in found
        if 0 < one.box.y - label.box.y < 3.2 * label.box.height and _overlap(one.box, label.box)
    ]
    if not below:
        return None
    first = min(below, key=lambda one: one.box.y)
    return " ".join([first.text, *_continued(found, first)])


def _overlap(box: Box, label: Box) -> bool:
    return box.left < label.right and box.right > label.left


def _continued(found: Sequence[Phrase], first: Phrase) -> list[str]:
    """Further lines of a value, set closely below it."""
    lines: list[str] = []
    last = first
    if first.box.width < _WRAPPED:
        return lines
    for one in sorted(found, key=lambda one: one.box.y):
        step = one.box.y - last.box.y
        aligned = abs(one.box.left - first.box.left) < 5 or abs(one.box.x - first.box.x) < 5
        if 0 < step < 1.75 * last.box.height and aligned and ":" not in one.text:
            lines.append(one.text)
            last = one
    return lines
