"""Fixtures of the families that look at who tells what, and of whom."""

from typing import Any

from memassay.schemas.records.conversation import Round, RoundKind
from memassay.schemas.records.question import AnswerFormat, QAItem
from support.fixtures import Case, Scene, item, refusal, scene, session, turn, utterance
from support.pictured_cases import WITH_ASSISTANT

MINE = "I painted my kitchen yellow and sold the old stove."
YOURS = "That sounds lovely! Your kitchen must be bright now."
OTHERS = (
    ("My aunt Olga called her parrot Bixby.", "What a good name for your aunt's parrot!"),
    ("I ride a tandem with my neighbour on Sundays.", "You must have strong legs."),
)


def told(*exchanges: tuple[str, str], item: QAItem | None = None) -> Scene:
    """Exchanges between Ann and an assistant, each in a session of its own."""
    said = []
    for at, (own, reply) in enumerate(exchanges, 1):
        turns = [turn(f"D{at}:1.1", own), turn(f"D{at}:1.2", reply, "bot")]
        said.append(session(at, Round(id=f"D{at}:1", kind=RoundKind.EXCHANGE, turns=turns)))
    return scene(*([item] if item else []), sessions=said, speakers=WITH_ASSISTANT)


def over(question: str, gold: str, *cited: str, **more: Any) -> Scene:
    """An item over Ann's kitchen, her aunt's parrot and her tandem."""
    return told((MINE, YOURS), *OTHERS, item=item(question, [gold], list(cited), **more))


def refused(question: str) -> Scene:
    """An item that says that it is not mentioned."""
    return told((MINE, YOURS), *OTHERS, item=refusal(question))


def did(told_so: str) -> Scene:
    """An item that asks when Ann did what she tells."""
    asked = item("When did Ann sell the stove?", ["On Monday"], ["D1:1"])
    return told((told_so, YOURS), *OTHERS, item=asked)


def of_both(said: str) -> Scene:
    """An item that asks when both people of a conversation did what one of them tells."""
    asked = item("When did Ann and Ben sell their stoves?", ["On Monday"], ["D1:1"])
    return scene(asked, sessions=[session(1, utterance("D1:1", said))])


def weighed(statement: str, gold: str) -> Scene:
    """An item that asks whether a statement goes against what Ann told."""
    question = f"Does the following information conflict with the dialogue: {statement}"
    return over(question, gold, "D1:1", format=AnswerFormat.YES_NO)


BIRD = "What did {} call the parrot?"
ORDER = "Which came first: painting the kitchen or riding the tandem?"
CASES = {
    "asking.person": Case(
        bad=lambda: over(BIRD.format("Agnes"), "Bixby", "D2:1"),
        good=lambda: over(BIRD.format("Olga"), "Bixby", "D2:1"),
    ),
}
