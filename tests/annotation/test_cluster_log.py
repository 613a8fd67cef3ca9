"""Decisions about clusters as they are kept: two people at once, twice, taken back."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.review_builder import database

from memassay.annotation.clusters.log import (
    ClusterLog,
    ClustersChanged,
    RunClusters,
    as_shown,
    standing,
)
from memassay.annotation.measures.review_stats import audit_log
from memassay.annotation.storage.upgrade import upgrade
from memassay.schemas.changes.cluster_decisions import ClusterDecision, Decided
from memassay.schemas.errors import UsageError

SPLIT = ClusterDecision(
    op="split",
    cluster="a",
    groups={"a": ["t/D1"], "b": ["t/D2"]},
    before={"a": ["t/D1", "t/D2"]},
)
NAMED = ClusterDecision(op="name", cluster="a", groups={"a": ["t/D1", "t/D2"]}, name="Ann")
OTHER = ClusterDecision(op="lock", cluster="c", groups={"c": ["t/D9"]}, locked=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ClusterLog]:
    """A list of decisions on each kind of database."""
    with database(request.param, tmp_path) as engine:
        upgrade(engine)
        yield ClusterLog(engine, lambda: 1000.0)


def test_a_stale_decision_is_refused_with_what_changed(log: ClusterLog) -> None:
    """About the same dialogues it is refused, about others it is kept."""
    first = log.keep("run", SPLIT, 0, "ada", "two people")
    with pytest.raises(ClustersChanged, match="meanwhile ada split a: t/D2 on their own"):
        log.keep("run", NAMED, 0, "bob", "")
    assert log.keep("run", OTHER, 0, "bob", "") > first
    assert log.keep("other", NAMED, 0, "bob", "") > first
    assert log.keep("run", NAMED, first, "bob", "") > first


def test_a_decision_sent_twice_is_kept_once(log: ClusterLog) -> None:
    """A second click changes nothing."""
    assert log.keep("run", SPLIT, 0, "ada", "") == log.keep("run", SPLIT, 0, "ada", "")
    assert len(log.of("run")) == 1


def test_of_many_at_once_one_decides(log: ClusterLog) -> None:
    """Who comes second has not seen what the first did."""

    def decide(name: str) -> bool:
        try:
            log.keep("run", SPLIT, 0, name, "")
        except ClustersChanged:
            return False
        return True

    with ThreadPoolExecutor(8) as people:
        kept = list(people.map(decide, (f"r{at}" for at in range(16))))
    assert kept.count(True) == len(log.of("run")) == 1


def test_a_decision_is_taken_back(log: ClusterLog) -> None:
    """Their own latest, or a named one, unless there is a later one about the same dialogues."""
    first = log.keep("run", SPLIT, 0, "ada", "")
    second = log.keep("run", NAMED, first, "ada", "")
    with pytest.raises(UsageError, match="take that back first"):
        log.undo("run", first, "ada")
    assert log.undo("run", None, "ada").number == second
    assert standing(log.of("run")) == [SPLIT]
    log.undo("run", first, "ada")
    assert standing(log.of("run")) == []
    with pytest.raises(UsageError, match="expected a decision that was not taken back"):
        log.undo("run", None, "ada")
    actions = [one["action"] for one in audit_log(log.engine)]
    assert actions == ["split cluster", "name cluster", "undo cluster", "undo cluster"]


def test_what_a_run_made_of_a_decision_is_shown_without_it_once_it_is_taken_back(
    log: ClusterLog,
) -> None:
    """Until the next run groups the dialogues again, they stand as they did before it."""
    first = log.keep("run", SPLIT, 0, "ada", "")
    log.undo("run", None, "ada")
    assert as_shown(log.of("run"), 0) == []
    (shown,) = as_shown(log.of("run"), first)
    assert Decided.of([shown]).clusters["a"].members == {"t/D1", "t/D2"}
    assert as_shown(log.of("run"), first + 1) == []


def test_a_run_keeps_what_it_made_last(log: ClusterLog) -> None:
    """In place of what it made before."""
    log.note("run", RunClusters(["x"], ["y"], [], 0))
    log.note("run", RunClusters(["z"], ["y"], [], 3))
    log.note_alterations("run", ["q"])
    assert log.run_clusters("run") == RunClusters(["z"], ["y"], ["q"], 3)
    assert log.runs() == ["run"]
