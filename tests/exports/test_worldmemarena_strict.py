"""WorldMemArena's layout: exports as upstream's code reads them, and files with odd values."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.arena import (
    FOLDER,
    Change,
    arena_sample,
    change_image,
    change_question,
    import_sample,
    move_s00_points,
    shorten_id,
    told_sample,
)
from support.foreign_cases import bundle_of
from support.release_builder import MemoryBlobs
from support.strict_cases import edit, exported, spoiled
from support.written_layouts import write

from memassay.exports.formats.worldmemarena.layout import WorldMemArena
from memassay.schemas.records.bundle import Bundle

LAYOUT = WorldMemArena()
FILE = f"{FOLDER}/tide.json"


def _exported(folder: Path) -> tuple[Bundle, Path]:
    """The sample, exported; every question is kept."""
    blobs = MemoryBlobs()
    whole = bundle_of(import_sample(folder / "in", arena_sample(), blobs))
    kept, lost = exported("worldmemarena", whole, blobs, folder / "out")
    assert (len(kept.questions), lost) == (5, [])
    return kept, folder / "out"


SPOILT: dict[str, tuple[Change, dict[int, str]]] = {
    "no sample id": (lambda raw: raw.pop("sample_id"), dict.fromkeys(range(5), "not_read")),
    "session without an id": (
        lambda raw: raw["sessions"][1].pop("_v2_session_id"),
        dict.fromkeys(range(5), "not_read"),
    ),
    "points of S00 at the top": (move_s00_points, {4: "evidence"}),
    "evidence that is no point": (
        change_question(0, 0, evidence=[{"memory_id": "mp_S09_01"}]),
        {0: "evidence"},
    ),
    "evidence of both kinds": (
        change_question(0, 0, evidence=[{"memory_id": "mp_S01_01", "image_id": "S01_img_01"}]),
        {0: "evidence"},
    ),
    "no evidence": (change_question(0, 0, evidence=[]), {0: "evidence"}),
    "evidence from later": (
        change_question(0, 0, evidence=[{"memory_id": "mp_S02_01"}]),
        {0: "evidence"},
    ),
    "ids within another": (shorten_id, {0: "evidence"}),
    "nothing covered": (
        lambda raw: raw["qa_checkpoints"][1].update(covered_sessions=[]),
        {3: "not_read", 4: "not_read"},
    ),
    "unknown type": (change_question(0, 2, question_type_abbrev="XY"), {2: "not_read"}),
    "empty question": (change_question(1, 0, question=" "), {3: "not_read"}),
    "letter A": (change_question(0, 0, answer="A"), {0: "gold"}),
    "image that is not there": (change_image(file_path="images/no.png"), {1: "image", 4: "image"}),
}


@pytest.mark.parametrize("trap", SPOILT)
def test_a_spoiled_export_loses_the_questions_that_it_spoils(tmp_path: Path, trap: str) -> None:
    """The strict reader names the question and the reason."""
    change, expected = SPOILT[trap]
    kept, folder = _exported(tmp_path)
    edit(folder / FILE, lambda raw: (change(raw), raw)[1])
    assert spoiled("worldmemarena", kept, folder) == expected


def _paths(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a JSON value below its top."""
    keys = (
        range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()
    )
    return [each for key in keys for each in ((*before, key), *_paths(value[key], (*before, key)))]


PLACES = _paths(told_sample())
OTHERS: list[Any] = [None, 3, 0.5, True, "", "x", [], {}, ["x"], [["x"]], {"a": 1}, [{"a": []}]]


@settings(max_examples=40)
@given(at=st.integers(0, len(PLACES) - 1), other=st.sampled_from(OTHERS))
def test_whatever_stands_in_a_file_is_read_or_said(
    tmp_path_factory: pytest.TempPathFactory, at: int, other: Any
) -> None:
    """A value of another kind anywhere is no crash, and what was read can be written."""

    def change(raw: Any) -> None:
        *above, last = PLACES[at]
        for key in above:
            raw = raw[key]
        raw[last] = other

    folder = tmp_path_factory.mktemp("odd")
    blobs = MemoryBlobs()
    imported = import_sample(folder / "in", told_sample(change), blobs)
    if imported.bundle is not None:
        write(LAYOUT, [imported.bundle], blobs, folder / "out")
