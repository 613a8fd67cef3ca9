"""Other wordings of a gold follow from its type and unit, and say the same."""

import pytest
from support.fixtures import item, scene

from memassay.schemas.queries.scalars.scalar import Scalar
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.equivalents import equivalents
from memassay.validators.check import RULES, check

NUMBER, DATE, TEXT = ValueType.NUMBER, ValueType.DATE, ValueType.TEXT
RULES_OF_IT = [rule for rule in RULES if rule.id.startswith("accepted.")]


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


@pytest.mark.parametrize("unit", ["km/h", "degC", "m2", "USD", "JPY", "min", "h", "mm", "l", None])
@pytest.mark.parametrize("value", ["1", "2.50", "12", "480"])
def test_what_is_written_otherwise_is_the_same_to_the_rules(value: str, unit: str | None) -> None:
    """No rule finds anything in the wordings that are made."""
    said = Scalar(value, NUMBER, unit).said
    made = equivalents(said, value, NUMBER, unit)
    of = scene(item(values=[said], format=AnswerFormat.NUMBER, equivalents=made))
    assert check(of.bundles, of.context, RULES_OF_IT) == []
