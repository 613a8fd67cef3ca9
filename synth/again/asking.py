"""Whether the questions of a history are those that its bank makes, and none is missing."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memassay.schemas.records.question import ItemOrigin, QAItem

_NOT_COMPARED: Final = frozenset({"id", "schema_version", "extras", "public_id"})
_MOST: Final = 2
"""One of so many questions at least is as the bank makes it; else they are of another history."""


class Unasked(NamedTuple):
    """A difference between an item and the one that the bank makes.

    Attributes:
        item: Id of the item.
        pointer: JSON Pointer to it in the item.
        expected: What the bank has there.
        got: What stands there.
    """

    item: str
    pointer: str
    expected: str
    got: str


def unasked(questions: Sequence[QAItem], again: Sequence[QAItem]) -> Iterator[Unasked]:
    """Where questions differ from those that the bank makes again.

    They are paired by their texts, else by their ids: where a bank drops a draft, since its turn
    was changed, all that follow are numbered otherwise.
    """
    items = [item for item in questions if item.origin is ItemOrigin.MACHINE]
    made = {_key(item): item for item in again}
    alike = {_key(item) for item in items} & made.keys()
    if len(alike) * _MOST < len(items):
        return
    by_id = {item.id: item for item in again}
    paired: set[str] = set()
    for item in items:
        own = made.get(_key(item)) or by_id.get(item.id)
        if own is None:
            yield Unasked(item.id, "", "no such question of its bank", item.question.text)
            continue
        paired.add(own.id)
        yield from _differences(item, own)
    for item in again:
        if item.id not in paired and item.id not in {one.id for one in questions}:
            yield Unasked(item.id, "", f"the question {item.question.text!r}", "none")


def _key(item: QAItem) -> tuple[str, str]:
    return item.benchmark_type, item.question.text


def _differences(item: QAItem, own: QAItem) -> Iterator[Unasked]:
    """The fields in which two items differ; of an answer and a question, the parts of them."""
    held, made = item.model_dump(mode="json"), own.model_dump(mode="json")
    for field in sorted(made.keys() - _NOT_COMPARED):
        one, other = made[field], held.get(field)
        if one == other:
            continue
        if isinstance(one, dict) and isinstance(other, dict) and field != "query":
            for part in sorted({*one, *other}):
                if one.get(part) != other.get(part):
                    place = f"/{field}/{part}"
                    yield Unasked(item.id, place, str(one.get(part)), str(other.get(part)))
        else:
            yield Unasked(item.id, f"/{field}", str(one), str(other))
