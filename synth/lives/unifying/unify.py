"""The members of a cluster as dialogues of one user, and what was changed for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.life import Change
from memassay.synth.lives.members import dialogue_id
from memassay.synth.lives.unifying.contradictions import IN_PROFILE, Contradiction
from memassay.synth.lives.unifying.ledger import ledger_conflicts
from memassay.synth.lives.unifying.one_user import one_user
from memassay.synth.lives.unifying.support import support

Reader: TypeAlias = Callable[[Sequence[Bundle]], Sequence[Contradiction]]
"""Finds contradictions among members; positions are theirs."""


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


def unify(members: Sequence[Bundle], reader: Reader | None = None) -> Unified:
    """The members as dialogues of one user (Mem-Gallery A.2.3: refined to ensure coherence).

    The same people speak in all of them, and a user goes by one name. Ledgers of other sources say
    nothing else of the user than that of the source most members come from. Of dialogues that a
    reader finds in contradiction, the one that contradicts most of the others is left out, until
    none does; if each contradicts one only, the one with less support among the others, then the
    later one. Without a reader no text is compared.
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
    while left := [one for one in found if gone.keys().isdisjoint(one.members)]:
        at = _worst(left, members)
        gone[at] = _reason(at, next(one for one in left if at in one.members), members)
    return {dialogue_id(members[at]): gone[at] for at in sorted(gone)}


def _worst(left: Sequence[Contradiction], members: Sequence[Bundle]) -> int:
    """The member that goes first."""
    against: dict[int, set[int]] = {}
    for contradiction in left:
        one, other = contradiction.members
        against.setdefault(one, set()).add(other)
        against.setdefault(other, set()).add(one)
    against.pop(IN_PROFILE, None)
    return max(
        against,
        key=lambda at: (len(against[at]), *(-one for one in support(at, members)), at),
    )


def _reason(at: int, found: Contradiction, members: Sequence[Bundle]) -> str:
    own, theirs = found.seen_from(at)
    return (
        f"{found.reason}: {own.place(members)} says {own.quote!r}, "
        f"but {theirs.place(members)} {theirs.quote!r}"
    )
