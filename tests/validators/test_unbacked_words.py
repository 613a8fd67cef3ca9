"""Names, quotations and denials of questions without a ledger."""

import pytest
from support.fixtures import (
    Scene,
    item,
    scene,
    session,
    utterance,
)
from support.unbacked_cases import asked, bees, two_sided

from memassay.schemas.judgements.finding import Severity
from memassay.validators.check import RULES, check
from memassay.validators.wording import whole_names


def _found(of: Scene, *rules: str) -> dict[str, Severity]:
    found = check(of.bundles, of.context, [RULES[rule] for rule in rules])
    return {each.rule: each.severity for each in found}


def test_two_free_golds_of_one_question_may_be_two_wordings() -> None:
    """Only closed answers, or an answer and a refusal, surely contradict each other."""
    days = [bees()]
    text = "What does Ann keep?"
    of = scene(
        item(text, ["hives"], ["D1:1"]),
        item(text, ["long naps"], ["D1:4"], id="c1/Q0002"),
        sessions=days,
    )
    assert not check(of.bundles, of.context, [RULES["duplicates.conflict"]])


def test_a_gold_of_the_questions_own_words_is_hidden_nowhere() -> None:
    """`Before or after?`, of which no word is left to look for."""
    of = asked("Was it before or after the fair?", "After.", "D1:1", said=bees())
    assert not _found(of, "leakage.hidden_words")


def test_who_tells_what_the_other_did_is_evidence_of_it() -> None:
    """`While you were winning` tells of the other one."""
    said = two_sided("Congrats! I took a trip while you were winning the cup.", "Thanks.")
    of = asked("What was Ben doing during the trip?", "winning the cup", "D1:1", said=said)
    assert not _found(of, "speakers.cited", "support.elsewhere")


def _expected(of: Scene, rule: str) -> str:
    """What the only finding of a rule says was expected."""
    (finding,) = check(of.bundles, of.context, [RULES[rule]])
    return finding.message.partition(": expected ")[2].rpartition(", got ")[0]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("on Friday", "on friday: Friday 2024-03-01 or Friday 2024-03-08"),
        ("last weekend", "last weekend: between 2024-02-23 and 2024-03-03"),
        ("yesterday", "yesterday: Sunday 2024-03-03"),
    ],
)
def test_each_day_that_words_can_mean_is_named(words: str, meant: str) -> None:
    """Two Fridays are no stretch of eight days, and no weekend has ten."""
    said = two_sided(f"I drank mead at the bee fair {words}.", "Nice.")
    of = asked("What did Ann drink at the bee fair on 20 January 2024?", "mead", "D1:1", said=said)
    assert _expected(of, "dates.question") == f"the date of D1:1 ({meant})"


def test_quotation_marks_are_no_part_of_a_hidden_word() -> None:
    """The word is given without them, and where it stands in plain words."""
    row = utterance("D1:1", "I have it at home.", extras={"locomo": {"query": "endless brook dvd"}})
    of = scene(
        item("What is the film of Ann?", ['"Endless Brook" there']), sessions=[session(1, row)]
    )
    (finding,) = check(of.bundles, of.context, [RULES["leakage.hidden_words"]])
    assert "got 'Endless Brook only in what readers do not see" in finding.message


def test_another_place_that_says_the_gold_is_named() -> None:
    """So that its words are not read as those of the message."""
    said = two_sided("Look at my hive.", "Nice.", "Fine.", "Yes.", "Ah.", "I keep it by the barn.")
    of = asked("Where does Ben keep the old brass clock?", "by the barn", "D1:2", said=said)
    assert _expected(of, "support.elsewhere") == "D1:6, which says more of the answer"


@pytest.mark.parametrize(
    ("found", "text", "shown"),
    [
        (["McDonald"], "NASA and McDonald's", "McDonald's"),
        (["Objective"], "C# and Objective-C", "Objective-C"),
        (["Los", "Angeles"], "Rome, Los Angeles", "Los Angeles"),
        (["Paulo", "Besan"], "São Paulo, Besançon.", "Paulo, Besançon"),
        (["Agnes", "Agnes"], "Agnes, Agnes's aunt", "Agnes"),
        ([], "nothing", ""),
    ],
)
def test_names_are_shown_whole(found: list[str], text: str, shown: str) -> None:
    """As they stand in the gold, however a rule cut them."""
    assert whole_names(found, text) == shown
