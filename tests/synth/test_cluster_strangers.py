"""Strangers among whole lives are left over, and lives keep their members."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from support.dialogue_lives import LIVES, lives, session

from memassay.synth.clusters import scores
from memassay.synth.clusters.clustering import cluster_dialogues
from memassay.synth.clusters.dialogue import Dialogue, Exchange
from memassay.synth.clusters.features import features_of
from memassay.synth.clusters.strangers import leave_strangers_out


def _matrix(sizes: list[int], inside: float, stranger: float) -> sparse.csr_matrix:
    """Communities of equal scores, the last dialogue a stranger in the first of them."""
    size = sum(sizes) + 1
    made = np.zeros((size, size))
    start = 0
    for each in sizes:
        made[start : start + each, start : start + each] = inside
        start += each
    made[-1, : sizes[0]] = made[: sizes[0], -1] = stranger
    np.fill_diagonal(made, 0.0)
    return sparse.csr_matrix(made)


@pytest.mark.parametrize(("stranger", "stays"), [(0.3, False), (1.5, True)])
def test_a_dialogue_that_scores_far_below_its_community_is_a_stranger(
    stranger: float, stays: bool
) -> None:
    """One that shares the topic alone is out; one that is nearly as close as the others is not."""
    label = leave_strangers_out(_matrix([8, 8], 2.0, stranger), [0] * 8 + [1] * 8 + [0], 2.0)
    assert label[:16] == [0] * 8 + [1] * 8
    assert (label[16] == 0) is stays


@pytest.mark.parametrize(("count", "stays"), [(3, False), (8, True)])
def test_a_small_community_must_be_closer_than_a_large_one(count: int, stays: bool) -> None:
    """Three dialogues that share a topic are found in any pool; eight as close are a life."""
    label = leave_strangers_out(_matrix([count], 0.6, 0.0), [0] * count + [1], 2.0)
    assert (len(set(label[:count])) == 1) is stays


def test_nobody_is_a_stranger_where_nothing_is_near() -> None:
    """Without a level to hold scores against, communities stay as they are."""
    label = [0, 0, 0, 1]
    assert leave_strangers_out(_matrix([3], 0.1, 0.0), label, 0.0) == label
    assert leave_strangers_out(sparse.csr_matrix((0, 0)), [], 1.0) == []


@given(seed=st.integers(0, 10**6), size=st.integers(1, 20), level=st.floats(0, 3))
def test_strangers_are_alone_and_others_stay_together(seed: int, size: int, level: float) -> None:
    """Communities lose members and never gain or mix any."""
    random = np.random.default_rng(seed)
    made = np.triu(random.normal(0.5, 1.0, (size, size)), 1)
    before = random.integers(0, 4, size).tolist()
    after = leave_strangers_out(sparse.csr_matrix(made + made.T), before, level)
    assert len(after) == size
    for each in set(after):
        members = [at for at in range(size) if after[at] == each]
        assert len({before[at] for at in members}) == 1
        assert each in before or len(members) == 1


def test_dialogues_with_a_topic_alone_are_left_over() -> None:
    """One that shares a word with each of two lives joins neither; the lives lose nobody."""
    words = [LIVES["potter"].split()[0], LIVES["sailor"].split()[0]]
    said = (f"I saw a {word} at the museum, then had lunch." for word in words)
    stranger = Dialogue("visitor/D1", tuple(Exchange(each, "Nice.") for each in said))
    found = cluster_dialogues([*lives(), stranger])
    assert found.left_over == ["visitor/D1"]
    assert sorted(len(each.members) for each in found.clusters) == [6] * 4


def test_another_name_takes_away_more_than_a_name_in_common_adds() -> None:
    """Of two people who talk alike, one is called by another name; namesakes gain little."""
    dialogues = [session("potter", at, named=False) for at in range(1, 5)]
    told = []
    for one, name in zip(dialogues, ["Noor", "Noor", "Elif", "Elif"], strict=True):
        first = replace(one.rounds[0], reply=f"{one.rounds[0].reply} Lovely to hear, {name}!")
        told.append(replace(one, rounds=(first, *one.rounds[1:])))
    names = features_of(told).names
    rows, columns = np.array([0, 0]), np.array([1, 2])
    same, other = scores._name_scores(names, rows, columns)
    assert 0 < same < -other
