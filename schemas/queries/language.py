"""The query language: a closed grammar of operators over the facts of a ledger, read from JSON.

An expression is a JSON object whose `op` names the operator. Three sorts of value flow through
it, and the grammar says which operator takes which: facts, scalars (numbers, dates, strings) and
truth. There is no operator that states an answer; dates, numbers and strings are allowed only where
an operator compares with them. What the operators mean is in `docs/queries.md`.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError

from memassay.schemas.base import Shape
from memassay.schemas.errors import MalformedQueryError
from memassay.schemas.queries.grammar.expressions import DateBounds, Diff, Shift, Where
from memassay.schemas.queries.grammar.query import OPERATORS, Query, parts
from memassay.schemas.queries.grammar.truth import Claim, Compare
from memassay.schemas.queries.grammar.where import NumberBounds

MAX_DEPTH: Final = 16
"""Deepest nesting of operators; a deeper query is refused before it is read."""

_SHAPES: Final[tuple[type[Shape], ...]] = (
    *OPERATORS.values(),
    Where,
    NumberBounds,
    DateBounds,
    Claim,
)
FIELDS: Final = frozenset(
    field.alias or name for shape in _SHAPES for name, field in shape.model_fields.items()
)
"""Every key of the grammar, without the slots of rules and the labels of options."""

_JSON: Final = {
    "list": "a list",
    "str": "a text",
    "int": "a number",
    "float": "a number",
    "bool": "a truth value",
    "NoneType": "null",
}
"""What decoded JSON is called."""
_QUERY: Final[TypeAdapter[Query]] = TypeAdapter(Annotated[Query, Field(discriminator="op")])


def parse_query(document: Any, place: str = "query") -> Query:
    """A query from decoded JSON.

    Args:
        document: The expression.
        place: Where it is, for messages, e.g. `alex/Q0001.query`.

    Raises:
        MalformedQueryError: It is not an expression of the language; the message names the
            place. It is a `RecordError` too.
    """
    if _depth(document) > MAX_DEPTH:
        raise MalformedQueryError(
            f"{place}: expected at most {MAX_DEPTH} operators inside each other, got more; "
            "select more narrowly"
        )
    try:
        query = _QUERY.validate_python(document)
    except ValidationError as error:
        raise MalformedQueryError(_message(error, document, place)) from error
    _refuse_two_literals(query, place)
    return query


def query_json(query: Query) -> dict[str, Any]:
    """The JSON form of a query, without the keys that have their default."""
    document: dict[str, Any] = _QUERY.dump_python(
        query, mode="json", by_alias=True, exclude_defaults=True
    )
    return document


def _depth(node: Any) -> int:
    """Nesting of objects, counted no further than one above the limit."""
    waiting, deepest = [(node, 0)], 0
    while waiting:
        item, depth = waiting.pop()
        deepest = max(deepest, depth)
        if deepest > MAX_DEPTH:
            break
        if isinstance(item, dict):
            waiting.extend((child, depth + 1) for child in item.values())
        elif isinstance(item, list):
            waiting.extend((child, depth) for child in item)
    return deepest


def _message(error: ValidationError, document: Any, place: str) -> str:
    """The first complaint at the place in the JSON, with what was expected."""
    errors = error.errors(include_url=False)
    # A place for a text or an operator complains twice; about an object only the second helps.
    useful = [item for item in errors if item["type"] != "string_type"]
    first = (useful or errors)[0]
    path = _path(first["loc"], document)
    reason = first["msg"]
    if first["type"] == "union_tag_invalid":
        context = first.get("ctx", {})
        tag, tags = str(context.get("tag")), str(context.get("expected_tags"))
        like = get_close_matches(tag, re.findall(r"\w+", tags), n=1)
        reason = f"expected {tags}, got {tag!r}{f' (like it: {like[0]!r})' if like else ''}"
    elif first["type"] == "extra_forbidden":
        reason = "unknown field"
    elif first["type"] == "model_attributes_type":
        got = type(first["input"]).__name__
        reason = f"expected an expression, an object with `op`, got {_JSON.get(got, got)}"
    elif first["type"] == "union_tag_not_found":
        reason = "expected an operator with its name under `op`"
    elif first["type"] == "string_type":
        reason = f"expected a string in quotes, got {first['input']!r}"
    elif first["type"] == "string_pattern_mismatch":
        reason = f"{reason}, got {first['input']!r}"
    elif first["type"] == "missing":
        reason = "required field is missing"
    return f"{'.'.join([place, *path])}: {reason}; docs/queries.md has the grammar"


def _path(location: Sequence[str | int], document: Any) -> list[str]:
    """The keys of a pydantic location, without the union tags it names on the way."""
    path: list[str] = []
    node = document
    for part in location:
        inside = isinstance(node, dict) and part in node
        if inside or (isinstance(node, list) and isinstance(part, int) and part < len(node)):
            path.append(str(part))
            node = node[part]
        elif isinstance(node, dict) and part not in OPERATORS and part in FIELDS:
            path.append(str(part))
            node = None
    return path


def _refuse_two_literals(query: Query, place: str) -> None:
    """Two texts alone would state an answer in place of looking it up."""
    for path, part in parts(query):
        match part:
            case Compare() | Diff():
                names, operands = "a or b", (part.a, part.b)
            case Shift():
                names, operands = "of or by", (part.of, part.by)
            case _:
                continue
        if all(isinstance(operand, str) for operand in operands):
            at = ".".join(filter(None, [place, path]))
            raise MalformedQueryError(
                f"{at}: expected an operator in {names}, got two texts; at most one may be a text"
            )
