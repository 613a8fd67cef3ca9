"""Any expression, the list of all operators, and the way through an expression."""

from collections.abc import Iterator
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
"""Any expression; facts on their own stand for their values."""

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


def parts(node: object, path: str = "") -> Iterator[tuple[str, Query]]:
    """Every expression inside a query, itself first, with its path: ``""``, ``of``, ``of.1.a``."""
    if isinstance(node, Query):
        yield path, node
    if isinstance(node, Shape):
        inside = {
            field.alias or name: getattr(node, name)
            for name, field in type(node).model_fields.items()
        }
    elif isinstance(node, dict):
        inside = node
    elif isinstance(node, list):
        inside = {str(at): each for at, each in enumerate(node)}
    else:
        return
    for key, each in inside.items():
        yield from parts(each, f"{path}.{key}" if path else key)
