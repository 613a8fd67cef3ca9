"""Draws sample figures of every kind; prints milliseconds and bytes an image, and what OCR finds.

Run `python benchmarks/drawing.py` for speed on one core; with `--ocr`, Tesseract reads every
picture, and the share of its texts that were found is printed too.
"""

import argparse
import io
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from drawing_samples import sample_document, sample_figure
from PIL import Image

from memassay.synth.pictures.canvas.figures import Drawing, Figure
from memassay.synth.pictures.drawing.renderer import RENDERERS, draw, draw_document


def printed_texts(figure: Figure) -> list[str]:
    """What is printed for a figure: values found by their place are not."""
    if figure.kind in ("scene", "photo_pair", "cluttered_scene"):
        return [figure.title, *(text for line in figure.lines for text in line)]
    unit = figure.unit if figure.kind in ("bar_chart", "line_chart") else None
    placed = figure.kind in ("form", "gauge", "double_chart")
    rows = () if placed else figure.cells
    cells = [cell.removesuffix(unit or "").strip() for row in rows for cell in row]
    label = [figure.measure or "", f"({unit})"] if unit else []
    keyed = [text for line in figure.lines for text in line]
    if figure.kind == "calendar":
        keyed = [key for key, _ in figure.lines]
    return [figure.title, *label, *figure.rows, *figure.columns, *cells, *keyed]


def squeezed(text: str) -> str:
    """Text without spaces, case and punctuation: what must be read for it to count as found."""
    return "".join(sign for sign in text.casefold() if sign.isalnum() or sign in ".%")


def read(drawing: Drawing) -> str:
    """What Tesseract reads in the picture at twice its size, as one block and as sparse text.

    As sparse text it leaves out single digits of tables, as one block the labels of charts.
    """
    image = Image.open(io.BytesIO(drawing.png)).convert("L")
    buffer = io.BytesIO()
    larger = image.resize((image.width * 2, image.height * 2), Image.Resampling.LANCZOS)
    larger.save(buffer, "PNG")
    texts = []
    for mode in ("6", "11"):
        command = ["tesseract", "-", "-", "--psm", mode]
        one = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        done = subprocess.run(
            command, input=buffer.getvalue(), capture_output=True, check=True, env=one
        )
        texts.append(done.stdout.decode("utf-8"))
    return "\n".join(texts)


def found(figure: Figure, drawing: Drawing, misses: list[str]) -> tuple[int, int]:
    """How many of a figure's texts Tesseract reads in its drawing, and how many there are."""
    seen = squeezed(read(drawing))
    wanted = [text for text in printed_texts(figure) if squeezed(text)]
    # A text broken into lines is found word by word.
    missed = [t for t in wanted if not all(squeezed(word) in seen for word in t.split())]
    misses += [f"{figure.kind}: {text}" for text in missed]
    return len(wanted) - len(missed), len(wanted)


def say(line: str) -> None:
    """Write one line to standard output."""
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Print one line a kind, and one for documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="images of each kind")
    parser.add_argument("--ocr", type=int, default=0, help="images of each kind Tesseract reads")
    parser.add_argument("--sheets", type=Path, help="folder for a contact sheet of each kind")
    arguments = parser.parse_args()
    misses: list[str] = []
    say(f"{'kind':12} {'ms':>6} {'images/s':>9} {'KiB':>6} {'OCR':>7}")
    for kind in RENDERERS:
        figures = [sample_figure(kind, Random(f"{kind} {at}")) for at in range(arguments.count)]
        draw(figures[0], Random(0))  # loads the font
        start = time.process_time()
        drawings = [draw(figure, Random(at)) for at, figure in enumerate(figures)]
        each = (time.process_time() - start) / len(drawings)
        size = sum(len(drawing.png) for drawing in drawings) / len(drawings) / 1024
        pairs = zip(figures[: arguments.ocr], drawings, strict=False)
        counts = [found(figure, drawing, misses) for figure, drawing in pairs]
        wanted = sum(count for _, count in counts)
        share = f"{sum(hits for hits, _ in counts) / wanted:7.1%}" if wanted else ""
        say(f"{kind:12} {each * 1000:6.1f} {1 / each:9.0f} {size:6.1f} {share}")
        if arguments.sheets:
            save_sheet(drawings, arguments.sheets / f"{kind}.png")
    document = sample_document(Random(0))
    start = time.process_time()
    drawn = draw_document(document, Random(0))
    each = (time.process_time() - start) / len(drawn.pages)
    say(f"{'page':12} {each * 1000:6.1f} {1 / each:9.0f} {len(drawn.pdf) / 1024:6.1f} (PDF)")
    for miss in misses:
        say(miss)


def save_sheet(drawings: list[Drawing], path: Path) -> None:
    """Save all drawings of a kind on one sheet, five in a row."""
    pictures = [Image.open(io.BytesIO(drawing.png)).convert("RGB") for drawing in drawings]
    width = max(picture.width for picture in pictures) + 10
    height = max(picture.height for picture in pictures) + 10
    sheet = Image.new("RGB", (5 * width, -(-len(pictures) // 5) * height), "#808080")
    for at, picture in enumerate(pictures):
        sheet.paste(picture, (at % 5 * width, at // 5 * height))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path)


if __name__ == "__main__":
    main()
