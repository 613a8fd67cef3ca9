"""Which fact that has ended a question may ask for, in whatever words: a person should look."""

from collections.abc import Mapping

from memassay.schemas.queries.states import Ending
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.ledger import Fact
from memassay.validators.items.ended.asked_words import (
    END_WORDS,
    GENERAL,
    Asked,
    asked_in,
    sets_apart,
    uncovered,
)
from memassay.validators.items.ended.fact_index import BESIDE, STATED, FactIndex
from memassay.validators.items.ended.fact_words import may_be, words_of_kind

_BESIDE_HELD, _PAST_BESIDE = 0.6, 0.3
"""How well what has ended has to fit beside what holds, and if a question asks what was."""


def near_fact(index: FactIndex, question: str, moment: Moment) -> Ending | None:
    """The end of a fact that a question may ask for, in whatever words.

    What it asks for (see `focus_of`) and one more of its words belong to the fact, and no
    other owner, property or thing is named. A fact that holds and fits better is what it asks
    for, unless it asks what was.
    """
    if not index.may_end:
        return None
    asked = asked_in(question)
    words = asked.words - index.neutral - index.roles
    shares = index.shares(words | asked.head, moment)
    ended: list[tuple[float, str, Ending]] = []
    holds = 0.0
    for name in sorted(shares):
        fact = index.ledger.facts[name]
        if not _may_mean(index, fact, asked, words, shares[name]):
            continue
        covered = index.share({w: shares[name][w] for w in words & shares[name].keys()}, words)
        ending = index.ending(fact, moment) or index.ending_of_whole(fact, moment)
        if ending is None:
            holds = max(holds, covered)
        else:
            ended.append((covered, name, ending))
    best = max(ended, default=None, key=lambda one: (one[0], one[1]))
    least = holds * (_PAST_BESIDE if asked.past else _BESIDE_HELD)
    return best[2] if best is not None and best[0] >= least else None


def _may_mean(
    index: FactIndex, fact: Fact, asked: Asked, words: frozenset[str], shares: Mapping[str, float]
) -> bool:
    """Whether a question may ask for a fact: for its kind, its property, and its owner."""
    if not may_be(asked, fact):
        return False
    property_words = words_of_kind(fact) | END_WORDS
    for word in asked.head - property_words:
        if shares.get(word, 0.0) < (STATED if sets_apart({word}) else BESIDE):
            return False
    rest = words - shares.keys() - asked.head
    if sets_apart(rest) or not rest.isdisjoint(asked.particular | index.others):
        return False
    telling = uncovered(words, GENERAL) or words
    return any(
        shares.get(word, 0.0) >= (STATED if word in asked.head else BESIDE) for word in telling
    )
