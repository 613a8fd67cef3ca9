"""Clusters of published dialogues agree with the lives they were cut from."""

from pathlib import Path

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
