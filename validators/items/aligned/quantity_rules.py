"""Rules on numbers: what question and gold count is counted alike by the evidence."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import content_tokens
from memassay.validators.items.aligned.clauses import is_worded, recalled
from memassay.validators.items.aligned.quantities import quantities
from memassay.validators.items.unbacked.index import (
    History,
    counts,
    unbacked_rule,
)
from memassay.validators.places import Parts
from memassay.validators.registry import problem

_SOURCE: Final = "our choice: numbers of questions and golds changed"
_HOW_MANY: Final = re.compile(
    r"\bhow many (?P<what>(?:[\w'’-]+ ){1,4}?)(?=(?:do|does|did|has|have|had|is|are|was|were|will"
    r"|can|of|in|at|for|that|from|with|to|on)\b)",
    re.IGNORECASE,
)
_SHORT: Final = 2


@unbacked_rule("claims.quantity", Severity.WARNING, _SOURCE, applies=is_worded)
def quantity(history: History, item: QAItem) -> Iterator[Problem]:
    """A number that question or gold gives of something is the one that evidence gives of it."""
    cited = history.cited(item)
    before = [one for each in cited if (one := history.before(each)) is not None]
    text = " . ".join(history.shown[one.id] for one in (*before, *cited))
    told, said = quantities(text), {*content_tokens(text)}
    places: list[tuple[Parts, str]] = [(("question", "text"), item.question.text)]
    # Each of several places may tell of one of what is counted.
    if not (counts(item) and len(cited) > 1):
        places += [(where, _with_head(item, value)) for where, value in recalled(item)]
    for where, claim in places:
        for each in sorted(quantities(claim)):
            others = {one.number for one in told if one.counted == each.counted}
            if others and each.number not in {*said, *(one.number for one in told)}:
                expected = f"the number of the evidence ({', '.join(sorted(others))})"
                got = f"{each.number} {each.counted}"
                fix = "correct the number, or cite the place that gives it"
                yield problem(item.id, where, expected, got, fix)
                return


def _with_head(item: QAItem, value: str) -> str:
    """A bare number with what the question counts: "Five" and "tournaments"."""
    found = _HOW_MANY.search(item.question.text)
    alone = found is not None and len(value.split()) <= _SHORT
    return f"{value} {found['what'].split()[-1]}" if found and alone else value
