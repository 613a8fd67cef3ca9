"""A history has the sizes it was asked for, or a finding says which it misses."""

from functools import cache
from pathlib import Path
from random import Random

import pytest

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.world.casting import cast
from memassay.synth.world.persona_file import PERSONAS, PersonaFile, known_personas, load_persona
from memassay.synth.world.processes.cast_card import CastCard
from memassay.synth.world.sizes import Sizes, documents_of, images_of, missed_sizes, rounds_of

NAMES = ("carl-pilot", "liam-woodworking-apprentice", "wei-courier")
SMALL, ODD, LARGE = Sizes(3, 5, 2, 0), Sizes(5, 7.3, 4.1, 1), Sizes(16, 12.7, 7.0)


@cache
def _persona(name: str) -> PersonaFile:
    return load_persona(PERSONAS / f"{name}.yaml")


def _cast(name: str, sizes: Sizes, seed: int = 7) -> list[CastCard]:
    return cast(_persona(name), sizes, lambda *purpose: Random(f"{seed} {purpose}")).cards


@pytest.mark.parametrize("sizes", [SMALL, ODD, LARGE, Sizes(2, 4, 2, 0), Sizes(40, 4.8, 2.9)])
@pytest.mark.parametrize("name", NAMES)
def test_sessions_and_rounds_are_kept(name: str, sizes: Sizes) -> None:
    """Every session has a card, and rounds lie within 5 % or two of what is asked."""
    told = _cast(name, sizes)
    sessions = [one.session for one in told]
    assert sessions == sorted(sessions)
    assert set(sessions) == set(range(1, sizes.sessions + 1))
    wanted = sizes.sessions * sizes.rounds
    assert abs(rounds_of(one.card for one in told) - wanted) <= max(0.05 * wanted, 2) + 0.5


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sizes", [SMALL, ODD, LARGE, Sizes(9, 6, 1), Sizes(4, 9, 9, 3)])
def test_what_is_kept_needs_no_word_and_what_is_missed_has_one(name: str, sizes: Sizes) -> None:
    """Images and documents are near what is asked, or they are listed as missed."""
    cards = [one.card for one in _cast(name, sizes)]
    fields = {one.field: one for one in missed_sizes(_persona(name), sizes, cards, sizes.sessions)}
    wanted = sizes.sessions * sizes.images
    assert ("images" in fields) is (abs(images_of(cards) - wanted) > 0.1 * wanted)
    asked = sizes.documents is not None and documents_of(cards) != sizes.documents
    assert ("documents" in fields) is asked
    assert documents_of(cards) <= sizes.paged


def test_documents_that_a_persona_has_not_are_missed() -> None:
    """Where they are asked for by number; by default those are looked for that there are."""
    for asked, found in ((Sizes(4, 10, 5, 3), ["documents"]), (Sizes(4, 10, 5), [])):
        cards = [one.card for one in _cast("alex-veterinarian", asked)]
        lacks = missed_sizes(_persona("alex-veterinarian"), asked, cards, 4)
        assert [one.field for one in lacks if one.field == "documents"] == found


def test_needed_cards_come_after_the_sizes() -> None:
    """Procedures and unstated facts that were asked for are missed where they have no room."""
    sizes = Sizes(4, 8, 4, 0, procedures=10, inferences=10)
    cards = [one.card for one in _cast("carl-pilot", sizes)]
    found = {one.field: one.asked for one in missed_sizes(_persona("carl-pilot"), sizes, cards, 4)}
    assert (found["procedures"], found["inferences"]) == (10, 10)
    assert abs(rounds_of(cards) - 32) <= 2


def test_more_sessions_than_cards_are_missed() -> None:
    """Sessions are numbered from one without a gap, however few cards there are."""
    persona = _persona("carl-pilot")
    few = persona.model_copy(
        update={"cards": persona.cards[:1], "side": persona.side[:1], "implied": {}}
    )
    sizes = Sizes(3, 3.3, 2, 0)
    told = cast(few, sizes, lambda *purpose: Random(str(purpose))).cards
    assert [*dict.fromkeys(one.session for one in told)] == [1, 2]
    (sessions, *_) = missed_sizes(few, sizes, [one.card for one in told], 2)
    assert sessions == ("sessions", 3, 2)


@pytest.mark.slow(seconds=0.2)
@pytest.mark.parametrize("name", known_personas())
def test_the_papers_sizes_fit_everybody(name: str) -> None:
    """At the size of the full recipe nothing is missed."""
    cards = [one.card for one in _cast(name, LARGE)]
    assert [*missed_sizes(_persona(name), LARGE, cards, LARGE.sessions)] == []


def test_a_stage_says_which_sizes_are_missed(tmp_path: Path) -> None:
    """The finding names the persona, the field, what was asked and what was got."""
    stage = TimelineStage(Personas(["carl-pilot"], tmp_path), Sizes(3, 5, 20, 0))
    context = UnitContext(7, stage.name, "carl-pilot", BlobFolder(tmp_path))
    list(stage.run([], context))
    (finding,) = context.findings
    assert (finding.rule, finding.severity) == ("sizes.missed", "warning")
    assert finding.message.startswith("carl-pilot.sizes.images: expected 20, got ")
