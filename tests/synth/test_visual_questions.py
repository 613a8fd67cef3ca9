"""Questions about pictures that are read by where things are."""

import itertools
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.synth.pictures.layouts.double_charts import clear_ticks
from memassay.synth.pictures.parts.scales import scale_of
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.visual import single
from memassay.synth.world.persona_pictures import ImageSpec

SUBJECT = "image:card.shot"


def picture(kind: str, cells: dict[str, FactValue], **fields: object) -> Picture:
    """A picture of a kind with these values."""
    facts = {
        key: Fact(id=f"lou/F{at:04d}", subject=SUBJECT, attribute=key, value=value)
        for at, (key, value) in enumerate(cells.items(), start=1)
    }
    spec = {"kind": kind, "title": "Shot", "about": "the shot", **fields}
    return Picture(SUBJECT, "the shot", ImageSpec.model_validate(spec), facts, "D1:IMG_001", "D1:1")


@pytest.fixture(autouse=True)
def one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is called the shot."""
    named = SimpleNamespace(phrase="the shot", description=SimpleNamespace(noun="photo"))
    monkeypatch.setattr(single, "describe_picture", lambda *_, **__: named)


def drafts(shot: Picture) -> list[Draft]:
    """All drafts about a picture, several wordings of each."""
    history = cast(History, None)
    return [draft for seed in range(8) for draft in single.drafts_of(history, shot, Random(seed))]


def number(text: str, unit: str | None = None) -> FactValue:
    """A number."""
    return FactValue(type=ValueType.NUMBER, text=text, unit=unit)


COUNTS = {
    f"{row}/{column}": number(count)
    for (row, column), count in zip(
        itertools.product(("red dice", "blue keys"), ("in all", "partly hidden")),
        "6142",
        strict=True,
    )
}
OBJECTS = {
    "rows": ["red dice", "blue keys"],
    "columns": {"in all": {"number": [4, 7, 1]}, "partly hidden": {"number": [1, 2, 1]}},
}


@pytest.mark.parametrize(
    ("shot", "words"),
    [
        (picture("gauge", {"Steam": number("1.2", "bar")}), "Steam"),
        (picture("route_map", {"Ford": number("3", "km")}), "Ford"),
        (
            picture("form", {"Bed": FactValue(type=ValueType.TEXT, text="never")}),
            "Bed",
        ),
        (
            picture("calendar", {"Vet": FactValue(type=ValueType.DATE, text="2025-03-14")}),
            '"Vet"',
        ),
        (
            picture("annotated_plan", {"Ridge": FactValue(type=ValueType.TEXT, text="moss")}),
            '"Ridge"',
        ),
    ],
)
def test_question_names_what_is_read(shot: Picture, words: str) -> None:
    """The key of the value and the picture are in the question, the value is not."""
    (value,) = shot.cells.values()
    asked = drafts(shot)
    assert asked
    for draft in asked:
        assert words in draft.text
        assert "the shot" in draft.text
        assert value.value.text not in draft.text


def test_line_of_text_in_a_calendar_is_no_date() -> None:
    """Of a calendar only dates are asked for by their cell."""
    shot = picture("calendar", {"Laundry": FactValue(type=ValueType.TEXT, text="mom")})
    assert drafts(shot) == []


def test_objects_behind_others_are_counted_and_added() -> None:
    """One kind is counted in a column, and two kinds together."""
    texts = [draft.text for draft in drafts(picture("cluttered_scene", COUNTS, **OBJECTS))]
    for column in ("in all", "partly hidden"):
        asked = [text for text in texts if column in text]
        assert any("together" in text for text in asked)
        assert any("together" not in text for text in asked)


CURVES = {
    f"{row}/{column}": number(value, "mm")
    for (row, column), value in zip(
        itertools.product(("Mon", "Tue", "Wed"), ("Yard", "Roof")),
        ("2", "8", "7", "13", "12", "18"),
        strict=True,
    )
}


def test_double_chart_is_asked_for_counts_alone() -> None:
    """No question wants a number that is between two gridlines."""
    columns = {"Yard": {"number": [0, 15, 1]}, "Roof": {"number": [0, 15, 1]}}
    shot = picture("double_chart", CURVES, rows=["Mon", "Tue", "Wed"], columns=columns)
    asked = drafts(shot)
    assert asked
    assert all(draft.query["op"] == "count" and " above " in draft.text for draft in asked)
    assert any("Yard and Roof together" in draft.text for draft in asked)


@given(st.lists(st.integers(-50, 400), min_size=3, max_size=8, unique=True))
def test_no_point_is_near_a_gridline_that_is_asked_about(numbers: list[int]) -> None:
    """All points are at least a quarter of a step away, some above and some below."""
    scale = scale_of(numbers, from_zero=False)
    for label in clear_ticks(numbers, scale):
        apart = [number - float(label) for number in numbers]
        assert all(abs(gap) > scale.step / 4.001 for gap in apart)
        assert min(apart) < 0 < max(apart)
