"""What a clustering must keep to: sizes, and what people decided."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memassay.schemas.changes.cluster_decisions import HeldCluster
from memassay.synth.clusters.dialogue import Dialogue


@dataclass(frozen=True)
class Demands:
    """Sizes of clusters (Mem-Gallery §3.1: length).

    Attributes:
        least_sessions: A smaller cluster is given up, and its dialogues are left over.
        most_sessions: Most dialogues of a cluster.
        least_rounds: As for sessions.
        most_rounds: As for sessions; None: any number.
    """

    least_sessions: int = 3
    most_sessions: int = 40
    least_rounds: int = 1
    most_rounds: int | None = None


@dataclass(frozen=True)
class Bonds:
    """What people decided, as places among dialogues.

    Attributes:
        group: For each dialogue, the first of those that it must share a cluster with.
        apart: For each such first one, those that its group must not meet.
        closed: First ones of groups that nobody may join.
    """

    group: list[int]
    apart: Mapping[int, frozenset[int]]
    closed: frozenset[int]


def bonds(dialogues: Sequence[Dialogue], held: Sequence[HeldCluster] = ()) -> Bonds:
    """Must-links within clusters that people decided about, cannot-links between them.

    Args:
        dialogues: In the order of their ids.
        held: These clusters; dialogues that are not there are passed over.
    """
    place = {one.id: at for at, one in enumerate(dialogues)}
    group = list(range(len(dialogues)))
    firsts: list[int] = []
    closed: set[int] = set()
    for one in held:
        members = sorted(place[each] for each in one.members if each in place)
        for at in members:
            group[at] = members[0]
        firsts += members[:1]
        closed.update(members[:1] if one.closed else ())
    apart: dict[int, frozenset[int]] = {}
    for first, other in itertools.permutations(firsts, 2):
        apart[first] = apart.get(first, frozenset()) | {other}
    return Bonds(group, apart, frozenset(closed))
