"""Whether two images show the same, where other libraries may have drawn one of them."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

_CELL: Final = 4
"""Width and height in pixels of what is compared as one grey: smaller than a letter."""
_GREYS: Final = 40
"""Most of 255 greys by which smoothing changes a cell; another digit changes one by more."""


def difference_box(left: "Image", right: "Image") -> tuple[int, int, int, int] | None:
    """The box in pixels around all that differs between two images beyond the smoothing of edges.

    Args:
        left: One image.
        right: Another of the same size.
    """
    from PIL import ImageChops

    cells = ImageChops.difference(_grey(left), _grey(right))
    box = cells.point(lambda grey: 255 if grey > _GREYS else 0).getbbox()
    if box is None:
        return None
    x, y, right_end, bottom = (edge * _CELL for edge in box)
    return x, y, min(right_end, left.width), min(bottom, left.height)


def _grey(image: "Image") -> "Image":
    return image.convert("RGB").convert("L").reduce(_CELL)
