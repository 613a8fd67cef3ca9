"""What an image was drawn from, so that anybody can draw it again and compare the pixels."""

from typing import Annotated, Literal

from pydantic import Field

from memassay.schemas.base import Shape
from memassay.schemas.ids import RecordId
from memassay.schemas.values.civil_time import When

_Texts = list[Annotated[str, Field()]]


class DrawnRule(Shape):
    """Two values of a picture of which one is at least the other and a distance.

    Both are keys of the picture; what begins with `=` is a number itself. Times of day count in
    minutes, dates in days since the first of January of the year 1, as day 1.
    """

    smaller: Annotated[str, Field(min_length=1, description="Key or number of the smaller.")]
    greater: Annotated[str, Field(min_length=1, description="Key or number of the greater.")]
    by: Annotated[str, Field(description="Least distance, a decimal number.")] = "0"


class DrawnTurn(Shape):
    """Values of a picture that turn once between the first and the last."""

    shape: Annotated[Literal["peak", "dip"], Field(description="Whether they rise first, or fall.")]
    cells: Annotated[
        list[Annotated[str, Field()]], Field(min_length=2, description="Keys of the values.")
    ]


class DrawnFigure(Shape):
    """A picture as data: every text that is printed, and where it belongs."""

    kind: Annotated[str, Field(min_length=1, description="Renderer, e.g. `bar_chart`.")]
    title: Annotated[str, Field(description="Printed at the top.")]
    measure: Annotated[str | None, Field(description="What the numbers of a chart are.")] = None
    unit: Annotated[str | None, Field(description="Their unit.")] = None
    rows: Annotated[_Texts, Field(description="Row labels, items, areas or objects.")] = []
    columns: Annotated[_Texts, Field(description="Headings of a table.")] = []
    cells: Annotated[
        list[_Texts],
        Field(description="Text of each cell: a list a row, one cell where there is no column."),
    ] = []
    lines: Annotated[
        list[Annotated[list[str], Field(min_length=2, max_length=2)]],
        Field(description="Key and text of each line of a label, ticket, notice."),
    ] = []
    rules: Annotated[
        list[DrawnRule], Field(description="What holds between two values, whatever they are.")
    ] = []
    turns: Annotated[list[DrawnTurn], Field(description="Values with a peak or a dip.")] = []
    until: Annotated[
        When | None, Field(description="Day of the last row, where rows are made of dates.")
    ] = None

    def texts(self) -> dict[str, str]:
        """What is printed by key: `title`, `row`, `row/column` or that of a line."""
        texts = {"title": self.title}
        for row, cells in zip(self.rows, self.cells, strict=False):
            keys = [f"{row}/{column}" for column in self.columns] or [row]
            texts |= dict(zip(keys, cells, strict=False))
        return texts | {line[0]: line[1] for line in self.lines}


class DrawnPage(Shape):
    """A page of a document as data."""

    heading: Annotated[str, Field(description="Printed at its top.")]
    paragraphs: Annotated[_Texts, Field(description="Its text.")] = []
    figure: Annotated[DrawnFigure | None, Field(description="The one below its text.")] = None
    facts: Annotated[
        dict[str, list[RecordId]],
        Field(
            description="By key (`paragraph 1`, `figure title`, `row/column`): facts read there."
        ),
    ] = {}

    def texts(self) -> dict[str, str]:
        """What is printed by key; the title of its figure is `figure title`."""
        texts = {f"paragraph {at}": text for at, text in enumerate(self.paragraphs, start=1)}
        own = self.figure.texts() if self.figure is not None else {}
        return texts | {"figure title" if key == "title" else key: own[key] for key in own}


class Drawn(Shape):
    """An image or a document as data; the same data and seed path give the same pixels."""

    seed_path: Annotated[
        list[str], Field(description="What the generator of its looks is keyed by.")
    ]
    libraries: Annotated[
        dict[str, str],
        Field(description="What the pixels depend on beside: versions of Pillow, hash of fonts."),
    ]
    about: Annotated[str | None, Field(description="Caption that it was drawn for.")] = None
    figure: Annotated[DrawnFigure | None, Field(description="Of an image.")] = None
    facts: Annotated[
        dict[str, list[RecordId]],
        Field(description="By key (`title`, `row`, `row/column`, a line's): facts read there."),
    ] = {}
    title: Annotated[str | None, Field(description="Of a document, on each page.")] = None
    pages: Annotated[list[DrawnPage], Field(description="Of a document, in order.")] = []
