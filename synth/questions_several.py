"""Drafts of questions that need several sessions: ms (M3Exam A.3)."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.ledger import Fact, ValueType
from memassay.schemas.question import AnswerFormat
from memassay.synth.drafts import Draft, Query, get, in_turn, select, union
from memassay.synth.history import PRONOUN, History
from memassay.synth.quantities import quantities

_MONEY: Final = frozenset({"EUR", "CNY", "USD", "GBP"})
"""Units whose numbers are sensibly added up, whatever they were paid for."""
_MOST: Final = 200
"""Most groups of one size that are looked at, drawn by chance."""


def multi_session(history: History, random: Random) -> Iterator[Draft]:
    """ms: numbers of one kind compared, added up or ranked, and values before and after a change.

    The drafts of each form come far ones first.
    """
    forms = [
        _changes(history, random),
        _spreads(history, random),
        _differences(history, random),
        _sums(history, random),
        _details(history, random, of_user=False),
    ]
    yield from in_turn([history.far_first(form, random) for form in forms])
    # What one person says of themselves hangs together least: only where the rest runs out.
    yield from history.far_first(_details(history, random, of_user=True), random)


def _changes(history: History, random: Random) -> Iterator[Draft]:
    for _, _, new in history.said_facts():
        if len(new.supersedes) != 1 or new.id in history.replaced:
            continue
        old = history.facts[new.supersedes[0]]
        apart = history.in_text(old) and history.session_of(old) != history.session_of(new)
        if not apart or old.supersedes:
            continue
        label = history.label(new)
        text = random.choice(
            [
                f"What was {label} to begin with, and what did it change to?",
                f"Give {label} before and after it was changed, in that order.",
                f"{label[0].upper()}{label[1:]} was revised once. From what to what?",
            ]
        )
        query = {"op": "sequence", "of": select(new), "by": "date"}
        yield Draft("ms", text, get(query), AnswerFormat.FREE, (old.id, new.id))


def _details(history: History, random: Random, *, of_user: bool) -> Iterator[Draft]:
    """Two details of one person, animal or thing, told in different sessions."""
    told: dict[str, list[Fact]] = {}
    for _, spec, fact in history.said_facts():
        usual = (fact.subject == "user") is of_user and fact.value.type is not ValueType.DATE
        if usual and spec.ask and history.is_settled(fact) and not PRONOUN.search(fact.attribute):
            told.setdefault(fact.subject, []).append(fact)
    pairs = [pair for facts in told.values() for pair in combinations(facts, 2)]
    for first, second in random.sample(pairs, min(len(pairs), _MOST)):
        # Values come in the order of their sessions, and so are they asked for.
        alike = first.value.unit == second.value.unit
        if not alike or history.session_of(first) == history.session_of(second):
            continue
        one, other = history.label(first), history.label(second)
        text = random.choice(
            [
                f"What are {one} and {other}, in that order?",
                f"Name {one}, then {other}.",
                f"First {one}, then {other}: what are the two?",
            ]
        )
        both = union(select(first), select(second))
        query = get({"op": "sequence", "of": both, "by": "said"})
        yield Draft("ms", text, query, AnswerFormat.FREE, (first.id, second.id))


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
        yield Draft("ms", text, query, AnswerFormat.NUMBER, _about((greater, less)))


def _sums(history: History, random: Random) -> Iterator[Draft]:
    for size in (2, 3):
        for facts in groups_alike(history, size, random):
            if facts[0].value.unit not in _MONEY:
                continue
            *most, last = (history.label(fact) for fact in random.sample(facts, size))
            text = f"What do {', '.join(most)} and {last} add up to?"
            query = {"op": "fold", "of": union(*map(select, facts)), "with": "sum"}
            yield Draft("ms", text, query, AnswerFormat.NUMBER, _about(facts))


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
        yield Draft("ms", text, query, AnswerFormat.NUMBER, _about(facts))
