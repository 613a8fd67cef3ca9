"""Fixtures of the rules on how a gold fits its question: order, options, reasons."""

from typing import Any

from support.fixtures import Case, Scene
from support.unbacked_cases import asked, two_sided

_TALK = (
    "I joined the choir in town.",
    "How was it?",
    "I taught myself the alto part, and I love the hall.",
    "Great!",
    "Then we adopted Mirabel, our cat.",
    "Lovely flowers, are they roses? The petals shine.",
)


def fitting(question: str, gold: str, *evidence: str, **more: Any) -> Scene:
    """A question about a talk of two people."""
    return asked(question, gold, *(evidence or ("D1:3",)), said=two_sided(*_TALK), **more)


CASES = {
    "claims.moment": Case(
        bad=lambda: fitting("What did Ann learn after adopting Mirabel?", "the alto part"),
        good=lambda: fitting("What did Ann learn before adopting Mirabel?", "the alto part"),
    ),
    "asking.offered": Case(
        bad=lambda: fitting("Did Ann learn the alto or the bass part?", "After."),
        good=lambda: fitting("Did Ann learn the alto or the bass part?", "The alto part."),
    ),
    "asking.sort": Case(
        bad=lambda: fitting("What kind of clothing is Ben looking at?", "roses", "D1:6"),
        good=lambda: fitting("What kind of flower is Ben looking at?", "roses", "D1:6"),
    ),
    "asking.denied": Case(
        bad=lambda: fitting("Did Ann never learn the alto part?", "No"),
        good=lambda: fitting("Did Ann learn the alto part?", "Yes"),
    ),
    "claims.reason": Case(
        bad=lambda: fitting("Was it a good month for Ann?", "Yes, because she lost her job"),
        good=lambda: fitting("Was it a good month for Ann?", "No, because she lost her job"),
    ),
    "claims.undenied": Case(
        bad=lambda: fitting("Did Ann teach herself a part?", "No"),
        good=lambda: fitting("Did Ann teach herself a part?", "Yes"),
    ),
}
