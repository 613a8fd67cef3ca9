"""Fixtures of the family that looks at what visitors of a host say."""

from typing import Any

from memassay.schemas.records.conversation import SessionArc
from memassay.schemas.records.question import QAItem
from support.fixtures import Case, Scene, item, refusal, scene, session, utterance

HOST = ("I adopted a cat in spring.", "How sweet of you.")


def visited(
    said: str, *questions: QAItem, speaker: str = "ann", before: str = "", **more: Any
) -> Scene:
    """A host of two sessions with a guest session between them, in which somebody says something.

    Args:
        said: What is said.
        questions: What is asked of the host.
        speaker: Who says it.
        before: What the other says before it.
        more: Other records.
    """
    other = "ben" if speaker == "ann" else "ann"
    asked = [utterance("D2:1", before, other)] if before else []
    rounds = [*asked, utterance(f"D2:{len(asked) + 1}", said, speaker)]
    sessions = [
        session(1, utterance("D1:1", HOST[0]), utterance("D1:2", HOST[1], "ben")),
        session(2, *rounds, origin="guest1", arc=SessionArc.GUEST),
        session(3, utterance("D3:1", "The hive gave nine jars of honey.")),
    ]
    return scene(*questions, sessions=sessions, **more)


def crossed(said: str, *questions: QAItem) -> Scene:
    """The same, in which the session between them is a distractor's."""
    (bundle,) = visited(said, *questions).bundles
    talk = bundle.conversation
    sessions = [
        one.model_copy(update={"arc": SessionArc.SIDE}) if one.origin else one
        for one in talk.sessions
    ]
    other = talk.model_copy(update={"sessions": sessions})
    return Scene([bundle.model_copy(update={"conversation": other})])


def cats(**more: Any) -> QAItem:
    """How many cats Ann has: one."""
    return item("How many cats does Ann have?", ["one"], **more)


CASES = {
    "visits.changes": Case(
        bad=lambda: visited("We adopted a second kitten yesterday.", cats()),
        good=lambda: visited("We planted a second maple yesterday.", cats()),
    ),
    "distractors.answer": Case(
        bad=lambda: crossed("Ann has adopted two cats since spring.", cats()),
        good=lambda: crossed("We planted a second maple yesterday.", cats()),
    ),
    "visits.answers": Case(
        bad=lambda: visited(
            "I have driven a Volvo since May.", refusal("Which car does Ann drive?")
        ),
        good=lambda: visited("I have baked bread since May.", refusal("Which car does Ann drive?")),
    ),
}
