"""What is told again is what was told: other values, and what is taken back, are found."""

import pytest
from support.fixtures import Scene, item, scene, session, utterance

from memassay.schemas.contracts.rules import RuleContext
from memassay.validators.check import RULES, check

RETOLD = [rule for rule in RULES if rule.id.startswith("retold.")]
CAME = "17 readers, all with lanyards."


def _again(text: str) -> Scene:
    sessions = [session(1, utterance("D1:1", CAME)), session(2, utterance("D2:1", text))]
    return scene(item("How many came?", ["17 readers"], ["D1:1"]), sessions=sessions)


def _found(text: str) -> set[str]:
    return {each.rule for each in check(_again(text).bundles, RuleContext(), RETOLD)}


@pytest.mark.parametrize(
    "text",
    [
        f'When I wrote you "{CAME}", I gave 2 too many.',
        f'By the way, "{CAME}" was a fib of mine, none of it happened.',
        f'Forget "{CAME}", please.',
        'My "17 readers, all with lanyards" was off by three.',
        'Looking back, "17 readers, all with lanyards" should have been 19.',
    ],
)
def test_a_quoted_sentence_is_taken_back(text: str) -> None:
    """A short sentence that begins with its value is known when it is quoted."""
    assert _found(text) == {"retold.otherwise"}


@pytest.mark.parametrize(
    "text",
    [
        "As I told you: 12 guests came.",
        "The weather is fine. Like I said, the mayor opened it.",
        "As I've already mentioned: we had lanyards for the dogs.",
        "As I wrote to you last time, nobody wore a badge.",
        "As I explained earlier: Sunset readers!",
    ],
)
def test_nobody_repeats_what_was_never_told(text: str) -> None:
    """Words that refer to an earlier turn are those of one."""
    assert _found(text) == {"retold.as_told"}


@pytest.mark.parametrize(
    "text",
    [
        "As I told you: 17 readers with lanyards.",
        "Like I said, there were readers.",
    ],
)
def test_a_true_repetition_is_left_alone(text: str) -> None:
    """What an earlier turn says may be said again in fewer or slightly other words."""
    assert _found(text) == set()
