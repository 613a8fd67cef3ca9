"""Documents: pages as images and as a PDF that shows the same."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

from memassay.synth.pictures.canvas.figures import Document, Figure, Page
from memassay.synth.pictures.drawing.renderer import draw_document

TEXT = "Each dose is written down before the chart is countersigned by hand. " * 3
FIGURE = Figure("label", "Syringe", lines=(("Dose", "4.3 mg"), ("Drawn up", "08:15")))


def document(paragraphs: int = 2, figure: Figure | None = FIGURE) -> Document:
    """Two pages: one with a figure and one without."""
    text = (TEXT.strip(),) * paragraphs
    return Document("Ward handbook", (Page("Doses", text, figure), Page("Signing off", text)))


def test_pages_have_boxes_for_title_paragraphs_and_figure() -> None:
    """A page names its heading, its paragraphs, its figure's title and the figure's keys."""
    first, second = draw_document(document(), Random(1)).pages
    paragraphs = {"paragraph 1", "paragraph 2"}
    assert set(first.boxes) == {"title", *paragraphs, "figure title", "Dose", "Drawn up"}
    assert set(second.boxes) == {"title", *paragraphs}


def test_boxes_of_a_page_are_inside_and_apart() -> None:
    """Boxes of a page follow one another from top to bottom inside it."""
    page = draw_document(document(), Random(1)).pages[0]
    order = ["title", "paragraph 1", "paragraph 2", "figure title", "Dose", "Drawn up"]
    edges = [edge for key in order for edge in (page.boxes[key][1], page.boxes[key][3])]
    assert edges == sorted(edges)
    assert edges[-1] < page.height


def test_pages_have_letter_proportions() -> None:
    """A page is 850 x 1100 pixels."""
    pages = draw_document(document(), Random(1)).pages
    assert {(page.width, page.height) for page in pages} == {(850, 1100)}


def test_long_page_grows_instead_of_losing_text() -> None:
    """A page with more text than fits becomes longer."""
    page = draw_document(document(paragraphs=9), Random(1)).pages[0]
    assert page.height > 1100
    assert page.boxes["Drawn up"][3] < page.height


def test_transcription_of_a_page_holds_paragraphs_and_figure() -> None:
    """What can be read on a page is transcribed, its figure included."""
    page = draw_document(document(), Random(1)).pages[0]
    for text in ("Ward handbook", "Doses", TEXT.strip(), "Syringe", "Dose: 4.3 mg"):
        assert text in page.transcription


def test_same_document_gives_the_same_bytes() -> None:
    """PDF and page images hold neither date nor random identifier."""
    one, other = (draw_document(document(), Random(7)) for _ in range(2))
    assert one.pdf == other.pdf
    assert [page.png for page in one.pages] == [page.png for page in other.pages]


def test_pdf_holds_no_date_of_today() -> None:
    """The creation date is a fixed one."""
    pdf = draw_document(document(), Random(7)).pdf
    assert set(re.findall(rb"/(?:Creation|Mod)Date \(D:(\d{8})", pdf)) <= {b"20000101"}


def test_pdf_text_is_text(require_system: Callable[[str, bool], None], tmp_path: Path) -> None:
    """Every word of the page images can be copied from the PDF."""
    require_system("pdftotext", shutil.which("pdftotext") is not None)
    drawn = draw_document(document(), Random(1))
    path = tmp_path / "document.pdf"
    path.write_bytes(drawn.pdf)
    command = ["pdftotext", str(path), "-"]
    read = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    shown = " ".join(page.transcription for page in drawn.pages).replace("Dose:", "Dose")
    assert {word.strip(":") for word in shown.split()} <= {word.strip(":") for word in read.split()}
