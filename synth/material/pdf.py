"""PDFs of users: page images, and a PDF made of them that holds nothing that cannot be seen.

PDFium (BSD and Apache licences, by pypdfium2) draws the pages. It is loaded with the first PDF.
"""

import io
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from memassay.synth.material.rules import ENCRYPTED_PDF, TOO_LARGE, UNREADABLE, RefusedError

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PAGES: Final = 40
"""Most pages of a PDF (our choice): two go into a round, and all into one session."""
LONG_EDGE: Final = 1600
"""Longer edge of a page image in pixels: small print of a letter page can be read (our choice)."""
_WRONG_PASSWORD: Final = 4
_UNPROTECTED: Final = -1

# PDFium is not safe to use from several threads, and stages run in several.
_ONE_AT_A_TIME: Final = threading.Lock()


@dataclass(frozen=True)
class Pages:
    """A PDF taken in.

    Attributes:
        images: Its pages as PNG, in order.
        pdf: A PDF made of these images: no text layer, no metadata, no embedded file.
        removed: Names of the metadata of the original, which `pdf` does not have.
    """

    images: tuple[bytes, ...]
    pdf: bytes
    removed: tuple[str, ...]


def pages_of(data: bytes) -> Pages:
    """Draw the pages of a PDF.

    Photographs inside a PDF keep their EXIF, and places with it; so what is released is not the
    file but what its pages show.

    Raises:
        RefusedError: It is no PDF, is broken or encrypted, or has too many pages.
    """
    if b"%PDF-" not in data[:1024]:
        raise RefusedError(UNREADABLE, "expected a PDF, got other bytes", "Save it as PDF again.")
    with _ONE_AT_A_TIME, _open(data) as document:
        count = len(document)
        if not 1 <= count <= MAX_PAGES:
            said = f"expected 1 to {MAX_PAGES} pages, got {count}"
            raise RefusedError(TOO_LARGE, said, "Split it, or keep the pages that matter.")
        metadata = document.get_metadata_dict(skip_empty=True)
        drawn = [_draw(document[position]) for position in range(count)]
    return Pages(tuple(_png(page) for page in drawn), _pdf(drawn), tuple(sorted(metadata)))


@contextmanager
def _open(data: bytes) -> Iterator[Any]:
    """The document, closed afterwards; what PDFium cannot do becomes a refusal."""
    import pypdfium2
    from pypdfium2 import raw

    document = None
    try:
        document = pypdfium2.PdfDocument(data)
        if raw.FPDF_GetSecurityHandlerRevision(document) != _UNPROTECTED:
            raise _encryption_refusal()
        document.init_forms()
        yield document
    except pypdfium2.PdfiumError as error:
        if error.err_code == _WRONG_PASSWORD:
            raise _encryption_refusal() from error
        said = f"expected a whole PDF, got one that cannot be drawn: {error}"
        raise RefusedError(UNREADABLE, said, "Save it as PDF again.") from error
    finally:
        if document is not None:
            document.close()


def _encryption_refusal() -> RefusedError:
    said = "expected a PDF without a password, got an encrypted one"
    return RefusedError(ENCRYPTED_PDF, said, "Save it without password and restrictions.")


def _draw(page: Any) -> "Image":
    width, height = page.get_size()
    scale = LONG_EDGE / max(width, height, 1)
    image: Image = page.render(scale=scale).to_pil().convert("RGB")
    page.close()
    return image


def _png(image: "Image") -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _pdf(pages: Sequence["Image"]) -> bytes:
    """A PDF of one image a page, byte for byte the same for the same pixels."""
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=1, invariant=1)
    for page in pages:
        # A longer edge of 11 inches, as on letter paper.
        width, height = (edge * 792 / max(page.size) for edge in page.size)
        canvas.setPageSize((width, height))
        canvas.drawImage(ImageReader(page), 0, 0, width, height)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
