"""What is drawn can be read: Tesseract finds the texts of figures again."""

import io
import os
import shutil
import subprocess
from collections.abc import Callable
from random import Random

import pytest
from PIL import Image

from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.drawing.renderer import draw

DAYS = ("Mon", "Tue", "Wed", "Thu")
DOSES = (("4.3 mg", "08:15"), ("12.5 mg", "every 6 h"), ("7.9 mg", "17:40"), ("1.1 mg", "B 12"))
WEIGHTS = (("4.3 kg",), ("5.1 kg",), ("3.8 kg",), ("6.0 kg",))
LINES = (("Patient", "Biscuit"), ("Dose", "4.3 mg"), ("Expires", "14 March 2025"))
FIGURES = (
    Figure("bar_chart", "Weights, north ward", "weight", "kg", DAYS, cells=WEIGHTS),
    Figure("line_chart", "Weights, north ward", "weight", "kg", DAYS, cells=WEIGHTS),
    Figure("table", "Doses of the week", rows=DAYS, columns=("Dose", "Given"), cells=DOSES),
    Figure("timetable", "Doses of the week", rows=DAYS, columns=("Dose", "Given"), cells=DOSES),
    Figure("receipt", "Corner shop", rows=DAYS, cells=WEIGHTS, lines=(("Total", "19.20 kg"),)),
    Figure("plan", "Ground floor", rows=DAYS, cells=WEIGHTS),
    Figure("route_map", "Ground floor", rows=DAYS, cells=WEIGHTS),
    Figure("annotated_plan", "Ground floor", rows=DAYS, cells=WEIGHTS),
    *(
        Figure(kind, "Isolation ward", lines=LINES)
        for kind in ("label", "ticket", "certificate", "whiteboard", "notice", "note", "chat")
    ),
)


PLACED = (
    (
        Figure("calendar", "Ward in spring", lines=(("Vaccines", "14 March 2025"),)),
        ("March2025", "Vaccines", "28"),
    ),
    (
        Figure("form", "Sleep, first week", "never / often", rows=("Naps",), cells=(("often",),)),
        ("Naps", "never", "often"),
    ),
    (
        Figure("gauge", "Boiler room", rows=("Steam line",), cells=(("2.4 bar",),)),
        ("Boilerroom", "Steamline", "bar"),
    ),
    (
        Figure(
            "double_chart",
            "Two wards",
            "weight",
            rows=DAYS,
            columns=("North", "South"),
            cells=(("4 kg", "7 kg"), ("5 kg", "9 kg"), ("8 kg", "3 kg"), ("6 kg", "2 kg")),
        ),
        ("Weight(kg)", "North", "South", "Thu"),
    ),
)
"""Pictures whose values are read by where they are, and what is printed for that."""


@pytest.fixture(scope="module")
def tesseract(require_system: Callable[[str, bool], None]) -> Callable[[bytes], str]:
    """Reads a picture at twice its size."""
    require_system("tesseract", shutil.which("tesseract") is not None)

    def read(png: bytes) -> str:
        image = Image.open(io.BytesIO(png)).convert("L")
        larger = image.resize((image.width * 2, image.height * 2), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        larger.save(buffer, "PNG")
        done = subprocess.run(
            ["tesseract", "-", "-", "--psm", "11"],
            input=buffer.getvalue(),
            capture_output=True,
            check=True,
            # Its threads wait for each other: one takes a third of the time.
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
        return "".join(done.stdout.decode("utf-8").split())

    return read


@pytest.mark.slow
def test_printed_cells_can_be_read(tesseract: Callable[[bytes], str]) -> None:
    """Tesseract reads at least 97 % of the numbers and texts, over three looks of each kind."""
    found: list[bool] = []
    for figure in FIGURES:
        texts = [text.removesuffix(figure.unit or "") for text in figure.keys().values()]
        for seed in range(3):
            read = tesseract(draw(figure, Random(seed)).png)
            found += ["".join(text.split()) in read for text in texts]
    assert sum(found) / len(found) >= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("figure", "texts"), PLACED, ids=[one.kind for one, _ in PLACED])
def test_what_values_are_found_by_can_be_read(
    figure: Figure, texts: tuple[str, ...], tesseract: Callable[[bytes], str]
) -> None:
    """Tesseract reads labels, units and choices in at least two of three looks."""
    reads = [tesseract(draw(figure, Random(seed)).png) for seed in range(3)]
    for text in texts:
        assert sum(text in read for read in reads) >= 2
