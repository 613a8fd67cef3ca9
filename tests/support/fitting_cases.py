"""Fixtures of the rules on how a gold fits its question: order, options, reasons."""

from typing import Any

from support.fixtures import Case, Scene, item, scene, session, utterance
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


def _checked(gold: str) -> Scene:
    said = [
        session(at, utterance(f"D{at}:1", "I saw my doctor today."), date=f"2024-{month:02d}-04")
        for at, month in ((1, 1), (2, 4), (3, 7))
    ]
    places = ["D1:1", "D2:1", "D3:1"]
    return scene(item("How often does Ann see her doctor?", [gold], places), sessions=said)


CASES = {
    "dates.often": Case(
        bad=lambda: _checked("every six months"), good=lambda: _checked("every three months")
    ),
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
