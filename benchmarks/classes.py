"""How often a new picture of a class is known again without colour, by its nearest neighbour.

Run `PYTHONPATH=tests python benchmarks/classes.py`; it prints a share for each family. Three
pictures of each class are known, four are new. By chance an eighth is right.
"""

import sys

from support.class_likeness import recognised

from memassay.synth.pictures.classes.families import CLASSES, FAMILIES

SHOWN, NEW = 3, 4


def main() -> None:
    """Print the table."""
    shares = {family: recognised(family, SHOWN, NEW) for family in FAMILIES}
    for family, share in shares.items():
        sys.stdout.write(f"{family:8} {share:.2f}\n")
    mean = sum(shares.values()) / len(shares)
    sys.stdout.write(f"{'all':8} {mean:.2f}   chance {1 / CLASSES:.2f}\n")


if __name__ == "__main__":
    main()
