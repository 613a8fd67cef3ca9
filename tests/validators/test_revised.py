"""Golds are held against what another turn says of the same."""

from datetime import date

import pytest
from support.revised_cases import revised

from memassay.schemas.contracts.rules import RuleContext
from memassay.validators.check import RULES, check
from memassay.validators.items.revised.values import YEAR, values

RIVALS = {"claims.revised", "claims.two_values", "claims.two_things"}
CLAIMS = [rule for rule in RULES if rule.id in RIVALS]


def _found(question: str, gold: str, evidence: str) -> set[str]:
    scene = revised(question, gold, evidence)
    return {each.rule for each in check(scene.bundles, RuleContext(), CLAIMS)}


@pytest.mark.parametrize(
    ("question", "gold", "evidence"),
    [
        ("What colour did Ann paint the kitchen table?", "dark green", "D1:1"),
        ("Where did Ann book a cabin for August?", "Norway", "D1:5"),
    ],
)
def test_what_is_taken_back_is_no_gold(question: str, gold: str, evidence: str) -> None:
    """Plainly, or by another decision."""
    assert _found(question, gold, evidence) == {"claims.revised"}


def test_what_is_taken_back_beside_it_is_another_matter() -> None:
    """The tortoise has nothing to do with the table."""
    assert not _found("What does the tortoise Bruno of Ann eat?", "clover", "D1:3")


def test_who_corrects_it_says_what_holds() -> None:
    """A gold may rest on the correction itself."""
    assert not _found("What colour is the kitchen table of Ann?", "plain white", "D1:7")


def test_a_value_and_another_of_its_kind_are_two() -> None:
    """How often, and which flower."""
    assert _found("How often does Ann go swimming?", "three times a week", "D1:11") == {
        "claims.two_values"
    }
    assert _found("What did Ann buy for the porch?", "tulips", "D1:15") == {"claims.two_things"}


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("We married ten years ago.", YEAR, 2013),
        ("We have been here since 2011.", YEAR, 2011),
        ("It was our 11th anniversary.", "year", 11),
        ("I run every other day.", "times a year", 182.5),
        ("We go twice a month.", "times a year", 24),
        ("When I was ten, I fell.", "age", 10),
        ("She is 5 years old.", "age", 5),
        ("The hike took us six hours.", "hour", 6),
        ("We met back in March.", "month", 3),
    ],
)
def test_what_a_sentence_gives_has_a_kind(text: str, kind: str, number: float) -> None:
    """Years counted back from the day, rates by the year, ages and lengths as they are."""
    told = {(each.kind, each.number) for each in values(text, date(2023, 5, 1))}
    assert (kind, number) in told


def test_years_beside_each_other_agree() -> None:
    """A year ago may be the year before, or still this one."""
    early, late = (next(iter(values(f"Since {year}.", None))) for year in (2012, 2013))
    far = next(iter(values("Since 2016.", None)))
    assert early.agrees(late)
    assert not early.agrees(far)
