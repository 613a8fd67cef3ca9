"""What dialogues say of the people in a life, compared over time."""

import pytest
from support.planted_lives import member

from memassay.synth.lives.unifying.persons.following import resolved
from memassay.synth.lives.unifying.persons.times import event, ordinals
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.unify import unified


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My son Felix is nineteen already.", "I'm twenty-seven and still can't cook rice."),
        ("I turned thirty in April.", "My thirtieth birthday is next Friday."),
        ("My aunt Rosa died in 2019.", "My aunt Rosa phoned yesterday about the cake."),
        ("I left Siemens in 2021.", "I've been working at Siemens for nine years."),
        ("I've lived in Ghent since 2015.", "My flat in Turin has been home for six years."),
        ("My cat Olive is fourteen now.", "My cat Olive had her first birthday on Monday."),
    ],
)
def test_days_of_dialogues_count(one: str, other: str) -> None:
    """Ages and deaths are compared by the days on which they are told."""
    assert len(_left_out(one, other)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I'm twenty-one.", "I turned twenty-two two weeks ago."),
        ("I've never skied.", "I had my first skiing lesson yesterday."),
        ("I live in Ghent.", "We moved to Turin in August, and I live in Turin now."),
        ("My cat Olive is four months old.", "My cat Olive is eight months old already."),
        ("My uncle told me over lunch yesterday to rest.", "My uncle died last week."),
    ],
)
def test_time_passes_between_dialogues(one: str, other: str) -> None:
    """Birthdays and deaths that lie between two dialogues are no contradictions."""
    assert _left_out(one, other) == {}


def _left_out(one: str, other: str) -> dict[str, str]:
    members = [member("a", [one], date="2024-05-10"), member("c", [other], date="2024-09-10")]
    return unified(members).left_out


@pytest.mark.parametrize(
    ("texts", "last"),
    [
        (["My dad loved it.", "We lost him in May."], "We lost my dad in May."),
        (["I met a man and my son.", "He's tall."], "My son's tall."),
        (["My son met a man.", "They talked."], "They talked."),
        (["I light candles for my aunts.", "She sings."], "She sings."),
    ],
)
def test_pronouns_stand_for_whom_the_sentence_before_names(texts: list[str], last: str) -> None:
    """`He` and `she` are put back only where it is clear who is meant."""
    told = [Told("user", "D1:1.1", text, None) for text in texts]
    assert [one.text for one in resolved(told)][-1] == last


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in march 2019", 2019 * 12 + 2, 2019 * 12 + 2),
        ("last month", 2024 * 12 + 3, 2024 * 12 + 3),
        ("in october", 2023 * 12 + 9, 2023 * 12 + 9),
        ("yesterday", 2024 * 12 + 3, 2024 * 12 + 5),
    ],
)
def test_words_for_times_are_months(text: str, first: int, last: int) -> None:
    """A time is told from the day of the dialogue."""
    assert event(text, Told("user", "D1:1.1", text, "2024-05-10")) == (first, last)


def test_ordinals_are_figures() -> None:
    """Birthdays are counted in figures."""
    assert ordinals("my twenty-first, her fortieth, his 2nd") == "my 21th, her 40th, his 2th"
