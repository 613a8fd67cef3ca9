"""What visitors say that changes or answers a host's question is found, small talk is not."""

from dataclasses import replace
from typing import Any

import pytest
from support.fixtures import TALK, Scene, fact, item, mention, refusal
from support.visit_cases import cats, visited

from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.question import AskedAt, QAItem
from memassay.validators.check import RULES, check
from memassay.validators.items.visits.revising import Revision

_RULES = [RULES["visits.changes"], RULES["visits.answers"]]

CHANGED = [
    ("What is Ann's job?", "a baker", "I quit, and on Monday I start as a nurse."),
    ("Where does Ann live?", "Leeds", "I moved to Lisbon last week."),
    ("How many marathons has Ann run?", "two", "That was my third marathon, my legs hurt."),
    ("How many children does Ann have?", "two", "Our third was born on Friday, a boy."),
    ("When did Ann last go swimming?", "3 May 2024", "I was at the pool again this morning."),
    ("What pets does Ann have?", "a cat", "I brought a gecko home yesterday."),
    ("What is the name of Ann's cat?", "Tuna", "The cat is called Herring now."),
    ("How old is Ann's mother?", "59", "Mum turned 60 yesterday."),
    ("When did Ann paint the shed?", "May 2024", "I painted the shed again on Sunday."),
    ("Is Ann married?", "yes", "The divorce came through on Friday."),
    ("Which instruments does Ann play?", "piano", "I've taken up the cello."),
    ("What is Ann's favourite food?", "soup", "My favourite dish is pasta now."),
    ("How often does Ann go to the gym?", "weekly", "I only get to the gym once a month now."),
    ("Which countries has Ann been to?", "Spain", "I'm just back from Norway."),
    ("When did Ann's laptop crash?", "May 2024", "The laptop crashed again two days ago."),
    ("Who is Ann's boss?", "Omar", "We have a new boss, Petra."),
    ("When is Ann's trip?", "June", "I've put the trip off, it's in August now."),
    ("What did Ann buy for the garden?", "a bench", "I bought a rake for the garden today."),
]

REVISED = [
    ("How long did Ann lead a choir in her village?", "7 years", "We sang there for nine years."),
    ("How many old races in the hills has Ann won?", "Four", "I ran six, not four."),
    ("What is Ann's best recipe for guests?", "apple pie", "My best was soup, the pie never was."),
    ("Who was the new addition to Ann's home?", "Max", "The parrot joined us as well."),
    ("Which small red wooden boat did Ann have as a child?", "a doll", "I had a red kite, too."),
    ("What meals does Ann eat on Mondays?", "fish", "Lately I cook lentil soup in the evening."),
    ("When did Ann go to the fair?", "2022", "Remember when we went to the fair in 2019?"),
]


def _found(of: Scene) -> list[Finding]:
    return check(of.bundles, of.context, _RULES)


@pytest.mark.parametrize(("question", "gold", "said"), CHANGED, ids=[one[2] for one in CHANGED])
def test_a_fact_that_changes_an_answer_is_found(question: str, gold: str, said: str) -> None:
    """In the words of the question, in others of the same matter, or by the kind asked for."""
    (found,) = _found(visited(said, item(question, [gold])))
    assert found.rule == "visits.changes"
    assert "(D1:1)" in found.message
    assert "D2:1.1" in found.message


@pytest.mark.parametrize(("question", "gold", "said"), REVISED, ids=[one[2] for one in REVISED])
def test_what_takes_back_measures_again_or_adds_is_found(
    question: str, gold: str, said: str
) -> None:
    """A gold denied by name, another number of the same, one more, a question that states."""
    (found,) = _found(visited(said, item(question, [gold])))
    assert found.rule == "visits.changes"


@pytest.mark.parametrize(
    ("said", "denied", "counted", "adds"),
    [
        ("It is the knee, not my hip.", {"hip"}, {}, False),
        ("The pie never was, the soup is.", {"pie"}, {}, False),
        ("I own three pots, too.", set(), {"pot": {"3"}}, True),
        ("We dated half a year.", set(), {"time": {"half year"}}, False),
        ("It was too big, two years ago.", set(), {}, False),
    ],
)
def test_a_statement_denies_counts_and_adds_by_its_words(
    said: str, denied: set[str], counted: dict[str, set[str]], adds: bool
) -> None:
    """What stands beside a denial, what a number counts; a date of the past counts nothing."""
    assert Revision.of(said) == Revision(frozenset(denied), counted, adds)


SMALL_TALK = [
    "Right, I have to run. Talk soon!",
    "I bought <market-cat> yesterday.",
    "Of course, you made my evening.",
    "The weather is dull again today.",
    "Do you have a cat?",
]


@pytest.mark.parametrize("said", SMALL_TALK)
def test_small_talk_changes_nothing(said: str) -> None:
    """Set phrases, questions and names of concepts say nothing of somebody's life."""
    runs = item("How often does Ann run?", ["weekly"])
    assert _found(visited(said, cats(), runs)) == []


BESIDE = [
    ("Is Ann married?", "yes", "Yes, feet up at last."),
    ("What hobbies does Ann have?", "chess", "I took one more of <market-cat>."),
    ("Which video did Ann like?", "cats", "On video, please."),
    ("What is Ann's relationship status?", "single", "See, that's <agatha> today."),
    ("What does Ann sing and hum in the car?", "hymns", "I keep it in the car now."),
]


@pytest.mark.parametrize(("question", "gold", "said"), BESIDE, ids=[one[2] for one in BESIDE])
def test_what_only_has_a_word_of_the_question_changes_nothing(
    question: str, gold: str, said: str
) -> None:
    """A bare yes, a picture taken, a request, a word of two meanings, a place of the concept."""
    assert _found(visited(said, item(question, [gold]), before="Look, <agatha>!")) == []


def test_what_another_says_of_themselves_is_not_about_the_one_asked_about() -> None:
    """Ben's second kitten is none of Ann's; of what Ann got, Ben may speak too."""
    said = "I adopted a second kitten yesterday."
    assert _found(visited(said, cats(), speaker="ben")) == []
    (found,) = _found(visited("So you adopted a second kitten?! Your cats!", cats(), speaker="ben"))
    assert found.target == f"{TALK}/Q001"


def test_an_answer_to_a_question_is_about_what_was_asked() -> None:
    """`He is five now` behind `How old is your son?` answers who asks for that age."""
    asked = item("How old is Ann's son?", ["four"])
    assert _found(visited("He is five now, my big boy.", asked, before="How old is your son?"))


def test_questions_of_the_visitors_are_their_own() -> None:
    """What cites only guests, or has their name without citing, is not the host's."""
    said = "We adopted a second kitten yesterday."
    own = cats(evidence=["D2:1"])
    named = refusal("Which cat does Ann have?", id=f"{TALK}/guest1-Q001")
    assert _found(visited(said, own)) == []
    assert _found(visited(said, named)) == []


def test_a_question_asked_before_the_visit_stays() -> None:
    """Only sessions seen when a question is asked can change it."""
    said = "We adopted a second kitten yesterday."
    assert _found(visited(said, cats(asked_at=AskedAt(session="D1")))) == []
    assert _found(visited(said, cats(asked_at=AskedAt(session="D2"))))


def test_sessions_without_an_origin_are_the_host_s_own() -> None:
    """The same words in a session of the host are no visitor's."""
    (bundle,) = visited("We adopted a second kitten yesterday.", cats()).bundles
    plain = [one.model_copy(update={"origin": None}) for one in bundle.conversation.sessions]
    talk = bundle.conversation.model_copy(update={"sessions": plain})
    assert _found(Scene([bundle.model_copy(update={"conversation": talk})])) == []


def _proven(text: str, **more: Any) -> Scene:
    query = {"op": "count", "of": {"op": "select", "where": {"subject": "Ann"}}}
    start = text.index("kitten")
    known = mention(round="D2:1", turn="D2:1.1", span=[start, start + len("kitten")])
    return visited(text, cats(query=query), fact(text="kitten"), known, **more)


def test_what_the_ledger_knows_is_the_query_s_matter() -> None:
    """A proven question is executed again over the whole; other sentences are still read."""
    assert _found(_proven("We adopted a second kitten yesterday.")) == []
    assert _found(_proven("Look, a kitten. We have three cats again since Sunday."))


def test_a_recipe_sets_how_much_a_statement_must_answer() -> None:
    """With a threshold of 1 only what says every word of a question is shown."""
    scene = visited("We adopted a second kitten yesterday.", cats())
    strict = replace(scene.context, thresholds={"visits.changes": 1.0})
    assert _found(replace(scene, context=strict)) == []


def test_a_question_with_no_words_of_its_own_is_compared_by_its_gold() -> None:
    """`Where does Ann go?` with `Vilnius` is met by who says that Vilnius is off."""
    asked: QAItem = item("Where does Ann plan to go now?", ["Vilnius"])
    assert _found(visited("Vilnius is off, we take another route.", asked))
