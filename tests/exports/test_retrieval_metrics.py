"""Retrieval metrics against values computed by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.exports.scores.retrieval_metrics import (
    RETRIEVAL_METRICS,
    RetrievalScore,
    score_retrieval,
    score_retrieval_as_mem_gallery,
)
from memassay.schemas.errors import UsageError

ROUNDS = st.sampled_from([f"D{session}:{round_}" for session in (1, 2, 10) for round_ in (1, 2)])


def test_recall_precision_and_hit_by_hand() -> None:
    """1 of 2 groups and 1 of 3 rounds within the cutoff; the fourth round does not count."""
    score = score_retrieval(["D1:1", "D1:2", "D1:3", "D2:1"], [["D1:2"], ["D2:1"]], 3)
    assert score == RetrievalScore(recall=1 / 2, precision=1 / 3, hit=1.0)


def test_no_cutoff_takes_all() -> None:
    """Without a cutoff the whole list counts."""
    score = score_retrieval(["D1:1", "D1:2"], [["D1:2"]], None)
    assert score == RetrievalScore(recall=1.0, precision=0.5, hit=1.0)


def test_one_alternative_finds_its_group() -> None:
    """A group is found by any alternative, and each retrieved alternative is relevant."""
    groups = [["D1:1", "D1:2"], ["D3:1"]]
    assert score_retrieval(["D1:2"], groups, 10) == RetrievalScore(0.5, 1.0, 1.0)
    assert score_retrieval(["D1:2", "D1:1"], groups, 10) == RetrievalScore(0.5, 1.0, 1.0)


def test_fewer_than_the_cutoff() -> None:
    """Precision divides by what was retrieved, not by the cutoff."""
    score = score_retrieval(["D1:1"], [["D1:1"]], 10)
    assert score == RetrievalScore(recall=1.0, precision=1.0, hit=1.0)


def test_nothing_retrieved_scores_zero() -> None:
    """An empty ranking of a question with evidence is a failure, not an exclusion."""
    assert score_retrieval([], [["D1:1"]], 10) == RetrievalScore(0.0, 0.0, 0.0)


def test_round_ids_match_whole() -> None:
    """D1:1 is not D1:10."""
    assert score_retrieval(["D1:10"], [["D1:1"]], 10) == RetrievalScore(0.0, 0.0, 0.0)


def test_without_evidence_nothing_is_scored() -> None:
    """A question without evidence is excluded by us and scored 0 by Mem-Gallery's code."""
    assert score_retrieval(["D1:1"], [], 10) is None
    assert score_retrieval_as_mem_gallery(["D1:1"], [], 10) == RetrievalScore(0.0, 0.0, 0.0)


def test_a_repeated_round_takes_one_place() -> None:
    """We drop repeats before the cutoff, Mem-Gallery's code after it."""
    ranked, groups = ["D1:1", "D1:1", "D1:2"], [["D1:2"]]
    assert score_retrieval(ranked, groups, 2) == RetrievalScore(1.0, 0.5, 1.0)
    assert score_retrieval_as_mem_gallery(ranked, groups, 2) == RetrievalScore(0.0, 0.0, 0.0)


def test_mem_gallery_wants_every_alternative() -> None:
    """Upstream knows no groups: one of two alternatives is half."""
    score = score_retrieval_as_mem_gallery(["D1:1"], [["D1:1", "D1:2"]], 10)
    assert score == RetrievalScore(recall=0.5, precision=1.0, hit=1.0)


@pytest.mark.parametrize("metric", RETRIEVAL_METRICS.values(), ids=RETRIEVAL_METRICS.keys())
def test_a_cutoff_below_1_is_an_error(metric: type) -> None:
    """Zero is refused and not read as "all"."""
    with pytest.raises(UsageError, match="at least 1, got '0'"):
        metric(["D1:1"], [["D1:1"]], 0)


def test_an_empty_group_is_an_error() -> None:
    """A group that nothing can find is a defect of the item."""
    with pytest.raises(UsageError, match="empty group"):
        score_retrieval(["D1:1"], [["D1:1"], []], 10)


@given(
    ranked=st.lists(ROUNDS, unique=True),
    clues=st.lists(ROUNDS, min_size=1, unique=True),
    cutoff=st.integers(1, 8),
)
def test_both_variants_agree_on_plain_clues(
    ranked: list[str], clues: list[str], cutoff: int
) -> None:
    """With evidence, no alternatives and no repeats, ours is upstream's score."""
    groups = [[clue] for clue in clues]
    ours = score_retrieval(ranked, groups, cutoff)
    assert ours == score_retrieval_as_mem_gallery(ranked, groups, cutoff)


@given(
    ranked=st.lists(ROUNDS, unique=True),
    groups=st.lists(st.lists(ROUNDS, min_size=1, max_size=2), min_size=1),
)
def test_recall_never_falls_with_the_cutoff(ranked: list[str], groups: list[list[str]]) -> None:
    """A larger cutoff retrieves at least as much."""
    scores = [score_retrieval(ranked, groups, cutoff) for cutoff in range(1, 8)]
    recalls = [score.recall for score in scores if score is not None]
    assert len(recalls) == 7
    assert recalls == sorted(recalls)
