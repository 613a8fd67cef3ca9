"""Whether the matcher finds a fact in a text: what says it, and what only looks so."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.exports.lifecycle.matching.canonical import canonical_words
from memassay.exports.lifecycle.matching.matcher import Matcher
from memassay.schemas.records.ledger import (
    Fact,
    FactOperation,
    FactStatus,
    FactValue,
    ValueType,
)
from memassay.schemas.values.civil_time import MONTHS


def _fact(name: str, attribute: str, kind: ValueType, text: str, **more: object) -> Fact:
    unit = more.pop("unit", None)
    value = FactValue(type=kind, text=text, unit=unit)  # type: ignore[arg-type]
    return Fact(
        id=f"x/{name}",
        subject="Norvik",
        attribute=attribute,
        value=value,
        **more,  # type: ignore[arg-type]
    )


FACTS = [
    _fact(
        "fee",
        "monthly fee",
        ValueType.NUMBER,
        "1200",
        unit="EUR",
        statement="The monthly fee of Norvik is 1200 EUR.",
    ),
    _fact(
        "due",
        "deadline",
        ValueType.DATE,
        "2024-05-12",
        statement="The deadline of Norvik falls on 12 May 2024.",
    ),
    _fact(
        "contact",
        "contact",
        ValueType.TEXT,
        "Ines",
        statement="The contact for Norvik is Ines.",
    ),
    _fact("seats", "seats", ValueType.NUMBER, "40", statement="Norvik has 40 seats."),
    _fact("call", "weekly call", ValueType.TEXT, "07:35", statement="The weekly call is at 07:35."),
    _fact(
        "end",
        "sponsor",
        ValueType.TEXT,
        "Basalt",
        statement="Norvik has no sponsor any more.",
        operation=FactOperation.DELETE,
    ),
    _fact(
        "claim",
        "monthly fee",
        ValueType.NUMBER,
        "650",
        unit="EUR",
        statement="The monthly fee of Norvik is 650 EUR.",
        status=FactStatus.INTERFERENCE,
    ),
]
MATCHER = Matcher(FACTS, {})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Norvik costs a fee of 1,200 euros each month.", "fee"),
        ("Fee for Norvik, monthly: twelve hundred euros", "fee"),
        ("The monthly fee of Norvik went from 900 to 1200 EUR.", "fee"),
        ("Norvik has a deadline: May 12th, 2024.", "due"),
        ("Norvik's deadline is the twelfth of May.", "due"),
        ("The deadline of Norvik is 2024-05-12", "due"),
        ("The deadline of Norvik is 12/05/2024 or so", ""),
        ("For Norvik, the contact is Ines.", "contact"),
        ("Norvik is large. It has forty seats.", "seats"),
        ("The weekly call of Norvik starts at 7:35 am.", "call"),
        ("There is no sponsor of Norvik any longer.", "end"),
        ("Norvik has no sponsor at the moment.", "end"),
        ("It is true and not just a rumour that the contact for Norvik is Ines.", "contact"),
        ("The monthly fee of Norvik: 900 -> 1200 EUR", "fee"),
        ("The monthly fee of Norvik is 650 EUR.", "claim"),
    ],
)
def test_what_says_a_fact(text: str, name: str) -> None:
    """Numbers, dates, times and units in any form; the subject in the sentence or before it."""
    found = MATCHER.find_points(text)
    assert (f"x/{name}" in found) if name else not found


@pytest.mark.parametrize(
    "text",
    [
        "The monthly fee of Norvik was 1200 EUR until 1 March, now it is 900 EUR.",
        "The monthly fee of Norvik went from 1200 EUR to 900 EUR.",
        "The monthly fee of Norvik is 1200 dollars.",
        "The monthly fee of Norvik is not 1200 EUR.",
        "The monthly fee of Norvik rose by 1200 EUR.",
        "The monthly fee of Norvik might become 1200 EUR.",
        "The monthly fee of Basalt is 1200 EUR.",
        "The deadline of Norvik is 13 May 2024.",
        "The deadline of Norvik is 12 May 2023.",
        "Previously the deadline of Norvik was 12 May.",
        "Ines had lunch with the people of Norvik.",
        "Norvik has 400 seats.",
        "The sponsor of Norvik is Basalt.",
        "The monthly fee of Norvik: 1200 -> 900 EUR",
        "The monthly fee of Norvik was 1200 EUR before; it is 900 EUR now.",
        "Norvik has 30 seats (was 40).",
        "They called off the deadline of Norvik on 12 May 2024.",
        "Leon joked that the monthly fee of Norvik is 650 EUR.",
        "A motion for a monthly fee of 650 EUR for Norvik was rejected.",
        "Is the contact for Norvik Ines?",
        "Norvik has 40 seats. What I said about the seats of Norvik is wrong.",
        "",
    ],
)
def test_what_only_looks_so(text: str) -> None:
    """Stale, denied, hedged, another unit, another subject, another value, a bare name."""
    assert MATCHER.find_points(text) == frozenset()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("They quoted a monthly fee of 650 euros for Norvik, which is not true.", {"x/claim"}),
        ("Norvik does not have 40 seats.", {"x/seats"}),
        ("Norvik has 40 seats.", set()),
        ("It rained.", set()),
    ],
)
def test_what_is_denied_is_found_as_denied(text: str, names: set[str]) -> None:
    """A claim that is set aside, and no claim that is made."""
    assert MATCHER.find_denied(text) == names


@pytest.mark.parametrize("text", ["2 hours", "two hours", "120 minutes", "1 h 60 min", "2.0 hrs"])
def test_a_duration_has_one_form(text: str) -> None:
    """Hours are minutes, in the text and in the fact."""
    fact = _fact("length", "length", ValueType.NUMBER, "2", unit="hours")
    assert Matcher([fact], {}).find_points(f"The length of Norvik is {text}.") == {"x/length"}


def test_who_does_it_is_named_by_the_verb() -> None:
    """A tester is one who tests; another subject is refused."""
    fact = _fact(
        "tester",
        "tester",
        ValueType.TEXT,
        "Ines",
        statement="Checks on Norvik are done by Ines.",
    )
    other = _fact("owner", "owner", ValueType.TEXT, "Leon", statement="Leon looks after Norvik.")
    matcher = Matcher([fact, other], {})
    assert matcher.find_points("Ines is the one who tests Norvik.") == {"x/tester"}
    assert matcher.find_points("Ines is the one who tests Basalt.") == frozenset()


def test_what_is_spoken_of_needs_no_value() -> None:
    """Subject and attribute are enough."""
    assert "x/fee" in MATCHER.spoken_of("The monthly fee of Norvik is 7 EUR.")
    assert MATCHER.spoken_of("It rained.") == frozenset()


def test_a_denial_in_a_statement_is_part_of_the_fact() -> None:
    """Its own sentence says it, whatever words of denial it has."""
    fact = _fact(
        "day",
        "free day",
        ValueType.TEXT,
        "Thursday",
        statement="Norvik wants no calls on Thursday.",
    )
    assert Matcher([fact], {}).find_points("Norvik wants no calls on Thursdays.") == {"x/day"}


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_a_date_has_one_form(day: date) -> None:
    """Five ways to write a day give one word."""
    month = MONTHS[day.month - 1]
    written = [
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"the {day.day}th of {month[:3]} {day.year}",
        f"{month[:3]}. {day.day} {day.year}",
    ]
    found = {next(word for word in canonical_words(text) if "date" in word) for text in written}
    assert found == {f"date{day.month}x{day.day}x{day.year}"}


@given(st.integers(0, 99), st.integers(1, 9))
def test_a_number_has_one_form(small: int, hundreds: int) -> None:
    """Words, digits and thousands give one word."""
    from memassay.schemas.values.text import NUMBER_WORDS

    word = next(word for word, digits in NUMBER_WORDS.items() if digits == str(small))
    head = next(word for word, digits in NUMBER_WORDS.items() if digits == str(hundreds))
    whole = hundreds * 1000 + small
    assert canonical_words(f"{head} thousand {word}" if small else f"{head} thousand") == (
        str(whole),
    )
    assert canonical_words(f"{whole:,}") == canonical_words(f"{whole}.0") == (str(whole),)
