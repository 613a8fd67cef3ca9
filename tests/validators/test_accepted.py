"""What counts as right beside a gold: the same in other words, or less of it, and nothing else."""

from typing import Any

import pytest
from support.fixtures import fact, item, mention, said, scene

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat, AnswerOption, AnswerRelation
from memassay.validators.check import RULES, check

RULES_ = [rule for rule in RULES if rule.id.startswith("accepted.")]
DATE, NUMBER = AnswerFormat.DATE, AnswerFormat.NUMBER
STEPS = ["put the strip by the kettle", "swallow the tablets", "tick the box", "turn the cup"]


def found(gold: str | list[str], form: AnswerFormat = AnswerFormat.FREE, **more: Any) -> set[str]:
    """Rules of the family that find something in an item."""
    values = [gold] if isinstance(gold, str) else gold
    of = scene(item(values=values, format=form, **more))
    return {one.rule for one in check(of.bundles, of.context, RULES_)}


@pytest.mark.parametrize(
    ("gold", "form", "text"),
    [
        ("24 stitches", NUMBER, "twenty-four stitches"),
        ("26.40 EUR", NUMBER, "26.4 EUR"),
        ("2,000 tokens", NUMBER, "2000 tokens"),
        ("2024-04-25", DATE, "April 25th, 2024"),
        ("2024-04-25", DATE, "Thursday, 25 April 2024"),
        ("2024-04-25", DATE, "25.04.2024"),
        ("2024-04-25", DATE, "04/25/2024"),
        ("Yes.", AnswerFormat.YES_NO, "true"),
        ("Yes.", AnswerFormat.YES_NO, "Yes, twice."),
        ("a caf\u00e9", AnswerFormat.FREE, "The Cafe"),
        ("two dogs", AnswerFormat.FREE, "2 dogs"),
        ("gluten-free", AnswerFormat.FREE, "gluten free"),
    ],
)
def test_the_gold_in_other_words_is_right(gold: str, form: AnswerFormat, text: str) -> None:
    """Spellings of unit, number and date, articles, plurals and accents are equivalents."""
    assert found(gold, form, equivalents=[text]) == set()


@pytest.mark.parametrize(
    ("gold", "form", "text"),
    [
        ("22 days", NUMBER, "11 days"),
        ("22 days", NUMBER, "22"),
        ("1.8%", NUMBER, "1.8"),
        ("12 km", NUMBER, "-12 km"),
        ("2024-08-09", DATE, "8 September 2024"),
        ("2024-04-25", DATE, "Monday, 25 April 2024"),
        ("2024-04-25", DATE, "April 2024"),
        ("Yes.", AnswerFormat.YES_NO, "No."),
        ("vegetarian", AnswerFormat.FREE, "not vegetarian"),
        ("flight 12", AnswerFormat.FREE, "flight 13"),
        ("welder", AnswerFormat.FREE, "Not mentioned."),
        ("welder", AnswerFormat.FREE, "n/a"),
        ("welder", AnswerFormat.FREE, " "),
    ],
)
def test_another_value_is_no_equivalent(gold: str, form: AnswerFormat, text: str) -> None:
    """Another number, unit, day, truth or a refusal is an error, and so is what says less."""
    assert found(gold, form, equivalents=[text]) == {"accepted.equivalent"}


@pytest.mark.parametrize("text", ["best man", "banana", "a relative"])
def test_what_no_rule_decides_goes_to_a_person(text: str) -> None:
    """Other words than the gold's are a warning: they may be a synonym, or nonsense."""
    assert found("groomsman", equivalents=[text]) == {"accepted.equivalent_unproven"}
    assert found("groomsman", coarser=[text]) == {"accepted.coarser_unproven"}


def test_a_denial_in_one_of_several_steps_goes_to_a_person() -> None:
    """The step that is named may be another one."""
    gold = "clip outward, rinse with saline, trim what does not bleed"
    assert found(gold, coarser=["clip, rinse, trim"]) == {"accepted.coarser_unproven"}


def test_words_that_say_less_go_to_a_person() -> None:
    """Some of the words may be enough where there is one such thing."""
    assert found("a green magnet", equivalents=["magnet"]) == {"accepted.equivalent_unproven"}


@pytest.mark.parametrize(
    ("gold", "form", "text"),
    [
        ("2024-04-25", DATE, "April 2024"),
        ("2024-04-25", DATE, "2024"),
        ("2024-04-25", DATE, "25 April"),
        ("2024-04-25", DATE, "Thursday"),
        ("310 k", NUMBER, "310"),
        ("22 days", NUMBER, "22"),
        ("22 days", NUMBER, "20 days"),
        ("a green magnet", AnswerFormat.FREE, "a magnet"),
    ],
)
def test_less_of_the_gold_is_coarser(gold: str, form: AnswerFormat, text: str) -> None:
    """Month, year, weekday, rounded and bare numbers and some of the words are coarser."""
    assert found(gold, form, coarser=[text]) == set()


@pytest.mark.parametrize(
    ("gold", "form", "text"),
    [
        ("2024-04-25", DATE, "May 2024"),
        ("2024-04-25", DATE, "26 April"),
        ("2024-04-25", DATE, "Monday"),
        ("145 CNY", NUMBER, "100"),
        ("17 readers", NUMBER, "8"),
        ("not vegetarian", AnswerFormat.FREE, "vegetarian"),
        ("welder", AnswerFormat.FREE, "unknown"),
    ],
)
def test_something_else_is_not_coarser(gold: str, form: AnswerFormat, text: str) -> None:
    """Another month, number or day, a denial dropped and a refusal are errors."""
    assert found(gold, form, coarser=[text]) == {"accepted.coarser"}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("strip, tablets, tick, cup", set()),
        ("strip", set()),
        ("swallow, cup", set()),
        ("tablets, strip, tick, cup", {"accepted.coarser"}),
        ("tablets, tick, cup, strip", {"accepted.coarser"}),
        ("cup, swallow", {"accepted.coarser"}),
        ("later on", {"accepted.coarser_unproven"}),
    ],
)
def test_keywords_stand_in_the_order_of_the_steps(text: str, rules: set[str]) -> None:
    """Keywords of a procedure are coarser in its order, and wrong in another."""
    assert found(STEPS, relation=AnswerRelation.ORDERED, coarser=[text]) == rules


@pytest.mark.parametrize("text", ["5 kilometres", "5000 m", "about 5 km", "it depends"])
def test_units_are_not_converted(text: str) -> None:
    """Without a query another unit, or another spelling of it, goes to a person."""
    assert found("5 km", NUMBER, equivalents=[text]) == {"accepted.equivalent_unproven"}


def test_a_wording_that_follows_from_the_query_is_the_gold() -> None:
    """The query gives the value with its unit, and the unit has a name."""
    value = FactValue(type=ValueType.NUMBER, text="5", unit="km")
    where = {"subject": "Ann", "attribute": "keeps"}
    query = {"op": "get", "of": {"op": "select", "where": where}, "field": "value"}
    asked = item(values=["5 km"], format=NUMBER, equivalents=["five kilometres"], query=query)
    of = scene(fact(value=value), mention(), asked, sessions=[said("I ran 5 km.")])
    assert check(of.bundles, of.context, RULES_) == []


def test_an_option_is_its_label_and_its_text() -> None:
    """Of a choice the text of the right option is an equivalent, that of another is not."""
    options = [AnswerOption(label="A", text="bees"), AnswerOption(label="B", text="wasps")]
    more: dict[str, Any] = {"form": AnswerFormat.CHOICE, "options": options}
    assert found("A", equivalents=["A", "bees"], **more) == set()
    assert found("A", equivalents=["wasps"], **more) == {"accepted.equivalent"}


@pytest.mark.parametrize("text", ["bees", "The bees.", "Apis"])
def test_what_is_right_is_listed_as_wrong_nowhere(text: str) -> None:
    """A competitor or trap that is the gold or an equivalent is an error."""
    assert "accepted.rival" in found("bees", equivalents=["apis"], competitors=[text])
    assert "accepted.rival" in found("bees", equivalents=["apis"], traps=[text])
