"""Endings without a ledger: what the text alone says is no more, against `refusals.ended`."""

import pytest
from support.ended_pets import pets

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.bundle import Bundle
from memassay.validators.check import RULES, check_conversation

ENDED = [RULES["refusals.ended"]]
LIKELY = [RULES["refusals.ended_likely"]]


def _found(bundle: Bundle) -> list[str]:
    """The items that the rule finds."""
    return [each.target for each in check_conversation(bundle, RuleContext(), ENDED)]


def _told(question: str, *texts: str) -> Bundle:
    """A conversation without a ledger in which these texts are said, one a session."""
    made = pets(question).model_copy(update={"facts": [], "mentions": []})
    document = made.model_dump(mode="json")
    for session, text in zip(document["conversation"]["sessions"], texts, strict=False):
        session["rounds"][0]["turns"][0]["text"] = text
    return Bundle.model_validate(document)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "When is the garden party?",
            ("The garden party is on 5 June at Mia's.", "We had to call the garden party off."),
        ),
        (
            "How much did the red kayak cost?",
            ("I bought a red kayak for 300 euros.", "About the red kayak. I sold it last week."),
        ),
        (
            "Where is the pottery class?",
            ("My pottery class is in the old mill.", "The pottery class is cancelled for good."),
        ),
        (
            "Which newt does User keep?",
            ("I keep a newt called Olm.", "Sad day. Olm died at dawn."),
        ),
        ("What is User's raft called?", ("My raft is called Drifter.", "I sold Drifter.")),
        ("Which chess club did User join?", ("I joined a chess club.", "I left the chess club.")),
        ("Where is the stamp album?", ("The stamp album is at Jo's.", "I lost the stamp album.")),
        ("What did User sell to a miller?", ("Hello.", "I sold the sieve to a miller.")),
        ("Is User's father still alive?", ("Hello.", "My dad passed away last May.")),
        ("Does User still have a tuba?", ("Hello.", "I gave my tuba to a school.")),
        ("Why did User lose the deposit?", ("Hello.", "We broke a pane and I lost the deposit.")),
        ("What became of the piano lessons?", ("Hello.", "I gave up piano lessons.")),
        ("Who is User dating?", ("I am dating Morten now.", "I broke up with Morten.")),
        ("Who is User's tutor?", ("My tutor is Ilse.", "I fired Ilse, my tutor.")),
        ("What is User's newt called?", ("My newt is Olm.", "Olm, my newt, passed away.")),
    ],
)
def test_without_a_ledger_the_text_tells_of_the_end(question: str, texts: tuple[str, ...]) -> None:
    """What was there is said, and then that it is no more."""
    assert _found(_told(question, *texts)) == ["c/Q001"]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("When is the garden party?", ("The garden party is on 5 June.", "Shall we call it off?")),
        (
            "When is the garden party?",
            ("The garden party is on 5 June.", "They called the football match off."),
        ),
        (
            "How much did the red kayak cost?",
            ("I love my red kayak.", "I sold the red kayak last week."),
        ),
        (
            "When is the garden party?",
            ("The garden party was called off.", "I hope the garden party is on 5 June."),
        ),
        ("Which newt does User keep?", ("I keep a newt called Olm.", "Olm sold me a lamp.")),
        ("Who made the kettle of User?", ("I bought a copper kettle.", "I sold the kettle.")),
        ("What is User's newt called?", ("I fed my newt.", "I lost a lamp for the newt.")),
        ("How much did User get for the tent?", ("The tent cost 300 euros.", "I sold the tent.")),
        ("Who bought User's raft?", ("My raft is called Drifter.", "I sold Drifter.")),
        ("Which book did the club read?", ("My book club meets on 5 May.", "A group got lost.")),
        ("Where did User sell the sieve?", ("Hello.", "I sold the sieve to a miller.")),
        ("On which bus did User lose the album?", ("Hello.", "I lost the album on the bus.")),
        ("When did User lose the album?", ("Hello.", "I lost the album.")),
        ("What became of the violin lessons?", ("Hello.", "I gave up piano lessons.")),
    ],
)
def test_what_the_text_does_not_plainly_end_is_left_alone(
    question: str, texts: tuple[str, ...]
) -> None:
    """A question, another thing, nothing that answered, the wrong order."""
    assert _found(_told(question, *texts)) == []


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Which gym is User a member of?", ("My gym is Ironside. I let my membership lapse.",)),
        ("Which board does User advise?", ("I resigned from the board I used to advise.",)),
        ("Who is User engaged to?", ("Corin and I got engaged!", "We broke off the engagement.")),
        ("What brand of watch does User wear?", ("I wear a Nomos watch.", "My watch got stolen.")),
        ("Does User have a licence?", ("I have a licence.", "They suspended my licence.")),
        ("What is User's blog about?", ("My blog is about ferns.", "I took the blog offline.")),
        ("Which seat has User on the train?", ("Seat 14C on the train.", "The train was axed.")),
        ("What shows User's tattoo?", ("My tattoo shows a swallow. I had it lasered away.",)),
        ("Which magazine does User get?", ("I get a magazine, Tide.", "I didn't renew Tide.")),
    ],
)
def test_without_a_ledger_an_end_beside_the_words_is_worth_a_look(
    question: str, texts: tuple[str, ...]
) -> None:
    """By any phrase for an end, in the same turn or linked by a rare word."""
    assert check_conversation(_told(question, *texts), RuleContext(), [*ENDED, *LIKELY])


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Which gym is User a member of?", ("I am a member of a gym.", "The bus was axed.")),
        ("What colour is User's gym bag?", ("My gym is Ironside. I let my membership lapse.",)),
        ("Which board does User advise?", ("I hope to resign from the board I advise.",)),
        ("Which ring did User choose?", ("Corin and I got engaged!", "We broke it off.")),
        ("What does User's lodger cook?", ("My lodger is Per.", "Per, my lodger, moved out.")),
        ("Is the sound of User's cello off?", ("My cello is fine.", "What is off in a cello?")),
    ],
)
def test_without_a_ledger_another_end_is_not_worth_a_look(
    question: str, texts: tuple[str, ...]
) -> None:
    """Another thing ends, another detail is asked for, or the end is only hoped for."""
    assert check_conversation(_told(question, *texts), RuleContext(), [*ENDED, *LIKELY]) == []
