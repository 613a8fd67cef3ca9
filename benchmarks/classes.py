"""How often a new picture of a class is known again by its nearest neighbour, and by what.

Run `PYTHONPATH=tests python benchmarks/classes.py`; it prints shares for each family: by shape,
without colour, then by a histogram of the colours of the whole picture, and of the thing cut out.
Each of the three is measured in the colours of the class, and in colours drawn for each picture.
Three pictures of each class are known, four are new. By chance an eighth is right.
"""

import sys
from collections.abc import Callable
from typing import Any, Final

from support.class_likeness import (
    Look,
    colour_distance,
    cut_histogram,
    descriptor,
    distance,
    histogram,
    share_right,
)

from memassay.synth.pictures.classes.families import CLASSES, FAMILIES

SHOWN, NEW = 3, 4
MEASURES: Final[dict[str, tuple[Look, Callable[[Any, Any], float]]]] = {
    "shape": (descriptor, distance),
    "colours": (histogram, colour_distance),
    "cut out": (cut_histogram, colour_distance),
}


def main() -> None:
    """Print the table."""
    for recoloured in (False, True):
        sys.stdout.write(f"colours of {'each picture' if recoloured else 'the class'}\n")
        sys.stdout.write(f"{'':8} {' '.join(f'{name:>8}' for name in MEASURES)}\n")
        rows = {
            family: [
                share_right(family, (SHOWN, NEW), look, apart, recoloured=recoloured)
                for look, apart in MEASURES.values()
            ]
            for family in FAMILIES
        }
        means = [sum(column) / len(rows) for column in zip(*rows.values(), strict=True)]
        for family, shares in {**rows, "all": means}.items():
            sys.stdout.write(f"{family:8} {' '.join(f'{share:8.2f}' for share in shares)}\n")
    sys.stdout.write(f"chance {1 / CLASSES:.2f}\n")


if __name__ == "__main__":
    main()
