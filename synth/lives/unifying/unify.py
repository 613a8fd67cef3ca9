"""The members of a cluster as dialogues of one user, and what was changed for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.life import Change
from memassay.synth.lives.members import dialogue_id
from memassay.synth.lives.unifying.contradictions import (
    IN_PROFILE,
    Contradiction,
)
from memassay.synth.lives.unifying.ledger import ledger_conflicts
from memassay.synth.lives.unifying.support import supported
from memassay.synth.lives.unifying.user import one_user

Reader: TypeAlias = Callable[[Sequence[Bundle]], Sequence[Contradiction]]
"""Finds contradictions among members beside those that the rules find; positions are theirs."""


@dataclass(frozen=True)
class Unified:
    """Members that can be one user's.

    Attributes:
        members: Those that stay, in the order in which they came, rewritten where needed.
        changes: Every rewrite, and every dialogue that is left out.
        left_out: Reason by the dialogue's id (`alex/D3`).
    """

    members: list[Bundle]
    changes: list[Change]
    left_out: dict[str, str]


def unified(members: Sequence[Bundle], reader: Reader | None = None) -> Unified:
    """The members as dialogues of one user (Mem-Gallery A.2.3: refined to ensure coherence).

    The same people speak in all of them, and a user goes by one name. Ledgers of other sources say
    nothing else of the user than that of the source most members come from. Then what the texts
    say of their user is compared: of dialogues that contradict each other, the one that contradicts
    most of the others is left out, until none does; where two stand alone against each other, the
    one that fewer others agree with, then the one with less in common with the others, then the
    later one. What changes in the course of a life (a
    move, a new job, a second dog) contradicts nothing. What a reader finds counts like what the
    rules find.
    """
    named = one_user(members)
    left_out = named.left_out | ledger_conflicts(named.members)
    left = [one for one in named.members if dialogue_id(one) not in left_out]
    left_out |= _contradicting(left, reader)
    kept = [one for one in named.members if dialogue_id(one) not in left_out]
    changes = [each for one in kept for each in named.rewrites.get(dialogue_id(one), ())]
    changes += [
        Change(AlterationKind.LEFT_OUT, name, "", "", reason) for name, reason in left_out.items()
    ]
    return Unified(kept, changes, left_out)


def _contradicting(members: Sequence[Bundle], reader: Reader | None) -> dict[str, str]:
    """Why each member that goes does so, in the order of the members."""
    found = list(reader(members)) if reader else []
    gone: dict[int, str] = {}
    while left := [one for one in found if one.one not in gone and one.other not in gone]:
        at = _worst(left, members)
        gone[at] = _reason(at, next(one for one in left if at in (one.one, one.other)), members)
    return {dialogue_id(members[at]): gone[at] for at in sorted(gone)}


def _worst(left: Sequence[Contradiction], members: Sequence[Bundle]) -> int:
    against: dict[int, set[int]] = {}
    for one in left:
        against.setdefault(one.one, set()).add(one.other)
        against.setdefault(one.other, set()).add(one.one)
    against.pop(IN_PROFILE, None)
    return max(
        against,
        key=lambda at: (
            len(against[at]),
            *(-one for one in supported(at, members)),
            at,
        ),
    )


def _reason(at: int, found: Contradiction, members: Sequence[Bundle]) -> str:
    other, own, theirs = found.between(at)
    if other == IN_PROFILE:
        against = f"the profile {theirs.told.quote!r}"
    else:
        against = f"{members[other].id}/{theirs.told.turn} {theirs.told.quote!r}"
    return f"{own.topic}: {members[at].id}/{own.told.turn} says {own.told.text!r}, but {against}"
