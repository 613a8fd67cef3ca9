"""The expressions that give facts and those that give scalars; each sort holds the other.

`docs/queries.md` says what they mean. There is no operator that states an answer.
"""

from typing import Annotated, Literal

from pydantic import Field

from memassay.schemas.base import Shape
from memassay.schemas.queries.grammar.where import Bounds, PlainWhere
from memassay.schemas.queries.grammar.words import (
    DateOrSession,
    FactField,
    GroupBy,
    JoinSide,
    Measure,
    Order,
    Position,
    Which,
    Words,
)


class DateBounds(Bounds):
    """Between which dates or sessions a fact lies."""

    after: "DateOrSession | Scalars | None" = None
    before: "DateOrSession | Scalars | None" = None
    from_: Annotated["DateOrSession | Scalars | None", Field(alias="from")] = None
    until: "DateOrSession | Scalars | None" = None


class Where(PlainWhere):
    """Filters on facts; a fact fits if it fits all. A list means any of its members."""

    dated: Annotated[
        DateBounds | None, Field(description="Its date, or its session, is within these bounds.")
    ] = None


class SelectFacts(Shape):
    """The facts, known at asking time or given by `of`, that fit every filter."""

    op: Literal["select"]
    of: "Facts | None" = None
    where: Where


class AsOf(Shape):
    """The facts that held at a point: none superseded, retracted, deleted or ended by then."""

    op: Literal["as_of"]
    of: "Facts"
    at: Annotated[
        "str | Scalars",
        Field(description="`end`, a checkpoint id, a session id, a date, or a scalar."),
    ]


class Pick(Shape):
    """The one fact at one end, or at one position, of an order; a tie is an error."""

    op: Literal["pick"]
    of: "Facts"
    by: Order
    which: Which
    n: Annotated[Position | None, Field(description="1-based, for `nth`.")] = None


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


class Get(Shape):
    """One field of every fact, each value once (in a sequence: one value a fact)."""

    op: Literal["get"]
    of: "Facts"
    field: FactField


class Count(Shape):
    """How many facts, or how many distinct values, subjects, sessions, days or attachments."""

    op: Literal["count"]
    of: "Facts"
    distinct: Literal["value", "subject", "session", "day", "attachment"] | None = None


class Group(Shape):
    """The key of the group of facts whose measure is the largest, smallest or nth largest."""

    op: Literal["group"]
    of: "Facts"
    by: Annotated[GroupBy, Field(description="What the facts of one group share.")]
    with_: Annotated[Measure, Field(alias="with", description="How groups are compared.")]
    which: Literal[Which.MAX, Which.MIN, Which.NTH]
    n: Annotated[Position | None, Field(description="1-based from the largest, for `nth`.")] = None


class Gaps(Shape):
    """The distances of neighbours in an order: of their dates, or of their values."""

    op: Literal["gaps"]
    of: "Facts"
    by: Order = Order.DATE
    field: Literal[FactField.DATE, FactField.VALUE] = FactField.DATE
    unit: Annotated[
        str | None,
        Field(description="Unit of the values, or year, month, week, day, hour, minute."),
    ] = None
    rounding: Annotated[
        Literal["exact", "down"],
        Field(description="What to do with dates that are no whole number of units apart."),
    ] = "exact"


class Fold(Shape):
    """Sum, mean, smallest or largest of the facts' numbers, or of gaps, in their unit."""

    op: Literal["fold"]
    of: "FactsOrGaps"
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


class Shift(Shape):
    """The date that lies a duration after (or before) a date."""

    op: Literal["shift"]
    of: Annotated["str | Scalars", Field(description="A date.")]
    by: Annotated["str | Scalars", Field(description="A duration, e.g. `24 months`.")]
    direction: Literal["later", "earlier"] = "later"


class Apply(Shape):
    """What a taught rule gives for the values of its slots."""

    op: Literal["apply"]
    rule: "Facts"
    to: Annotated[
        dict[str, "str | Scalars"],
        Field(min_length=1, description="By slot of the rule: a text or a scalar."),
    ]


Facts = Annotated[
    SelectFacts | AsOf | Pick | Follow | UnionOf | Minus | InSequence, Field(discriminator="op")
]
FactsOrGaps = Annotated[
    SelectFacts | AsOf | Pick | Follow | UnionOf | Minus | InSequence | Gaps,
    Field(discriminator="op"),
]
Scalars = Annotated[
    Get | Count | Fold | Group | Gaps | Diff | Shift | Apply, Field(discriminator="op")
]

for _shape in (
    *(DateBounds, Where, SelectFacts, AsOf, Pick, Follow, UnionOf, Minus, InSequence),
    *(Get, Count, Group, Gaps, Fold, Diff, Shift, Apply),
):
    _shape.model_rebuild()
