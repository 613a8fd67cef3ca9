"""Rules on what people take back later: a gold is not what they say was wrong, or is over."""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.validators.items.aligned.clauses import answering, is_worded
from memassay.validators.items.revised.remarks import Remark, Weight, remarks
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    roots,
    said_in,
    unbacked_rule,
)
from memassay.validators.registry import problem

_SOME: Final = 0.2
_ABOUT: Final = 0.6
"""What shares of question, gold and evidence add up to in a plain correction of them, the former
two alone first."""
_NAMES: Final = 0.3
_ASKS: Final = 0.1
_MUCH: Final = 0.8
_SAYS: Final = 0.15
_MOST: Final = 0.95
_WHOLE: Final = 0.9
_TELLS: Final = 0.25
"""The same where something has only become another: it says some of the gold, and more beside
(our choice, set on six LoCoMo and twelve Mem-Gallery conversations, in which it finds nothing)."""


@unbacked_rule(
    "claims.revised",
    Severity.WARNING,
    "memassay design, the assay: rivals with another value",
    applies=is_worded,
)
def revised(history: History, item: QAItem) -> Iterator[Problem]:
    """Who tells what a gold rests on does not say later that it was wrong, or that it is over."""
    cited = history.cited(item)
    places = [history.position(each) for each in cited]
    speakers = {turn.speaker for each in cited for turn in each.turns}
    matter = _Matter(history, item)
    for each in history.derived(remarks) if cited else ():
        later = each.speaker in speakers and _is_later(history.position(each.round), each, places)
        if later and matter.is_of(each):
            expected = "words of the evidence that are not taken back later"
            fix = "read both places; correct the gold, or cite the one that holds"
            got = f"{each.round.id}: {each.text}"
            yield problem(item.id, ("answer", "values"), expected, got, fix)
            return


def _is_later(position: int, remark: Remark, places: list[int]) -> bool:
    """Whether a remark comes behind the evidence; a plain one may stand between its places."""
    first = min(places) if remark.weight is Weight.PLAIN else max(places)
    return position > first and position not in places


class _Matter:
    """What an item asks for, its gold, and what its evidence says of them."""

    def __init__(self, history: History, item: QAItem) -> None:
        self._history, self._item = history, item
        self._gold = history.gold(item)
        self._asked = history.asked(item) - self._gold

    @cached_property
    def _told(self) -> Words:
        text = " . ".join(answering(self._history, self._item))
        return roots(text) - self._history.names

    def is_of(self, remark: Remark) -> bool:
        """Whether a remark speaks of what the item asks for and of its gold."""
        of_gold, of_asked = self._said(self._gold, remark), self._said(self._asked, remark)
        if of_gold + of_asked < _SOME:
            return False
        of_told = self._said(self._told, remark)
        whole = of_gold + of_asked + of_told
        if remark.weight is Weight.PLAIN:
            return whole >= _ABOUT
        if remark.weight is Weight.WEAK:
            return of_gold >= _NAMES and of_asked >= _SAYS and whole >= _MOST
        return (
            (of_gold >= _NAMES and of_asked >= _ASKS and whole >= _MUCH)
            or (of_gold >= _SAYS and whole >= _MOST)
            or (of_gold >= _WHOLE and of_told >= _TELLS)
        )

    def _said(self, wanted: Words, remark: Remark) -> float:
        """How much of the weight of some words a remark says, in any form of them."""
        said = said_in(wanted, remark.forms)
        return self._history.weight(said) / max(self._history.weight(wanted), 1.0)
