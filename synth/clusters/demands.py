"""What a clustering must keep to: sizes, and what people decided."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memassay.schemas.errors import UsageError
from memassay.synth.clusters.dialogue import Dialogue


@dataclass(frozen=True)
class LockedCluster:
    """A cluster that people fixed.

    Attributes:
        id: Its id, which it keeps.
        members: Ids of the dialogues that stay in it.
        name: What people call it.
        closed: Whether no other dialogue may join.
    """

    id: str
    members: tuple[str, ...]
    name: str = ""
    closed: bool = False


@dataclass(frozen=True)
class Demands:
    """Constraints on clusters (Mem-Gallery §3.1: relevance, fluency and length).

    Attributes:
        least_sessions: A smaller cluster is given up, and its dialogues are left over.
        most_sessions: Most dialogues of a cluster.
        least_rounds: As for sessions.
        most_rounds: As for sessions; None: any number.
        together: Groups of dialogues that must share a cluster.
        apart: Pairs of dialogues that must not.
        out: Dialogues that people left out.
        locked: Clusters that people fixed.
    """

    least_sessions: int = 3
    most_sessions: int = 40
    least_rounds: int = 1
    most_rounds: int | None = None
    together: Sequence[Sequence[str]] = ()
    apart: Sequence[tuple[str, str]] = ()
    out: frozenset[str] = field(default_factory=frozenset)
    locked: Sequence[LockedCluster] = ()


@dataclass(frozen=True)
class Bonds:
    """The demands as places among dialogues.

    Attributes:
        group: For each dialogue, the first of those that it must share a cluster with.
        apart: For each such first one, those that its group must not meet.
        closed: First ones of groups that nobody may join.
        locked: The locked cluster of a first one.
    """

    group: list[int]
    apart: Mapping[int, frozenset[int]]
    closed: frozenset[int]
    locked: Mapping[int, LockedCluster]


def bonds(dialogues: Sequence[Dialogue], demands: Demands) -> Bonds:
    """The demands on dialogues in the order of their ids; ids that are not there are passed over.

    Raises:
        UsageError: Two dialogues must share a cluster and must not.
    """
    place = {one.id: at for at, one in enumerate(dialogues)}
    group = _groups(place, [*demands.together, *(one.members for one in demands.locked)])
    locked: dict[int, LockedCluster] = {}
    for lock in demands.locked:
        for first in sorted({group[place[each]] for each in lock.members if each in place}):
            if (other := locked.setdefault(first, lock)) is not lock:
                raise UsageError(
                    f"clusters {other.id} and {lock.id}: expected dialogues of their own, got some "
                    "that must share a cluster; unlock one of them"
                )
    pairs = [(place[a], place[b]) for a, b in demands.apart if a in place and b in place]
    pairs += itertools.combinations(locked, 2)
    return Bonds(group, _apart(dialogues, group, pairs), _closed(locked), locked)


def _closed(locked: Mapping[int, LockedCluster]) -> frozenset[int]:
    return frozenset(first for first, one in locked.items() if one.closed)


def _apart(
    dialogues: Sequence[Dialogue], group: Sequence[int], pairs: Iterable[tuple[int, int]]
) -> dict[int, frozenset[int]]:
    apart: dict[int, set[int]] = {}
    for one, other in pairs:
        if group[one] == group[other]:
            raise UsageError(
                f"dialogues {dialogues[one].id} and {dialogues[other].id}: expected together or "
                "apart, got both; drop one of the two demands"
            )
        apart.setdefault(group[one], set()).add(group[other])
        apart.setdefault(group[other], set()).add(group[one])
    return {each: frozenset(others) for each, others in apart.items()}


def _groups(place: Mapping[str, int], groups: Iterable[Sequence[str]]) -> list[int]:
    first = list(range(len(place)))

    def head(at: int) -> int:
        while first[at] != at:
            first[at] = at = first[first[at]]
        return at

    for group in groups:
        heads = sorted({head(place[each]) for each in group if each in place})
        for one in heads[1:]:
            first[one] = heads[0]
    return [head(at) for at in range(len(first))]
