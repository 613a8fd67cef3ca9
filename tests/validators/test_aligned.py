"""Question and gold are held against the clause of the evidence that tells of them."""

import pytest
from support.aligned_cases import told

from memassay.schemas.contracts.rules import RuleContext
from memassay.validators.check import RULES, check
from memassay.validators.items.aligned.contrasts import OPPOSITES, THINGS, meant, named
from memassay.validators.items.aligned.feelings import feelings
from memassay.validators.items.aligned.quantities import quantities

CLAIMS = [rule for rule in RULES if rule.id.startswith("claims.")]


def _found(question: str, gold: str, *evidence: str) -> set[str]:
    return {
        each.rule for each in check(told(question, gold, *evidence).bundles, RuleContext(), CLAIMS)
    }


@pytest.mark.parametrize(
    ("question", "gold", "evidence"),
    [
        ("Who walks the kitten of Ann?", "her sister", "D1:1"),
        ("Who walks the dog of Ann?", "her brother", "D1:1"),
        ("What club did Ann join in winter?", "a chess club", "D1:5"),
        ("What club did Ann quit?", "a chess club", "D1:5"),
    ],
)
def test_what_evidence_says_of_one_thing_is_not_of_another(
    question: str, gold: str, evidence: str
) -> None:
    """A cat is no dog, a brother no sister, and who joins does not quit."""
    assert "claims.exchanged_thing" in _found(question, gold, evidence)


@pytest.mark.parametrize(
    ("question", "gold", "evidence"),
    [
        ("Who walks the pet of Ann?", "her sister", "D1:1"),
        ("Who of her family walks the dog of Ann?", "her sister", "D1:1"),
        ("Does a sister or a brother walk the dog of Ann?", "her sister", "D1:1"),
        ("What club did Ann start with?", "a chess club", "D1:5"),
    ],
)
def test_other_words_for_a_thing_are_it(question: str, gold: str, evidence: str) -> None:
    """A puppy is a dog and a pet, and a question may offer what does not hold."""
    assert not {"claims.exchanged_thing", "claims.absent_thing"} & _found(question, gold, evidence)


def test_a_word_may_mean_several_things() -> None:
    """A family may be a mother or a sister, and names neither."""
    assert [each.stem for each in named("her family and a sister", THINGS)] == ["sister"]
    assert "kin" not in meant("her family", THINGS)
    assert len(meant("her family", THINGS, broadly=True)["kin"]) > len(
        meant("a sister", THINGS)["kin"]
    )
    assert len(meant("a parent", THINGS)["kin"]) > len(meant("a mother", THINGS)["kin"])
    assert not named("a pet", OPPOSITES)


def test_a_denied_feeling_is_the_other() -> None:
    """Not happy is ill."""
    assert feelings("I was not very happy, but proud") == {
        "ill": frozenset({"happy"}),
        "good": frozenset({"proud"}),
    }


@pytest.mark.parametrize(
    ("question", "gold", "found"),
    [
        ("What was Ann anxious about?", "reaching the lake", True),
        ("What was Ann glad about?", "reaching the lake", False),
        ("What was Ann proud of?", "reaching the lake", False),
    ],
)
def test_a_question_feels_as_the_evidence_does(question: str, gold: str, found: bool) -> None:
    """What somebody is proud of, they are not anxious about."""
    assert ("claims.feeling" in _found(question, gold, "D1:3")) is found


@pytest.mark.parametrize(
    ("question", "gold", "evidence", "found"),
    [
        ("How many titles has Ann won?", "Five", "D1:5", True),
        ("How many titles has Ann won?", "Four", "D1:5", False),
        ("Who walks Mirabel four times a week?", "her sister", "D1:1", True),
        ("Who walks Mirabel twice a week?", "her sister", "D1:1", False),
    ],
)
def test_what_is_counted_has_one_number(
    question: str, gold: str, evidence: str, found: bool
) -> None:
    """Twice is two times, and who won a fourth title has four."""
    assert ("claims.quantity" in _found(question, gold, evidence)) is found


def test_dates_count_nothing() -> None:
    """Neither a year nor a day of a month is a quantity."""
    assert not quantities("on 3 June 2023, or June 4th")
    assert {(each.number, each.counted) for each in quantities("a 5K run of three old dogs")} == {
        ("5", "run"),
        ("3", "old"),
        ("3", "dog"),
    }


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Does Ann live near a lake or a beach?", True),
        ("Does Ann live near a lake or a forest?", True),
    ],
)
def test_what_a_question_offers_backs_no_gold(question: str, found: bool) -> None:
    """Of a lake and a beach the evidence names one."""
    gold = question.split(" a ")[-1].strip("?")
    assert ("claims.exchanged_thing" in _found(question, gold, "D1:3")) is found
    assert "claims.exchanged_thing" not in _found(question, "a lake", "D1:3")


@pytest.mark.parametrize(
    ("question", "gold", "evidence", "found"),
    [
        ("When did Ann go to the harbour fair?", "on Sunday", "D1:7", True),
        ("Why did Ann miss the harbour fair?", "she never got there", "D1:7", False),
        ("How is Ben in the rowing team?", "a member", "D1:8", True),
    ],
)
def test_evidence_that_denies_backs_nothing(
    question: str, gold: str, evidence: str, found: bool
) -> None:
    """Who wanted to go and never got there did not go."""
    assert ("claims.denied" in _found(question, gold, evidence)) is found


@pytest.mark.parametrize(
    ("gold", "found"), [("leeks and kale", True), ("leeks, beans and kale", False)]
)
def test_a_member_between_others_may_be_long(gold: str, found: bool) -> None:
    """What stands between two members of a list is a third."""
    assert ("claims.missing" in _found("What does Ann grow?", gold, "D1:9")) is found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Name both titles of Ann.", True),
        ("What are the names of all three titles of Ann?", True),
        ("Who wore both titles?", False),
    ],
)
def test_all_that_is_asked_for_is_given(question: str, found: bool) -> None:
    """One name is not both."""
    assert ("claims.how_many" in _found(question, "chess", "D1:5")) is found
