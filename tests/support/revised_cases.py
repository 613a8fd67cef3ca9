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
    "I go swimming with Ida three times a week.",
    "Good for you.",
    "I always meet Ida when I go swimming once a month.",
    "Say hello to her.",
    "For the porch I bought a pot of tulips.",
    "Spring is here.",
    "The pot that I bought for the porch, with the roses, is in bloom.",
)


def revised(question: str, gold: str, evidence: str, **more: Any) -> Scene:
    """A question about a talk in which things are taken back, or told twice."""
    return asked(question, gold, evidence, said=two_sided(*_TALK), **more)


CASES = {
    "claims.revised": Case(
        bad=lambda: revised("What colour did Ann paint the kitchen table?", "dark green", "D1:1"),
        good=lambda: revised("What does the tortoise Bruno of Ann eat?", "clover", "D1:3"),
    ),
    "claims.two_values": Case(
        bad=lambda: revised("How often does Ann go swimming?", "three times a week", "D1:11"),
        good=lambda: revised("When does the tortoise Bruno eat?", "in the morning", "D1:3"),
    ),
    "claims.two_things": Case(
        bad=lambda: revised("What did Ann buy for the porch?", "tulips", "D1:15"),
        good=lambda: revised("What does the tortoise Bruno eat?", "clover", "D1:3"),
    ),
}
