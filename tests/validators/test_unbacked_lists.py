"""Rules over items without a ledger: lists that lost a member, and questions nobody can answer."""

import pytest
from support.fixtures import Scene, asset, attached, item, scene, session, utterance
from support.unbacked_cases import asked, bees, two_sided

from memassay.schemas.judgements.finding import Severity
from memassay.validators.check import RULES, check


def _found(of: Scene, *rules: str) -> dict[str, Severity]:
    found = check(of.bundles, of.context, [RULES[rule] for rule in rules])
    return {each.rule: each.severity for each in found}


def _cakes(question: str, gold: str, *evidence: str) -> Scene:
    said = two_sided(
        "I baked a plum cake.",
        "Yum.",
        "I baked lemon cakes.",
        "Oh.",
        "I baked an apple cake.",
        "My.",
        "I baked a walnut cake.",
    )
    return asked(question, gold, *evidence, said=said)


FOUR = ("D1:1", "D1:3", "D1:5", "D1:7")


def test_each_place_of_a_list_gives_it_a_member() -> None:
    """Three members at three of four places: the fourth tells of one more."""
    of = _cakes("Tell what cakes Ann baked.", "plum, lemon, apple", *FOUR)
    assert _found(of, "claims.unused")
    of = _cakes("Tell what cakes Ann baked.", "plum, lemon, apple, walnut", *FOUR)
    assert not _found(of, "claims.unused")
    of = _cakes("Where does Ann bake cakes?", "plum, lemon, apple", *FOUR)
    assert not _found(of, "claims.unused")


@pytest.mark.parametrize(
    "question",
    [
        "What has Ann made?",
        "In which colours does Ann bake?",
        "What are some cakes Ann has baked?",
    ],
)
def test_several_are_asked_for_in_many_ways(question: str) -> None:
    """One member is too few where two places tell of two."""
    assert _found(_cakes(question, "plum", "D1:1", "D1:3"), "claims.one_of_several")


def test_one_thing_done_again_is_no_list() -> None:
    """`What test` asks for one."""
    of = _cakes("What test has Ann taken again?", "plum", "D1:1", "D1:3")
    assert not _found(of, "claims.one_of_several")


@pytest.mark.parametrize(("gold", "found"), [("7 months", True), ("7 years", False)])
def test_what_lasts_since_a_young_age_lasts_years(gold: str, found: bool) -> None:
    """`Since I was seventeen` is no answer in months."""
    said = two_sided("I have kept bees since I was 17 or so.", "Wow.")
    of = asked("How long has Ann kept bees?", gold, "D1:1", said=said)
    assert bool(_found(of, "dates.length")) is found


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("Please say what there was when Leopold kept bees.", "claims.unknown_name"),
        ("What bees show the topic of 'they'?", "asking.whom"),
        ("Supposing that none of it happened, please list the bees of Ann.", "asking.contrary"),
        ("What bees are in the conversation of October?", "dates.question_month"),
    ],
)
def test_questions_that_nobody_could_answer(question: str, rule: str) -> None:
    """Whom, which month or which world they ask about, nobody knows."""
    good = "Please say what there was when Mirabel helped in the conversation of March."
    assert _found(asked(question, "bees", "D1:1", said=bees()), rule)
    assert not _found(asked(good, "bees", "D1:1", said=bees()), rule)


@pytest.mark.parametrize(("name", "found"), [("Leopold", True), ("Mirabel", False)])
def test_a_stranger_who_does_something_stands_in_no_picture(name: str, found: bool) -> None:
    """A title may stand in a photograph; who helped somebody is told."""
    shown = [attached("D1:IMG_001", caption="a photo of hives")]
    says = session(1, utterance("D1:1", "Mirabel came.", attachments=shown))
    question = item("Who helped Ann?", [f"{name} helped with the hives."], ["D1:1"])
    of = scene(asset(), question, sessions=[says])
    assert bool(_found(of, "claims.unknown_name")) is found


@pytest.mark.parametrize(("gold", "found"), [("roast plums", True), ("roast plums, sing", False)])
def test_what_two_places_list_beside_the_one_member_is_missing(gold: str, found: bool) -> None:
    """Both tell of singing."""
    fire = "We roast plums, sing by the fire."
    said = two_sided(fire, "Oh.", "We roasted plums and did sing.")
    of = asked("What does Ann do on walks?", gold, "D1:1", "D1:3", said=said)
    assert bool(_found(of, "claims.missing")) is found


@pytest.mark.parametrize(
    ("unit", "more", "found"),
    [("weeks", "", True), ("minutes", "", False), ("weeks", " It was due 2 March 2024.", False)],
)
def test_hours_of_one_day_are_no_weeks_apart(unit: str, more: str, found: bool) -> None:
    """Another day beside them may be what is counted from."""
    said = two_sided("We launched at 10:50, and high water was 11:06." + more, "Nice.")
    question = f"How many {unit} before high water did Ann launch?"
    assert bool(_found(asked(question, "16", "D1:1", said=said), "asking.unit")) is found


@pytest.mark.parametrize(
    ("said", "gold", "found"),
    [
        ("My dogs go crazy for fetch and frisbee, and they love to swim.", "frisbee, swim", True),
        ("I am a fan of chess and go, and I like to swim.", "go, swim", True),
        ("They enjoy hiking and rowing, and they also paint.", "rowing, paint", True),
        ("I am into jazz, blues and folk.", "blues, folk", True),
        ("My dogs go crazy for frisbee, and they love to swim.", "frisbee, swim", False),
    ],
)
def test_the_first_thing_of_a_list_is_a_member(said: str, gold: str, found: bool) -> None:
    """What stands in front of the first member, behind what opens a list, is one too."""
    of = asked("What does Ann enjoy?", gold, "D1:1", said=two_sided(said, "I see."))
    assert bool(_found(of, "claims.missing")) is found


def test_a_long_member_of_words_from_everywhere_is_none() -> None:
    """Beside members that stand word for word, one of scattered words is strange."""
    said = two_sided("I saw the Blue Mosque by the water.", "Nice.", "Then Topkapi Palace.", "Oh.")
    for extra in ("water features of special kinds", "going for very long hikes"):
        gold = f"Blue Mosque, {extra}, Topkapi Palace"
        of = asked("Which sights did Ann see?", gold, "D1:1", "D1:3", said=said)
        assert _found(of, "claims.member")


def test_each_place_of_a_list_gives_it_something() -> None:
    """Four places on the matter make more than three members, one of which is nobody's."""
    texts = ("I sent a petition for vets.", "I met vets.", "I marched for vets.", "I ran for vets.")
    said = two_sided(*(text for one in texts for text in (one, "Good.")))
    places = ("D1:1", "D1:3", "D1:5", "D1:7")
    of = asked("What has Ann done for vets?", "petition, march, tombola", *places, said=said)
    assert _found(of, "claims.unused")
