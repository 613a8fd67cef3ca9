"""A workspace whose run has clusters of invented dialogues, without a run."""

from collections.abc import Mapping, Sequence
from typing import Final

from memassay.annotation.clusters.log import ClusterLog, RunClusters
from memassay.flows.store.workspace import Workspace
from memassay.schemas.records.cluster import Cluster, ClusterMember, LeftOutDialogue
from memassay.schemas.records.conversation import Conversation
from support.fixtures import said, talk

RUN: Final = "run"
FIRST: Final = "cluster-a"
SECOND: Final = "cluster-b"
GROUPS: Final = {FIRST: ["ann/D1", "ann/D2", "ann/D3"], SECOND: ["bob/D1", "bob/D2"]}
ALONE: Final = "bob/D3"


def cluster(name: str, members: Sequence[str], left_out: Sequence[str] = ()) -> Cluster:
    """A cluster with the same scores for all."""
    return Cluster(
        id=name,
        members=[ClusterMember(dialogue=one, relevance=1, fluency=1) for one in members],
        rounds=len(members),
        relevance=1,
        separation=0,
        fluency=1,
        left_out=[LeftOutDialogue(dialogue=one, relevance=0.1, why="far") for one in left_out],
    )


def conversation(name: str, sessions: int) -> Conversation:
    """A conversation whose sessions each say something of their own."""
    told = [said(f"{name} tells story number {at}.", number=at) for at in range(1, sessions + 1)]
    return talk(*told, id=name)


def noted(
    workspace: Workspace, groups: Mapping[str, Sequence[str]] = GROUPS, seen: int = 0
) -> ClusterLog:
    """Keep clusters as a run would."""
    put = workspace.store.put_all
    talks = put([conversation("ann", 3), conversation("bob", 3)])
    alone = (ALONE,)
    clusters = [cluster(name, own, alone[: name == SECOND]) for name, own in groups.items()]
    log = ClusterLog(workspace.queue.engine, lambda: 1000.0)
    log.note(RUN, RunClusters(put(clusters), talks, (), seen))
    return log
