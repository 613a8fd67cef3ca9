"""Single dialogues are brought together into lives, by what they share and what people decide."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from support.dialogue_lives import LIVES, life_of, lives, session
from support.release_builder import content

from memassay.schemas.ids import record_id
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.records.cluster import Cluster
from memassay.synth.clusters import scores
from memassay.synth.clusters.clustering import Clustering, cluster_dialogues
from memassay.synth.clusters.communities import Limits, Nodes, communities
from memassay.synth.clusters.demands import Demands
from memassay.synth.clusters.dialogue import Dialogue, Exchange, dialogues_of
from memassay.synth.clusters.features import features_of
from memassay.synth.clusters.keywords import weighted_keywords
from memassay.synth.clusters.words import entities, names_of_people


def groups(found: Clustering) -> list[list[str]]:
    """Members of each cluster."""
    return sorted([one.dialogue for one in each.members] for each in found.clusters)


def by_life(dialogues: Iterable[Dialogue]) -> list[list[str]]:
    """Ids of each life."""
    ids = [one.id for one in dialogues]
    return sorted(sorted(each for each in ids if life_of(each) == life) for life in LIVES)


def place_of(found: Clustering, dialogue: str) -> Cluster | None:
    """The cluster of a dialogue; None for one that is left over."""
    held = (each for each in found.clusters if dialogue in {m.dialogue for m in each.members})
    return next(held, None)


@pytest.fixture(scope="module")
def usual() -> Clustering:
    """The clusters of the usual dialogues."""
    return cluster_dialogues(lives())


@pytest.mark.parametrize("named", [True, False])
def test_lives_come_together_without_their_number(named: bool) -> None:
    """Four lives of six dialogues are four clusters, whether names are said or not."""
    dialogues = lives(named=named)
    assert groups(cluster_dialogues(dialogues)) == by_life(dialogues)


def test_the_order_of_the_input_changes_nothing(usual: Clustering) -> None:
    """The same dialogues in another order give the same records."""
    dialogues = lives()
    Random(1).shuffle(dialogues)
    assert cluster_dialogues(dialogues) == usual


def test_clusters_are_records_that_say_why(usual: Clustering) -> None:
    """Each is valid JSON of its schema, and its members name what they share."""
    for each in usual.clusters:
        assert parse_record("cluster", each.model_dump(mode="json")) == each
        assert each.relevance > 1 > each.separation
        assert all(member.shared and member.nearest for member in each.members)
        own = set(LIVES[life_of(each.members[0].dialogue)].split())
        assert {one.word for one in each.keywords[:3]} <= own


def test_a_foreign_dialogue_is_left_over_with_the_reason() -> None:
    """What shares nothing with any life is in no cluster, and the nearest one lists it."""
    foreign = Dialogue("other/D1", (Exchange("Zebras graze where acacias grow.", "They do."),) * 4)
    found = cluster_dialogues([*lives(), foreign])
    assert found.left_over == ["other/D1"]
    told = [one for each in found.clusters for one in each.left_out]
    assert [one.dialogue for one in told] == ["other/D1"]
    assert "cluster" in told[0].why


def test_sizes_hold() -> None:
    """No cluster has more sessions or rounds than it may, or fewer sessions than it must."""
    found = cluster_dialogues(lives(), Demands(least_sessions=2, most_sessions=4, most_rounds=15))
    assert found.clusters
    assert all(2 <= len(each.members) <= 4 and each.rounds <= 15 for each in found.clusters)


def test_a_cluster_that_is_too_small_is_given_up() -> None:
    """A life of two dialogues is left over where three are wanted."""
    few = [*lives(), session("potter", 7)]
    few = [one for one in few if life_of(one.id) != "coder" or one.id in {"coder/D1", "coder/D2"}]
    assert cluster_dialogues(few).left_over == ["coder/D1", "coder/D2"]
    assert not cluster_dialogues(few, Demands(least_sessions=2)).left_over


def test_an_id_twice_is_refused() -> None:
    """Members are named by id, so each id is one dialogue."""
    with pytest.raises(ValueError, match="baker/D1: expected a unique id"):
        cluster_dialogues([session("baker", 1), session("baker", 1)])


@pytest.mark.parametrize("count", [0, 1, 2])
def test_hardly_any_dialogues_are_left_over(count: int) -> None:
    """Nothing breaks where there is nothing to compare."""
    found = cluster_dialogues(lives()[:count])
    assert (found.clusters, len(found.left_over)) == ([], count)


def test_dialogues_without_words_are_left_over() -> None:
    """Empty rounds and no rounds give no likeness."""
    empty = [Dialogue(f"e/D{at}", (Exchange(""),) * (at % 2)) for at in range(1, 5)]
    assert len(cluster_dialogues(empty).left_over) == 4


def test_nearest_pairs_by_blocks_give_the_same_clusters(
    usual: Clustering, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many dialogues are compared with their nearest alone; here these say as much as all."""
    monkeypatch.setattr(scores, "EVERY_PAIR", 10)
    monkeypatch.setattr(scores, "NEIGHBOURS", 8)
    monkeypatch.setattr(scores, "BLOCK", 7)
    monkeypatch.setattr(scores, "SAMPLE", 500)
    assert groups(cluster_dialogues(lives())) == groups(usual)


def test_names_part_people_who_talk_alike() -> None:
    """Two people with one topic are two clusters where replies call them by name."""
    dialogues = lives(8, named=False)
    named = []
    for one in dialogues:
        name = "Noor" if int(one.id[-1]) % 2 else "Elif"
        first = replace(one.rounds[0], reply=f"{one.rounds[0].reply} Lovely to hear, {name}!")
        named.append(replace(one, rounds=(first, *one.rounds[1:])))
    held = features_of(named)
    assert set(held.names) == {frozenset({"noor"}), frozenset({"elif"})}
    found = scores.score_pairs(held).graph(len(named)).toarray()
    same, other = found[0, 2], found[0, 1]
    without = scores.score_pairs(features_of(named, names=False)).graph(len(named)).toarray()
    assert same - other > without[0, 2] - without[0, 1]


def test_a_word_that_is_no_name_is_none() -> None:
    """Places and words that are also written small are not taken for somebody addressed."""
    replies = ("It is in Rome, Italy. Italy is warm.", "Good, Grace! What a grace.", "Hi Noor, hm.")
    spoken = Dialogue("x/D1", tuple(Exchange("Yes.", reply) for reply in replies))
    assert names_of_people([spoken]) == [frozenset({"noor"})]


def test_entities_are_capitalised_inside_sentences() -> None:
    """Alone and as the run that they stand in; the first word of a sentence does not count."""
    text = "Yesterday we met Lumi at Senso Temple. Then I left."
    assert entities(text) == ["lumi", "senso", "temple", "senso temple"]


def test_keywords_of_a_dialogue_are_its_rare_words() -> None:
    """They are written as people write them, the heaviest with weight 1."""
    dialogues = lives()
    found = weighted_keywords(features_of(dialogues), dialogues, [0])
    assert found[0].weight == 1.0
    assert {one.word for one in found[:3]} <= set(LIVES["potter"].split())


def test_sessions_of_a_record_are_single_dialogues() -> None:
    """People's turns are told, those of an assistant are replies; ids name the session."""
    conversation = content().bundles[0].conversation
    found = list(dialogues_of(conversation))
    assert [one.id for one in found] == [
        record_id(conversation.id, each.id) for each in conversation.sessions
    ]
    assert all(one.rounds for one in found)
    assert not list(dialogues_of(conversation, among=()))
    assert all(not one.names for one in dialogues_of(conversation, names=False))


@given(seed=st.integers(0, 10**6), size=st.integers(1, 14), most=st.integers(1, 6))
def test_no_move_breaks_a_limit(seed: int, size: int, most: int) -> None:
    """Whatever the scores, sizes hold and what is apart stays apart."""
    random = np.random.default_rng(seed)
    made = np.triu(random.normal(size=(size, size)), 1)
    parted = {(int(a), int(b)) for a, b in random.integers(0, size, (size // 2, 2)) if a != b}
    apart = {
        at: frozenset(b if a == at else a for a, b in parted if at in (a, b)) for at in range(size)
    }
    graph = sparse.csr_matrix(made + made.T)
    nodes = Nodes(graph, [1] * size, [2] * size, apart, frozenset())
    label = communities(nodes, 0.3, Limits(most, 9), range(2))
    assert all(label.count(each) <= min(most, 4) for each in label)
    assert all(label[a] != label[b] for a, b in parted)
