"""Drafts of questions about a world, and the queries that most of them share."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.paths.worldmemarena.lifelong.asking.view import View
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point
from memassay.synth.questions.drafts import Draft, Query, get

FORMATS: Final = {
    ValueType.NUMBER: AnswerFormat.NUMBER,
    ValueType.DATE: AnswerFormat.DATE,
}
IN_TEXT: Final = (Modality.TEXT,)
IN_PICTURES: Final = (Modality.IMAGE,)
IN_BOTH: Final = (Modality.TEXT, Modality.IMAGE)


@dataclass(frozen=True)
class Asked:
    """A draft with what it is about.

    Attributes:
        draft: The question, its query and its form.
        code: Its code in the paper.
        points: Keys of the points that it is about, those that it tempts with among them.
        trap: What interference would have one answer.
        pairs: What it shares with a question of another checkpoint, before or after a change.
        near: Keys of the points that answer the same question of another thing.
    """

    draft: Draft
    code: str
    points: tuple[str, ...]
    trap: str = ""
    pairs: str = ""
    near: tuple[str, ...] = ()


Maker = Callable[[View], Iterator[Asked]]


def select(view: View, point: Point) -> Query:
    """All facts of the slot of a point."""
    where = {"subject": point.subject, "attribute": view.spec(point).say}
    return {"op": "select", "where": where}


def now(view: View, point: Point) -> Query:
    """What holds of the slot of a point."""
    return {"op": "as_of", "of": select(view, point), "at": "end"}


def draft_value(
    view: View, point: Point, code: str, modalities: tuple[Modality, ...], pairs: str = ""
) -> Asked:
    """A question for the value of a slot."""
    draft = Draft(
        view.smith.ask(point, view.spec(point).ask),
        get(now(view, point)),
        FORMATS.get(point.value.type, AnswerFormat.FREE),
        (point.key,),
        modalities=modalities,
    )
    return Asked(draft, code, (point.key,), pairs=pairs)


def modalities_of(*points: Point) -> tuple[Modality, ...]:
    """Where points can be read."""
    shown = {point.pictured for point in points}
    return IN_BOTH if len(shown) > 1 else (IN_PICTURES if shown == {True} else IN_TEXT)
