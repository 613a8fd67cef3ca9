"""What people decide about clusters holds over any clustering, and touches nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.annotation.clusters.operations import ClusterRequest, ShownClusters
from memassay.schemas.changes.cluster_decisions import (
    ClusterDecision,
    Clustered,
    Decided,
    HeldCluster,
)
from memassay.schemas.errors import UsageError

NAMES = [f"talk/D{at}" for at in range(1, 13)]
BASE = {"one": NAMES[:4], "two": NAMES[4:8], "three": NAMES[8:11]}
FOUND = Clustered(BASE, NAMES)


def _shown(decided: Decided, found: Clustered = FOUND) -> ShownClusters:
    held = {
        name: decided.clusters.get(name, HeldCluster(name, frozenset())) for name in found.groups
    }
    shown = {
        name: HeldCluster(name, frozenset(own), locked=bool(name in held and held[name].locked))
        for name, own in found.under(decided).items()
    }
    return ShownClusters(shown, frozenset(found.dialogues))


def _decide(*wanted: ClusterRequest) -> Decided:
    decided = Decided()
    for one in wanted:
        decided = decided.and_then(_shown(decided).decision(one))
    return decided


@st.composite
def _histories(draw: st.DrawFn) -> list[ClusterDecision]:
    decided, made = Decided(), []
    for _ in range(draw(st.integers(1, 6))):
        shown = _shown(decided)
        ids = st.sampled_from(sorted(shown.clusters))
        wanted = ClusterRequest(
            draw(st.sampled_from(["split", "merge", "move", "drop", "lock", "unlock", "name"])),
            draw(ids),
            draw(st.lists(st.sampled_from(NAMES), max_size=4)),
            draw(ids),
            name="Ann",
        )
        try:
            made.append(shown.decision(wanted))
        except UsageError:
            continue
        decided = decided.and_then(made[-1])
    return made


@given(_histories())
def test_decisions_part_the_dialogues_and_spare_the_rest(made: list[ClusterDecision]) -> None:
    """A dialogue is in one cluster at most; a cluster that nobody touched stays as it was."""
    decided = Decided.of(made)
    under = FOUND.under(decided)
    placed = [each for own in under.values() for each in own]
    assert len(placed) == len(set(placed))
    assert decided.out.isdisjoint(placed)
    touched = frozenset().union(*(one.touched for one in made))
    for name, own in BASE.items():
        if touched.isdisjoint(own):
            assert under[name] == sorted(own)


@given(_histories())
def test_what_decisions_made_is_kept_when_they_are_laid_over_it_again(
    made: list[ClusterDecision],
) -> None:
    """A run over its own result changes nothing."""
    decided = Decided.of(made)
    once = FOUND.under(decided)
    assert Clustered(once, NAMES).under(decided) == once


def test_the_last_decision_about_a_dialogue_holds() -> None:
    """Moved away and back again, it is where it was."""
    moved = ClusterRequest("move", "two", ["talk/D1"])
    back = ClusterRequest("move", "one", ["talk/D1"])
    assert FOUND.under(_decide(moved))["two"] == sorted([*NAMES[4:8], "talk/D1"])
    assert FOUND.under(_decide(moved, back)) == FOUND.under(Decided())


def test_a_locked_cluster_is_kept_when_dialogues_are_added() -> None:
    """Closed, nobody joins it; open, who is grouped with it does."""
    more = Clustered({"new": ["talk/D0", *NAMES[:4]]}, ["talk/D0", *NAMES])
    shut = _decide(ClusterRequest("lock", "one", closed=True))
    assert more.under(shut) == {"new": ["talk/D0"], "one": NAMES[:4]}
    opened = _decide(ClusterRequest("lock", "one"))
    assert more.under(opened) == {"one": ["talk/D0", *NAMES[:4]]}


def test_a_new_life_is_not_swallowed_for_one_dialogue_of_it() -> None:
    """Where most of a cluster is new, it stays one of its own."""
    decided = _decide(ClusterRequest("move", "two", ["talk/D12"]))
    new = [f"new/D{at}" for at in range(1, 5)]
    more = Clustered({**BASE, "fresh": ["talk/D12", *new]}, [*NAMES, *new])
    assert more.under(decided)["fresh"] == new


def test_a_locked_cluster_refuses_changes() -> None:
    """It is unlocked first."""
    decided = _decide(ClusterRequest("lock", "one"))
    for op in ("split", "merge", "move", "drop"):
        wanted = ClusterRequest(op, "one", ["talk/D5", "talk/D1"], "two")
        with pytest.raises(UsageError, match="unlock it first"):
            _shown(decided).decision(wanted)
