"""Fixtures of the rules on what items without a ledger cite, and on other places that answer."""

from memassay.schemas.records.question import QAItem
from support.fixtures import Case, Scene, item, scene, session, utterance
from support.unbacked_cases import asked, bees, two_sided


def _several(*evidence: str) -> Scene:
    said = two_sided(
        "I baked a plum cake.", "Yum.", "It is so hot.", "We saw that band.", "So loud."
    )
    more = session(2, utterance("D2:1", "We saw that band."), utterance("D2:2", "I baked buns."))
    return scene(
        item("What did Ann bake?", ["plum cake, buns"], [*evidence]), sessions=[said, more]
    )


def _greeted(*evidence: str) -> Scene:
    said = two_sided("I keep bees.", "Wow! What got you into that?", "My aunt gave me a hive.")
    return asked("Why did Ann start?", "her aunt's gift", *evidence, said=said)


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
