"""Fixtures of the family shortcut: questions of order that need no history."""

from collections.abc import Sequence

from memassay.schemas.records.question import AnswerFormat, AnswerOption
from support.fixtures import Case, Scene, item, said, scene

STEPS = ("rinse the jar", "boil the lid", "fill it hot")
TOLD = "My routine: rinse the jar, boil the lid, fill it hot."


def _choice(stem: str, options: Sequence[str]) -> Scene:
    named = [AnswerOption(label="ABC"[at], text=text) for at, text in enumerate(options)]
    listed = " ".join(f"{one.label}. {one.text}" for one in named)
    asked = item(f"{stem} {listed}", ["A"], format=AnswerFormat.CHOICE, options=named)
    return scene(asked, sessions=[said(TOLD)])


CASES = {
    "shortcut.order_word": Case(
        bad=lambda: _choice("What comes last?", ["close the shed last of all", "feed the bees"]),
        good=lambda: _choice("What comes last?", ["the rice that finally worked", "the bees"]),
    ),
    "shortcut.procedure": Case(
        bad=lambda: _choice("Which step of the routine comes first?", STEPS),
        good=lambda: _choice("Which of these came first?", STEPS),
    ),
}
