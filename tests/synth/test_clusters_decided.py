"""Clusters under what people decided: scored like any other, and kept beside new dialogues."""

from support.dialogue_lives import life_of, lives

from memassay.annotation.clusters.operations import ClusterRequest, ShownClusters
from memassay.schemas.changes.cluster_decisions import Clustered, Decided, HeldCluster
from memassay.schemas.records.cluster import Cluster
from memassay.synth.clusters.clustering import cluster_dialogues
from memassay.synth.clusters.demands import Demands


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


def test_a_cluster_that_people_named_keeps_its_life_however_many_come() -> None:
    """Where more new dialogues than it has are like it, they join it, and none is beside it."""
    before = cluster_dialogues(lives(4)).clusters
    named = before[0]
    decided = _decide(before, ClusterRequest("name", named.id, name="Mira"))
    after = _grouped(12, decided)
    assert len(after[named.id]) == 12
    assert sorted(map(len, after.values())) == [12] * 4


def test_what_people_put_together_draws_new_dialogues_of_both_lives() -> None:
    """A must-link holds for those that come later, though both lives have many more of these."""
    before = cluster_dialogues(lives(4)).clusters
    first, second = (one.id for one in before[:2])
    after = _grouped(10, _decide(before, ClusterRequest("merge", first, other=second)))
    assert len({life_of(each) for each in after[first]}) == 2
    assert sorted(map(len, after.values())) == [10, 10, 20]


def test_what_people_parted_is_not_put_together_by_new_dialogues() -> None:
    """A cannot-link holds beside many dialogues that are like both parts; each goes to one."""
    before = cluster_dialogues(lives(4)).clusters
    part = [one.dialogue for one in before[0].members[:2]]
    rest = [one.dialogue for one in before[0].members[2:]]
    after = _grouped(16, _decide(before, ClusterRequest("split", before[0].id, part)))
    place = {each: name for name, own in after.items() for each in own}
    assert {place[each] for each in part}.isdisjoint(place[each] for each in rest)
    assert len({place[each] for each in part}) == len({place[each] for each in rest}) == 1
    own = [each for each in place if life_of(each) == life_of(part[0])]
    assert {place[each] for each in own} == {place[part[0]], place[rest[0]]}
    assert sum(life_of(each) != life_of(part[0]) for each in place) == 48


def test_no_cluster_grows_beyond_the_largest_size() -> None:
    """What people made stands whatever its size; what comes new fills it up to the largest."""
    before = cluster_dialogues(lives(4)).clusters
    decided = _decide(before, ClusterRequest("merge", before[0].id, other=before[1].id))
    demands = Demands(most_sessions=12)
    found = cluster_dialogues(lives(10), demands, then=lambda one: one.under(decided)).clusters
    assert max(len(one.members) for one in found) <= 12
    (held,) = [one for one in found if one.id == before[0].id]
    assert len(held.members) >= 8
