"""The texts of a history that people read as somebody's words."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind, TurnKind
from memassay.validators.places import Parts, attachments, turns

_SPOKEN: Final = frozenset({SpeakerKind.HUMAN, SpeakerKind.ASSISTANT})
LEAST_TEXTS: Final = 20
"""Of fewer texts nothing is called usual."""


class Written(NamedTuple):
    """A text with its place.

    Attributes:
        target: The record that holds it.
        parts: Parts of the JSON Pointer to it.
        text: The text.
        voice: `human` or `assistant`, who says it; else `caption`, `question` or `answer`.
        shows: Whether a picture comes with it.
    """

    target: str
    parts: Parts
    text: str
    voice: str
    shows: bool = False


def utterances(bundle: Bundle) -> list[Written]:
    """What people and assistants say; what programs and screens print is none."""
    voices = {
        speaker.id: str(speaker.kind)
        for speaker in bundle.conversation.speakers
        if speaker.kind in _SPOKEN
    }
    return [
        Written(
            bundle.id, (*parts, "text"), turn.text, voices[turn.speaker], bool(turn.attachments)
        )
        for parts, turn in turns(bundle)
        if turn.kind is TurnKind.UTTERANCE and turn.speaker in voices
    ]


def written_texts(bundle: Bundle) -> list[Written]:
    """Utterances, captions and questions."""
    captions = [
        Written(bundle.id, (*parts, "caption"), shown.caption or "", "caption")
        for parts, _, shown in attachments(bundle)
    ]
    questions = [
        Written(item.id, ("question", "text"), item.question.text, "question")
        for item in bundle.questions
    ]
    return [*utterances(bundle), *captions, *questions]


def answers(bundle: Bundle) -> list[Written]:
    """Golds and what is accepted or offered beside them."""
    return list(_answers(bundle))


def _answers(bundle: Bundle) -> Iterator[Written]:
    for item in bundle.questions:
        for field in ("values", "equivalents", "traps"):
            for at, text in enumerate(getattr(item.answer, field)):
                yield Written(item.id, ("answer", field, at), text, "answer")
        for at, option in enumerate(item.answer.options):
            yield Written(item.id, ("answer", "options", at, "text"), option.text or "", "answer")
