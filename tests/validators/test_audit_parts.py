"""What audits are made of: order of dates, spoken dates, claims of a profession, foul words."""

from datetime import date

import pytest

from memassay.schemas.records.persona import Persona
from memassay.validators.drift.persona_claims import foreign_claims, foreign_title
from memassay.validators.drift.profanity import profanity
from memassay.validators.drift.spoken_dates import out_of_order as spoken_out_of_order
from memassay.validators.drift.spoken_dates import spoken_dates
from memassay.validators.drift.strict_order import out_of_order

NAMES = frozenset({"Ann", "Rex"})
ANN = Persona(
    id="talk/persona",
    conversation="talk",
    name="Ann",
    profession="studio potter",
    summary="Ann throws pots.",
    core_event="Ann fires her first porcelain.",
)


@pytest.mark.parametrize(
    ("days", "wrong"),
    [
        pytest.param([1, 2, 3], [], id="forward"),
        pytest.param([1, 9, 3, 4], [1], id="too-late"),
        pytest.param([5, 6, 1, 7], [2], id="too-early"),
        pytest.param([1, 2, 2, 3], [1, 2], id="equal-either"),
        pytest.param([], [], id="none"),
    ],
)
def test_the_fewest_places_that_break_an_order_are_named(days: list[int], wrong: list[int]) -> None:
    """One date out of place is one place; where either of two may be wrong, both are named."""
    dates = [f"2024-03-{day:02d}T09:00" for day in days]
    assert [at for at, _ in out_of_order(dates)] == wrong


@pytest.mark.parametrize(
    "text", ["on 4 March 2024", "March 4, 2024", "Mar 4 2024", "2024-03-04", "the 4th March 2024"]
)
def test_a_spoken_date_is_read_in_its_usual_forms(text: str) -> None:
    """Day first, month first, short month, ISO 8601, with an ordinal."""
    assert [one.day for one in spoken_dates(text)] == [date(2024, 3, 4)]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Today is 4 March 2024.", False),
        ("Today is 5 March 2024.", True),
        ("Yesterday was 3 March 2024.", False),
        ("Yesterday was 4 March 2024.", True),
        ("It happened on 9 March 2024.", True),
        ("It will have happened on 9 March 2024.", False),
        ("The firing is booked for 9 March 2024.", False),
        ("I met him on 1 March 2024, before the fair on 2 March 2024.", False),
        ("I met him on 2 March 2024, before the fair on 1 March 2024.", True),
        ("There is no 31 February 2024.", False),
    ],
)
def test_spoken_dates_must_fit_the_day(text: str, wrong: bool) -> None:
    """Said on 4 March 2024."""
    assert bool(list(spoken_out_of_order(text, date(2024, 3, 4), []))) is wrong


@pytest.mark.parametrize(
    ("text", "by_user", "claims"),
    [
        ("As a dentist, I count twice.", True, ["dentist"]),
        ("As a potter, I count twice.", True, []),
        ("I have worked as a bus driver for nine years.", True, ["bus driver for nine years"]),
        ("My brother works as a dentist.", True, []),
        ("It is as dry as a dentist, I think.", True, []),
        ("My name is Ursula.", True, ["Ursula"]),
        ("My name is Ann.", True, []),
        ("For a surgeon like you, that is routine.", False, ["surgeon"]),
        ("Gladly, Ursula, let us see.", False, ["Ursula"]),
        ("Gladly, Rex, let us see.", False, []),
    ],
)
def test_claims_of_another_self_are_heard(text: str, by_user: bool, claims: list[str]) -> None:
    """Only what is said of the user counts, and what fits the persona is no claim."""
    found = foreign_claims(text, ANN, NAMES, by_user=by_user)
    assert [claim.partition(" for ")[0] for claim in dict.fromkeys(found)] == [
        claim.partition(" for ")[0] for claim in claims
    ]


def test_a_title_belongs_to_the_persona() -> None:
    """Another job or an unknown owner is foreign; a known name is not."""
    assert list(foreign_title("Ann's first day as a notary", ANN, NAMES)) == ["notary"]
    assert list(foreign_title("Ursula's turn", ANN, NAMES)) == ["Ursula"]
    assert list(foreign_title("Rex's turn", ANN, NAMES)) == []


def test_foul_words_are_found_whole_and_shown_masked() -> None:
    """Plurals count, parts of words do not."""
    assert profanity("You Idiots!") == ["I*****"]
    assert profanity("A cocktail in Scunthorpe, classic grapes.") == []
