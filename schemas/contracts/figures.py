"""Tables that a collection's own paper counts, and what several of them are made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from memassay.schemas.ids import parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

Cell = str | int | float | None
"""A number or a name; None where nothing can be said, or the paper's text lost its number."""


@dataclass(frozen=True)
class Figure:
    """A table of its own beside the sizes and types that all collections have.

    Attributes:
        title: What it counts, and where the paper does.
        rows: Cells by head; every row has the same heads.
    """

    title: str
    rows: list[dict[str, Cell]]


@dataclass(frozen=True)
class PathFigures:
    """Tables of a collection, counted one conversation at a time.

    Attributes:
        count: What the tables need of one conversation; all counts are held, so that it is small.
        show: The tables of these counts, which come in natural order of the conversations' ids.
    """

    count: Callable[[Bundle], Any] = lambda _bundle: None
    show: Callable[[Sequence[Any]], list[Figure]] = lambda _counts: []


def sessions_of(bundle: Bundle, item: QAItem) -> set[int]:
    """Positions of the sessions in which the evidence of a question lies."""
    places = item.evidence.canonical or [group[0] for group in item.evidence.groups]
    names = {place.session for text in places if (place := parse_place(text)) is not None}
    return {bundle.session_by_id[name].index for name in names if name in bundle.session_by_id}
