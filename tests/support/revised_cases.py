"""Fixtures of the rules on what another turn says otherwise than a gold."""

from typing import Any

from support.fixtures import Case, Scene
from support.unbacked_cases import asked, two_sided

_TALK = (
    "I painted the kitchen table dark green last week.",
    "Lovely! Send me a picture.",
    "My tortoise Bruno eats clover in the morning.",
    "I never had a pet like that.",
    "We booked a cabin in Norway for August.",
    "That will be quiet.",
    "Forget what I said about the kitchen table, it is plain white.",
    "All right.",
    "I have changed my mind about the cabin in Norway, we booked a houseboat.",
    "Sounds fun.",
)


def revised(question: str, gold: str, evidence: str, **more: Any) -> Scene:
    """A question about a talk in which two things are taken back."""
    return asked(question, gold, evidence, said=two_sided(*_TALK), **more)


CASES = {
    "claims.revised": Case(
        bad=lambda: revised("What colour did Ann paint the kitchen table?", "dark green", "D1:1"),
        good=lambda: revised("What does the tortoise Bruno of Ann eat?", "clover", "D1:3"),
    ),
}
