"""Fixtures of the families that look at items without a ledger."""

from typing import Any

from memassay.schemas.records.conversation import Round, Session
from memassay.schemas.records.question_type import QuestionType
from support.fixtures import (
    Case,
    Scene,
    item,
    refusal,
    scene,
    session,
    usual_sessions,
    utterance,
)

PLANTED = "I planted forty tulips along the northern wall."


def two_sided(*texts: str, date: str = "2024-03-04") -> Session:
    """A session in which Ann and Ben speak by turns, Ann first."""
    rounds: list[Round] = [
        utterance(f"D1:{at}", text, "ann" if at % 2 else "ben") for at, text in enumerate(texts, 1)
    ]
    return session(1, *rounds, date=date)


def asked(question: str, gold: str, *evidence: str, said: Session, **more: Any) -> Scene:
    """A session and a question that cites some of its rounds."""
    return scene(item(question, [gold], list(evidence), **more), sessions=[said])


def _far(cited: str) -> Scene:
    filler = [f"Number {at} on my list is done." for at in range(5)]
    said = two_sided("My dog sleeps all day.", *filler, "Our cat is called Mirabel.")
    return asked("What is the cat of Ann called?", "Mirabel", cited, said=said)


def _replied(*evidence: str) -> Scene:
    said = two_sided(
        "I climbed Snowdon.", "Nice climb!", "I went swimming in the Tay.", "Brave of you."
    )
    return asked("What sports did Ann do?", "climbing Snowdon, swimming", *evidence, said=said)


def _when(*evidence: str) -> Scene:
    said = two_sided("Look at my hive.", "Lovely.", "I set it up yesterday.", "Well done.")
    more = {"type": QuestionType.TEMPORAL}
    return asked("When did Ann set up a hive?", "3 March 2024", *evidence, said=said, **more)


def _hive(question: str) -> Scene:
    said = two_sided("Last month I painted the blue hive.", "Very nice.")
    return asked(question, "the blue hive", "D1:1", said=said)


def _undated(question: str) -> Scene:
    return asked(question, "bees", "D1:1", said=two_sided("I keep bees in the garden.", "Ah."))


def bees() -> Session:
    """Ann tells of her bees."""
    return two_sided(
        "I keep bees in the garden, in two hives.",
        "Nice.",
        "Mirabel helps me.",
        "After a long walk Ann naps.",
    )


def _photographed(gold: str) -> Scene:
    said = two_sided("A poppy, in red.", "So red.", "And a poppy from above.")
    return asked("How many poppies did they see?", gold, "D1:1", "D1:2", "D1:3", said=said)


def cakes() -> Session:
    """Ann tells of three cakes."""
    return two_sided(
        "I baked a plum cake.", "Yum.", "I baked lemon cakes.", "Oh.", "I baked an apple cake."
    )


def packed() -> Session:
    """Ann lists what she packed."""
    return two_sided("I packed good things like apples, cheese, and bread.", "Nice.")


def _kept(gold: str) -> Scene:
    return asked("What does Ann keep?", gold, "D1:1", said=bees())


def _says(text: str) -> Scene:
    return scene(sessions=[two_sided(text)])


def _weeks(gold: str) -> Scene:
    days = [session(1, utterance("D1:1", "I set up a hive.")), usual_sessions()[1]]
    question = "How many weeks passed between the hive and the honey?"
    return scene(item(question, [gold], ["D1:1", "D2:1"]), sessions=days)


def _phone(later: str) -> Scene:
    days = [
        session(1, utterance("D1:1", "My phone is a Kestrel 5, it rings.")),
        session(2, utterance("D2:1", later), date="2024-06-10"),
    ]
    return scene(item("Which phone does Ann have?", ["Kestrel 5"], ["D1:1"]), sessions=days)


CASES = {
    "dates.replaced": Case(
        bad=lambda: _phone("My phone is a Kestrel 7 now."),
        good=lambda: _phone("My phone is broken now."),
    ),
    "support.elsewhere": Case(bad=lambda: _far("D1:1"), good=lambda: _far("D1:7")),
    "support.reply": Case(
        bad=lambda: _replied("D1:1", "D1:4"), good=lambda: _replied("D1:1", "D1:3")
    ),
    "dates.beside": Case(bad=lambda: _when("D1:1"), good=lambda: _when("D1:3")),
    "dates.question": Case(
        bad=lambda: _hive("What did Ann paint in March 2024?"),
        good=lambda: _hive("What did Ann paint in February 2024?"),
    ),
    "dates.question_unsaid": Case(
        bad=lambda: _undated("What did Ann keep on 2 March 2024?"),
        good=lambda: _undated("What did Ann keep on 4 March 2024?"),
    ),
    "dates.duration": Case(bad=lambda: _weeks("four weeks"), good=lambda: _weeks("one week")),
    "days.weekday": Case(
        bad=lambda: _says("On Monday, 10 March 2024, it snowed."),
        good=lambda: _says("On Sunday, 3 March 2024, it snowed. Friday, March 1 was dry."),
    ),
    "days.exists": Case(
        bad=lambda: _says("It is due on 31 April, after all."),
        good=lambda: _says("It is due on 30 April, after all."),
    ),
    "claims.unknown_name": Case(
        bad=lambda: _kept("bees, Leopold"), good=lambda: _kept("bees, Mirabel")
    ),
    "claims.count": Case(bad=lambda: _photographed("5"), good=lambda: _photographed("3")),
    "refusals.trap_refuses": Case(
        bad=lambda: scene(refusal(traps=["It was never mentioned."])),
        good=lambda: scene(refusal(traps=["a van"])),
    ),
    "tested.gold": Case(
        bad=lambda: _kept("bees of the Leopold breed"), good=lambda: _kept("bees in two hives")
    ),
    "dates.unsaid": Case(
        bad=lambda: asked("When did Ann set up hives?", "1 March 2024", "D1:1", said=bees()),
        good=lambda: asked("When did Ann set up hives?", "4 March 2024", "D1:1", said=bees()),
    ),
}
