"""The query language: a closed grammar of fifteen operators over the facts of a ledger.

An expression is a JSON object whose `op` names the operator. Three sorts of value flow through
it, and the grammar says which operator takes which: facts, scalars (numbers, dates, strings) and
truth. There is no operator that states an answer; dates, numbers and strings stand only where
an operator compares with them. What the operators mean is in `docs/queries.md`.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from memassay.schemas.base import Modality, Shape
from memassay.schemas.errors import MalformedQueryError
from memassay.schemas.ids import AttachmentId, RecordId, SessionId
from memassay.schemas.records.ledger import FactHolder, FactOperation, FactScope, FactStatus
from memassay.schemas.values.civil_time import When

MAX_DEPTH: Final = 16
"""Deepest nesting of operators; a deeper query is refused before it is read."""

Position = Annotated[int, Field(ge=1, strict=True)]
"""A 1-based position."""

Words = str | list[str]
"""One text, or several of which any will do."""


class Where(Shape):
    """Filters on facts; a fact fits if it fits all. A list stands for any of its members."""

    subject: Annotated[Words | None, Field(description="What the fact is about.")] = None
    attribute: Annotated[Words | None, Field(description="Which property it states.")] = None
    value: Annotated[Words | None, Field(description="Text of its value.")] = None
    order: Annotated[
        Position | list[Position] | None, Field(description="1-based position in its list.")
    ] = None
    holder: FactHolder | list[FactHolder] | None = None
    speaker: Annotated[
        Words | None, Field(description="Who holds it, or (for others' facts) who mentions it.")
    ] = None
    source: Annotated[Words | None, Field(description="What it was learned from.")] = None
    status: FactStatus | list[FactStatus] | None = None
    operation: FactOperation | list[FactOperation] | None = None
    scope: FactScope | list[FactScope] | None = None
    during: Annotated[When | None, Field(description="Its date lies in this stretch.")] = None
    modality: Annotated[
        Modality | list[Modality] | None, Field(description="Of one of its visible mentions.")
    ] = None
    attachment: AttachmentId | list[AttachmentId] | None = None
    asset: RecordId | list[RecordId] | None = None
    session: SessionId | list[SessionId] | None = None


class SelectFacts(Shape):
    """The facts, known at asking time, that fit every filter."""

    op: Literal["select"]
    where: Where


class AsOf(Shape):
    """The facts that held at a point: none superseded, retracted, deleted or ended by then."""

    op: Literal["as_of"]
    of: "Facts"
    at: Annotated[
        "str | Scalars",
        Field(description="`end`, a checkpoint id, a session id, a date, or a scalar."),
    ]


class Order(StrEnum):
    """By what facts are put in order."""

    DATE = "date"
    ORDER = "order"
    VALUE = "value"
    IMPORTANCE = "importance"
    AUTHORITY = "authority"
    SAID = "said"


class Which(StrEnum):
    """Which of the ordered facts is picked; `first` is `min`, `last` is `max`."""

    FIRST = "first"
    LAST = "last"
    NTH = "nth"
    MIN = "min"
    MAX = "max"


class Pick(Shape):
    """The one fact at one end, or at one position, of an order; a tie is an error."""

    op: Literal["pick"]
    of: "Facts"
    by: Order
    which: Which
    n: Annotated[Position | None, Field(description="1-based, for `nth`.")] = None


class JoinSide(StrEnum):
    """The side of a fact that a join compares."""

    SUBJECT = "subject"
    VALUE = "value"
    SOURCE = "source"


class Follow(Shape):
    """A join: facts of an attribute whose `to` side equals the `from` side of a fact of `of`."""

    op: Literal["follow"]
    of: "Facts"
    attribute: Words
    from_: Annotated[JoinSide, Field(alias="from")] = JoinSide.VALUE
    to: Literal[JoinSide.SUBJECT, JoinSide.VALUE] = JoinSide.SUBJECT


class UnionOf(Shape):
    """The facts of all parts, each once."""

    op: Literal["union"]
    of: Annotated[list["Facts"], Field(min_length=1)]


class Minus(Shape):
    """The facts of `a` that are not in `b`."""

    op: Literal["minus"]
    a: "Facts"
    b: "Facts"


class InSequence(Shape):
    """All the facts, in order; a tie is an error."""

    op: Literal["sequence"]
    of: "Facts"
    by: Order


class FactField(StrEnum):
    """What `get` reads from a fact."""

    VALUE = "value"
    SUBJECT = "subject"
    ATTRIBUTE = "attribute"
    DATE = "date"
    SESSION = "session"
    SPEAKER = "speaker"
    ATTACHMENT = "attachment"


class Get(Shape):
    """One field of every fact, each value once (in a sequence: one value a fact)."""

    op: Literal["get"]
    of: "Facts"
    field: FactField


class Count(Shape):
    """How many facts, or how many distinct values or subjects."""

    op: Literal["count"]
    of: "Facts"
    distinct: Literal["value", "subject"] | None = None


class Fold(Shape):
    """Sum, mean, smallest or largest of the facts' numbers, in their unit."""

    op: Literal["fold"]
    of: "Facts"
    with_: Annotated[Literal["sum", "mean", "min", "max"], Field(alias="with")]


class Diff(Shape):
    """`a` minus `b`: numbers in their unit, or dates in a unit of time."""

    op: Literal["diff"]
    a: "str | Scalars"
    b: "str | Scalars"
    unit: Annotated[
        str | None,
        Field(description="Unit of both numbers, or year, month, week, day, hour, minute."),
    ] = None
    rounding: Annotated[
        Literal["exact", "down"],
        Field(description="What to do with dates that are no whole number of units apart."),
    ] = "exact"


class Compare(Shape):
    """Whether two scalars are the same, differ, or which is less (earlier) or more (later)."""

    op: Literal["compare"]
    a: "str | Scalars"
    b: "str | Scalars"
    with_: Annotated[Literal["same", "differ", "less", "more"], Field(alias="with")]


class Claim(Shape):
    """What a question asserts; it is no fact of the ledger."""

    subject: Annotated[str, Field(min_length=1)]
    attribute: Annotated[str, Field(min_length=1)]
    value: Annotated[str, Field(min_length=1)]
    one: Annotated[
        Literal["value", "subject"],
        Field(description="A subject has one value (default), or a value one subject."),
    ] = "value"


class Conflict(Shape):
    """Whether the facts contradict a claim; facts that do not speak to it are an error."""

    op: Literal["conflict"]
    claim: Claim
    against: "Facts"


class Absent(Shape):
    """Whether the ledger, a closed world, knows no such fact at asking time."""

    op: Literal["absent"]
    of: "Facts"


class Choose(Shape):
    """The label of the option that says what `of` gives."""

    op: Literal["choose"]
    of: "Scalars | Truth"
    options: Annotated[dict[str, str], Field(min_length=2, description="Value by label.")]


Facts = Annotated[
    SelectFacts | AsOf | Pick | Follow | UnionOf | Minus | InSequence, Field(discriminator="op")
]
Scalars = Annotated[Get | Count | Fold | Diff, Field(discriminator="op")]
Truth = Annotated[Compare | Conflict | Absent, Field(discriminator="op")]
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
    | Diff
    | Compare
    | Conflict
    | Absent
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
    "diff": Diff,
    "compare": Compare,
    "sequence": InSequence,
    "conflict": Conflict,
    "absent": Absent,
    "choose": Choose,
}
"""Every operator by name."""

for _operator in OPERATORS.values():
    _operator.model_rebuild()
_QUERY: Final[TypeAdapter[Query]] = TypeAdapter(Annotated[Query, Field(discriminator="op")])


def parse_query(document: Any, place: str = "query") -> Query:
    """A query from decoded JSON.

    Args:
        document: The expression.
        place: Where it stands, for messages, e.g. `alex/Q0001.query`.

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
        reason = f"expected {context.get('expected_tags')}, got {context.get('tag')!r}"
    elif first["type"] == "extra_forbidden":
        reason = "unknown field"
    elif first["type"] == "union_tag_not_found":
        reason = "expected an operator with its name under `op`"
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
        elif isinstance(node, dict) and part not in OPERATORS and _is_field(part):
            path.append(str(part))
            node = None
    return path


def _is_field(part: str | int) -> bool:
    """Whether a part of a location is a key of the grammar, not the name of a union's branch."""
    fields = (field.alias or name for model in OPERATORS.values() for name, field in _fields(model))
    return part in fields


def _fields(model: type[Shape]) -> list[tuple[str, Any]]:
    return list(model.model_fields.items())


def _refuse_two_literals(query: Query, place: str) -> None:
    """A comparison of two literals would state an answer in place of looking it up."""
    if isinstance(query, Compare | Diff) and isinstance(query.a, str) and isinstance(query.b, str):
        raise MalformedQueryError(
            f"{place}: expected an operator in a or b, got two texts; at most one may be a text"
        )
    for name, _ in _fields(type(query)):
        child = getattr(query, name)
        for position, part in enumerate(child if isinstance(child, list) else [child]):
            if isinstance(part, Query):
                at = f"{name}.{position}" if isinstance(child, list) else name
                _refuse_two_literals(part, f"{place}.{at}")
