"""Drafts of questions about a user's own images: fm by caption, and only where one image fits."""

from collections.abc import Iterator
from random import Random

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.text import holds
from memassay.synth.material.intake import caption_subject
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.history import History

_MOST = 2
"""Most questions of a history that a caption answers: the others ask what pixels show."""


def own_material(history: History, random: Random) -> Iterator[Draft]:
    """fm: the image that came with a caption of the user's, answered from the words beside it.

    An image is asked for only if its caption is no part of another's. Documents come as several
    pages, and what nobody described cannot be asked about.
    """
    shown = _captions(history)
    told = [
        (fact, attachment)
        for fact, attachment in shown
        if not any(
            other is not fact and holds(other.value.text, fact.value.text) for other, _ in shown
        )
    ]
    for fact, attachment in random.sample(told, min(_MOST, len(told))):
        text = random.choice(
            [
                f'Which image did {history.persona.name} bring with the words "{_word(fact)}"?',
                f'Find the image of {history.persona.name}\'s own that was called "{_word(fact)}".',
            ]
        )
        yield Draft(
            text,
            get(select(fact), "attachment"),
            AnswerFormat.IMAGE_ID,
            (attachment,),
            competitors=tuple(other for _, other in shown if other != attachment),
            modalities=(Modality.TEXT,),
        )


def _captions(history: History) -> list[tuple[Fact, str]]:
    """Captions with the one attachment that each came with, in time order."""
    captions = {caption_subject(asset.id) for asset in history.bundle.assets}
    shown = [
        (fact, mention.attachment)
        for fact in history.bundle.facts
        if fact.subject in captions
        for mention in history.mentions.get(fact.id, ())
        if mention.attachment is not None
    ]
    places = [item.id for _, item in history.bundle.conversation.attachments()]
    return sorted(shown, key=lambda pair: places.index(pair[1]))


def _word(fact: Fact) -> str:
    """A caption inside a question, without the full stop that would end it."""
    return fact.value.text.removesuffix(".")
