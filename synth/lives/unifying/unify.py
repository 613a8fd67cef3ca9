"""The members of a cluster as dialogues of one user, and what was changed for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.life import Change


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


def unified(members: Sequence[Bundle]) -> Unified:
    """The members as dialogues of one user (Mem-Gallery A.2.3: refined to ensure coherence)."""
    return Unified(list(members), [], {})
