"""How the questions of the path mmrc are worded around what a pack asks."""

from pathlib import Path
from typing import Final

import pytest

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth import packs
from memassay.synth.packs.files.pack_file import load_pack
from memassay.synth.paths.mmrc.abilities.cr import can_go_either_way
from memassay.synth.paths.mmrc.abilities.iu import claim_of
from memassay.synth.paths.mmrc.abilities.wordings import LISTED, word_ask
from memassay.synth.paths.mmrc.deck import Asked

TURNS = range(len(LISTED))
_LIBRARY: Final = Path(packs.__file__).parent / "library"


def _words(ask: str, *, pictured: bool = False) -> list[str]:
    return [word_ask(LISTED, Asked("IE", "open", at), ask, pictured=pictured) for at in TURNS]


def test_a_question_asks_for_all_once() -> None:
    """What a pack asks with `all` gets no second `all` around it."""
    for text in _words("What are all the things that were lent?"):
        assert text.lower().split().count("all") == 1


@pytest.mark.parametrize("pictured", [True, False])
def test_pictures_are_spoken_of_where_one_shows_a_piece(pictured: bool) -> None:
    """And nowhere else."""
    texts = _words("Which things were lent?", pictured=pictured)
    assert any("pictures" in text for text in texts) is pictured


def test_a_claim_says_its_unit_once() -> None:
    """Where the property names it, the number is enough."""
    value = FactValue(type=ValueType.NUMBER, text="2", unit="worksheets")
    assert claim_of("the number of unfinished worksheets", value).endswith("worksheets is 2")
    assert claim_of("the size of the pile", value).endswith("is 2 worksheets")


def test_a_comparison_that_always_goes_one_way_is_no_question() -> None:
    """The jacket is dearer than the portrait in every dialogue; the stalls' prices are not so."""
    job, lab = (load_pack(_LIBRARY / f"{name}.yaml") for name in ("job-hunt", "pendulum-lab"))
    assert not can_go_either_way(job, ["photocost", "suitcost"])
    assert can_go_either_way(lab, ["cordcost", "hookcost"])
