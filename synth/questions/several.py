"""Drafts of questions that need several sessions: ms (M3Exam A.3)."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, in_turn, select, union
from memassay.synth.questions.history import History
from memassay.synth.questions.linked import acquaintances, changes, hops, shifts, standings, threads
from memassay.synth.questions.quantities import quantities

_MONEY: Final = frozenset({"EUR", "CNY", "USD", "GBP"})
"""Units whose numbers are sensibly added up, where one person or firm took or paid them."""
_FEW: Final = 2
"""Drafts of the forms that never run out that stand among the others."""
_MOST: Final = 200
"""Most groups of one size that are looked at, drawn by chance."""


def multi_session(history: History, random: Random) -> Iterator[Draft]:
    """ms: one thing followed from session to session, and numbers of one kind compared.

    The drafts of each form come far ones first.
    """

    def far(form: Callable[[History, Random], Iterator[Draft]]) -> list[Draft]:
        return history.far_first(form(history, random), random)

    forms = (changes, _differences, shifts, hops, _extremes, _sums)
    stood, pairs = far(standings), [*far(threads), *far(acquaintances)]
    yield from in_turn([*map(far, forms), stood[:_FEW], pairs[:_FEW]])
    # Many can be made of these, so they fill what is left.
    yield from in_turn([stood[_FEW:], pairs[_FEW:]])


def groups_alike(history: History, size: int, random: Random) -> list[tuple[Fact, ...]]:
    """Numbers of one kind of quantity that differ, each group from two sessions at least."""
    kinds: dict[tuple[str, ...], list[Fact]] = {}
    for fact in history.numbers():
        for kind in quantities(fact):
            kinds.setdefault(kind, []).append(fact)
    groups = {
        tuple(fact.id for fact in group): group
        for facts in kinds.values()
        for group in combinations(facts, size)
    }
    found = [
        group
        for group in groups.values()
        if len({fact.value.text for fact in group}) == size
        and len({(fact.subject, fact.attribute) for fact in group}) == size
        and len({history.session_of(fact) for fact in group}) > 1
    ]
    return random.sample(found, min(len(found), _MOST))


def _amount(fact: Fact) -> Decimal:
    return Decimal(fact.value.text)


def _about(facts: tuple[Fact, ...]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def _differences(history: History, random: Random) -> Iterator[Draft]:
    for pair in groups_alike(history, 2, random):
        less, greater = sorted(pair, key=_amount)
        text = random.choice(
            [
                f"By how much does {history.label(greater)} exceed {history.label(less)}?",
                f"What is the difference between {history.label(less)} and "
                f"{history.label(greater)}?",
                f"How far apart are {history.label(greater)} and {history.label(less)}?",
            ]
        )
        query = {"op": "diff", "a": get(select(greater)), "b": get(select(less))}
        yield Draft(text, query, AnswerFormat.NUMBER, _about((greater, less)))


def _sums(history: History, random: Random) -> Iterator[Draft]:
    for size in (2, 3):
        for facts in groups_alike(history, size, random):
            one_purse = len({fact.subject for fact in facts}) == 1
            if facts[0].value.unit not in _MONEY or not one_purse:
                continue
            *most, last = (history.label(fact) for fact in random.sample(facts, size))
            text = f"What do {', '.join(most)} and {last} add up to?"
            query = {"op": "fold", "of": union(*map(select, facts)), "with": "sum"}
            yield Draft(text, query, AnswerFormat.NUMBER, _about(facts))


def _extremes(history: History, random: Random) -> Iterator[Draft]:
    yield from _spreads(history, random)
    yield from _ends(history, random)


def _spreads(history: History, random: Random) -> Iterator[Draft]:
    """How far the greatest of three lies above the least, or what the middle of them is."""
    for facts in groups_alike(history, 3, random):
        first, second, third = (history.label(fact) for fact in random.sample(facts, 3))
        together = union(*map(select, facts))
        ends = {
            which: get({"op": "pick", "of": together, "by": "value", "which": which})
            for which in ("max", "min")
        }
        text = random.choice(
            [
                f"{first[0].upper()}{first[1:]}, {second} and {third}: by how much does the "
                "highest exceed the lowest?",
                f"How wide is the gap between the highest and the lowest of {first}, {second} "
                f"and {third}?",
            ]
        )
        query: Query = {"op": "diff", "a": ends["max"], "b": ends["min"]}
        yield Draft(text, query, AnswerFormat.NUMBER, _about(facts))


def _ends(history: History, random: Random) -> Iterator[Draft]:
    """The highest or lowest of two or three numbers."""
    for size in (2, 3):
        for facts in groups_alike(history, size, random):
            *most, last = (history.label(fact) for fact in random.sample(facts, size))
            which, word = random.choice(
                [("max", "higher"), ("min", "lower")]
                if size == 2
                else [("max", "highest"), ("min", "lowest")]
            )
            text = random.choice(
                [
                    f"Of {', '.join(most)} and {last}, what is the {word} figure?",
                    f"{most[0][0].upper()}{', '.join(most)[1:]} or {last}: "
                    f"what is the {word} figure?",
                ]
            )
            query = {"op": "pick", "of": union(*map(select, facts)), "by": "value", "which": which}
            yield Draft(text, get(query), AnswerFormat.NUMBER, _about(facts))
