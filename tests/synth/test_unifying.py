"""Members of a cluster become dialogues of one user."""

import pytest
from support.planted_lives import CLEAN, PLANTED, member

from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Profile, Speaker, SpeakerKind
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType
from memassay.synth.lives.unifying.denying.denials import EVER, NOW, UNABLE, denials_of
from memassay.synth.lives.unifying.matters.catalogue import ways
from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.matters.since import since_claims
from memassay.synth.lives.unifying.people.first_person import of_relatives
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.stems import stem
from memassay.synth.lives.unifying.unify import unified


def test_planted_contradictions_do_not_stay() -> None:
    """A dialogue that contradicts another is left out or rewritten, and both are quoted."""
    assert [case for case, (one, other) in PLANTED.items() if not _found(one, other)] == []


def _found(one: str, other: str) -> bool:
    members = [member("a", [one]), member("b", ["It was a long week."]), member("c", [other])]
    made = unified(members)
    left = made.left_out.get("c/D1", "")
    if [change.kind for change in made.changes] == [AlterationKind.LEFT_OUT]:
        return "a/D1:2.1" in left and "c/D1:2.1" in left
    return [change.place for change in made.changes] == ["c/D1:2.1"]


def test_one_life_is_not_touched() -> None:
    """Changes over time, other people and figures of speech are no contradictions."""
    touched = []
    for case, told in CLEAN.items():
        members = [member(f"m{at}", [text]) for at, text in enumerate(told)]
        made = unified(members)
        if made.changes or made.members != members:
            touched.append(case)
    assert touched == []


def test_a_user_of_another_name_is_renamed_everywhere() -> None:
    """Introduction, what the assistant calls them, and questions follow the cluster's name."""
    others = [member(f"m{at}", ["It rains."], user="Julian Vance") for at in range(2)]
    own = _greeted(member("guest", ["By the way, my name is Oskar."], user="Oskar"))
    made = unified([*others, own])
    texts = [turn.text for turn in made.members[2].conversation.turns()]
    assert not any("Oskar" in text for text in texts)
    assert "By the way, my name is Julian." in texts
    assert "Sure, Julian, I keep that in mind." in texts
    assert made.members[2].questions[0].question.text == "What did Julian say of the weather?"
    places = [one.place for one in made.changes]
    assert places == ["guest/D1", "guest/D1:2.1", "guest/D1:2.2", "guest/D1"]
    assert {one.kind for one in made.changes} == {AlterationKind.REWRITE}
    assert all("m0/D1" in one.reason for one in made.changes)


@pytest.mark.parametrize(
    ("told", "gold", "why"),
    [
        (["By the way, my name is Oskar."], "Oskar's umbrella", "gold"),
        (["Oskar is also my uncle's name."], "rain", "somebody else"),
        (["My boss Julian called."], "rain", "another Julian"),
    ],
)
def test_a_rename_touches_nobody_else_and_no_gold(told: list[str], gold: str, why: str) -> None:
    """A dialogue that cannot be renamed safely is left out with the reason."""
    others = [member(f"m{at}", ["It rains."], user="Julian") for at in range(2)]
    made = unified([*others, _greeted(member("guest", told, user="Oskar"), gold)])
    assert why in made.left_out["guest/D1"]
    assert [one.kind for one in made.changes] == [AlterationKind.LEFT_OUT]


def _greeted(one: Bundle, gold: str = "rain") -> Bundle:
    """The dialogue with an assistant that calls the user by name, and a question."""
    document = one.model_dump(mode="json")
    rounds = document["conversation"]["sessions"][0]["rounds"]
    rounds[1]["turns"][1]["text"] = "Sure, Oskar, I keep that in mind."
    item = QAItem(
        id=f"{one.id}/Q0001",
        conversation=one.id,
        question=QuestionText(text="What did Oskar say of the weather?"),
        answer=Answer(format=AnswerFormat.FREE, values=[gold]),
        evidence=Evidence.of(["D1:2"]),
        type=QuestionType.FACT_RECALL,
        benchmark_type="FR",
        origin=ItemOrigin.IMPORTED,
    )
    return Bundle.model_validate(document).model_copy(update={"questions": [item]})


def test_the_profile_counts_as_said() -> None:
    """A dialogue that contradicts the profile of the life is left out."""
    profile = Profile(summary="Mara is a 29-year-old woman who works as a lawyer.")
    members = [
        _with_profile(member(f"m{at}", ["It rains."], user="Mara"), profile) for at in (1, 2)
    ]
    odd = _with_profile(member("odd", ["I work as a plumber."], user="Mara"), profile)
    made = unified([*members, odd])
    assert list(made.left_out) == ["odd/D1"]
    assert "profile" in made.left_out["odd/D1"]


@pytest.mark.parametrize(
    ("summary", "told"),
    [
        ("Mara is a 31-year-old part-time librarian and mother.", "I work as a dentist."),
        ("Mara is a science teacher in her late 30s.", "I am 62 years old."),
        ("Mara keeps house for four: Tim, a husband on shifts, and herself.", "As a widow I cook."),
        ("Mara is a designer planning the purchase of her first home in Graz.", "I live in Oslo."),
        ("Mara is a sophomore majoring in Economics.", "My major is Chemistry."),
    ],
)
def test_a_profile_is_read_and_quoted_as_it_stands(summary: str, told: str) -> None:
    """What a profile says in the third person counts, and the reason has its own words."""
    profile = Profile(summary=summary)
    texts = ["It rains.", "It snows.", told]
    members = [
        _with_profile(member(f"m{at}", [text], user="Mara"), profile)
        for at, text in enumerate(texts)
    ]
    left_out = unified(members).left_out
    assert list(left_out) == ["m2/D1"]
    assert repr(summary) in left_out["m2/D1"]


def test_a_pet_that_came_is_not_denied_later() -> None:
    """Who got a dog cannot say later that they have none; before, they can."""
    came, none = "I finally adopted a beagle dog yesterday!", "I don't have a dog."
    members = [member("came", [came], date="2024-02-01"), member("none", [none], date="2024-05-01")]
    assert list(unified(members).left_out) == ["none/D1"]


def test_word_against_word_the_dialogue_with_questions_stays() -> None:
    """Where nothing else speaks for either, the dialogue that loses no question goes."""
    asked = _greeted(member("asked", ["I live in Porto."], user="Oskar"))
    bare = member("bare", ["I live in Oslo."], user="Oskar")
    assert list(unified([bare, asked]).left_out) == ["bare/D1"]
    assert list(unified([asked, bare]).left_out) == ["bare/D1"]


def _with_profile(one: Bundle, profile: Profile) -> Bundle:
    first, *others = one.conversation.speakers
    speakers = [first.model_copy(update={"profile": profile}), *others]
    talk = one.conversation.model_copy(update={"speakers": speakers})
    return one.model_copy(update={"conversation": talk})


def test_most_dialogues_are_right() -> None:
    """Where two agree against one, the one goes, wherever it stands."""
    homes = ["I live in Oslo.", "I live in Porto.", "I live in Porto by the sea."]
    made = unified([member(f"m{at}", [text]) for at, text in enumerate(homes)])
    assert list(made.left_out) == ["m0/D1"]


def test_a_pet_lives_before_it_dies() -> None:
    """By dates, a death contradicts only what comes after it."""
    alive, dead = "Olive is hungry, my cat Olive always is.", "My cat Olive died."
    early = member("alive", [alive], date="2024-02-01")
    assert unified([early, member("dead", [dead], date="2024-05-01")]).changes == []
    late = member("alive", [alive], date="2024-08-01")
    assert len(unified([late, member("dead", [dead], date="2024-05-01")]).left_out) == 1


def test_other_people_are_left_out() -> None:
    """A dialogue between other people than those of most members does not stay."""
    made = unified(
        [*(_between(f"m{at}", "Ida", "Tom") for at in (1, 2)), _between("x", "Eva", "Jan")]
    )
    assert list(made.left_out) == ["x/D1"]
    assert "Eva and Jan" in made.left_out["x/D1"]


def _between(name: str, one: str, other: str) -> Bundle:
    talk = member(name, ["It rains."]).conversation
    speakers = [
        Speaker(id="user", name=one, kind=SpeakerKind.HUMAN),
        Speaker(id="assistant", name=other, kind=SpeakerKind.HUMAN),
    ]
    return Bundle(conversation=talk.model_copy(update={"speakers": speakers}))


def test_sources_disagree_about_the_user() -> None:
    """A dialogue whose ledger says something else of the user than most is left out."""
    made = unified([_known("a", "2"), _known("a", "2", at=2), _known("b", "3")])
    assert list(made.left_out) == ["b/D1"]
    assert "a/F0001" in made.left_out["b/D1"]
    assert unified([_known("a", "2"), _known("a", "3", at=2)]).left_out == {}


def _known(source: str, value: str, *, at: int = 1) -> Bundle:
    fact = Fact(
        id=f"{source}/F{at:04d}",
        subject="user",
        attribute="number of keys",
        value=FactValue(type=ValueType.NUMBER, text=value),
    )
    one = member(source, ["It rains."])
    return one.model_copy(update={"facts": [fact]})


def told(text: str, day: str | None = None) -> Told:
    """A sentence of the user."""
    return Told("user", "D1:1.1", text, day)


@pytest.mark.parametrize(
    ("text", "person", "own"),
    [
        ("My mother, a retired nurse, lives in Leeds.", "user's mother", "I live in Leeds"),
        ("My sister Ana is 34.", "user's sister", "I am 34"),
        ("Dumpling, our beagle, sleeps all day.", "user's dog", "I sleep all day"),
        ("My mother's 78th birthday is near.", "user's mother", "My 78th birthday is near"),
        ("My dad visits me at my flat.", "user's father", "I visit they at their flat"),
    ],
)
def test_what_is_told_of_somebody_is_put_in_their_mouth(text: str, person: str, own: str) -> None:
    """A sentence about a relative or a pet becomes one in which they speak."""
    ((*_, found),) = of_relatives([[told(text)]])
    assert (found.person, found.text) == (person, own)


@pytest.mark.parametrize(
    ("text", "verb", "thing", "when"),
    [
        ("I've never been on a plane.", "visit", "flight", EVER),
        ("I don't eat meat.", "eat", "steak", NOW),
        ("I never learned to play an instrument.", "play", "violin", UNABLE),
        ("It was my first time eating sushi.", "eat", "sushi", EVER),
        ("Phoenix Mountain is near, but I've never been there.", "visit", "mountain", EVER),
    ],
)
def test_a_denial_covers_all_that_its_thing_stands_for(
    text: str, verb: str, thing: str, when: str
) -> None:
    """What is denied of meat is denied of steak."""
    found = next(iter(denials_of(told(text))))
    assert (found.verb, found.when) == (verb, when)
    assert stem(thing) in found.things


@pytest.mark.parametrize(
    "text",
    ["I never thought of that.", "I don't know.", "I've never seen such a sunset.", "No, thanks."],
)
def test_a_figure_of_speech_denies_nothing(text: str) -> None:
    """Thoughts and comparisons are no deeds."""
    assert list(denials_of(told(text))) == []


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("She grew up as an only child, she says.", ""),
        ("My wife never learned to ride a bike, so we walk.", "My wife so we walk."),
        ("I once met a man who has been blind from birth.", "I once met "),
        ("A friend paints, and I sing.", "and I sing."),
    ],
)
def test_only_the_part_about_oneself_counts(text: str, own: str) -> None:
    """Parts of a sentence whose subject is somebody else are left out."""
    assert own_part(told(text)) == own


@pytest.mark.parametrize(
    ("text", "topic", "values"),
    [
        ("Back when I turned thirty in 2019 we had a party.", "year of birth", {"1989", "1988"}),
        ("On our wedding day in 2016 it rained.", "year of the wedding", {"2016"}),
        ("I've been a nurse for two years.", "when it began: as ", {"2021", "2022", "2023"}),
    ],
)
def test_when_something_began_is_a_claim(text: str, topic: str, values: set[str]) -> None:
    """Years, ages and spans of time say when something was."""
    found = [one for one in since_claims(told(text, "2024-05-01")) if one.topic.startswith(topic)]
    assert any(one.values == values for one in found)


def test_every_way_to_speak_of_a_matter_has_its_words() -> None:
    """A pattern is only tried where one of its words stands, so each has some."""
    table = [way for own in ways().values() for way in own]
    assert len({way.matter for way in table}) > 100
    assert all(way.values and way.pattern.pattern for way in table)


def test_a_change_excuses_what_lies_around_it_only() -> None:
    """Who moved in spring cannot have lived in two towns in autumn."""
    moved = member("moved", ["We just moved to Oslo."], date="2024-03-01")
    here = member("here", ["I live in Oslo."], date="2024-08-01")
    there = member("there", ["I live in Porto."], date="2024-10-01")
    before = member("before", ["I live in Porto."], date="2024-01-10")
    assert unified([before, moved, here]).changes == []
    assert len(unified([moved, here, there]).left_out) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Our front door is green.", "My red front door needs paint."),
        ("I live in a three-bedroom place, my 3-bedroom flat.", "My 2-bedroom flat is tidy."),
        ("My patients wait outside.", "My pupils painted the classroom."),
        ("I tried sushi for the first time in my life.", "I ate sushi at school, years ago."),
    ],
)
def test_colours_numbers_and_what_belongs_to_work_count(one: str, other: str) -> None:
    """Things of one colour and number are those of one user."""
    members = [
        member("a", [one], date="2024-03-01"),
        member("b", ["It rains."], date="2024-04-01"),
        member("c", [other], date="2024-05-01"),
    ]
    assert len(unified(members).left_out) == 1
