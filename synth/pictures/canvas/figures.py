"""Figures: what an image shows, before it is drawn; every cell of it can be a fact."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Figure:
    """A picture as data.

    Attributes:
        kind: Which renderer draws it; see `ImageSpec.kind`.
        title: Printed at the top.
        measure: What the numbers of a chart are.
        unit: Their unit.
        rows: Row labels, x labels, receipt items, areas or countable objects.
        columns: Headings of a table or timetable; empty for everything else.
        cells: Text of each cell as printed: one row each, one cell for each column (one if
            there are no columns).
        lines: Key and text of each line of a label, ticket, certificate, whiteboard, notice.
    """

    kind: str
    title: str
    measure: str | None = None
    unit: str | None = None
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()

    def keys(self) -> dict[str, str]:
        """Text by key: ``row``, ``row/column`` or the key of a line."""
        table = {
            f"{row}/{column}": cell
            for row, cells in zip(self.rows, self.cells, strict=True)
            for column, cell in zip(self.columns, cells, strict=False)
        }
        plain = {
            row: cells[0]
            for row, cells in zip(self.rows, self.cells, strict=True)
            if not self.columns
        }
        return {**table, **plain, **dict(self.lines)}


@dataclass(frozen=True)
class Page:
    """One page of a document: a heading, paragraphs, at most one figure."""

    heading: str
    paragraphs: tuple[str, ...]
    figure: Figure | None = None


@dataclass(frozen=True)
class Document:
    """A document of several pages."""

    title: str
    pages: tuple[Page, ...]


@dataclass(frozen=True)
class Drawing:
    """A drawn picture and where everything is in it.

    Attributes:
        paint: Gives `png`, the encoded palette image; many only need to know what is where.
        width: In pixels.
        height: In pixels.
        boxes: Left, top, right, bottom in pixels by key of `Figure.keys`, and of `title`; for
            a page also of `paragraph 1` and so on, figure keys included.
        transcription: Everything that can be read in it, line by line.
    """

    paint: Callable[[], bytes]
    width: int
    height: int
    boxes: dict[str, tuple[int, int, int, int]]
    transcription: str

    @cached_property
    def png(self) -> bytes:
        """The encoded image, painted when it is first asked for."""
        return self.paint()


@dataclass(frozen=True)
class DrawnDocument:
    """A PDF, written when it is first asked for, and its pages as images."""

    write: Callable[[], bytes]
    pages: tuple[Drawing, ...]

    @cached_property
    def pdf(self) -> bytes:
        """The file."""
        return self.write()
