"""Rounds that are likely to say what a question asks, the same as its gold or otherwise."""

from collections.abc import Collection
from typing import Final

from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.validators.texts.history import History, Words, roots, speakers_of

_OF_BEFORE: Final = 0.5
"""How much the round in front counts: what was asked there is answered here."""
_OF_SPEAKER: Final = 1.5
"""How much more a round counts in which somebody speaks whom the question names."""


def likely_rounds(
    history: History, item: QAItem, among: Collection[Round], most: int
) -> list[Round]:
    """The rounds that share the most telling words with a question and its gold, best first.

    Args:
        history: The index of the conversation.
        item: The question.
        among: Rounds that may be chosen.
        most: How many, at most.
    """
    wanted = _wanted_words(history, item)
    asked = {one.id for one in history.people_in(item.question.text)}
    scored = [
        (_score(history, each, wanted, asked), -history.position(each), each) for each in among
    ]
    found = sorted((one for one in scored if one[0] > 0), key=lambda one: one[:2], reverse=True)
    return [each for _, _, each in found[:most]]


def _wanted_words(history: History, item: QAItem) -> Words:
    """Words of the question, of its gold, and of the answers that it invites."""
    answer = item.answer
    chosen = [one.text for one in answer.options if one.label in answer.values]
    texts = [item.question.text, *answer.values, *answer.equivalents, *answer.traps, *chosen]
    return roots(" . ".join(texts)) - history.names


def _score(history: History, round_: Round, wanted: Words, asked: Collection[str]) -> float:
    own = history.words[round_.id]
    before = history.before(round_)
    led = history.words[before.id] - own if before is not None else frozenset[str]()
    score = history.weight(own & wanted) + _OF_BEFORE * history.weight(led & wanted)
    return score * (1 if speakers_of(round_).isdisjoint(asked) else _OF_SPEAKER)
