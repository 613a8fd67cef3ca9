"""Golds are held against what another turn says of the same."""

import pytest
from support.revised_cases import revised

from memassay.schemas.contracts.rules import RuleContext
from memassay.validators.check import RULES, check

CLAIMS = [rule for rule in RULES if rule.id == "claims.revised"]


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
