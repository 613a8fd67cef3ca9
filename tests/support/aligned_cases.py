"""Fixtures of the rules that hold question and gold against the clause that tells of them."""

from typing import Any

from support.fixtures import Case, Scene
from support.unbacked_cases import asked, two_sided

_TALK = (
    "We adopted a puppy called Mirabel, and my sister walks him twice a week.",
    "How sweet!",
    "On Friday I felt proud and calm when we reached the lake.",
    "I sing in the choir.",
    "I joined a chess club in spring, and I won my fourth title there.",
    "You should check it out, and I have been there for six years.",
    "I wanted to go to the harbour fair, but I never got there.",
    "I am not a member of the rowing team.",
    "I grow leeks, beans in long rows by the wall, and kale.",
)


def told(question: str, gold: str, *evidence: str, **more: Any) -> Scene:
    """A question about a talk of two people."""
    return asked(question, gold, *(evidence or ("D1:1",)), said=two_sided(*_TALK), **more)


CASES = {
    "claims.exchanged_thing": Case(
        bad=lambda: told("What is the cat of Ann called?", "Mirabel"),
        good=lambda: told("What is the dog of Ann called?", "Mirabel"),
    ),
    "claims.absent_thing": Case(
        bad=lambda: told("What did Ann reach in the desert?", "the lake", "D1:3"),
        good=lambda: told("What did Ann reach on Friday?", "the lake", "D1:3"),
    ),
    "claims.feeling": Case(
        bad=lambda: told("How did Ann feel at the lake?", "anxious and sad", "D1:3"),
        good=lambda: told("How did Ann feel at the lake?", "peaceful", "D1:3"),
    ),
    "claims.marked": Case(
        bad=lambda: told("What club did Ann cancel?", "a chess club", "D1:5"),
        good=lambda: told("What club did Ann enter?", "a chess club", "D1:5"),
    ),
    "claims.own_words": Case(
        bad=lambda: told("Why did Ann join a chess club?", "for cheap beer", "D1:5"),
        good=lambda: told("Why did Ann join a chess club?", "for the fourth title", "D1:5"),
    ),
    "claims.denied": Case(
        bad=lambda: told("What is Ben?", "a member of the rowing team", "D1:8"),
        good=lambda: told("What is Ben not?", "a member of the rowing team", "D1:8"),
    ),
    "claims.only": Case(
        bad=lambda: told("What is the only club that Ann joined?", "a chess club", "D1:5"),
        good=lambda: told("What club did Ann join?", "a chess club", "D1:5"),
    ),
    "claims.breaks_off": Case(
        bad=lambda: told("What does Ben tell Ann?", "that you should check", "D1:6"),
        good=lambda: told("What does Ben tell Ann?", "that you should check it out", "D1:6"),
    ),
    "dates.year": Case(
        bad=lambda: told("Since when has Ben been there?", "Since 2008", "D1:6"),
        good=lambda: told("Since when has Ben been there?", "Since 2018", "D1:6"),
    ),
    "claims.quantity": Case(
        bad=lambda: told("How often does Mirabel walk?", "three times a week"),
        good=lambda: told("How often does Mirabel walk?", "two times a week"),
    ),
}
