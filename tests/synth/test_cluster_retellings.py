"""The same happening with other names and numbers parts two people whom all else makes one."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from support.dialogue_lives import lives, session

from memassay.schemas.changes.cluster_decisions import Decided, HeldCluster
from memassay.synth.clusters.clustering import cluster_dialogues
from memassay.synth.clusters.demands import Demands
from memassay.synth.clusters.dialogue import Dialogue, Exchange
from memassay.synth.clusters.retellings import SENTENCES, retellings

FIRM, FRIENDS = ("Quayside", "Fernhollow", "Saltmere"), ("Kenji", "Mateus", "Tadeo")
DETAILS = (
    "We counted {a} chairs beside the door at {place} before {friend} came in.",
    "It took {b} minutes until {friend} had put the last of them away.",
    "Later {friend} paid {a} euros for tea and bread that nobody wanted.",
)


def told(at: int, seed: int, sentences: Sequence[str] = DETAILS) -> Dialogue:
    """Happening `at` of a potter's life as one seed tells it."""
    random = Random(f"{at} {seed}")
    details = {"a": random.randrange(10, 99), "b": random.randrange(100, 999)}
    own = {"place": FIRM[seed], "friend": FRIENDS[seed]}
    rounds = [
        Exchange(each.format(**details, **own), "Good to know.")
        for each in (sentence.replace("that", f"that{at * 'x'}") for sentence in sentences)
    ]
    usual = session("potter", at)
    return Dialogue(f"potter-{seed}/D{at}", (*usual.rounds, *rounds))


def two_seeds(count: int = 6, seeds: int = 2) -> list[Dialogue]:
    """Lives of one name, one craft and the same happenings, whose details differ."""
    return [told(at, seed) for seed in range(seeds) for at in range(1, count + 1)]


def groups(dialogues: Sequence[Dialogue], demands: Demands | None = None) -> list[set[str]]:
    """Whose dialogues each cluster holds."""
    found = cluster_dialogues(dialogues, demands)
    return [{one.dialogue.partition("/")[0] for one in each.members} for each in found.clusters]


def test_two_seeds_of_a_person_share_no_cluster() -> None:
    """What the two have in common is all but a place and a friend."""
    found = groups([*two_seeds(), *lives()[6:]])
    assert sorted(found, key=sorted) == [
        {each} for each in ("baker", "coder", "potter-0", "potter-1", "sailor")
    ]


def test_a_life_longer_than_a_cluster_is_parted_by_person_too() -> None:
    """A first cut at the largest size falls anywhere; what contradicts itself is cut again."""
    found = groups([*two_seeds(), *lives()[6:]], Demands(most_sessions=8))
    assert all(len(each) == 1 for each in found)


def test_many_communities_that_contradict_each_other_are_cut_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where they are too many to be looked at together, each is parted by itself."""
    monkeypatch.setattr("memassay.synth.clusters.splitting.EVERY_PAIR", 8)
    found = groups([*two_seeds(), *lives()[6:]], Demands(most_sessions=9))
    assert all(len(each) == 1 for each in found)


def test_people_may_put_a_contradiction_together() -> None:
    """What they decide holds, and so it does beside new dialogues of both lives."""
    both = frozenset({"potter-0/D1", "potter-1/D1"})
    decided = Decided({"two": HeldCluster("two", both)})
    found = cluster_dialogues([*two_seeds(), *lives()[6:]], then=lambda one: one.under(decided))
    held = [{one.dialogue for one in each.members} for each in found.clusters]
    assert any(both <= each for each in held)


@pytest.mark.parametrize("kept", [SENTENCES - 1, SENTENCES])
def test_a_few_sentences_that_come_again_are_no_contradiction(kept: int) -> None:
    """A life may say `it took 40 minutes` of two days, but not tell a whole happening again."""
    pair = [told(1, seed, DETAILS[:kept]) for seed in range(2)]
    assert retellings(pair).nnz == (2 if kept == SENTENCES else 0)


def test_a_dialogue_told_twice_word_by_word_contradicts_nothing() -> None:
    """A copy is the same life, whatever its id."""
    one = told(1, 0)
    assert retellings([one, replace(one, id="copy/D1")]).nnz == 0


def test_a_phrase_of_everybody_contradicts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences of more dialogues than a happening has tellers are passed over."""
    many = [replace(told(1, seed), id=f"{seed}/D1") for seed in range(3)]
    assert retellings(many).nnz == 6
    monkeypatch.setattr("memassay.synth.clusters.retellings.COMMON", 2)
    assert retellings(many).nnz == 0


def test_nothing_is_compared_where_there_is_nothing() -> None:
    """Dialogues without rounds, and sentences without details."""
    assert retellings([Dialogue("a/D1", ()), *lives()[:3]]).nnz == 0
