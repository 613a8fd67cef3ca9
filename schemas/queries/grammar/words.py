"""The words that operators choose from, and the texts that they compare with."""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field

from memassay.schemas.base import matching
from memassay.schemas.ids import SESSION_PATTERN
from memassay.schemas.values.civil_time import WHEN_PATTERN

Position = Annotated[int, Field(ge=1, strict=True)]
"""A 1-based position."""

Words = str | list[str]
"""One text, or several of which any will do."""

NUMBER_PATTERN: Final = r"-?[0-9]+(?:\.[0-9]+)?"
DecimalText = Annotated[str, matching(NUMBER_PATTERN, "A number as a decimal string, e.g. `12.5`.")]
DateOrSession = Annotated[
    str, matching(f"{SESSION_PATTERN}|{WHEN_PATTERN}", "A date, or the id of a session.")
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


class JoinSide(StrEnum):
    """The side of a fact that a join compares."""

    SUBJECT = "subject"
    VALUE = "value"
    SOURCE = "source"


class FactField(StrEnum):
    """What `get` reads from a fact."""

    VALUE = "value"
    SUBJECT = "subject"
    ATTRIBUTE = "attribute"
    DATE = "date"
    SESSION = "session"
    SPEAKER = "speaker"
    ATTACHMENT = "attachment"
    ORDINAL = "ordinal"


class GroupBy(StrEnum):
    """What the facts of one group share."""

    SUBJECT = "subject"
    VALUE = "value"
    ATTRIBUTE = "attribute"
    SESSION = "session"
    ATTACHMENT = "attachment"
    MONTH = "month"


class Measure(StrEnum):
    """The number by which groups are compared."""

    COUNT = "count"
    SUM = "sum"
    MEAN = "mean"
    MIN = "min"
    MAX = "max"
    LAST = "last"
