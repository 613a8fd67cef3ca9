"""A gold fits its question: order, what is offered, what is asked for, and reasons."""

import pytest
from support.fitting_cases import fitting
from support.fixtures import Scene
from support.unbacked_cases import asked, two_sided

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.check import RULES, check

DATES = [rule for rule in RULES if rule.id.startswith("dates.")]
FITTING = [rule for rule in RULES if rule.id.startswith(("claims.", "asking."))]


def _found(of: Scene) -> set[str]:
    return {each.rule for each in check(of.bundles, RuleContext(), FITTING)}


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What was the last theory that Ann discussed?", "Ann first discussed the alto part."),
        ("What was Ann's final plan?", "She started with the alto part."),
        ("Which was the latest part of Ann?", "Initially the alto part."),
        ("What was Ann's initial choice?", "In the end, the alto part."),
        ("What was the first part that Ann took?", "Her final part was the alto."),
        ("Which towns did Ann choose as her last goals at the beginning?", "Paris"),
        ("What did Ann name as her first wish in the end?", "the alto part"),
    ],
)
def test_a_gold_is_at_the_end_that_is_asked_for(question: str, gold: str) -> None:
    """What a question calls last is not what its gold, or the question itself, calls first."""
    assert "claims.compared" in _found(fitting(question, gold))


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What did Ann do last year?", "She first learned the alto part."),
        ("What was the first part that Ann took?", "The alto part, at first."),
        ("What did Ann do in the last week?", "She started with the alto part."),
    ],
)
def test_a_span_called_last_is_no_end(question: str, gold: str) -> None:
    """Last year is a time, and asks for nothing last."""
    assert "claims.compared" not in _found(fitting(question, gold))


@pytest.mark.parametrize(
    ("question", "gold", "found"),
    [
        ("How does Ann spend her time before the wedding?", "a honeymoon in Canada", True),
        ("Where did Ann go after getting married?", "to her engagement party", True),
        ("What did Ann do after the divorce?", "she planned her wedding", True),
        ("How does Ann spend her time after the wedding?", "a honeymoon in Canada", False),
        ("What did Ann do before the divorce?", "she planned her wedding", False),
    ],
)
def test_stages_of_a_life_have_an_order(question: str, gold: str, found: bool) -> None:
    """A honeymoon is after the wedding."""
    assert ("claims.moment" in _found(fitting(question, gold))) is found


def test_what_is_told_just_before_the_evidence_is_no_later_event() -> None:
    """A visit told in front of the evidence is what comes first."""
    talk = two_sided("I visited a ward for veterans.", "Oh?", "Their courage moved me.", "I see.")
    for side, found in (("before", True), ("after", False)):
        question = f"What moved Ann {side} the visit to the ward?"
        of = asked(question, "courage", "D1:3", said=talk)
        assert ("claims.moment" in _found(of)) is found


@pytest.mark.parametrize(
    "question",
    [
        "Which came first for Ann: the choir or the cat?",
        "Did Ann join a choir or a band?",
        "Is the user's view positive or negative?",
        "What did Ann choose - tea or coffee?",
        "Of the two, which did Ann like more, the hall or the town?",
    ],
)
def test_one_of_two_things_is_the_gold(question: str) -> None:
    """A gold that is none of the things offered belongs to another question."""
    assert "asking.offered" in _found(fitting(question, "Roses."))
    assert "asking.offered" not in _found(fitting(question, "Both of them."))


@pytest.mark.parametrize(
    "question",
    [
        "Didn't Ann join the choir?",
        "Has Ann not learned the alto part?",
        "After the choir, did Ann never adopt a cat?",
        "Is Ann not a singer?",
        "Wouldn't Ann sing?",
    ],
)
def test_a_question_for_yes_or_no_denies_nothing(question: str) -> None:
    """To "did she never", a "no" says both."""
    assert "asking.denied" in _found(fitting(question, "No"))


@pytest.mark.parametrize(
    ("question", "gold", "found"),
    [
        ("Was it a successful year for Ann?", "Yes; her projects failed", True),
        ("Was the trip difficult for Ann?", "No, she was sick and in trouble", True),
        ("Was it a hard week for Ann?", "Yes, she was ill", False),
        ("Would Ann move abroad?", "Yes, she is settled in town", True),
        ("Would Ann leave her job?", "Yes, she is committed to it", True),
        ("Is Ann happy with the hall?", "Yes, she is proud of it", False),
        ("Is Ann happy with the hall?", "No, she is proud of it", True),
    ],
)
def test_a_reason_speaks_for_its_yes_or_no(question: str, gold: str, found: bool) -> None:
    """Setbacks make no good month."""
    assert ("claims.reason" in _found(fitting(question, gold))) is found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("I discovered my love for surfing there.", True),
        ("I swam and surfed all week.", True),
        ("I never tried surfing.", False),
        ("I am considering a surfing class.", False),
        ("Maybe I will go surfing soon.", False),
    ],
)
def test_a_no_has_something_that_denies_it(said: str, found: bool) -> None:
    """Evidence that leaves nothing open gives no "no"."""
    of = asked("Has Ann tried surfing?", "no", "D1:1", said=two_sided(said, "Nice."))
    assert ("claims.undenied" in _found(of)) is found


@pytest.mark.parametrize(
    "gold",
    [
        "You can not place the card between layers of tissue.",
        "The card should not be placed between layers of tissue.",
        "Never try to place the card between layers of tissue.",
        "It never helps to place the card between tissue layers.",
        "You cannot place the card between tissue layers at all.",
    ],
)
def test_a_denial_beside_the_matter_denies_no_gold(gold: str) -> None:
    """What one clause denies of a card says nothing of what another one advises."""
    said = two_sided(
        "You can place the card between layers of tissue.",
        "If the tissue doesn't help, you can steam the card.",
    )
    of = asked("What should be done with a wet card?", gold, "D1:1", "D1:2", said=said)
    assert "claims.negated" in _found(of)


@pytest.mark.parametrize(
    "told",
    [
        "I drove the last rivet on Easter Monday, 1 March, with Isla.",
        "On 1 March I drove the last rivet.",
        "The last rivet went in on March 1.",
        "It was on the 1st of March that I drove the last rivet.",
        "We put the last rivet in on 1 March.",
    ],
)
def test_the_day_of_the_telling_is_not_the_day_it_names(told: str) -> None:
    """Where the words of the matter name a day, the day on which they are said is another."""
    question = "On which date did Ann drive the last rivet?"
    more = {"type": QuestionType.TEMPORAL, "format": AnswerFormat.DATE}
    for gold, found in (("2024-03-04", True), ("2024-03-01", False)):
        of = asked(question, gold, "D1:1", said=two_sided(told, "Well done."), **more)
        ids = {each.rule for each in check(of.bundles, RuleContext(), DATES)}
        assert ("dates.named" in ids) is found
