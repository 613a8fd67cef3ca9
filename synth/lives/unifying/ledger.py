"""Ledgers of several sources: what they know of the one user has to agree."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactHolder, FactScope, FactStatus
from memassay.schemas.values.text import same
from memassay.synth.lives.members import dialogue_id

_USER: Final = "user"
"""Subject of the facts about the person of a life."""


def ledger_conflicts(members: Sequence[Bundle]) -> dict[str, str]:
    """Why each member does not fit the ledger of the source that most members come from.

    Facts of one source are right together, also where they change over time. Two sources may not
    say different things of the user; the source with fewer members gives way.
    """
    first = _main_source(members)
    known: dict[tuple[str, str], list[tuple[Bundle, Fact]]] = {}
    for one in members:
        if _source(one) == first:
            for fact in _assertions(one):
                known.setdefault((fact.subject, fact.attribute), []).append((one, fact))
    left_out = {}
    for one in members:
        for fact in _assertions(one) if _source(one) != first else ():
            others = known.get((fact.subject, fact.attribute), [])
            if (
                fact.subject == _USER
                and others
                and not any(_agree(fact, other) for _, other in others)
            ):
                by, other = others[0]
                left_out[dialogue_id(one)] = (
                    f"{fact.attribute}: the ledger of {dialogue_id(one)} says "
                    f"{fact.value.text!r} ({fact.id}), "
                    f"but that of {dialogue_id(by)} {other.value.text!r} ({other.id})"
                )
                # One disagreement is enough.
                break
    return left_out


def _assertions(member: Bundle) -> Iterator[Fact]:
    return (
        one
        for one in member.facts
        if one.status is FactStatus.ASSERTED
        and one.order is None
        and one.scope is FactScope.HISTORY
        and one.holder is not FactHolder.EXTERNAL
    )


def _agree(one: Fact, other: Fact) -> bool:
    return same(one.value.text, other.value.text) and one.value.unit == other.value.unit


def _source(member: Bundle) -> str:
    """The conversation that the ledger of a member was made for; empty if it has none."""
    return member.facts[0].id.partition("/")[0] if member.facts else ""


def _main_source(members: Sequence[Bundle]) -> str:
    found = Counter(source for one in members if (source := _source(one)))
    return found.most_common(1)[0][0] if found else ""
