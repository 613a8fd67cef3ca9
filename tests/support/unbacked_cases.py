"""Fixtures of the families that look at items without a ledger."""

from typing import Any

from memassay.schemas.records.conversation import Round, Session
from memassay.schemas.records.question_type import QuestionType
from support.fixtures import Case, Scene, item, scene, session, utterance

PLANTED = "I planted forty tulips along the northern wall."
WET = "It was a wet day, and everybody went home."


def two_sided(*texts: str, date: str = "2024-03-04") -> Session:
    """A session in which Ann and Ben speak by turns, Ann first."""
    rounds: list[Round] = [
        utterance(f"D1:{at}", text, "ann" if at % 2 else "ben") for at, text in enumerate(texts, 1)
    ]
    return session(1, *rounds, date=date)


def asked(question: str, gold: str, *evidence: str, said: Session, **more: Any) -> Scene:
    """A session and a question that cites some of its rounds."""
    return scene(item(question, [gold], list(evidence), **more), sessions=[said])


def _planted(*evidence: str) -> Scene:
    said = two_sided("Guess what I did.", "Tell me more.", PLANTED, "I see.", WET)
    gold = "tulips along the northern wall"
    return asked("What did Ann plant?", gold, *evidence, said=said)


def _far(cited: str) -> Scene:
    filler = [f"Number {at} on my list is done." for at in range(5)]
    said = two_sided("My dog sleeps all day.", *filler, "Our cat is called Mirabel.")
    return asked("What is the cat of Ann called?", "Mirabel", cited, said=said)


def _several(*evidence: str) -> Scene:
    said = two_sided(
        "I baked a plum cake.", "Yum.", "We saw that band.", "So loud.", "I baked rye bread too."
    )
    return asked("What did Ann bake?", "plum cake, rye bread", *evidence, said=said)


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


CASES = {
    "support.beside": Case(bad=lambda: _planted("D1:1"), good=lambda: _planted("D1:3")),
    "support.elsewhere": Case(bad=lambda: _far("D1:1"), good=lambda: _far("D1:7")),
    "support.stray": Case(
        bad=lambda: _several("D1:1", "D1:3"), good=lambda: _several("D1:1", "D1:5")
    ),
    "support.reply": Case(
        bad=lambda: _replied("D1:1", "D1:4"), good=lambda: _replied("D1:1", "D1:3")
    ),
    "dates.beside": Case(bad=lambda: _when("D1:1"), good=lambda: _when("D1:3")),
    "dates.question_later": Case(
        bad=lambda: _undated("What did Ann keep in June 2024?"),
        good=lambda: _undated("What did Ann keep in March 2024?"),
    ),
    "dates.question": Case(
        bad=lambda: _hive("What did Ann paint in March 2024?"),
        good=lambda: _hive("What did Ann paint in February 2024?"),
    ),
    "dates.question_unsaid": Case(
        bad=lambda: _undated("What did Ann keep on 2 March 2024?"),
        good=lambda: _undated("What did Ann keep on 4 March 2024?"),
    ),
}
