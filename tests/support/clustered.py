"""A workspace whose run has clusters of invented dialogues, without a run."""

from collections.abc import Mapping, Sequence
from typing import Final

from memassay.annotation.clusters.log import ClusterLog, RunClusters
from memassay.flows.store.workspace import Workspace
from memassay.schemas.records.cluster import (
    Cluster,
    ClusterKeyword,
    ClusterMember,
    LeftOutDialogue,
)
from memassay.schemas.records.conversation import Conversation
from support.fixtures import said, talk

RUN: Final = "run"
FIRST: Final = "cluster-a"
SECOND: Final = "cluster-b"
GROUPS: Final = {FIRST: ["ann/D1", "ann/D2", "ann/D3"], SECOND: ["bob/D1", "bob/D2"]}
ALONE: Final = "bob/D3"
TOLD: Final = {
    "ann": [
        ["The new kiln is in the studio, and the first bowls came out whole.", "Glaze next."],
        ["My celadon glaze ran down the bowls again.", "A cone hotter was too much for the clay."],
        ["Forty bowls for the market, all porcelain.", "The kiln has to fire twice."],
    ],
    "bob": [
        ["We lost the regatta by a mast's length.", "The spinnaker tore at the second buoy."],
        ["A new spinnaker, red as the harbour light.", "The crew wants it for the next regatta."],
        ["I broke my bowl of porcelain at the harbour.", "Can porcelain be mended?"],
    ],
}
WORDS: Final = {FIRST: ["kiln", "bowls", "glaze"], SECOND: ["regatta", "spinnaker", "harbour"]}


def cluster(name: str, members: Sequence[str], left_out: Sequence[str] = ()) -> Cluster:
    """A cluster with the same scores for all."""
    return Cluster(
        id=name,
        members=[
            ClusterMember(dialogue=one, relevance=1.2, fluency=2.5, shared=WORDS[name][:2])
            for one in members
        ],
        rounds=2 * len(members),
        relevance=1.2,
        separation=-0.1,
        fluency=2.5,
        keywords=[ClusterKeyword(word=one, weight=1) for one in WORDS[name]],
        left_out=[
            LeftOutDialogue(
                dialogue=one, relevance=0.1, why="shares too little with any cluster to join it"
            )
            for one in left_out
        ],
    )


def conversation(name: str) -> Conversation:
    """A conversation whose sessions each say something of their own."""
    told = [said(*texts, number=at) for at, texts in enumerate(TOLD[name], 1)]
    return talk(*told, id=name)


def noted(
    workspace: Workspace, groups: Mapping[str, Sequence[str]] = GROUPS, seen: int = 0
) -> ClusterLog:
    """Keep clusters as a run would."""
    put = workspace.store.put_all
    talks = put([conversation(name) for name in TOLD])
    alone = (ALONE,)
    clusters = [cluster(name, own, alone[: name == SECOND]) for name, own in groups.items()]
    log = ClusterLog(workspace.queue.engine, lambda: 1000.0)
    log.note(RUN, RunClusters(put(clusters), talks, (), seen))
    return log
