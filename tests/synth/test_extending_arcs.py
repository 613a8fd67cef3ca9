"""Arcs of extension sessions: what each session of one says, shows and plants."""

from collections import Counter
from random import Random

import pytest

from memassay.synth.lives.extending.arcs import Arc, Exchange, arcs
from memassay.synth.lives.extending.filled_arcs import fill_arc
from memassay.synth.lives.extending.matters import Matter
from memassay.synth.questions.knowledge.planted import PlantKind
from memassay.synth.world.grammar import slots_of

CAKE = Matter("cake", "the cake", "on 7 October 2024", "2024-10-07", "I like to bake a cake")


@pytest.mark.parametrize("name", arcs().arcs)
def test_arcs_say_or_show_every_fact_once_a_session(name: str) -> None:
    """Each session of an arc says each of its values in one turn, and shows two pictures."""
    arc = arcs().arcs[name]
    for exchanges in (arc.first, arc.later):
        assert sum(bool(one.shows) for one in exchanges) == 2
        said = Counter(slot for one in exchanges for slot in _slots(one))
        assert set(said.values()) == {1}
    assert {slot for one in arc.first for slot in _all(one, arc)} == set(arc.facts)
    planted = {slot for slot, spec in arc.facts.items() if spec.plant != "none"}
    assert {slot for one in arc.later for slot in _slots(one)} - planted == {
        f"{slot}.old" for slot, spec in arc.facts.items() if spec.plant == "correction"
    }
    plants = {spec.plant for spec in arc.facts.values()}
    assert plants >= {"correction", "contradiction", "agreement"}
    assert len(plants & {"change", "merge"}) == 1
    # What goes into one is told before it, and no two values of them are alike.
    for slot, spec in arc.facts.items():
        if spec.plant == "merge":
            assert list(arc.facts).index(spec.joins) < list(arc.facts).index(slot)
            assert set(spec.one_of).isdisjoint(arc.facts[spec.joins].one_of)


def _slots(one: Exchange) -> list[str]:
    """Slots of an exchange for facts; those of choices are in one alternative each."""
    return [slot for slot in slots_of(one.u) + slots_of(one.r) if slot not in ("thing", "about")]


def _all(one: Exchange, arc: Arc) -> list[str]:
    shown = list(arc.images[one.shows].lines.values()) if one.shows else []
    return _slots(one) + shown


@pytest.mark.parametrize("name", arcs().arcs)
def test_no_property_always_agrees(name: str) -> None:
    """What a question asks of does not tell whether it was contradicted."""
    kinds = [
        fill_arc(
            arcs().arcs[name],
            CAKE,
            ("a/F", "a/G"),
            "user",
            ["Ann", "Bo"],
            set(),
            "EUR",
            Random(seed),
        ).kinds
        for seed in range(12)
    ]
    contradicted = {
        slot for one in kinds for slot, kind in one.items() if kind is PlantKind.CONTRADICTION
    }
    agreed = {slot for one in kinds for slot, kind in one.items() if kind is PlantKind.AGREEMENT}
    assert len(contradicted) == 2
    assert contradicted == agreed
