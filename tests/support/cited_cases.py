"""Fixtures of the rules on what items without a ledger cite, and on other places that answer."""

from memassay.schemas.records.conversation import Session
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType
from support.fixtures import Case, Scene, asset, attached, item, scene, session, turn, utterance
from support.unbacked_cases import asked, bees, two_sided


def _several(*evidence: str) -> Scene:
    said = two_sided(
        "I baked a plum cake.", "Yum.", "It is so hot.", "We saw that band.", "So loud."
    )
    more = session(2, utterance("D2:1", "We saw that band."), utterance("D2:2", "I baked buns."))
    return scene(
        item("What did Ann bake?", ["plum cake, buns"], [*evidence]), sessions=[said, more]
    )


def _alone(*evidence: str) -> Scene:
    said = two_sided("I baked a plum cake.", "Yum.")
    more = session(2, utterance("D2:1", "We saw that band."), utterance("D2:2", "So loud."))
    return scene(item("What did Ann bake?", ["a plum cake"], [*evidence]), sessions=[said, more])


def _greeted(*evidence: str) -> Scene:
    said = two_sided("I keep bees.", "Wow! What got you into that?", "My aunt gave me a hive.")
    return asked("Why did Ann start?", "her aunt's gift", *evidence, said=said)


def _marched(later: str) -> Scene:
    days = [
        session(1, utterance("D1:1", "I went to a pride parade yesterday."), date="2024-03-04"),
        session(2, utterance("D2:1", later), date="2024-06-10"),
    ]
    when = item(
        "When did Ann go to a pride parade?",
        ["3 March 2024"],
        ["D1:1"],
        type=QuestionType.TEMPORAL,
    )
    return scene(when, sessions=days)


def _started(*evidence: str) -> Scene:
    said = two_sided("My third novel is done. It is about bees.", "Wow.", "I started it in May.")
    when = {"type": QuestionType.TEMPORAL}
    return asked("When did Ann start her third novel?", "March 2024", *evidence, said=said, **when)


def _july(text: str) -> Scene:
    days = [
        session(1, utterance("D1:1", "I went hiking with church friends."), date="2024-07-04"),
        session(2, utterance("D2:1", text), date="2024-07-20"),
    ]
    question = "What did Ann do with her church friends in July 2024?"
    return scene(item(question, ["hiking"], ["D1:1"]), sessions=days)


def _posed(caption: str) -> Scene:
    def shown(at: int, text: str) -> Session:
        image = attached(f"D{at}:IMG_001", caption=text)
        round_ = utterance(f"D{at}:1", "Look.")
        look = turn(f"D{at}:1.1", "Look.", attachments=[image])
        return session(at, round_.model_copy(update={"turns": [look]}))

    asks = item("Which yoga pose did Ann share a photo of?", ["tree"], ["D1:1"])
    poses = [shown(1, "a yoga pose like a tree"), shown(2, caption)]
    return scene(asset(), asks, sessions=poses)


def _published(last: str) -> Scene:
    said = two_sided("My first story is out.", "Nice.", "Another story is out.", "Wow.", last)
    return asked("How many stories did Ann publish?", "two", "D1:1", "D1:3", said=said)


def _travelled(gold: str) -> Scene:
    said = two_sided("I have seen Bali and Peru.", "I once saw Norway and its fjords.")
    return asked("Where has Ann been?", gold, "D1:1", said=said)


def _hobby(text: str) -> Scene:
    return asked("Which hobby did Ann take up?", "painting", "D1:1", said=two_sided(text))


def _pair(first: QAItem, second: QAItem) -> Scene:
    return scene(first, second, sessions=[bees()])


def _best(gold: str) -> Scene:
    return _pair(
        item("What is Ann's favorite type of animal?", ["bees"], ["D1:1"]),
        item("What animal does Ann like the most?", [gold], ["D1:4"]),
    )


CASES = {
    "support.mistyped": Case(
        bad=lambda: _several("D1:1", "D2:1"), good=lambda: _several("D1:1", "D2:2")
    ),
    "support.stray": Case(bad=lambda: _alone("D1:1", "D2:1"), good=lambda: _alone("D1:1")),
    "support.asked": Case(bad=lambda: _greeted("D1:2"), good=lambda: _greeted("D1:2", "D1:3")),
    "claims.gold_asked": Case(
        bad=lambda: asked(
            "What is in the pie with plums, cloves and oats?", "oats and plums", "D1:1", said=bees()
        ),
        good=lambda: asked(
            "Which is in the pie, oats or plums?", "oats, plums", "D1:1", said=bees()
        ),
    ),
    "duplicates.reworded": Case(
        bad=lambda: _pair(
            item("What does Ann keep in the garden?", ["two hives of bees"], ["D1:1"]),
            item("What new kind does Ann keep in the garden?", ["bees"], ["D1:1"]),
        ),
        good=lambda: _pair(
            item("What does Ann keep in the garden?", ["two hives of bees"], ["D1:1"]),
            item("What does Ann do after a long walk?", ["naps"], ["D1:1"]),
        ),
    ),
    "pairs.likest": Case(bad=lambda: _best("cats"), good=lambda: _best("bees")),
}
