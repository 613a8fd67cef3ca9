"""What rules read out of texts: dates, durations, sentences, yes and no, refusals, shares."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, weekday
from memassay.validators.items.proof.balance_rules import wilson
from memassay.validators.texts.gold_dates import (
    duration,
    gold_date,
    names_a_date,
    weekday_dates,
)
from memassay.validators.wording import key_words, refuses, says, sentences, yes_or_no


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("2023-05-07", "2023-05-07", "2023-05-07"),
        ("7 May 2023", "2023-05-07", "2023-05-07"),
        ("May 7th, 2023.", "2023-05-07", "2023-05-07"),
        ("on 7 Sept, 2023", "2023-09-07", "2023-09-07"),
        ("Sunday, 7 May 2023", "2023-05-07", "2023-05-07"),
        ("The sunday before 25 May 2023", "2023-05-21", "2023-05-21"),
        ("the Sunday before 21 May 2023", "2023-05-14", "2023-05-14"),
        ("the day after 31 December 2023", "2024-01-01", "2024-01-01"),
        ("the week before 9 June 2023", "2023-05-27", "2023-06-08"),
        ("February 2024", "2024-02-01", "2024-02-29"),
        ("in 2022", "2022-01-01", "2022-12-31"),
    ],
)
def test_a_gold_that_is_a_date_is_read(value: str, first: str, last: str) -> None:
    """Absolute dates of any precision, and dates counted from one."""
    found = gold_date(value)
    assert found is not None
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    "value", ["yesterday", "Marathon 2023", "31 February 2023", "since 2016", "May", "", "7 bees"]
)
def test_a_gold_that_says_more_or_less_than_a_date_is_not_read(value: str) -> None:
    """Nothing is guessed."""
    assert gold_date(value) is None


@given(st.dates(min_value=date(1000, 1, 1), max_value=date(2999, 12, 31)))
def test_every_day_is_read_back(day: date) -> None:
    """A day written out is that day, and its weekday is found beside it."""
    text = f"{WEEKDAYS[day.weekday()]}, {day.day} {MONTHS[day.month - 1]} {day.year}"
    found = gold_date(text)
    assert found is not None
    assert found.first == found.last == day
    assert list(weekday_dates(text)) == [(weekday(day), day)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("on May 3", True),
        ("the 3rd", True),
        ("in 2023", True),
        ("I may go", False),
        ("3 jars", False),
    ],
)
def test_a_date_in_a_text_is_noticed(text: str, named: bool) -> None:
    """A day of a month or a year, and no number of anything else."""
    assert names_a_date(text) is named


def test_a_duration_is_a_number_and_a_unit() -> None:
    """Number words count; anything beside the two does not."""
    assert duration("three weeks") == (3, 7.0)
    assert duration("about 10 days.") == (10, 1.0)
    assert duration("three happy weeks") is None


def test_sentences_are_split_at_stops_and_dashes() -> None:
    """No words are lost."""
    assert sentences("I keep bees. Do you? Yes – many") == (
        "I keep bees.",
        "Do you?",
        "Yes",
        "many",
    )


def test_words_are_compared_by_their_stems() -> None:
    """Plural and verb endings and stop words do not tell texts apart."""
    assert key_words("She was painting the hives") == key_words("he painted a hive")


def test_a_text_says_whole_values_only() -> None:
    """`12` is not said by `120`, and nothing says an empty value."""
    assert says("It gave twelve jars.", "12 jars")
    assert not says("It gave 120 jars.", "12")
    assert not says("anything", "")


@pytest.mark.parametrize(
    ("text", "meant"), [("Yes.", "yes"), ("FALSE", "no"), ("yes, but", None), ("", None)]
)
def test_yes_and_no_are_whole_answers(text: str, meant: str | None) -> None:
    """True and false mean the same; more words are free text."""
    assert yes_or_no(text) == meant


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Not mentioned.", True),
        ("There is no information available", True),
        ("The history doesn’t say", True),
        ("No", False),
        ("an unmentioned friend", False),
    ],
)
def test_refusals_are_told_from_answers(text: str, refused: bool) -> None:
    """A plain no is an answer."""
    assert refuses(text) is refused


@given(st.integers(min_value=1, max_value=5000), st.data())
def test_the_interval_holds_its_share(of: int, data: st.DataObject) -> None:
    """The Wilson interval lies in 0 to 1 around the share."""
    share = wilson(data.draw(st.integers(min_value=0, max_value=of)), of)
    assert 0 <= share.low <= share.share + 1e-12
    assert share.share - 1e-12 <= share.high <= 1


def test_the_interval_is_the_textbook_one() -> None:
    """Ten of twenty give 0.299 to 0.701 (Wilson 1927); no trials tell nothing."""
    share = wilson(10, 20)
    assert (round(share.low, 3), round(share.high, 3)) == (0.299, 0.701)
    assert wilson(0, 0)[1:] == (0.0, 1.0)
