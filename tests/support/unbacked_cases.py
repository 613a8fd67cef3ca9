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


def _corrected(later: str) -> Scene:
    said = two_sided("After a walk I take naps.", "Me too.", "Look at my hives.", "Nice.", later)
    return asked("What does Ann do after a walk?", "naps", "D1:1", said=said)


def _joined(gold: str) -> Scene:
    said = two_sided("I joined a gym last week.", "Well done.")
    return asked("When did Ann join a gym?", gold, "D1:1", said=said)


def _walks(gold: str) -> Scene:
    said = two_sided("I walk once a week, usually for an hour.", "Nice.")
    return asked("How often does Ann walk?", gold, "D1:1", said=said)


def _gave(gold: str) -> Scene:
    said = two_sided("On the 2nd I gave him a hive. It is to be ready by April.", "Nice.")
    return asked("What did Ann give, and when?", gold, "D1:1", said=said)


def _travelled(gold: str) -> Scene:
    days = [
        session(1, utterance("D1:1", "I am in Milan now."), date="2024-03-04"),
        session(2, utterance("D2:1", "Here I am in Rome."), date="2024-03-09"),
    ]
    question = "Did Ann visit Milan before Rome?"
    return scene(item(question, [gold], ["D1:1", "D2:1"]), sessions=days)


def _weighed(gold: str, statement: str) -> Scene:
    question = f"Does the statement that {statement} conflict with the conversation?"
    return asked(question, gold, "D1:1", said=bees())


def _photographed(gold: str) -> Scene:
    said = two_sided("A poppy, in red.", "So red.", "And a poppy from above.")
    return asked("How many poppies did they see?", gold, "D1:1", "D1:2", "D1:3", said=said)


def _read(gold: str, *evidence: str) -> Scene:
    said = two_sided("I read novels and poems.", "Nice.", "So nice.", "Yes.", "I read an atlas.")
    return asked("What has Ann read?", gold, *evidence, said=said)


def _alone() -> Session:
    filler = [f"Number {at} on my list is done." for at in range(5)]
    return two_sided("I went to see bees.", *filler, "I went with Mirabel to the bees.")


def _liked(how: str) -> Scene:
    text = f"What food does Ann {how} the most?"
    return asked(text, "plums", "D1:1", said=two_sided("I love plums, they are sweet.", "Nice."))


CAKES = "What cakes did Ann bake?"


def cakes() -> Session:
    """Ann tells of three cakes."""
    return two_sided(
        "I baked a plum cake.", "Yum.", "I baked lemon cakes.", "Oh.", "I baked an apple cake."
    )


def packed() -> Session:
    """Ann lists what she packed."""
    return two_sided("I packed good things like apples, cheese, and bread.", "Nice.")


def _packed(gold: str) -> Scene:
    return asked("What did Ann pack?", gold, "D1:1", said=packed())


def _kept(gold: str) -> Scene:
    return asked("What does Ann keep?", gold, "D1:1", said=bees())


def _refused(question: str) -> Scene:
    return scene(refusal(question, evidence=["D1:1"]), sessions=[bees()])


def _says(text: str) -> Scene:
    return scene(sessions=[two_sided(text)])


def _lasting(gold: str) -> Scene:
    said = two_sided("I have kept bees for seven years now.", "Wow.")
    return asked("How long has Ann kept bees?", gold, "D1:1", said=said)


def _sold(gold: str) -> Scene:
    said = two_sided(
        "Look at my hives.", "Did you sell the hives?", "No, I would never sell the hives."
    )
    return asked("Did Ann sell the hives?", gold, "D1:3", said=said)


def _painted(gold: str) -> Scene:
    said = two_sided("Last month I painted the blue hive.", "Very nice.")
    return asked("When did Ann paint the hive?", gold, "D1:1", said=said)


def _weeks(gold: str) -> Scene:
    days = [session(1, utterance("D1:1", "I set up a hive.")), usual_sessions()[1]]
    question = "How many weeks passed between the hive and the honey?"
    return scene(item(question, [gold], ["D1:1", "D2:1"]), sessions=days)


CASES = {
    "support.beside": Case(bad=lambda: _planted("D1:1"), good=lambda: _planted("D1:3")),
    "support.elsewhere": Case(bad=lambda: _far("D1:1"), good=lambda: _far("D1:7")),
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
    "dates.duration": Case(bad=lambda: _weeks("four weeks"), good=lambda: _weeks("one week")),
    "dates.length": Case(bad=lambda: _lasting("six years"), good=lambda: _lasting("seven years")),
    "days.weekday": Case(
        bad=lambda: _says("On Monday, 10 March 2024, it snowed."),
        good=lambda: _says("On Sunday, 3 March 2024, it snowed. Friday, March 1 was dry."),
    ),
    "days.today": Case(
        bad=lambda: _says("Today is 3 May, after all."),
        good=lambda: _says("Today is March 4, after all."),
    ),
    "days.exists": Case(
        bad=lambda: _says("It is due on 31 April, after all."),
        good=lambda: _says("It is due on 30 April, after all."),
    ),
    "claims.affirmed": Case(
        bad=lambda: asked("What wasn't mentioned?", "Bees were mentioned.", "D1:1", said=bees()),
        good=lambda: asked("What was mentioned?", "Bees were mentioned.", "D1:1", said=bees()),
    ),
    "support.unsaid": Case(
        bad=lambda: asked("What does Ann keep?", "lemon cookies", "D1:1", said=bees()),
        good=lambda: asked("What does Ann keep?", "two hives", "D1:1", said=bees()),
    ),
    "claims.liking": Case(bad=lambda: _liked("hate"), good=lambda: _liked("love")),
    "claims.exchanged": Case(
        bad=lambda: asked("Bees.", "What does Ann keep?", "D1:1", said=bees()),
        good=lambda: asked("What does Ann keep?", "Bees.", "D1:1", said=bees()),
    ),
    "claims.cut_off": Case(
        bad=lambda: _kept("bees in the garden and the"), good=lambda: _kept("bees in the garden")
    ),
    "claims.unknown_person": Case(
        bad=lambda: asked("What does Rosamund keep?", "bees", "D1:1", said=bees()),
        good=lambda: asked("What does Ann keep?", "bees", "D1:1", said=bees()),
    ),
    "claims.unknown_name": Case(
        bad=lambda: _kept("bees, Leopold"), good=lambda: _kept("bees, Mirabel")
    ),
    "claims.number": Case(bad=lambda: _kept("six hives"), good=lambda: _kept("two hives")),
    "dates.question_edge": Case(
        bad=lambda: _undated("What did Ann keep as of February 2024?"),
        good=lambda: _undated("What did Ann keep as of March 2024?"),
    ),
    "claims.count": Case(bad=lambda: _photographed("5"), good=lambda: _photographed("3")),
    "claims.company": Case(
        bad=lambda: asked("When did Ann go with Mirabel?", "bees", "D1:1", said=_alone()),
        good=lambda: asked("When did Ann go with Mirabel?", "bees", "D1:7", said=_alone()),
    ),
    "refusals.trap_refuses": Case(
        bad=lambda: scene(refusal(traps=["It was never mentioned."])),
        good=lambda: scene(refusal(traps=["a van"])),
    ),
    "tested.gold": Case(
        bad=lambda: _kept("bees of the Leopold breed"), good=lambda: _kept("bees in two hives")
    ),
    "dates.precision": Case(
        bad=lambda: _painted("12 February 2024"), good=lambda: _painted("February 2024")
    ),
    "dates.unsaid": Case(
        bad=lambda: asked("When did Ann set up hives?", "1 March 2024", "D1:1", said=bees()),
        good=lambda: asked("When did Ann set up hives?", "4 March 2024", "D1:1", said=bees()),
    ),
    "dates.question_month": Case(
        bad=lambda: asked("What did Ann keep in August?", "bees", "D1:1", said=bees()),
        good=lambda: asked("What did Ann keep in March?", "bees", "D1:1", said=bees()),
    ),
}
