"""Render the images of the sample scenario `Wooden_Dinghy_Restoration`, from nothing but Pillow.

Run `python benchmarks/make_sample_images.py` to write them again. Every value that a question
asks for stands in a table of `sample_documents.py` or in a call of `sample_scenes.py`, so what can
be read in the pixels is known exactly.
Drawing is done at twice the size and scaled down, which smooths edges; the result is a palette PNG.
"""

import argparse
import shutil
from collections.abc import Callable
from pathlib import Path

import sample_documents as documents
import sample_scenes as scenes
from sample_canvas import Canvas

DEFAULT_FOLDER = (
    Path(__file__).parent.parent
    / "recipes/samples/mem-gallery/data/image/Wooden_Dinghy_Restoration"
)
IMAGES: dict[str, Callable[[], Canvas]] = {
    "D1_IMG_001": documents.hull_plan,
    "D1_IMG_002": documents.moisture_bars,
    "D1_IMG_003": scenes.shed,
    "D2_IMG_001": documents.drying_line,
    "D2_IMG_002": documents.planking,
    "D2_IMG_003": lambda: documents.receipt(
        "Tue 18 March 2025", "4471", documents.TIMBER, "164.60", 3
    ),
    "D3_IMG_001": documents.tin_label,
    "D3_IMG_002": documents.panels,
    "D3_IMG_003": lambda: documents.receipt(
        "Thu 24 April 2025", "4803", documents.PAINT, "136.00", -4
    ),
    "D4_IMG_001": documents.sail_plan,
    "D4_IMG_002": scenes.clubhouse,
    "D4_IMG_003": scenes.slipway,
    "D4_IMG_004": scenes.beach,
    "D5_IMG_001": documents.tide_table,
    "D5_IMG_002": scenes.harbour,
    "QA_IMG_001": scenes.jetty_dinghy,
    "QA_IMG_002": scenes.lighthouse,
}
# The planted defect P10: a question image that is a byte copy of a dialogue image.
COPIES = {"QA_IMG_003": "D4_IMG_002"}


def main() -> None:
    """Write every image into the folder given by `--out`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_FOLDER, help="folder to write to")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in IMAGES.items():
        draw().save(folder / f"{name}.png")
    for name, source in COPIES.items():
        shutil.copyfile(folder / f"{source}.png", folder / f"{name}.png")


if __name__ == "__main__":
    main()
