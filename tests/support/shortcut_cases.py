"""Fixtures of the family shortcut: questions of order that need no history."""

from memassay.schemas.records.question import AnswerFormat, AnswerOption
from support.fixtures import Case, Scene, item, said, scene

STEPS = ("rinse the jar", "boil the lid", "fill it hot")


def _choice(by: str) -> Scene:
    """Which of three steps comes first, picked by their order or by the date of the facts."""
    named = [AnswerOption(label="ABC"[at], text=text) for at, text in enumerate(STEPS)]
    steps = {"op": "select", "where": {"subject": "Ann", "attribute": "routine"}}
    query = {
        "op": "choose",
        "of": {"op": "pick", "of": steps, "by": by, "which": "first"},
        "options": {one.label: one.text for one in named},
    }
    asked = item("Which comes first?", ["A"], format=AnswerFormat.CHOICE, options=named)
    asked = asked.model_copy(update={"query": query})
    return scene(asked, sessions=[said("My routine: rinse the jar, boil the lid, fill it hot.")])


CASES = {
    "shortcut.procedure": Case(bad=lambda: _choice("order"), good=lambda: _choice("date")),
}
