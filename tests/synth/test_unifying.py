"""Members of a cluster become dialogues of one user."""

import pytest
from support.members import member

from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Speaker, SpeakerKind
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
from memassay.synth.lives.unifying.contradictions import Contradiction, Statement
from memassay.synth.lives.unifying.names import introductions, names_of
from memassay.synth.lives.unifying.unify import unify


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("These are the first northern lights I have seen!", "I saw an aurora in Norway in 2019."),
        ("I have never owned a pet.", "Rex, my dog, is asleep."),
        ("I live in Oslo.", "Our flat in Porto is small."),
    ],
)
def test_no_text_leaves_a_dialogue_out_without_a_model(one: str, other: str) -> None:
    """Texts are compared by a model or by people; without either every dialogue stays as it is."""
    members = [member("a", [one]), member("b", ["It was a long week."]), member("c", [other])]
    made = unify(members)
    assert made.members == members
    assert made.changes == []


def test_a_user_of_another_name_is_renamed_everywhere() -> None:
    """Introduction, what the assistant calls them, and questions follow the cluster's name."""
    others = [member(f"m{at}", ["It rains."], user="Julian Vance") for at in range(2)]
    own = _greeted(member("guest", ["By the way, my name is Oskar."], user="Oskar"))
    made = unify([*others, own])
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
    ("texts", "gold", "why"),
    [
        (["By the way, my name is Oskar."], "Oskar's umbrella", "gold"),
        (["Oskar is also my uncle's name."], "rain", "somebody else"),
        (["My boss Julian called."], "rain", "another Julian"),
    ],
)
def test_a_rename_touches_nobody_else_and_no_gold(texts: list[str], gold: str, why: str) -> None:
    """A dialogue that cannot be renamed safely is left out with the reason."""
    others = [member(f"m{at}", ["It rains."], user="Julian") for at in range(2)]
    made = unify([*others, _greeted(member("guest", texts, user="Oskar"), gold)])
    assert why in made.left_out["guest/D1"]
    assert [one.kind for one in made.changes] == [AlterationKind.LEFT_OUT]


def _greeted(one: Bundle, gold: str = "rain", called: str = "Oskar") -> Bundle:
    """The dialogue with an assistant that calls the user by name, and a question."""
    document = one.model_dump(mode="json")
    rounds = document["conversation"]["sessions"][0]["rounds"]
    rounds[1]["turns"][1]["text"] = f"Sure, {called}, I keep that in mind."
    made = Bundle.model_validate(document)
    return _with_question(made, "What did Oskar say of the weather?", gold)


def _with_question(one: Bundle, text: str, gold: str) -> Bundle:
    item = QAItem(
        id=f"{one.id}/Q0001",
        conversation=one.id,
        question=QuestionText(text=text),
        answer=Answer(format=AnswerFormat.FREE, values=[gold]),
        evidence=Evidence.of(["D1:2"]),
        type=QuestionType.FACT_RECALL,
        benchmark_type="FR",
        origin=ItemOrigin.IMPORTED,
    )
    return one.model_copy(update={"questions": [item]})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Rose", "It rains."),
        ("Will", "It rains."),
        ("Ivy", "The ivy grows."),
        ("Paris", "In Paris."),
    ],
)
def test_a_name_that_is_a_word_or_a_place_is_not_replaced(name: str, text: str) -> None:
    """Nobody knows which of the two a text means, so the dialogue is left out."""
    others = [member(f"m{at}", ["It rains."], user="Julian") for at in range(2)]
    made = unify([*others, member("guest", [text], user=name)])
    assert made.left_out["guest/D1"].endswith(f"{name} is a word or a place too")


def test_a_name_is_not_replaced_where_the_assistant_means_a_place() -> None:
    """`In Paris` is no person."""
    others = [member(f"m{at}", ["It rains."], user="Julian") for at in range(2)]
    guest = _greeted(member("guest", ["It rains."], user="Paris"), called="in Paris it rains")
    reason = unify([*others, guest]).left_out["guest/D1"]
    assert reason.endswith("Paris is a word or a place too")


def test_a_dialogue_that_says_she_is_not_renamed_to_him() -> None:
    """A question about `she` is about somebody else than those about `he`; both are named."""
    his = [_asked(member(f"m{at}", ["It rains."], user="Julian"), "Julian", "he") for at in (1, 2)]
    hers = _asked(member("guest", ["It rains."], user="Anna"), "Anna", "she")
    reason = unify([*his, hers]).left_out["guest/D1"]
    assert reason.endswith("its questions or profile say 'she', theirs 'he'")


def _asked(one: Bundle, name: str, pronoun: str) -> Bundle:
    return _with_question(one, f"What did {name} say that {pronoun} saw?", "rain")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("My name is Laura Beck.", ["Laura Beck"]),
        ("Hi, I'm Italian and new here.", []),
        ('He said "my name is Tom" and left.', []),
        ("Please call me Ben. And hurry.", ["Ben"]),
    ],
)
def test_a_name_is_one_that_people_give_as_theirs(text: str, names: list[str]) -> None:
    """Nations and names inside quotations are nobody's own name."""
    assert introductions(text) == names


def test_a_greeting_by_the_assistant_names_the_user() -> None:
    """`Sure, Oskar` is a name; a form of address is none."""
    greeted = _greeted(member("a", ["It rains."]))
    assert [one.name for one in names_of(greeted)] == ["Oskar"]
    assert names_of(_greeted(member("a", ["It rains."]), called="Everybody")) == []


def test_other_people_are_left_out() -> None:
    """A dialogue between other people than those of most members does not stay."""
    made = unify(
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
    made = unify([_known("a", "2"), _known("a", "2", at=2), _known("b", "3")])
    assert list(made.left_out) == ["b/D1"]
    assert "a/F0001" in made.left_out["b/D1"]
    assert unify([_known("a", "2"), _known("a", "3", at=2)]).left_out == {}


def _known(source: str, value: str, *, at: int = 1) -> Bundle:
    fact = Fact(
        id=f"{source}/F{at:04d}",
        subject="user",
        attribute="number of keys",
        value=FactValue(type=ValueType.NUMBER, text=value),
    )
    one = member(source, ["It rains."])
    return one.model_copy(update={"facts": [fact]})


def test_most_dialogues_are_right() -> None:
    """The dialogue that contradicts most others goes, wherever its place is."""
    members = [member(f"m{at}", ["It rains."]) for at in range(3)]
    made = unify(members, lambda _: [_contradiction(0, 1), _contradiction(0, 2)])
    assert made.left_out == {"m0/D1": "a reason: m0/D1:2.1 says 'w0', but m1/D1:2.1 'w1'"}


def test_of_two_dialogues_the_one_with_questions_stays() -> None:
    """Where nothing else speaks for either, the dialogue that loses no question goes."""
    asked, bare = _greeted(member("asked", ["It rains."])), member("bare", ["It rains."])
    for members in ([bare, asked], [asked, bare]):
        assert list(unify(members, lambda _: [_contradiction(0, 1)]).left_out) == ["bare/D1"]


def _contradiction(one: int, other: int) -> Contradiction:
    first, second = (Statement(at, "", f"w{at}", "D1:2.1") for at in (one, other))
    return Contradiction(first, second, "a reason")
