"""Draws the pictures of the documentation from a release and its contact sheet.

Run `python docs/images/make_pictures.py RELEASE CONTACT_SHEET`, both as the run of
`recipes/demo.yaml` names them, with `chromium` on the path; and with a release alone, such as that
of `recipes/m3exam-full.yaml`, for the picture of all kinds. It writes the PNG files beside itself.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from memassay.exports import open_release
from memassay.exports.release.reader import Release
from memassay.synth.pictures.drawing.renderer import RENDERERS

HERE = Path(__file__).parent
BROWSER = (
    *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"),
    *("--no-first-run", "--disable-sync", "--disable-background-networking"),
    *("--disable-component-update", "--hide-scrollbars"),
)
PAGE_WIDTH = 1180
SHOTS = {"contact-sheet": ("<main>", 1290), "contact-sheet-questions": ("<h2>Questions</h2>", 960)}
"""By picture, where its part of the contact sheet begins, and its height in pixels."""
SAMPLES = ("rendered:line_chart", "rendered:receipt", "rendered:scene", "rendered:page")
PAPER = (255, 255, 255)
GAP = 12


def strip(pictures: Sequence[Image.Image], columns: int, cell: tuple[int, int]) -> Image.Image:
    """Pictures side by side on white, each scaled to fit a cell of width x height pixels."""
    rows = -(-len(pictures) // columns)
    width, height = cell
    sheet = Image.new("RGB", (columns * (width + GAP) + GAP, rows * (height + GAP) + GAP), PAPER)
    for at, picture in enumerate(pictures):
        copy = picture.convert("RGB")
        copy.thumbnail(cell, Image.Resampling.LANCZOS)
        left = GAP + at % columns * (width + GAP) + (width - copy.width) // 2
        top = GAP + at // columns * (height + GAP) + (height - copy.height) // 2
        sheet.paste(copy, (left, top))
    return sheet


def first_of(release: Release, origin: str) -> Image.Image:
    """The first picture of an origin."""
    return release.image(next(one.id for one in release.assets() if one.origin == origin))


def screenshot(page: str, beginning: str, height: int) -> Image.Image:
    """The part of a contact sheet from a heading on, as the browser shows it."""
    head, _, _ = page.partition("<main>")
    with tempfile.TemporaryDirectory() as folder:
        part, shot = Path(folder) / "page.html", Path(folder) / "page.png"
        part.write_text(f"{head}<main>{page[page.index(beginning) :]}", encoding="utf-8")
        size = f"--window-size={PAGE_WIDTH},{height}"
        options = [f"--user-data-dir={folder}/profile", size, f"--screenshot={shot}"]
        subprocess.run([*BROWSER, *options, part.as_uri()], check=True)
        return Image.open(shot).convert("RGB")


def save(picture: Image.Image, name: str) -> None:
    """Write a picture as a small palette PNG."""
    small = picture.quantize(256, dither=Image.Dither.NONE)
    small.save(HERE / f"{name}.png", optimize=True)


def main(release_folder: Path, contact_sheet: Path) -> None:
    """Write every picture."""
    release = open_release(release_folder)
    samples = [first_of(release, origin) for origin in SAMPLES]
    save(strip(samples, 4, (400, 310)), "samples")
    page = contact_sheet.read_text(encoding="utf-8")
    for name, (beginning, height) in SHOTS.items():
        save(screenshot(page, beginning, height), name)


def every_kind(release_folder: Path) -> None:
    """Write one picture of each kind; the release must have them all."""
    release = open_release(release_folder)
    kinds = [first_of(release, f"rendered:{kind}") for kind in RENDERERS]
    save(strip(kinds, 4, (320, 240)), "image-kinds")


if __name__ == "__main__":
    folder, *sheets = map(Path, sys.argv[1:])
    if sheets:
        main(folder, sheets[0])
    else:
        every_kind(folder)
