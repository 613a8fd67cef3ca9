"""What people decide about clusters, and what it makes of a clustering (Mem-Gallery A.2.3).

A decision names dialogues, never places: it lists those of every cluster that it touched, as they
are from then on. It applies to any later clustering, of more dialogues too. If several decisions
are about one dialogue, the last one holds. Clusters that nobody decided about are not touched.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Literal

from pydantic import Field

from memassay.schemas.base import Shape
from memassay.schemas.ids import ConversationId, RecordId

Operation = Literal["split", "merge", "move", "drop", "name", "lock", "unlock", "undo"]
Groups = Mapping[str, Sequence[str]]
"""Ids of dialogues by id of their cluster."""
LEFT_OUT: Final = "people left it out"
"""Why a dialogue is in no cluster that somebody dropped."""


class ClusterDecision(Shape):
    """What a person decided about one cluster, or several."""

    op: Annotated[Operation, Field(description="What was done.")]
    cluster: Annotated[ConversationId, Field(description="The cluster that it is about.")]
    groups: Annotated[
        dict[ConversationId, list[RecordId]],
        Field(description="Dialogues of every cluster that it touched, as they are after it."),
    ]
    before: Annotated[
        dict[ConversationId, list[RecordId]], Field(description="The same before it.")
    ] = {}
    out: Annotated[list[RecordId], Field(description="Dialogues that are left out.")] = []
    name: Annotated[str | None, Field(description="New name; None: as before.")] = None
    locked: Annotated[bool | None, Field(description="Whether locked; None: as before.")] = None
    closed: Annotated[bool | None, Field(description="Whether none may join; None: as before.")] = (
        None
    )

    @property
    def touched(self) -> frozenset[str]:
        """Every dialogue that it speaks of."""
        named = (each for part in (self.groups, self.before) for each in part.values())
        return frozenset(self.out).union(*named)


@dataclass(frozen=True)
class HeldCluster:
    """A cluster that people decided about.

    Attributes:
        id: Its id, which it keeps.
        members: Dialogues that stay in it.
        name: What people call it.
        locked: Whether its members are fixed.
        closed: Whether, locked, no other dialogue may join.
    """

    id: str
    members: frozenset[str]
    name: str = ""
    locked: bool = False
    closed: bool = False


@dataclass(frozen=True)
class Decided:
    """All that people decided, one decision after the other.

    Attributes:
        clusters: By id.
        out: Dialogues that they left out.
    """

    clusters: Mapping[str, HeldCluster] = field(default_factory=dict)
    out: frozenset[str] = frozenset()

    @classmethod
    def of(cls, decisions: Iterable[ClusterDecision]) -> "Decided":
        """What decisions come to, oldest first."""
        now = cls()
        for one in decisions:
            now = now.and_then(one)
        return now

    def and_then(self, one: ClusterDecision) -> "Decided":
        """What holds after one more decision."""
        touched = one.touched
        held = {
            name: replace(cluster, members=cluster.members - touched)
            for name, cluster in self.clusters.items()
        }
        for name, group in one.groups.items():
            old = held.get(name, HeldCluster(name, frozenset()))
            held[name] = replace(old, members=old.members | frozenset(group))
        if one.cluster in held:
            about = held[one.cluster]
            held[one.cluster] = replace(
                about,
                name=about.name if one.name is None else one.name,
                locked=about.locked if one.locked is None else one.locked,
                closed=about.closed if one.closed is None else one.closed,
            )
        kept = {name: cluster for name, cluster in held.items() if cluster.members}
        return Decided(kept, (self.out - touched) | frozenset(one.out))


@dataclass(frozen=True)
class Clustered:
    """A clustering that decisions change.

    Attributes:
        groups: Its clusters.
        dialogues: All dialogues, those in no cluster too.
        large: Whether dialogues are enough for a cluster.
        most: Most dialogues of a cluster that others join.
        beside: Groups dialogues that nobody decided about, and those of clusters that somebody did:
            who is in one of these stays with its other members, and no two of them meet. None
            where no scores are known.
    """

    groups: Groups
    dialogues: Collection[str]
    large: Callable[[Sequence[str]], bool] = bool
    most: int | None = None
    beside: Callable[[Sequence[str], Sequence[HeldCluster]], list[list[str]]] | None = None

    def under(self, decided: Decided) -> dict[str, list[str]]:
        """The clusters after the decisions.

        What people made of a cluster is kept, whatever its size. Dialogues that nobody decided
        about and that are grouped with those that somebody did are grouped once more, among these
        alone; without scores they follow them, if these are no fewer than they are.
        """
        known = frozenset(self.dialogues)
        held = {
            name: sorted(cluster.members & known)
            for name, cluster in sorted(decided.clusters.items())
            if cluster.members & known
        }
        of = {each: name for name, members in held.items() for each in members}
        found = {name: list(members) for name, members in held.items()}
        for name, members in sorted(self.groups.items()):
            free = [each for each in members if each not in of and each not in decided.out]
            hosts: dict[str, list[str]] = {}
            for each in (each for each in members if each in of):
                hosts.setdefault(of[each], []).append(each)
            if not hosts:
                if free and (len(free) == len(members) or self.large(free)):
                    found[_free_name(name, found)] = free
                continue
            for host, part in self._beside(name, free, hosts, found, decided):
                if host is not None and self._fits(found[host], part):
                    found[host] += part
                elif self.large(part):
                    found[_free_name(name, found)] = part
        return {name: sorted(members) for name, members in sorted(found.items())}

    def _fits(self, members: Sequence[str], more: Sequence[str]) -> bool:
        return self.most is None or len(members) + len(more) <= self.most

    def _beside(
        self, name: str, free: Sequence[str], hosts: Groups, found: Groups, decided: Decided
    ) -> Iterator[tuple[str | None, list[str]]]:
        """Dialogues of a cluster that nobody decided about, by the decided one that they join.

        They are held against those of a decided cluster that they were found with, if these were a
        cluster by themselves: people put two lives together. Else against all of it: a dialogue
        that people moved does not draw a life of others after it.
        """
        if self.beside is not None and free:
            held = [
                replace(
                    decided.clusters[host],
                    members=frozenset(here if self.large(here) else found[host]),
                )
                for host, here in sorted(hosts.items())
            ]
            left = frozenset(free)
            for group in self.beside(free, held):
                own = [each for each in group if each in left]
                met = (one.id for one in held if not one.members.isdisjoint(group))
                if own:
                    yield next(met, None), own
        elif free:
            open_ = [host for host in hosts if not decided.clusters[host].closed]
            follow = len(free) <= sum(map(len, hosts.values())) or set(hosts) == {name}
            best = max(open_, key=lambda one: (len(hosts[one]), one), default=None)
            yield best if follow else None, list(free)


def cluster_id(dialogue: str) -> str:
    """Id of a cluster by one of its dialogues; it stays as long as that one does."""
    return f"cluster-{hashlib.sha256(dialogue.encode('utf-8')).hexdigest()[:10]}"


def _free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name = cluster_id(name)
    return name


def new_id(dialogues: Iterable[str], taken: Collection[str]) -> str:
    """Id of a cluster that people make of dialogues."""
    return _free_name(cluster_id(min(dialogues)), taken)
