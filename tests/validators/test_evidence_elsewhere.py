"""Evidence of another question is told by the place that says everything."""

import pytest
from support.unbacked_cases import asked, two_sided

from memassay.schemas.contracts.rules import RuleContext
from memassay.validators.check import RULES, check


@pytest.mark.parametrize(
    ("question", "gold", "cited", "found"),
    [
        ("What is the film about?", "sisters, love and distant dreams", "D1:9", True),
        ("What is the film about?", "sisters, love and distant dreams", "D1:1", False),
        ("Where did Ann love the lilac garden?", "behind the old mill", "D1:1", True),
        ("Where did Ann love the lilac garden?", "behind the old mill", "D1:7", False),
        ("What reminds Ann of love on the cork board?", "the picture", "D1:7", True),
    ],
)
def test_a_place_that_says_all_is_the_evidence(
    question: str, gold: str, cited: str, found: bool
) -> None:
    """One word in common is not enough where another place says all of question and gold."""
    said = two_sided(
        "The film is about sisters, love and distant dreams.",
        "I see.",
        "My neighbour paints boats.",
        "Oh.",
        "We cooked soup on Sunday.",
        "Yum.",
        "I love the lilac garden behind the old mill.",
        "Me too.",
        "The picture on my cork board reminds me of love.",
    )
    rules = [rule for rule in RULES if rule.id.startswith("support.")]
    of = asked(question, gold, cited, said=said)
    ids = {each.rule for each in check(of.bundles, RuleContext(), rules)}
    assert ("support.elsewhere" in ids) is found
