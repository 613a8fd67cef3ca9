"""What the command line asks of the clusters of a workspace, as values to print or send."""

from collections.abc import Sequence
from typing import Any

from memassay.annotation.clusters.log import describe
from memassay.annotation.clusters.operations import ClusterRequest
from memassay.flows.review.clusters import WorkspaceClusters


def list_clusters(clusters: WorkspaceClusters, run: str) -> dict[str, Any]:
    """The clusters of a run, as values that can be printed or sent."""
    found = clusters.overview(run)
    return {
        "run": run,
        "clusters": [
            {
                "id": one.id,
                "name": one.name,
                "members": [each.id for each in one.members],
                "near": [each.id for each in one.near],
                "keywords": list(one.keywords),
                "locked": one.locked,
                "closed": one.closed,
                "changed": one.changed,
            }
            for one in found.cards
        ],
        "left_over": [one.id for one in found.left_over],
        "decisions": [
            {"number": one.number, "did": describe(one), "stands": one.stands}
            for one in found.decisions
        ],
        "waiting": found.waiting,
        "read_by": found.read_by,
    }


def keep_decision(
    clusters: WorkspaceClusters,
    run: str,
    reviewer: str,
    comment: str,
    op: str,
    cluster: str = "",
    dialogues: Sequence[str] = (),
    other: str = "",
    name: str = "",
    *,
    closed: bool = False,
) -> str:
    """Keep what somebody at this machine decided, as an owner; gives the cluster it is about.

    Raises:
        UsageError: It cannot be done.
    """
    wanted = ClusterRequest(op, cluster, dialogues, other, name, closed)
    return clusters.decide(run, wanted, "", reviewer, "owner", comment)
