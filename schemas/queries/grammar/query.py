"""Any expression, the list of all operators, and the way through an expression."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from memassay.schemas.base import Shape
from memassay.schemas.queries.grammar.expressions import (
    Apply,
    AsOf,
    Count,
    Diff,
    Fold,
    Follow,
    Gaps,
    Get,
    Group,
    InSequence,
    Minus,
    Pick,
    SelectFacts,
    Shift,
    UnionOf,
)
from memassay.schemas.queries.grammar.truth import (
    Absent,
    Choose,
    Compare,
    Conflict,
    Ended,
    Exists,
)

Query = (
    SelectFacts
    | AsOf
    | Pick
    | Follow
    | UnionOf
    | Minus
    | InSequence
    | Get
    | Count
    | Fold
    | Group
    | Gaps
    | Diff
    | Shift
    | Apply
    | Compare
    | Conflict
    | Absent
    | Exists
    | Ended
    | Choose
)
"""Any expression; facts on their own mean their values."""

OPERATORS: Final[dict[str, type[Shape]]] = {
    "select": SelectFacts,
    "as_of": AsOf,
    "pick": Pick,
    "get": Get,
    "follow": Follow,
    "union": UnionOf,
    "minus": Minus,
    "count": Count,
    "fold": Fold,
    "group": Group,
    "gaps": Gaps,
    "diff": Diff,
    "shift": Shift,
    "apply": Apply,
    "compare": Compare,
    "sequence": InSequence,
    "conflict": Conflict,
    "absent": Absent,
    "exists": Exists,
    "ended": Ended,
    "choose": Choose,
}
"""Every operator by name, in the order of `docs/queries.md`."""


@cache
def _fields(shape: type[Shape]) -> tuple[tuple[str, str], ...]:
    """The keys of a shape in JSON, each with the name of its field."""
    return tuple((field.alias or name, name) for name, field in shape.model_fields.items())


def parts(node: object, path: str = "") -> Iterator[tuple[str, Query]]:
    """Every expression inside a query, itself first, with its path: ``""``, ``of``, ``of.1.a``."""
    inside: Iterable[tuple[str, object]]
    if isinstance(node, Shape):
        if isinstance(node, Query):
            yield path, node
        inside = ((name, getattr(node, field)) for name, field in _fields(type(node)))
    elif isinstance(node, dict):
        inside = node.items()
    elif isinstance(node, list):
        inside = ((str(at), each) for at, each in enumerate(node))
    else:
        return
    for key, each in inside:
        if isinstance(each, Shape | dict | list):  # most of what a query holds is a text or nothing
            yield from parts(each, f"{path}.{key}" if path else key)
