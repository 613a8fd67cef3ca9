"""Dials: each moves the number that `memassay stats` prints for it, and an unturned one none."""

from functools import cache
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from support.unpainted import leave_unpainted

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.queries.hardness import HardnessMeter
from memassay.schemas.records.bundle import Bundle
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.stats.dials import count_dials, dial_figures
from memassay.synth.questions.leanings import Leanings
from memassay.synth.world.casting import cast
from memassay.synth.world.dials import Dials, prefer
from memassay.synth.world.persona_file import PERSONAS, load_persona
from memassay.synth.world.sizes import Sizes

NAME = "noah-barista-apprentice"
SIZES = Sizes(sessions=10, rounds=10, images=6, documents=1, procedures=1, inferences=2)
FREE = Sizes(sessions=10, rounds=10, images=6, documents=0, procedures=0, inferences=0)
"""Sizes that need no card: what a short history shows can move a good way."""
WANTED = {"ms": 8, "tr": 10, "ii": 2}
ROWS = {
    "evidence_distance": "sessions between evidence of ms, tr, ii",
    "updates": "facts said that replace another, %",
    "distractor_likeness": "pictures of side events like one of the core, %",
    "visual_share": "facts seen only in pixels, %",
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the blobs of the histories go."""
    return tmp_path_factory.mktemp("dials")


@pytest.fixture(autouse=True)
def _unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No dial counts ink."""
    leave_unpainted(monkeypatch)


@cache
def _told(
    folder: Path,
    dials: Dials,
    sizes: Sizes = SIZES,
    leanings: Leanings | None = None,
    seed: int = 7,
) -> Bundle:
    """A history with these dials."""
    personas = Personas([NAME], folder)
    stages = [
        TimelineStage(personas, sizes, dials),
        DialogueStage("m3exam", personas),
        QuestionStage(KINDS, personas, WANTED, None, leanings or Leanings(dials.evidence_distance)),
    ]
    records = []
    for stage in stages:
        context = UnitContext(seed, stage.name, NAME, BlobFolder(folder / "blobs"))
        records += [*stage.run(records, context)]
    return Bundle.from_records(records)


def _measured(folder: Path, dials: Dials, what: str, seed: int = 7) -> float:
    chooses = dials.visual_share is not None or dials.updates is not None
    sizes = FREE if chooses else SIZES
    (figure,) = dial_figures([count_dials(_told(folder, dials, sizes, seed=seed))])
    (number,) = [row["ours"] for row in figure.rows if row["moves"] == what]
    assert isinstance(number, int | float)
    return number


@pytest.mark.slow
@pytest.mark.parametrize("dial", sorted(ROWS))
def test_a_dial_moves_its_number(dial: str, folder: Path) -> None:
    """From 0 over the middle to 1 the number never falls, and it ends higher."""
    low, middle, high = (
        _measured(folder, Dials(**{dial: at}), ROWS[dial])  # type: ignore[arg-type]
        for at in (0.0, 0.5, 1.0)
    )
    assert low <= middle <= high
    assert low < high


@pytest.mark.slow
def test_questions_need_more_rounds_where_that_is_preferred(folder: Path) -> None:
    """Of the same history; what is asked for in its place needs fewer."""
    low, high = (_rounds_needed(folder, at) for at in (0.0, 1.0))
    assert low < high


def _rounds_needed(folder: Path, at: float) -> float:
    """Share of the questions that need more than one round: a list of many counts once."""
    bundle = _told(folder, Dials(), SIZES, Leanings(rounds_needed=at))
    meter = HardnessMeter(bundle)
    return fmean(meter.measure(item).rounds_needed > 1 for item in bundle.questions)


@pytest.mark.slow
def test_evidence_distance_moves_updates_too(folder: Path) -> None:
    """What replaces a fact comes up later, in sessions, the farther the dial is turned.

    Few facts of a short history are replaced: three histories are looked at together.
    """
    what = "sessions from a fact to what replaces it"
    near, far = (
        fmean(_measured(folder, Dials(evidence_distance=at), what, seed) for seed in (7, 8, 9))
        for at in (0.0, 1.0)
    )
    assert near < far


def test_an_unturned_dial_draws_nothing() -> None:
    """The cards of a history are those that no dial at its default was ever asked about."""
    persona = load_persona(PERSONAS / "wei-courier.yaml")
    one, other = (
        cast(persona, SIZES, UnitContext(7, "x", "wei", BlobFolder(Path())).random, *dials)
        for dials in ((), (Dials(),))
    )
    assert one == other


def test_a_strong_attraction_is_no_rule() -> None:
    """Preferred things come sooner on average; every order stays possible."""
    random = Random(7)
    drawn = [prefer([0, 1], lambda thing: 0.2 * thing, random)[0] for _ in range(200)]
    assert 100 < sum(drawn) < 200
