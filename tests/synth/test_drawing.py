"""Figures are drawn whole: every key is in the picture, nothing is clipped, nothing overlaps."""

import io
import math
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from memassay.schemas.contracts.drawings import Redrawn
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.drawn import Drawn
from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import font
from memassay.synth.pictures.canvas.sketch import Box, Sketch
from memassay.synth.pictures.drawing.again import drawn_figure, libraries, redraw
from memassay.synth.pictures.drawing.renderer import RENDERERS, draw
from memassay.synth.pictures.parts.objects import COLOURS, SHAPES

KINDS = sorted(RENDERERS)
CHARTS = ("bar_chart", "line_chart")
PANELS = ("certificate", "chat", "label", "note", "notice", "ticket", "whiteboard")
COLUMNS = ("table", "timetable", "photo_pair", "cluttered_scene", "double_chart")
CHOICES = ("yes", "now and then", "no")
LETTERS = "abcdefgh imnorstuw ABEKMRSTX 0123456789 é°µ-/"

words = st.text(LETTERS, min_size=1, max_size=14).map(str.strip).filter(bool)
titles = st.text(LETTERS, min_size=1, max_size=60).map(str.strip).filter(bool)
long_lines = st.lists(words, min_size=1, max_size=9).map(" ".join)
keyed = st.lists(st.tuples(words, long_lines), max_size=6, unique_by=lambda line: line[0])
numbers = st.one_of(
    st.decimals(0, 100, places=1).map(str),
    st.integers(0, 999_999).map(str),
    st.decimals(-20, 20, places=1).map(str),
)


def rows_of(kind: str) -> st.SearchStrategy[list[str]]:
    """Row labels that a kind can have."""
    if kind in ("scene", "photo_pair", "cluttered_scene"):
        objects = st.tuples(st.sampled_from(sorted(COLOURS)), st.sampled_from(sorted(SHAPES)))
        return st.lists(objects.map(" ".join), min_size=1, max_size=6, unique=True)
    return st.lists(words, min_size=2, max_size=6, unique=True)


@st.composite
def figures(draw_: st.DrawFn, kind: str) -> Figure:
    """Figures of a kind, with contents as long as a persona may write them."""
    title = draw_(titles)
    lines = tuple(draw_(keyed.filter(bool) if kind in PANELS else keyed))
    if kind in PANELS:
        return Figure(kind, title, lines=lines)
    rows = tuple(draw_(rows_of(kind)))
    taken = {*rows, "title"}
    lines = tuple(line for line in lines if line[0] not in taken)
    if kind in ("photo_pair", "cluttered_scene", "double_chart"):
        columns = tuple(draw_(st.lists(words, min_size=2, max_size=2, unique=True)))
        most = 2 if kind == "cluttered_scene" else 9
        counts = st.tuples(st.integers(4, 9), st.integers(1, most))
        cells = tuple(tuple(map(str, draw_(counts))) for _ in rows)
        return Figure(kind, title, "size", rows=rows, columns=columns, cells=cells, lines=lines)
    if kind in ("table", "timetable"):
        columns = tuple(draw_(st.lists(words, min_size=2, max_size=4, unique=True)))
        cells = tuple(tuple(draw_(words) for _ in columns) for _ in rows)
        return Figure(kind, title, rows=rows, columns=columns, cells=cells, lines=lines)
    if kind == "calendar":
        month = draw_(st.sampled_from(MONTHS))
        days = draw_(st.lists(st.integers(1, 28), min_size=len(rows), max_size=len(rows)))
        dates = tuple((row, f"{day} {month} 2025") for row, day in zip(rows, days, strict=True))
        return Figure(kind, title, lines=dates + lines)
    if kind == "form":
        cells = tuple((draw_(st.sampled_from(CHOICES)),) for _ in rows)
        return Figure(kind, title, " / ".join(CHOICES), rows=rows, cells=cells, lines=lines)
    if kind == "scene":
        counts = tuple((str(draw_(st.integers(1, 9))),) for _ in rows)
        return Figure(kind, title, rows=rows, cells=counts, lines=lines)
    unit = draw_(st.sampled_from(["kg", "EUR", "m2", "°C"]))
    measure = draw_(titles) if kind in CHARTS else None
    cells = tuple((f"{draw_(numbers)} {unit}",) for _ in rows)
    return Figure(kind, title, measure, unit, rows, (), cells, lines)


any_figure = st.sampled_from(KINDS).flatmap(figures)
seeds = st.integers(0, 2**32)


def text_boxes(sketch: Sketch) -> list[tuple[str, Box]]:
    """Every text of a sketch and the box of its ink."""
    placed = []
    for text in sketch.texts:
        left, top, right, bottom = font(text.size, text.bold).getbbox(text.words, anchor="ls")
        placed.append((text.words, (text.x + left, text.y + top, text.x + right, text.y + bottom)))
    return placed


def bar_figure(kind: str = "bar_chart") -> Figure:
    """A small chart."""
    cells = (("4.3 kg",), ("5.1 kg",))
    return Figure(kind, "Weights", "weight", "kg", rows=("Mon", "Tue"), cells=cells)


@pytest.mark.slow
@given(any_figure, seeds)
def test_every_key_has_a_box_with_ink_inside_the_picture(figure: Figure, seed: int) -> None:
    """Title and keys have boxes inside the picture, and something is drawn in each."""
    drawing = draw(figure, Random(seed))
    image = Image.open(io.BytesIO(drawing.png)).convert("RGB")
    assert image.size == (drawing.width, drawing.height)
    assert set(drawing.boxes) == {"title", *figure.keys()}
    for left, top, right, bottom in drawing.boxes.values():
        assert 0 <= left < right <= drawing.width
        assert 0 <= top < bottom <= drawing.height
        colours = image.crop((left, top, right, bottom)).getcolors(100_000)
        assert colours is not None
        assert len(colours) > 2


@pytest.mark.slow(seconds=1)
@given(any_figure, seeds)
def test_no_text_is_clipped(figure: Figure, seed: int) -> None:
    """Every text stands wholly inside the picture."""
    sketch = RENDERERS[figure.kind](figure, Random(seed))
    outside = [
        (text, box)
        for text, box in text_boxes(sketch)
        if box[0] < 0 or box[1] < 0 or box[2] > sketch.width or box[3] > sketch.height
    ]
    assert outside == []


@pytest.mark.slow(seconds=1)
@given(any_figure, seeds)
def test_no_two_texts_overlap(figure: Figure, seed: int) -> None:
    """The ink of no text touches that of another."""
    sketch = RENDERERS[figure.kind](figure, Random(seed))
    touching = [
        (one, other)
        for (one, a), (other, b) in combinations(text_boxes(sketch), 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    assert touching == []


@pytest.mark.slow
@given(any_figure, seeds)
def test_transcription_holds_every_text(figure: Figure, seed: int) -> None:
    """The transcription holds the title, every row and every cell."""
    drawing = draw(figure, Random(seed))
    for text in (figure.title, *figure.rows, *figure.columns, *figure.keys().values()):
        assert text in drawing.transcription


@pytest.mark.slow(seconds=0.2)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=4)
@given(st.data())
def test_same_figure_and_state_give_the_same_bytes(kind: str, data: st.DataObject) -> None:
    """Drawing is a function of the figure and the state of the random generator."""
    figure = data.draw(figures(kind))
    first, second = (draw(figure, Random(3)) for _ in range(2))
    assert first.png == second.png
    assert (first.boxes, first.transcription) == (second.boxes, second.transcription)


@pytest.mark.slow(seconds=0.2)
@pytest.mark.parametrize("kind", KINDS)
def test_pictures_of_a_kind_vary(kind: str) -> None:
    """Twenty seeds give the same figure at least ten looks."""
    objects = kind in ("scene", "photo_pair", "cluttered_scene")
    rows = ("red balls", "blue cups") if objects else ("Mon", "Tue")
    columns = ("From", "To") if kind in COLUMNS else ()
    cells = (("4", "2"), ("6", "1")) if columns else (("4",), ("6",))
    data = Figure(kind, "A title", rows=rows, columns=columns, cells=cells)
    special = {
        "calendar": Figure(kind, "A title", lines=(("Vet", "14 March 2025"),)),
        "form": Figure(kind, "A title", "4 / 6", rows=rows, cells=cells),
    }
    panel = Figure(kind, "A title", lines=(("Gate", "B 12"),))
    figure = special.get(kind, panel if kind in PANELS else data)
    assert len({draw(figure, Random(seed)).png for seed in range(20)}) >= 10


def test_picture_has_a_small_palette_and_no_metadata() -> None:
    """Pictures are palette PNGs of the usual size, with nothing but pixels."""
    image = Image.open(io.BytesIO(draw(bar_figure(), Random(1)).png))
    assert (image.mode, image.size, image.info) == ("P", (640, 480), {})
    assert len(image.getcolors() or []) <= 128


def test_scene_prints_neither_objects_nor_counts() -> None:
    """Of a scene only the title is printed; what to count is to be seen."""
    figure = Figure("scene", "Shelf", rows=("red balls",), cells=(("3",),))
    sketch = RENDERERS["scene"](figure, Random(1))
    assert [text.words for text in sketch.texts] == ["Shelf"]
    assert sketch.lines == ["Shelf", "3 red balls"]


@pytest.mark.parametrize("style", range(12))
def test_objects_of_a_scene_do_not_overlap(style: int) -> None:
    """As many discs of a colour are apart as the scene says there are balls."""
    figure = Figure("scene", "Shelf", rows=("red balls", "blue balls"), cells=(("9",), ("7",)))
    sketch = RENDERERS["scene"](figure, Random(style))
    discs = [
        shape.points
        for shape in sketch.shapes
        if shape.form == "ellipse" and shape.fill in (COLOURS["red"][0], COLOURS["blue"][0])
    ]
    assert len(discs) == 16
    for ((x, y), (beyond, under)), ((left, top), (right, bottom)) in combinations(discs, 2):
        assert beyond <= left or right <= x or under <= top or bottom <= y


def test_unknown_kind_is_refused() -> None:
    """An unknown kind is named together with those that exist."""
    with pytest.raises(ValueError, match=r"kind: expected one of bar_chart.*got 'hologram'"):
        draw(Figure("hologram", "A title"), Random(1))


def test_chart_cell_without_number_is_refused() -> None:
    """A chart needs numbers."""
    figure = Figure("bar_chart", "Weights", unit="kg", rows=("Mon",), cells=(("heavy",),))
    with pytest.raises(ValueError, match=r"Mon: expected a number with the unit 'kg', got 'heavy'"):
        draw(figure, Random(1))


@pytest.mark.parametrize(("row", "cell"), [("red jars", "3"), ("pink balls", "3")])
def test_unknown_object_is_refused(row: str, cell: str) -> None:
    """A scene holds only objects that can be drawn."""
    with pytest.raises(ValueError, match=rf"expected a colour of .* got '{row}'"):
        draw(Figure("scene", "Shelf", rows=(row,), cells=((cell,),)), Random(1))


@pytest.mark.parametrize("cell", ["0", "13", "some", ""])
def test_uncountable_object_is_refused(cell: str) -> None:
    """A scene holds 1 to 12 objects of a kind."""
    with pytest.raises(ValueError, match=r"expected a count of 1 to 12"):
        draw(Figure("scene", "Shelf", rows=("red balls",), cells=((cell,),)), Random(1))


def test_letter_outside_the_font_is_refused() -> None:
    """What would become an empty box is refused instead."""
    with pytest.raises(ValueError, match=r"expected Latin letters and signs, got '猫'"):
        draw(Figure("label", "猫", lines=(("Name", "Biscuit"),)), Random(1))


@pytest.mark.parametrize("front", sorted(SHAPES))
def test_every_object_is_recognised_behind_any_other(front: str) -> None:
    """Of what is partly hidden, between half and most is seen, and its box holds just that."""
    rows = [f"{colour} {front}" for colour in ("red", "blue")]
    figure = Figure(
        "cluttered_scene",
        "Shelf",
        rows=tuple(rows),
        columns=("in all", "partly hidden"),
        cells=(("4", "2"), ("2", "1")),
    )
    drawing = draw(figure, Random(front))
    for row in rows:
        whole, part = (drawing.boxes[f"{row}/{column}"] for column in figure.columns)
        assert whole[0] <= part[0] < part[2] <= whole[2]
        assert whole[1] <= part[1] < part[3] <= whole[3]


def test_too_much_behind_is_refused() -> None:
    """What hides something is seen whole itself."""
    columns, cells = ("in all", "partly hidden"), (("3", "2"),)
    figure = Figure("cluttered_scene", "Shelf", rows=("red dice",), columns=columns, cells=cells)
    with pytest.raises(ValueError, match=r"red dice: expected half of 3 to be hidden at most"):
        draw(figure, Random(1))


def test_hand_of_a_gauge_points_at_its_mark() -> None:
    """The tip of a hand is where the value is between the first number and the last."""
    dials = Figure("gauge", "Boiler", rows=("Steam",), cells=(("1.2 bar",),))
    sketch = RENDERERS["gauge"](dials, Random(2))
    hand = next(shape for shape in sketch.shapes if shape.form == "polygon")
    left, top, right, bottom = sketch.boxes["Steam"]
    x, y = (left + right) / 2, (top + bottom) / 2
    printed = [text for text in sketch.texts if text.words.replace(".", "").isdecimal()]
    share = 1.2 / float(printed[-1].words)
    angle = math.radians(140 + 260 * share)
    tip = hand.points[0]
    assert math.atan2(tip[1] - y, tip[0] - x) % math.tau == pytest.approx(angle % math.tau)


def test_days_of_a_calendar_are_in_their_columns() -> None:
    """A Friday's entry is below the heading of Fridays."""
    page = Figure("calendar", "Spring", lines=(("Vet", "14 March 2025"), ("Oven", "7 March 2025")))
    sketch = RENDERERS["calendar"](page, Random(1))
    (friday,) = (text for text in sketch.texts if text.words == "Fri")
    for key in ("Vet", "Oven"):
        left, _, right, _ = sketch.boxes[key]
        assert left < friday.x < right
    assert sketch.boxes["Oven"][1] < sketch.boxes["Vet"][1]


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (Figure("calendar", "Spring", lines=(("Vet", "soon"),)), "a line with a date, got none"),
        (
            Figure("calendar", "Spring", lines=(("A", "1 May 2025"), ("B", "1 August 2025"))),
            "dates within 7 weeks",
        ),
        (Figure("form", "Sleep", "a / b", rows=("Bed",), cells=(("c",),)), "one of a, b, got 'c'"),
        (Figure("gauge", "Boiler", rows=("Steam",), cells=(("high",),)), "a number, got 'high'"),
        (Figure("double_chart", "Heat", rows=("Mon",), columns=("In",), cells=(("1",),)), "two"),
        (
            Figure("photo_pair", "Shelf", rows=("red dice",), columns=("Now",), cells=(("1",),)),
            "two",
        ),
    ],
)
def test_figure_that_cannot_be_drawn_is_refused(figure: Figure, message: str) -> None:
    """Each kind says what it expects and what it got."""
    with pytest.raises(ValueError, match=f"{figure.title}.*expected.*{message}"):
        draw(figure, Random(1))


@pytest.mark.slow(seconds=0.2)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=3)
@given(st.data())
def test_record_of_a_picture_is_drawn_again_alike(kind: str, data: st.DataObject) -> None:
    """What a record says of a picture gives the same pixels, boxes and transcription."""
    figure, key = data.draw(figures(kind)), ("7", "picture", kind)
    drawing = draw(figure, keyed_random(*key))
    drawn = Drawn(seed_path=list(key), libraries=libraries(), figure=drawn_figure(figure))
    asset = Asset(id="lou/IMG_001", availability=Availability.MISSING, drawn=drawn)
    again = redraw(cast(Bundle, SimpleNamespace(assets=[asset])))[asset.id]
    assert isinstance(again, Redrawn)
    assert (again.boxes, again.transcription) == (drawing.boxes, drawing.transcription)
    shown = Image.open(io.BytesIO(drawing.png)).convert("RGB")
    assert again.image.convert("RGB").tobytes() == shown.tobytes()
