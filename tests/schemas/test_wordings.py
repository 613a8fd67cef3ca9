"""Other wordings of a gold follow from its type and unit, and say the same."""

import pytest

from memassay.schemas.queries.scalars.scalar import Scalar
from memassay.schemas.queries.wordings import equivalents
from memassay.schemas.records.ledger import ValueType

NUMBER, DATE, TEXT = ValueType.NUMBER, ValueType.DATE, ValueType.TEXT


@pytest.mark.parametrize(
    ("value", "value_type", "unit", "wordings"),
    [
        ("5", NUMBER, "km", ["5 kilometres", "five kilometres"]),
        ("1", NUMBER, "g", ["1 gram", "one gram"]),
        ("1", NUMBER, "week", ["one week"]),
        ("4", NUMBER, "week", ["four weeks"]),
        ("13", NUMBER, "blocks", []),
        ("3", NUMBER, None, ["three"]),
        ("26.40", NUMBER, "EUR", ["26.4 EUR", "26.40 euros", "26.4 euros"]),
        ("1.8", NUMBER, "%", ["1.8 per cent"]),
        ("2024-04", DATE, None, []),
        ("2024-04-25", DATE, None, ["25 April 2024", "April 25, 2024", "Apr 25 2024"]),
        ("a cinema", TEXT, None, ["cinema"]),
        ("welder", TEXT, None, []),
        ("true", ValueType.BOOLEAN, None, []),
    ],
)
def test_a_value_is_written_as_people_write_it(
    value: str, value_type: ValueType, unit: str | None, wordings: list[str]
) -> None:
    """Units in letters, small numbers in letters, days in words, texts without their article."""
    said = Scalar(value, value_type, unit).said
    assert equivalents(said, value, value_type, unit) == wordings
