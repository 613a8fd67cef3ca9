"""Rules on refusals without a ledger: what the person asked about says does not answer them."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    is_refused,
    only_asks,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.registry import problem

_ALL: Final = 0.95
"""Share of a question's words that a person must say to answer it, as far as words can tell."""
_FEWEST: Final = 3


@unbacked_rule(
    "refused.covered",
    Severity.WARNING,
    "LoCoMo data, category 5: questions that a round answers",
    applies=is_refused,
)
def covered(history: History, item: QAItem) -> Iterator[Problem]:
    """No cited round of the person asked about says all that a refused question asks for."""
    people, asked = history.named(item.question.text), history.asked(item)
    if len(people) != 1 or len(asked) < _FEWEST:
        return
    for each in history.cited(item):
        own = people[0].id in speakers_of(each) and not only_asks(each)
        before = history.before(each)
        said: Words = history.words[each.id] | (history.words[before.id] if before else frozenset())
        if own and history.weight(asked & said) >= _ALL * history.weight(asked):
            yield problem(
                item.id,
                ("answer", "values"),
                "a history that does not say it",
                f"{each.id} speaks of {', '.join(sorted(asked))}",
                "read the round; if it answers, correct the gold",
            )
            return
