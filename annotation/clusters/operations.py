"""Operations on clusters as people see them: what each comes to, and what it may not do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.changes.cluster_decisions import ClusterDecision, HeldCluster, new_id
from memassay.schemas.errors import UsageError
from memassay.schemas.values.text import is_blank

_LONGEST_NAME: Final = 80


@dataclass(frozen=True)
class ClusterRequest:
    """What somebody wants done.

    Attributes:
        op: `split`, `merge`, `move`, `drop`, `name`, `lock` or `unlock`.
        cluster: The cluster; of `move` the one that dialogues go to.
        dialogues: Those that are split off, moved or dropped.
        other: The cluster that is merged into it.
        name: The new name.
        closed: Whether nobody may join a locked cluster.
    """

    op: str
    cluster: str = ""
    dialogues: Sequence[str] = ()
    other: str = ""
    name: str = ""
    closed: bool = False


@dataclass(frozen=True)
class ShownClusters:
    """Clusters as people see them.

    Attributes:
        clusters: By id, with their members and what was decided about them.
        dialogues: All dialogues, those in no cluster too.
    """

    clusters: Mapping[str, HeldCluster]
    dialogues: frozenset[str]

    def members(self, cluster: str) -> list[str]:
        """Dialogues of a cluster.

        Raises:
            UsageError: There is no such cluster.
        """
        if cluster not in self.clusters:
            raise UsageError(f"cluster: expected one of the run's, got {cluster[:60]!r}")
        return sorted(self.clusters[cluster].members)

    def decision(self, wanted: ClusterRequest) -> ClusterDecision:
        """What is to be kept of a request.

        Raises:
            UsageError: There is no such cluster or dialogue, it is locked, or nothing would change.
        """
        made = _OPERATIONS.get(wanted.op)
        if made is None:
            known = ", ".join(_OPERATIONS)
            raise UsageError(f"operation: expected one of {known}, got {wanted.op[:20]!r}")
        return made(self, wanted)

    def open_members(self, cluster: str) -> list[str]:
        """Dialogues of a cluster that may be changed.

        Raises:
            UsageError: There is no such cluster, or it is locked.
        """
        members = self.members(cluster)
        if self.clusters[cluster].locked:
            raise UsageError(f"cluster {cluster}: expected an unlocked one; unlock it first")
        return members

    def chosen_dialogues(self, dialogues: Sequence[str]) -> list[str]:
        """Dialogues that were chosen, each once.

        Raises:
            UsageError: None was, or one does not exist.
        """
        found = sorted(set(dialogues))
        if not found:
            raise UsageError("dialogues: expected at least one, got none; choose some")
        for each in found:
            if each not in self.dialogues:
                raise UsageError(f"dialogues: expected dialogues of the run, got {each[:60]!r}")
        return found

    def sources(self, dialogues: Sequence[str]) -> dict[str, list[str]]:
        """The clusters that some dialogues are in, and all their members.

        Raises:
            UsageError: One of them is locked.
        """
        wanted = frozenset(dialogues)
        return {
            name: self.open_members(name)
            for name, cluster in self.clusters.items()
            if cluster.members & wanted
        }


def _split(shown: ShownClusters, wanted: ClusterRequest) -> ClusterDecision:
    members, part = shown.open_members(wanted.cluster), shown.chosen_dialogues(wanted.dialogues)
    rest = [each for each in members if each not in part]
    if not set(part) < set(members):
        raise UsageError("dialogues: expected some of the cluster's, not all; choose fewer")
    groups = {wanted.cluster: rest, new_id(part, shown.clusters): part}
    before = {wanted.cluster: members}
    return ClusterDecision(op="split", cluster=wanted.cluster, groups=groups, before=before)


def _merge(shown: ShownClusters, wanted: ClusterRequest) -> ClusterDecision:
    if wanted.cluster == wanted.other:
        raise UsageError("other: expected another cluster to merge with, got the same one")
    before = {name: shown.open_members(name) for name in (wanted.cluster, wanted.other)}
    name = shown.clusters[wanted.cluster].name or shown.clusters[wanted.other].name
    groups = {wanted.cluster: sorted(each for members in before.values() for each in members)}
    return ClusterDecision(
        op="merge", cluster=wanted.cluster, groups=groups, before=before, name=name
    )


def _move(shown: ShownClusters, wanted: ClusterRequest) -> ClusterDecision:
    there, part = shown.open_members(wanted.cluster), shown.chosen_dialogues(wanted.dialogues)
    if set(part) <= set(there):
        raise UsageError("dialogues: expected some that are not in the cluster yet; choose others")
    before = shown.sources(part) | {wanted.cluster: there}
    groups = _without(before, part) | {wanted.cluster: sorted({*there, *part})}
    return ClusterDecision(op="move", cluster=wanted.cluster, groups=groups, before=before)


def _drop(shown: ShownClusters, wanted: ClusterRequest) -> ClusterDecision:
    part = shown.chosen_dialogues(wanted.dialogues)
    before = shown.sources(part)
    if not before:
        raise UsageError("dialogues: expected some that are in a cluster; choose others")
    about = wanted.cluster if wanted.cluster in before else min(before)
    groups = _without(before, part)
    return ClusterDecision(op="drop", cluster=about, groups=groups, before=before, out=part)


def _without(groups: Mapping[str, Sequence[str]], part: Sequence[str]) -> dict[str, list[str]]:
    rests = {name: [one for one in own if one not in part] for name, own in groups.items()}
    return {name: rest for name, rest in rests.items() if rest}


def _name(shown: ShownClusters, wanted: ClusterRequest) -> ClusterDecision:
    name = "" if is_blank(wanted.name) else " ".join(wanted.name.split())
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"name: expected at most {_LONGEST_NAME} characters that can be printed, got "
            f"{len(name)}; shorten it"
        )
    own = {wanted.cluster: shown.members(wanted.cluster)}
    return ClusterDecision(op="name", cluster=wanted.cluster, groups=own, before=own, name=name)


def _lock(shown: ShownClusters, wanted: ClusterRequest) -> ClusterDecision:
    own = {wanted.cluster: shown.members(wanted.cluster)}
    how = {"locked": True, "closed": wanted.closed}
    return ClusterDecision(op="lock", cluster=wanted.cluster, groups=own, before=own, **how)


def _unlock(shown: ShownClusters, wanted: ClusterRequest) -> ClusterDecision:
    own = {wanted.cluster: shown.members(wanted.cluster)}
    how = {"locked": False, "closed": False}
    return ClusterDecision(op="unlock", cluster=wanted.cluster, groups=own, before=own, **how)


_OPERATIONS: Final[Mapping[str, Callable[[ShownClusters, ClusterRequest], ClusterDecision]]] = {
    "split": _split,
    "merge": _merge,
    "move": _move,
    "drop": _drop,
    "name": _name,
    "lock": _lock,
    "unlock": _unlock,
}
