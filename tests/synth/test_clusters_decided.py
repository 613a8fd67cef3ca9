"""Clusters under what people decided: scored like any other, and kept beside new dialogues."""

from support.dialogue_lives import life_of, lives

from memassay.annotation.clusters.operations import ClusterRequest, ShownClusters
from memassay.schemas.changes.cluster_decisions import Clustered, Decided, HeldCluster
from memassay.schemas.records.cluster import Cluster
from memassay.synth.clusters.clustering import cluster_dialogues


def _decide(clusters: list[Cluster], *wanted: ClusterRequest) -> Decided:
    decided = Decided()
    groups = {one.id: [each.dialogue for each in one.members] for one in clusters}
    names = [each for own in groups.values() for each in own]
    for one in wanted:
        under = Clustered(groups, names).under(decided)
        held = {name: HeldCluster(name, frozenset(own)) for name, own in under.items()}
        decided = decided.and_then(ShownClusters(held, frozenset(names)).decision(one))
    return decided


def _grouped(sessions: int, decided: Decided) -> dict[str, list[str]]:
    found = cluster_dialogues(lives(sessions), then=lambda found: found.under(decided))
    return {one.id: [each.dialogue for each in one.members] for one in found.clusters}


def test_decisions_stand_beside_more_dialogues() -> None:
    """A split and a closed lock hold among twice as many; new dialogues follow their lives."""
    before = cluster_dialogues(lives(6)).clusters
    assert len(before) == 4
    first, second = before[:2]
    part = [one.dialogue for one in first.members[:2]]
    decided = _decide(
        before,
        ClusterRequest("split", first.id, part),
        ClusterRequest("lock", second.id, closed=True),
    )
    after = _grouped(12, decided)
    assert after[second.id] == [one.dialogue for one in second.members]
    # Those of the split life join one of its parts, each the one that it is more like.
    parts = [own for own in after.values() if life_of(own[0]) == life_of(part[0])]
    assert sorted(len(set(own) & set(part)) for own in parts) == [0, 2]
    assert sum(map(len, parts)) == 12
    others = [one.id for one in before[2:]]
    assert all(len({life_of(each) for each in after[name]}) == 1 for name in others)


def test_a_small_cluster_that_people_made_is_kept() -> None:
    """Their word stands whatever its size; what they drop is nowhere."""
    before = cluster_dialogues(lives(6)).clusters
    single = [before[0].members[0].dialogue]
    split = _grouped(6, _decide(before, ClusterRequest("split", before[0].id, single)))
    assert single in split.values()
    dropped = _grouped(6, _decide(before, ClusterRequest("drop", before[0].id, single)))
    assert single[0] not in [each for own in dropped.values() for each in own]
