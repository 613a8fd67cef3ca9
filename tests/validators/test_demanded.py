"""A gold is of the kind, the form and the detail that its question demands."""

import pytest
from support.demanded_cases import demanding, shopping

from memassay.schemas.contracts.rules import RuleContext
from memassay.validators.check import RULES, check

ASKING = [rule for rule in RULES if rule.id.startswith("asking.")]


def _found(question: str, gold: str) -> set[str]:
    return {each.rule for each in check(demanding(question, gold).bundles, RuleContext(), ASKING)}


@pytest.mark.parametrize(
    ("question", "gold", "rule"),
    [
        ("Why did Ann go to the lake?", "Two hours", "asking.shape"),
        (
            "In which park did Ann fly her kite in May?",
            "The week before 6 May 2024",
            "asking.shape",
        ),
        ("Who ate the cookies?", "because he was hungry", "asking.shape"),
        ("How many cookies did the dog eat?", "at a lake", "asking.amount"),
        ("How much did Ann pay for the kite?", "a red kite", "asking.amount"),
        ("Who made the cookies?", "Flying a kite", "asking.who"),
        ("Which month did Ann go in?", "with her aunt", "asking.head"),
        ("Which city did Ann fly to?", "lemon cookies", "asking.head"),
        ("How long did Ann stay?", "For some time", "asking.vague"),
        ("Which breed is the dog?", "A cute breed of dog", "asking.name"),
        ("What is the kite called?", "a red kite", "asking.name"),
        ("Was it before or after? Use 'Before' or 'After'.", "Yes", "asking.form"),
        ("Which picture shows it? Only return the image_id.", "the red one", "asking.form"),
        ("How many were there? Answer with a number.", "some cookies", "asking.form"),
    ],
)
def test_a_gold_that_is_not_what_is_demanded(question: str, gold: str, rule: str) -> None:
    """A length is no reason, "a dog" no breed, and "yes" neither before nor after."""
    assert rule in _found(question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How long has Ann had a kite?", "Since 2016"),
        ("What year did Ann buy the kite?", "2016"),
        ("Who ate the cookies?", "the dog"),
        ("Who went along?", "Max"),
        ("Where did Ann go?", "camping with her aunt"),
        ("Which snack did Ann take?", "a box of lemon cookies"),
        ("How often does Ann go?", "once or twice a year"),
        ("When was it? Return in the format YYYY-MM-DD.", "2024-03-04"),
        ("What kind of kite did Ann buy?", "a red kite"),
    ],
)
def test_a_gold_that_is_what_is_demanded(question: str, gold: str) -> None:
    """What fits the question is left alone."""
    assert not _found(question, gold)


DEMANDED = [rule for rule in RULES if rule.id.startswith(("asking.", "claims."))]


def _of_tale(question: str, gold: str, *evidence: str) -> set[str]:
    of = shopping(question, gold, *evidence)
    return {each.rule for each in check(of.bundles, RuleContext(), DEMANDED)}


@pytest.mark.parametrize(
    "question",
    [
        "Which pastry did Ben advise against?",
        "Which pastry does Ben dislike?",
        "What did Ben warn beginners not to get?",
        "Which pastry put Ben off?",
        "Which pastries can beginners do without?",
    ],
)
def test_what_is_praised_is_not_what_to_avoid(question: str) -> None:
    """A question for what to avoid is not answered by a place that only recommends."""
    assert "asking.turned" in _of_tale(question, "muffins", "D1:4")


def test_what_a_place_speaks_against_may_be_asked_for() -> None:
    """A denial beside the gold answers who asks what was not done."""
    of = demanding("What does Ann dislike?", "soup", said="I can't stand soup, it is too salty.")
    found = {each.rule for each in check(of.bundles, RuleContext(), DEMANDED)}
    assert "asking.turned" not in found


@pytest.mark.parametrize(
    ("question", "gold", "found"),
    [
        ("What three pastries did Ann buy?", "croissants and tarts", True),
        ("Name the three pastries Ann bought.", "croissants", True),
        ("Which three pastries did Ann buy?", "croissants, muffins, and tarts", False),
        ("What did Ann buy at the first two markets?", "croissants", False),
    ],
)
def test_as_many_as_are_asked_for(question: str, gold: str, found: bool) -> None:
    """Three pastries are not two of them."""
    assert ("claims.so_many" in _of_tale(question, gold)) is found
