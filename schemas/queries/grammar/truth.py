"""The expressions that give truth, and the choice among options."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from memassay.schemas.base import Shape
from memassay.schemas.queries.grammar.expressions import Facts, Scalars


class Compare(Shape):
    """Whether two scalars are the same, differ, or which is less (earlier) or more (later)."""

    op: Literal["compare"]
    a: str | Scalars
    b: str | Scalars
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


def _sort_of_claim(document: Any) -> str:
    """Which of both a claim is: facts have an operator."""
    has_operator = "op" in document if isinstance(document, dict) else hasattr(document, "op")
    return "expression of facts" if has_operator else "stated claim"


StatedOrFacts = Annotated[
    Annotated[Claim, Tag("stated claim")] | Annotated[Facts, Tag("expression of facts")],
    Discriminator(_sort_of_claim),
]


class Conflict(Shape):
    """Whether the facts contradict a claim; facts that do not speak to it are an error."""

    op: Literal["conflict"]
    claim: Annotated[
        StatedOrFacts, Field(description="Stated by the question, or facts of its own images.")
    ]
    against: Facts


class Absent(Shape):
    """Whether the ledger, a closed world, knows no such fact at asking time."""

    op: Literal["absent"]
    of: Facts


class Exists(Shape):
    """Whether the ledger knows such a fact at asking time."""

    op: Literal["exists"]
    of: Facts


class Ended(Shape):
    """Whether what was there holds no longer at asking time."""

    op: Literal["ended"]
    of: Facts


Truth = Annotated[Compare | Conflict | Absent | Exists | Ended, Field(discriminator="op")]


class Choose(Shape):
    """The label of the option that says what `of` gives."""

    op: Literal["choose"]
    of: Scalars | Truth
    options: Annotated[dict[str, str], Field(min_length=2, description="Value by label.")]
