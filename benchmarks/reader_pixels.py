"""Connected components of pictures, in plain Python: glyphs for reading, objects for counting."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels; `right` and `bottom` are outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """In pixels."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """In pixels."""
        return self.bottom - self.top

    @property
    def area(self) -> int:
        """In square pixels."""
        return self.width * self.height

    @property
    def x(self) -> float:
        """Horizontal middle."""
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        """Vertical middle."""
        return (self.top + self.bottom) / 2

    def shared(self, other: "Box") -> int:
        """Area in common with another box, in square pixels."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0, width) * max(0, height)


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all."""
    every = list(boxes)
    return Box(
        min(one.left for one in every),
        min(one.top for one in every),
        max(one.right for one in every),
        max(one.bottom for one in every),
    )


def components(mask: bytes, width: int) -> list[tuple[Box, int]]:
    """Box and pixel count of each region of non-zero pixels, by position.

    Args:
        mask: One byte a pixel, row by row.
        width: Pixels in a row. Pixels touch across corners too.
    """
    left = bytearray(mask)
    found: list[tuple[Box, int]] = []
    start = left.find(1)
    while start >= 0:
        found.append(_flood(left, start, width))
        start = left.find(1, start + 1)
    return found


def _flood(left: bytearray, start: int, width: int) -> tuple[Box, int]:
    stack, pixels, end = [start], 0, len(left)
    left[start] = 0
    least_x = most_x = start % width
    least_y = most_y = start // width
    while stack:
        at = stack.pop()
        pixels += 1
        x, y = at % width, at // width
        least_x, most_x = min(least_x, x), max(most_x, x)
        least_y, most_y = min(least_y, y), max(most_y, y)
        for row in (at - width, at, at + width):
            for near in (row - 1, row, row + 1):
                if 0 <= near < end and left[near] and abs(near % width - x) <= 1:
                    left[near] = 0
                    stack.append(near)
    return Box(least_x, least_y, most_x + 1, most_y + 1), pixels


def merged(boxes: Iterable[Box], gap: int = 0) -> list[Box]:
    """Boxes united until none overlaps another, grown by a gap."""
    left = list(boxes)
    done: list[Box] = []
    while left:
        one = left.pop()
        grown = Box(one.left - gap, one.top - gap, one.right + gap, one.bottom + gap)
        touching = [other for other in left + done if grown.shared(other)]
        if touching:
            left = [other for other in left if other not in touching]
            done = [other for other in done if other not in touching]
            left.append(around([one, *touching]))
        else:
            done.append(one)
    return sorted(done, key=lambda box: (box.top, box.left))
