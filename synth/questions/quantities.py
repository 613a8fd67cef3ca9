"""Which numbers can be compared: those whose attributes name the same kind of quantity."""

import re
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.values.text import tokens
from memassay.synth.questions.history import History

_SMALL: Final = frozenset({"a", "an", "the", "and", "or", "per", "his", "her", "their", "its"})
_MOST: Final = 200
"""Most groups of one size that are looked at, drawn by chance."""
_ENDS_A_NAME: Final = re.compile(
    r"\s(?:above|after|around|as|at|before|below|between|by|during|each|for|from|if|in|into|of|on"
    r"|over|per|since|than|that|through|to|under|until|when|which|while|with|within|without)\s"
)
VAGUE: Final = frozenset(
    {
        *(
            "amount",
            "base",
            "count",
            "error",
            "gain",
            "goal",
            "interval",
            "left",
            "length",
            "level",
        ),
        *("limit", "loss", "lost", "measurement", "noted", "number", "out", "period", "range"),
        *("rate", "reading", "required", "result", "setting", "share", "size", "span", "spent"),
        *("stage", "target", "temperature", "time", "total", "used", "value"),
    }
)
"""Heads that say nothing of what is measured: the words before and after them must agree too."""


def head_of(attribute: str) -> str:
    """The noun that an attribute is a kind of: `price` of `filling price at the market`."""
    words = tokens(_ENDS_A_NAME.split(attribute, maxsplit=1)[0])
    return words[-1] if words else attribute


def quantities(fact: Fact) -> list[tuple[str, ...]]:
    """What kinds of quantity a number is; numbers that share one are naturally compared.

    `price of a bowl` and `filling price` in one currency are both prices. A vague head such as
    `time` takes the other words of the attribute along, or else what it is about: `baking time`
    is no `waiting time`, unless both are times of one dough.

    Returns:
        Unit and name of each; none for what is no number with a unit.
    """
    if fact.value.type is not ValueType.NUMBER or fact.value.unit is None:
        return []
    head = head_of(fact.attribute)
    if head not in VAGUE:
        return [(fact.value.unit, head)]
    named = [word for word in tokens(fact.attribute) if word not in _SMALL]
    about = [] if fact.subject == "user" else [(fact.value.unit, head, "of", fact.subject)]
    return [(fact.value.unit, *named), *about]


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
