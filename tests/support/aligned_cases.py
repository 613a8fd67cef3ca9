"""Fixtures of the rules that hold question and gold against the clause that tells of them."""

from typing import Any

from memassay.schemas.records.question import Evidence
from support.fixtures import Case, Scene, refusal, scene
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
    "My cake has a plum filling, and its frosting is of cream.",
    "Roses stand for love, while sunflowers mean warmth.",
    "I lost my uncle in May, so I spend much time in the garden.",
    "By the way, I told you wrong: the chess club that I joined is a bridge club.",
)


def told(question: str, gold: str, *evidence: str, **more: Any) -> Scene:
    """A question about a talk of two people."""
    return asked(question, gold, *(evidence or ("D1:1",)), said=two_sided(*_TALK), **more)


def _refused(question: str) -> Scene:
    told_there = refusal(question).model_copy(update={"evidence": Evidence.of(["D1:5"])})
    return scene(told_there, sessions=[two_sided(*_TALK)])


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
    "claims.other_attribute": Case(
        bad=lambda: told("What filling does the cake have?", "cream", "D1:10"),
        good=lambda: told("What filling does the cake have?", "plum", "D1:10"),
    ),
    "claims.other_clause": Case(
        bad=lambda: told("What do sunflowers mean?", "love", "D1:11"),
        good=lambda: told("What do sunflowers mean?", "warmth", "D1:11"),
    ),
    "claims.cause": Case(
        bad=lambda: told("Why did Ben lose his uncle?", "he spends time in the garden", "D1:12"),
        good=lambda: told("Why does Ben spend time in the garden?", "he lost his uncle", "D1:12"),
    ),
    "claims.corrected": Case(
        bad=lambda: told("What club did Ann join?", "a chess club", "D1:5"),
        good=lambda: told("Which title did Ann win?", "her fourth", "D1:5"),
    ),
    "refused.as_asked": Case(
        bad=lambda: _refused("What club did Ann join in spring?"),
        good=lambda: _refused("What club did Ann quit in spring?"),
    ),
    "refused.of_teller": Case(
        bad=lambda: _refused("What club did Ann come to join?"),
        good=lambda: _refused("What orchestra did Ann come to join?"),
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
