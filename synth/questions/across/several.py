"""Drafts of questions that need several sessions: ms (M3Exam A.3)."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.causes import beginnings, descents, siblings
from memassay.synth.questions.across.linked import (
    acquaintances,
    changes,
    hops,
    shifts,
    standings,
    threads,
)
from memassay.synth.questions.across.logs import ask_count, ask_recall, commonest, spans
from memassay.synth.questions.drafts import Draft, get, in_turn, select, union
from memassay.synth.questions.history import History
from memassay.synth.questions.quantities import groups_alike

_MONEY: Final = frozenset({"EUR", "CNY", "USD", "GBP"})
"""Units whose numbers are sensibly added up, where one person or firm took or paid them."""
_FEW: Final = 2
"""Drafts of the forms that never run out, used among the others."""


def multi_session(history: History, random: Random) -> Iterator[Draft]:
    """ms: series counted and filtered, causes followed, one thing from session to session.

    The drafts of each form come far ones first; no draft pairs what nothing links.
    """

    def far(form: Callable[[History, Random], Iterator[Draft]]) -> list[Draft]:
        return history.far_first(form(history, random), random)

    forms = (_counts, changes, commonest, hops, beginnings, ask_recall, shifts)
    rarer = (spans, siblings, differences, sums)
    stood, pairs = far(standings), [*far(threads), *far(acquaintances)]
    yield from in_turn([*map(far, forms), stood[:_FEW], *map(far, rarer), pairs[:_FEW]])
    # Many can be made of these, so they fill what is left.
    yield from in_turn([stood[_FEW:], pairs[_FEW:]])


def _counts(history: History, random: Random) -> Iterator[Draft]:
    """Entries of series and events that came of others; small numbers, so they share one turn."""
    yield from ask_count(history, random)
    yield from descents(history, random)


def _amount(fact: Fact) -> Decimal:
    return Decimal(fact.value.text)


def _about(facts: tuple[Fact, ...]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def _of_one(facts: tuple[Fact, ...]) -> bool:
    """Whether facts are about one subject; the user, who is in everything, is none."""
    return len({fact.subject for fact in facts}) == 1 and facts[0].subject != "user"


def differences(history: History, random: Random) -> Iterator[Draft]:
    """How far apart two numbers of one kind are that one person, animal or thing has."""
    for pair in groups_alike(history, 2, random):
        if not _of_one(pair):
            continue
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


def sums(history: History, random: Random) -> Iterator[Draft]:
    """What two or three prices add up to that one person or firm took or paid."""
    for size in (2, 3):
        for facts in groups_alike(history, size, random):
            if facts[0].value.unit not in _MONEY or not _of_one(facts):
                continue
            *most, last = (history.label(fact) for fact in random.sample(facts, size))
            text = random.choice(
                [
                    f"What do {', '.join(most)} and {last} add up to?",
                    f"What is the sum of {', '.join(most)} and {last}?",
                    f"How much do {', '.join(most)} and {last} make together?",
                ]
            )
            query = {"op": "fold", "of": union(*map(select, facts)), "with": "sum"}
            yield Draft(text, query, AnswerFormat.NUMBER, _about(facts))
