"""Rules that a history teaches and a question applies to a new case: data, never code."""

import re
from typing import Annotated, Final, Literal

from pydantic import Field

from memassay.schemas.base import Shape, matching

DecimalText = Annotated[
    str, matching(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?", "Exact decimal number, e.g. `12.5`.")
]
_SLOT: Final = "[A-Za-z_][A-Za-z0-9_]{0,63}"
_IN_BRACES: Final = re.compile(rf"\{{({_SLOT})\}}")
_KIND: Final = Field(description="Which form of rule it is.")
Slot = Annotated[str, matching(_SLOT, "Name of a slot, e.g. `ticket`.")]
Result = Annotated[str, Field(min_length=1, description="What the rule gives.")]


class TemplateRule(Shape):
    """A form with slots: a branch is named `{number}-{topic}`."""

    kind: Annotated[Literal["template"], _KIND]
    text: Annotated[
        str, Field(min_length=1, description="The form; a slot is its name in braces: `{topic}`.")
    ]


class TableRule(Shape):
    """A result for each case of one slot: green means go, red means stop."""

    kind: Annotated[Literal["table"], _KIND]
    slot: Slot
    rows: Annotated[dict[str, Result], Field(min_length=1, description="Result by case.")]


class ThresholdStep(Shape):
    """From which number on a threshold rule gives a result."""

    least: DecimalText
    then: Result


class ThresholdRule(Shape):
    """A result by how large a number is: the step with the largest `least` that it reaches."""

    kind: Annotated[Literal["threshold"], _KIND]
    slot: Slot
    unit: Annotated[str | None, Field(description="Unit of the number, e.g. `kg`.")] = None
    steps: Annotated[list[ThresholdStep], Field(min_length=1, description="In any order.")]
    otherwise: Annotated[str, Field(min_length=1, description="Below every step.")]


class LinearRule(Shape):
    """A number as a sum: each slot times its factor, and a constant."""

    kind: Annotated[Literal["linear"], _KIND]
    terms: Annotated[
        dict[str, DecimalText], Field(min_length=1, description="Factor by name of the slot.")
    ]
    constant: DecimalText = "0"
    unit: Annotated[str | None, Field(description="Unit of the result, e.g. `EUR`.")] = None


TaughtRule = Annotated[
    TemplateRule | TableRule | ThresholdRule | LinearRule, Field(discriminator="kind")
]
"""A template over named slots, a table, a threshold or a linear formula."""


def slots_of(text: str) -> list[str]:
    """Names of the slots of a form, each once, in the order of the form."""
    return list(dict.fromkeys(_IN_BRACES.findall(text)))
