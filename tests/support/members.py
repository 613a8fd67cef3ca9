"""Dialogues of one invented user, to be made one life."""

from collections.abc import Sequence
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)

_ASIDES: Final = (
    ("Which paint dries faster?", "Acrylic paint dries in minutes, oil in days."),
    ("How long do I boil beets?", "About forty minutes, until a knife goes in easily."),
    ("What does this symbol mean?", "It is the sign for a pedestrian zone."),
    ("Is linen hard to wash?", "Wash it cool and hang it up damp."),
    ("How do I read a tide table?", "Look for the highest and lowest figures of the day."),
    ("What is a good first chess opening?", "The Italian game is easy to learn."),
    ("Why do leaves turn red?", "Sugar that stays in the leaf makes red pigments."),
    ("How heavy is a cubic metre of sand?", "About 1.6 tonnes when it is dry."),
)


def member(
    name: str, texts: Sequence[str], *, date: str | None = None, user: str = "user"
) -> Bundle:
    """A dialogue of one session in which a user says some sentences, each in its own round."""
    first = sum(map(ord, name)) % len(_ASIDES)
    pairs = [
        _ASIDES[first],
        *((one, "Thank you, I keep that in mind.") for one in texts),
        _ASIDES[(first + 3) % len(_ASIDES)],
    ]
    rounds = [
        Round(
            id=f"D1:{at}",
            kind=RoundKind.EXCHANGE,
            turns=[
                Turn(id=f"D1:{at}.1", speaker="user", text=asked),
                Turn(id=f"D1:{at}.2", speaker="assistant", text=answered),
            ],
        )
        for at, (asked, answered) in enumerate(pairs, 1)
    ]
    talk = Conversation(
        id=name,
        collection="members",
        path="curate",
        speakers=[
            Speaker(id="user", name=user, kind=SpeakerKind.HUMAN),
            Speaker(id="assistant", name="assistant", kind=SpeakerKind.ASSISTANT),
        ],
        sessions=[Session(id="D1", index=1, date=date, rounds=rounds)],
    )
    return Bundle(conversation=talk)
