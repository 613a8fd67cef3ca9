"""What runs note about clusters, so that people can look at them and decide about them."""

from collections.abc import Mapping, Sequence
from typing import Any

from memassay.annotation.clusters.log import ClusterLog, RunClusters, standing
from memassay.flows.store.workspace import Workspace
from memassay.schemas.changes.cluster_decisions import Decided
from memassay.schemas.contracts.collection import Header
from memassay.schemas.contracts.recipes import READS_LIVES


class GroupedRun:
    """The clusters of one run in a workspace."""

    def __init__(
        self, workspace: Workspace, run: str, readers: Mapping[str, Any] | None = None
    ) -> None:
        """Read what people decided until now.

        Args:
            workspace: Where it is kept.
            run: Name of the run.
            readers: By role, the models that look for contradictions; None if none does.
        """
        self.run = run
        models = {readers[role]["model"] for role in READS_LIVES} if readers else set[str]()
        self.read_by = " and ".join(sorted(models))
        self.log = ClusterLog(workspace.queue.engine)
        rows = self.log.of(run)
        self.decided = Decided.of(standing(rows))
        self._seen = rows[-1].number if rows else 0

    def keep_clusters(self, given: Sequence[Header], made: Sequence[Header]) -> None:
        """Keep which clusters the run made, and of what."""
        clusters = [one.sha256 for one in made if one.kind == "cluster"]
        talks = [one.sha256 for one in given if one.kind == "conversation"]
        found = RunClusters(clusters, talks, (), self._seen, self.read_by)
        self.log.note(self.run, found)

    def keep_joins(self, _given: Sequence[Header], made: Sequence[Header]) -> None:
        """Keep what joining changed."""
        changes = (one.sha256 for one in made if one.kind == "alteration")
        self.log.note_alterations(self.run, changes)
