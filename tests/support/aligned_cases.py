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
    "claims.quantity": Case(
        bad=lambda: told("How often does Mirabel walk?", "three times a week"),
        good=lambda: told("How often does Mirabel walk?", "two times a week"),
    ),
}
