"""Importance of points, by what later questions rest on them (WorldMemArena §4.2, step 2)."""

import math
from collections.abc import Iterable, Sequence
from typing import Final

from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.ledger import Fact, FactStatus
from memassay.schemas.records.question import QAItem

_LEAST: Final = 0.2
"""Importance of a point that no question rests on (our choice)."""
_PASSED: Final = 0.5
"""What a question counts for points that it passes by: what was replaced, for one."""
_DIGITS: Final = 3


def weigh_points(facts: Sequence[Fact], items: Iterable[QAItem], ledger: Ledger) -> list[Fact]:
    """Facts with their importance: more for each question, and never quite 1.

    Args:
        facts: The points of a sample.
        items: Its questions.
        ledger: What their queries are executed on.
    """
    rests: dict[str, float] = {}
    for item in items:
        execution = execute(parse_query(item.query), ledger, item.asked_at, item.answer.relation)
        for name in execution.why:
            rests[name] = rests.get(name, 0) + 1
        for name in execution.context:
            rests[name] = rests.get(name, 0) + _PASSED
    return [
        fact
        if fact.status is FactStatus.INTERFERENCE
        else fact.model_copy(update={"importance": _importance(rests.get(fact.id, 0))})
        for fact in facts
    ]


def _importance(rests: float) -> float:
    return round(_LEAST + (1 - _LEAST) * (1 - math.pow(0.5, rests)), _DIGITS)
