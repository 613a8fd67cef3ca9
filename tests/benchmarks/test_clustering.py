"""Clusters of published dialogues agree with the lives they were cut from."""

from pathlib import Path
from random import Random

import pytest
from clustering import agreement, cost
from clustering_sources import (
    Known,
    as_mmrc,
    made_up,
    mem_gallery,
    without_first_rounds,
    without_names,
)
from clustering_strangers import places_of, pool_of

from memassay.synth.clusters.dialogue import Dialogue, Exchange


def test_names_are_taken_out_of_every_text() -> None:
    """Whole words alone, whoever says them."""
    said = Exchange("Hi, Lin here.", "Hello Lin! Linen?", "A card for Lin")
    bare = without_names(Known(Dialogue("a/D1", (said,), frozenset({"Lin"})), "a", ("Lin",)))
    assert bare.dialogue.rounds == (Exchange("Hi,  here.", "Hello ! Linen?", "A card for "),)
    assert not bare.dialogue.names


def test_first_rounds_are_taken_away() -> None:
    """What is left begins with the third."""
    rounds = tuple(Exchange(str(at)) for at in range(4))
    assert without_first_rounds(Known(Dialogue("a/D1", rounds), "a", ())).dialogue.rounds == (
        *rounds[2:],
    )


def test_dialogues_pass_through_mmrcs_layout_unchanged() -> None:
    """What is said and shown comes back; a user without a name has none."""
    said = (Exchange("Look.", "A hull.", "A red hull"), Exchange("Hi", "Hello"))
    known = [Known(Dialogue(f"{at}/D1", said), f"life {at}", ()) for at in range(3)]
    assert as_mmrc(known) == known


def test_made_up_dialogues_are_the_same_every_time() -> None:
    """So that times of two machines are of the same work."""
    assert list(made_up(2)) == list(made_up(2))


def _life(name: str, words: str, count: int) -> list[Known]:
    said = [Exchange(" ".join(words.split()[at % 3 :]), "Fine.") for at in range(5)]
    return [Known(Dialogue(f"{name}/D{at}", (*said,)), name, ()) for at in range(1, count + 1)]


def test_places_of_strangers_and_members_are_counted() -> None:
    """A stranger in no cluster, one in a life, and members that stay together."""
    whole = [
        *_life("potter", "kiln glaze clay porcelain wheel firing studio", 6),
        *_life("sailor", "regatta mast harbour spinnaker tide keel mooring", 6),
    ]
    guest, other = (
        _life("guest", "kiln glaze clay porcelain wheel firing studio", 1),
        _life("other", "zebras graze acacias savanna dusk giraffe lions", 1),
    )
    found = places_of(whole, [*guest, *other])
    assert (found.strangers, found.left, found.joined) == (2, 1, 1)
    assert (found.members, found.lost, found.right, found.ari) == (12, 0, 12, 1.0)
    assert found.and_then(found).members == 24


def test_a_pool_has_two_dialogues_of_each_life_that_is_not_whole() -> None:
    """And all of the others."""
    known = [one for name in "abcd" for one in _life(name, "one two three four", 4)]
    members, strangers = pool_of(known, Random(1), whole=3)
    assert (len(members), len(strangers)) == (12, 2)
    assert not {one.life for one in members} & {one.life for one in strangers}


def test_what_clustering_costs_is_measured() -> None:
    """Seconds, memory and how well the made-up lives come back."""
    measured = cost(24)
    assert (measured.dialogues, measured.nmi) == (24, 1.0)
    assert measured.megabytes > 0


@pytest.mark.slow
def test_published_scenarios_come_back(real_data: Path) -> None:
    """All twelve at once, shuffled, keep the bars that the benchmark states."""
    whole = agreement(mem_gallery(real_data / "mem-gallery" / "dialog"))
    assert whole.nmi >= 0.78
    assert whole.ari >= 0.65
    assert abs(whole.clusters - whole.lives) <= 2


@pytest.mark.slow
def test_most_strangers_among_published_scenarios_are_left_over(real_data: Path) -> None:
    """Of four pools, a third of the strangers at least, and one member in fourteen at most."""
    known = mem_gallery(real_data / "mem-gallery" / "dialog")
    pools = [places_of(*pool_of(known, Random(f"strangers {seed}"))) for seed in range(4)]
    assert 3 * sum(one.left for one in pools) >= sum(one.strangers for one in pools)
    assert 14 * sum(one.lost for one in pools) <= sum(one.members for one in pools)
