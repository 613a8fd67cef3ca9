"""Fixtures of the rules on what a question demands of its gold: a kind, a form, a name."""

from typing import Any

from support.fixtures import Case, Scene
from support.unbacked_cases import asked, two_sided

_TALK = (
    "I bought a red kite for the twins.",
    "Where did you fly it?",
    "At Lake Tahoe, with my aunt, for two hours. It was my first kite.",
    "Which snack did you take?",
    "We took lemon cookies. Our dog Max ate most of them.",
    "He is a beagle, is he?",
)


def demanding(question: str, gold: str, *evidence: str, **more: Any) -> Scene:
    """A question about a talk of two people."""
    return asked(question, gold, *(evidence or ("D1:3", "D1:5")), said=two_sided(*_TALK), **more)


CASES = {
    "asking.shape": Case(
        bad=lambda: demanding("Where did Ann fly her kite?", "4 March 2024"),
        good=lambda: demanding("When did Ann fly her kite?", "4 March 2024"),
    ),
    "asking.amount": Case(
        bad=lambda: demanding("How long did Ann fly her kite?", "at Lake Tahoe"),
        good=lambda: demanding("How long did Ann fly her kite?", "two hours"),
    ),
    "asking.who": Case(
        bad=lambda: demanding("Who was at the lake with Ann?", "lemon"),
        good=lambda: demanding("Who was at the lake with Ann?", "her aunt"),
    ),
    "asking.where": Case(
        bad=lambda: demanding("Where did Ann fly her kite?", "lemon cookies"),
        good=lambda: demanding("Where did Ann fly her kite?", "at a lake shore"),
    ),
    "asking.head": Case(
        bad=lambda: demanding("Which color does the kite have?", "lemon cookies"),
        good=lambda: demanding("Which color does the kite have?", "red"),
    ),
    "asking.sort_of_head": Case(
        bad=lambda: demanding("Which vehicle did Ann take?", "cookies"),
        good=lambda: demanding("Which vehicle did Ann take?", "a bus"),
    ),
    "asking.vague": Case(
        bad=lambda: demanding("What did Ann eat?", "Something homemade."),
        good=lambda: demanding("What did Ann eat?", "Homemade cookies."),
    ),
    "asking.name": Case(
        bad=lambda: demanding("What is the name of the dog?", "a hungry dog"),
        good=lambda: demanding("What is the name of the dog?", "Max"),
    ),
    "asking.named_there": Case(
        bad=lambda: demanding("Where did Ann fly her kite?", "at a lake"),
        good=lambda: demanding("Where did Ann fly her kite?", "at Lake Tahoe"),
    ),
    "asking.form": Case(
        bad=lambda: demanding("When was it? Return in the format YYYY-MM-DD.", "on a Monday"),
        good=lambda: demanding("When was it? Return in the format YYYY-MM-DD.", "2024-03-04"),
    ),
}
