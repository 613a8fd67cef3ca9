"""Rules over items without a ledger: what they leave alone, and how sure they are."""

import pytest
from support.fixtures import (
    Scene,
    asset,
    attached,
    item,
    numbered,
    pictured,
    said,
    scene,
    session,
    turn,
    utterance,
)
from support.unbacked_cases import asked, two_sided

from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.check import RULES, check
from memassay.validators.texts.asked_dates import asked_date
from memassay.validators.texts.gold_dates import gold_date


def _found(of: Scene, *rules: str) -> dict[str, Severity]:
    found = check(of.bundles, of.context, [RULES[rule] for rule in rules])
    return {each.rule: each.severity for each in found}


DATES = ("dates.contradicts",)


def test_the_right_day_of_a_wrong_year_is_an_error() -> None:
    """Yesterday was that day of this year."""
    said = two_sided("Yesterday I went out with friends and drank too much.", "Oh dear.")
    of = asked("When was Ann's drunken night?", "3 March 2023", "D1:1", said=said)
    assert _found(of, *DATES) == {"dates.contradicts": Severity.ERROR}


@pytest.mark.parametrize(("gold", "fits"), [("2022", True), ("2021", False), ("2023", False)])
def test_years_ago_are_calendar_years(gold: str, fits: bool) -> None:
    """Two years before 2024 is 2022, and no year beside it."""
    said = two_sided("I set up my first hive two years ago.", "Nice.")
    of = asked("When did Ann set up a hive?", gold, "D1:1", said=said, type=QuestionType.TEMPORAL)
    assert bool(_found(of, *DATES)) is not fits


def test_of_two_people_in_a_question_the_one_who_acts_is_asked_about() -> None:
    """What Ann gave Ben is not what Ben says of himself."""
    said = two_sided("Look at this.", "I painted a blue vase for my aunt.")
    wrong = asked("What did Ann paint for Ben?", "a blue vase", "D1:2", said=said)
    right = asked("What did Ben paint for Ann?", "a blue vase", "D1:2", said=said)
    assert _found(wrong, "speakers.cited")
    assert not _found(right, "speakers.cited")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the week before 21Janury, 2022", "2022-01-08", "2022-01-20"),
        ("The sunday before 3` July 2023", "2023-07-02", "2023-07-02"),
        ("last weekend before April 10, 2023", "2023-04-07", "2023-04-09"),
        ("first week of May 2023", "2023-05-01", "2023-05-10"),
        ("a few days before November 22, 2023", "2023-11-12", "2023-11-21"),
        ("between October 19 and 24, 2023", "2023-10-19", "2023-10-24"),
        ("around August 2022", "2022-08-01", "2022-08-31"),
    ],
)
def test_a_gold_date_is_read_in_many_wordings(text: str, first: str, last: str) -> None:
    """Slips of the pen and vague stretches of time are read as people mean them."""
    read = gold_date(text)
    assert read is not None
    assert (str(read.first), str(read.last)) == (first, last)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What did Ann do on the Sunday before October 25, 2022?", "2022-10-23"),
        ("What did Ann do on 9 February, 2023?", "2023-02-09"),
        ("What did Ann see in May 2023?", "2023-05-01"),
        ("What was Ann building as of 1 February, 2023?", None),
        ("What did Ann do between May 2023 and June 2023?", None),
    ],
)
def test_the_date_of_a_question_is_the_one_it_names(question: str, first: str | None) -> None:
    """An edge of time, or one of several dates, is no date at which something happened."""
    named = asked_date(question)
    assert (str(named.span.first) if named else None) == first


@pytest.mark.parametrize(("gold", "fits"), [("3 months", True), ("4 months", False)])
def test_a_count_of_months_is_rounded_to_the_nearer_one(gold: str, fits: bool) -> None:
    """From 14 September to 22 December three months pass, and a week."""
    days = [
        two_sided("I bought a coat.", date="2024-09-14"),
        session(2, utterance("D2:1", "I bought a sweater."), date="2024-12-22"),
    ]
    text = "How many months passed between the coat and the sweater?"
    of = scene(item(text, [gold], ["D1:1", "D2:1"]), sessions=days)
    assert bool(_found(of, "dates.duration")) is not fits


def test_a_place_that_shows_something_is_no_stray() -> None:
    """What its picture says, words cannot tell."""
    filler = ("Yum.", "Fine.", "So loud.")
    told = two_sided("I baked a plum cake.", *filler, "We saw that band.", "Oh.", "I baked bread.")
    shown = turn("D1:5.1", "We saw that band.", attachments=[attached("D1:IMG_001")])
    pictured_round = told.rounds[4].model_copy(update={"turns": [shown]})
    rounds = [*told.rounds[:4], pictured_round, *told.rounds[5:]]
    asks = item("What did Ann bake?", ["plum cake, bread"], ["D1:1", "D1:5"])
    assert _found(scene(asks, sessions=[told]), "support.mistyped")
    seen = told.model_copy(update={"rounds": rounds})
    assert not _found(scene(asset(), asks, sessions=[seen]), "support.mistyped")


def test_a_place_of_one_exchange_goes_on_with_it() -> None:
    """`I bought it in Paris` needs no word of the question beside the place that it goes on."""
    told = two_sided("I baked a plum cake.", "Yum.", "It took an hour.", "Oh.", "I baked bread.")
    asks = item("What did Ann bake?", ["plum cake, bread"], ["D1:1", "D1:3"])
    assert not _found(scene(asks, sessions=[told]), "support.mistyped")


@pytest.mark.parametrize(("named", "fits"), [("4 March 2024", False), ("1 March 2024", True)])
def test_what_was_attended_has_its_own_day(named: str, fits: bool) -> None:
    """A fair that somebody went to last Friday was not on the day on which they tell of it."""
    told = two_sided(
        "Something happened last Friday. I went to a bee fair.", "Do tell.", "We drank mead there."
    )
    text = f"What did Ann drink at the bee fair she attended on {named}?"
    of = asked(text, "mead", "D1:3", said=told)
    assert bool(_found(of, "dates.question")) is not fits


def test_days_later_are_counted_from_the_day_of_the_turn() -> None:
    """`I fly three days later` gives that day."""
    said = two_sided("I have booked a flight three days later.", "Have fun.")
    of = asked("When does Ann fly?", "7 March 2024", "D1:1", said=said)
    assert not _found(of, "dates.unsaid")


def _image(text: str, gold: str, *evidence: str) -> QAItem:
    return item(text, [gold], list(evidence), format=AnswerFormat.IMAGE_ID)


def test_a_round_that_chooses_an_image_is_evidence_too() -> None:
    """Beside the one that shows it; without that one it is not enough."""
    sessions = [*pictured(), said("I took the first one.", number=2)]
    both = _image("Which image did Ann take?", "D1:IMG_001", "D1:1", "D2:1")
    assert not _found(scene(asset(), both, sessions=sessions), "evidence.image_rounds")
    one = _image("Which image did Ann take?", "D1:IMG_001", "D2:1")
    assert _found(scene(asset(), one, sessions=sessions), "evidence.image_rounds")


@pytest.mark.parametrize(
    ("question", "odd"),
    [("Which hat did Ann buy? Return the image_id.", False), ("Which hat did Ann buy?", True)],
)
def test_an_image_that_is_asked_for_is_no_odd_answer(question: str, odd: bool) -> None:
    """Among open answers; one that nobody asked for is."""
    open_ones = numbered(9, lambda at: item(f"What is bee {at}?", [f"bee number {at}"]))
    image = _image(question, "D1:IMG_001", "D1:1").model_copy(update={"id": "talk/Q099"})
    of = scene(asset(), *open_ones, image, sessions=pictured())
    found = check(of.bundles, of.context, [RULES["answers.mixed_kinds"]])
    wanted = "expected words, or image ids if asked for, as in 9 of 10 items"
    assert [wanted in each.message for each in found] == [True] * odd
