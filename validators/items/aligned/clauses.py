"""Which sentences of the evidence are about what a question asks."""

import re
from typing import Final

from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.validators.items.fitting.verbs import base_forms
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    asks_directly,
    openings,
    roots,
    said_in,
    said_so,
)
from memassay.validators.places import Parts
from memassay.validators.wording import CONCLUDED, sentences

_WORDED: Final = frozenset({AnswerFormat.FREE, AnswerFormat.DATE, AnswerFormat.NUMBER})
_OFFERS: Final = re.compile(r"\bor\b", re.IGNORECASE)
_NEARLY: Final = 0.8
"""Sentences that say so much as the one that says most count too."""


def is_worded(item: QAItem) -> bool:
    """Whether words of the history prove an item: no ledger, no statement made up, no picture."""
    return asks_directly(item) and item.answer.format in _WORDED and not item.question.attachments


def recalled(item: QAItem) -> list[tuple[Parts, str]]:
    """The golds of an item whose words are to be found in the history, with their places."""
    if item.type in CONCLUDED:
        return []
    golds = enumerate(item.answer.values)
    return [(("answer", "values", at), each) for at, each in golds if said_so(each) is None]


def claims(item: QAItem) -> list[tuple[Parts, str]]:
    """Question and golds of an item that are to be found in the history, with their places.

    A question that offers two things says what the history does not.
    """
    text, golds = item.question.text, recalled(item)
    if offers(item) or item.type in CONCLUDED:
        return golds
    return [(("question", "text"), text), *golds]


def offers(item: QAItem) -> bool:
    """Whether a question offers two things: "a beach or the mountains"."""
    return _OFFERS.search(item.question.text) is not None


def cited_sentences(history: History, item: QAItem) -> list[str]:
    """What people say in the cited turns, sentence by sentence; captions are left out."""
    turns = [turn for each in history.cited(item) for turn in each.turns]
    people = {each.id for each in history.humans}
    turns = [turn for turn in turns if turn.speaker in people] or turns
    return [part for turn in turns for part in sentences(turn.text)]


def forms(text: str) -> Words:
    """The first letters of the words of a text, and of the base forms of its verbs."""
    return openings(roots(text) | roots(base_forms(text)))


def share(history: History, wanted: Words, text: str) -> float:
    """How much of the weight of some words a text says, in any form of them, from 0 to 1."""
    there = forms(text)
    said = said_in(wanted, there)
    return history.weight(said) / max(history.weight(wanted), 1.0)


def answering(history: History, item: QAItem) -> list[str]:
    """The sentences of the evidence that say most of question and gold."""
    wanted = history.asked(item) | history.gold(item)
    found = [(share(history, wanted, part), part) for part in cited_sentences(history, item)]
    most = max((said for said, _ in found), default=0.0)
    return [part for said, part in found if said >= _NEARLY * most]
