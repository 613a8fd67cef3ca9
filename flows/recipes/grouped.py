"""What runs note about clusters, so that people can look at them and their word is heard."""

from collections.abc import Sequence

from memassay.annotation.clusters.log import ClusterLog, RunClusters, standing
from memassay.flows.store.records import Header
from memassay.flows.store.workspace import Workspace
from memassay.schemas.changes.cluster_decisions import Decided


class GroupedRun:
    """The clusters of one run in a workspace."""

    def __init__(self, workspace: Workspace, run: str) -> None:
        """Read what people decided until now."""
        self.run = run
        self.log = ClusterLog(workspace.queue.engine)
        rows = self.log.of(run)
        self.decided = Decided.of(standing(rows))
        self._seen = rows[-1].number if rows else 0

    def grouped(self, given: Sequence[Header], made: Sequence[Header]) -> None:
        """Keep which clusters the run made, and of what."""
        clusters = [one.sha256 for one in made if one.kind == "cluster"]
        talks = [one.sha256 for one in given if one.kind == "conversation"]
        self.log.note(self.run, RunClusters(clusters, talks, (), self._seen))

    def joined(self, _given: Sequence[Header], made: Sequence[Header]) -> None:
        """Keep what joining changed."""
        changes = (one.sha256 for one in made if one.kind == "alteration")
        self.log.note_alterations(self.run, changes)
