"""Rules on feelings and judgements: what evidence calls good, question and gold do not call bad."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.validators.items.aligned.clauses import answering, cited_sentences, claims, is_worded
from memassay.validators.items.aligned.feelings import OTHER, feelings
from memassay.validators.items.unbacked.index import (
    History,
    openings,
    roots,
    unbacked_rule,
)
from memassay.validators.registry import problem

_SOURCE: Final = "our choice: feelings turned round"


@unbacked_rule("claims.feeling", Severity.WARNING, _SOURCE, applies=is_worded)
def feeling(history: History, item: QAItem) -> Iterator[Problem]:
    """Question and gold do not feel or judge the other way round than what the evidence says."""
    said = openings(roots(history.text(item)))
    told = [" . ".join(some(history, item)) for some in (cited_sentences, answering)]
    for where, text in claims(item):
        found = feelings(text)
        if len(found) != 1:
            continue
        ((side, some),) = found.items()
        against = [each[OTHER[side]] for each in map(feelings, told) if [*each] == [OTHER[side]]]
        if against and not openings(roots(" ".join(some))) & said:
            expected = f"what the evidence feels ({', '.join(sorted(against[0]))})"
            fix = "turn it round, or cite the place that is meant"
            yield problem(item.id, where, expected, ", ".join(sorted(some)), fix)
            return
