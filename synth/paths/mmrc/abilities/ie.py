"""IE: all pieces of a list that was told piece by piece, in texts and in pictures (MMRC §3.1)."""

from collections.abc import Iterator
from random import Random

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.paths.mmrc.abilities.told import Told, in_turn
from memassay.synth.paths.mmrc.abilities.wordings import LISTED, word_ask
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.questions.drafts import Draft, get, select


def information_extraction(told: Told, asked: Asked, _random: Random) -> Iterator[Draft]:
    """The list of a dialogue, whole."""
    if len(told.pieces) < 2:
        return
    query = get(select(told.pieces[0]))
    about = tuple(fact.id for fact in told.pieces)
    pictured = not all(map(told.is_in_text, told.pieces))
    for ask in in_turn(told.plan.pack.lists[told.plan.listed].ask, asked.turn):
        text = told.fill(word_ask(LISTED, asked, ask, pictured=pictured))
        yield Draft(text, query, AnswerFormat.FREE, about, every=True)
