"""Rules on the places that tell of a list: each of them gives it a member."""

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    counts,
    openings,
    recalls_words,
    roots,
    said_in,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.items.unbacked.list_rules import MEMBERS, asks_for_several
from memassay.validators.registry import problem

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
_LEAST: Final = 2
_LEAST_MEMBERS: Final = 3
_MOST_PLACES: Final = 6
_CLEARLY: Final = 1.15
"""By so much the members must fit the other places better than any that leave another one out."""
_MATTER: Final = 0.5
"""Share of a question's words with which a place is on its matter."""


@unbacked_rule("claims.unused", Severity.WARNING, _SOURCE, applies=recalls_words)
def unused(history: History, item: QAItem) -> Iterator[Problem]:
    """Of the places that tell of several things asked for, each gives the gold a member."""
    cited, asked = history.cited(item), history.asked(item)
    over = _left_over(history, item, cited)
    if over is not None:
        yield problem(
            item.id,
            ("answer", "values"),
            f"what {over.id} tells, as each of the other places gives a member",
            item.answer.values,
            "add what it tells, or drop the place",
        )
        return
    few = _too_few(history, item, cited)
    if few:
        yield problem(
            item.id,
            ("answer", "values"),
            f"a member for each of {', '.join(each.id for each in few)}",
            item.answer.values,
            "add what the places tell, or drop one",
        )
        return
    if not _LEAST <= len(cited) <= _MOST_PLACES or not asks_for_several(item.question.text):
        return
    gold = openings(history.gold(item))
    idle = [each for each in cited if not gold & openings(history.words[each.id])]
    people = {each.id for each in history.named(item.question.text)}
    if len(idle) != 1 or not people & speakers_of(idle[0]) or counts(item):
        return
    before = history.before(idle[0])
    if before and gold & openings(history.words[before.id]):
        return
    there = openings(history.words[idle[0].id])
    told = said_in(asked, there)
    if told and history.weight(told) >= _MATTER * history.weight(asked):
        yield problem(
            item.id,
            ("answer", "values"),
            f"what {idle[0].id} tells of {', '.join(sorted(told))}",
            item.answer.values,
            "add what it tells, or drop the place",
        )


def _left_over(history: History, item: QAItem, cited: list[Round]) -> Round | None:
    """The one place that gives a list nothing, where each of the others gives it one member."""
    parts = MEMBERS.split(" , ".join(item.answer.values).strip(" ."))
    members = [found for part in parts if (found := roots(part) - history.names)]
    several = _LEAST_MEMBERS <= len(members) < _MOST_PLACES
    # What a place is called may stand elsewhere than what happened there.
    where = item.question.text.startswith("Where")
    if not several or len(cited) != len(members) + 1 or counts(item) or where:
        return None
    given = [[_given(history, member, each) for each in cited] for member in members]
    best: dict[int, float] = {}
    for order in permutations(range(len(cited))):
        each = [given[member][place] for member, place in enumerate(order[:-1])]
        total = sum(each) if all(each) else 0.0
        best[order[-1]] = max(total, best.get(order[-1], 0.0))
    first, second = sorted(best, key=lambda place: -best[place])[:2]
    clear = best[first] > 0 and best[first] >= _CLEARLY * best[second]
    people = {each.id for each in history.named(item.question.text)}
    left = cited[first]
    own = not people or people & speakers_of(left)
    # Where each other place says a member whole, the one left over need not repeat the question.
    whole = all(
        any(openings(one) <= openings(history.words[each.id]) for each in cited) for one in members
    )
    on_matter = whole or openings(history.asked(item)) & openings(history.words[left.id])
    return left if clear and own and on_matter else None


def _too_few(history: History, item: QAItem, cited: list[Round]) -> list[Round]:
    """The two places on the matter that give nothing, where one member has no place of its own."""
    parts = MEMBERS.split(" , ".join(item.answer.values).strip(" ."))
    known = history.names | history.asked(item)
    members = [found for part in parts if (found := roots(part) - known)]
    giving = [
        [each for each in cited if openings(one) & openings(history.words[each.id])]
        for one in members
    ]
    if len(members) < _LEAST_MEMBERS or len(cited) != len(members) + 1 or counts(item):
        return []
    used = {each.id for places in giving for each in places}
    left = [each for each in cited if each.id not in used]
    asked = openings(history.asked(item))
    own = {each.id for each in history.named(item.question.text)}
    apt = [
        each
        for each in left
        if asked & openings(history.words[each.id]) and (not own or own & speakers_of(each))
    ]
    lone = len(used) == len(members) - 1
    return apt if lone and len(apt) == len(left) == _LEAST else []


def _given(history: History, member: Words, place: Round) -> float:
    there = openings(history.words[place.id])
    return history.weight(said_in(member, there))
