"""Values under laws: what is drawn keeps them, and nothing that is drawn is taken back."""

import itertools
from datetime import date, timedelta
from decimal import Decimal
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.records.event import EventLine
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.laws.curves import Curve, progress
from memassay.synth.laws.grids import Grid, Group, Problem, Rule, Sum, trend_rules
from memassay.synth.laws.solving import Unsolvable, bounds, solve
from memassay.synth.world.cells.axes import row_labels
from memassay.synth.world.cells.checks import law_problems, quantity_problems
from memassay.synth.world.cells.drawing import image_values
from memassay.synth.world.maker import WorldMaker
from memassay.synth.world.persona_file import PERSONAS, CardSpec, load_persona
from memassay.synth.world.persona_parts import FactSpec
from memassay.synth.world.persona_pictures import AxisSpec, ImageSpec
from memassay.synth.world.processes.cast_card import CastCard
from memassay.synth.world.processes.parts import parts_of

SEEDS = st.integers(0, 10_000).map(str)


def _chart(**fields: object) -> ImageSpec:
    return ImageSpec.model_validate(
        {"kind": "line_chart", "title": "T", "about": "a chart", "measure": "m", **fields}
    )


def _values(image: ImageSpec, seed: str, rows: list[str] | None = None) -> dict[str, str]:
    draws = partial(keyed_random, seed)
    rows = image.rows if rows is None else rows
    drawn = image_values(image, rows, date(2024, 6, 12), str, {}.__getitem__, draws, {})
    return {key: value.text for key, value in drawn}


@given(SEEDS, st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 5))))
def test_what_is_drawn_keeps_every_rule(seed: str, pairs: list[tuple[int, int, int]]) -> None:
    """Whatever forward rules there are: they hold, or the bounds alone refuse them."""
    grids = {str(n): Grid(0, 30, 1) for n in range(8)}
    rules = [Rule(str(a), str(b), by) for a, b, by in pairs if a < b]
    problem = Problem(grids, rules)
    try:
        bounds(problem)
    except Unsolvable:
        with pytest.raises(Unsolvable, match="cannot be"):
            solve(problem, partial(keyed_random, seed))
        return
    drawn = solve(problem, partial(keyed_random, seed))
    assert all(drawn[rule.smaller] + rule.by <= drawn[rule.greater] for rule in rules)
    assert all(0 <= value <= 30 for value in drawn.values())


@given(SEEDS)
def test_a_free_cell_moves_no_other(seed: str) -> None:
    """One cell more without a law leaves the values of all others as they were."""
    grids = {name: Grid(0, 1000) for name in "abc"}
    draws = partial(keyed_random, seed)
    before = solve(Problem(dict(grids)), draws)
    after = solve(Problem({**grids, "d": Grid(0, 1000)}), draws)
    assert {name: after[name] for name in "abc"} == before


@given(SEEDS, st.sampled_from(["rising", "falling", "peak", "dip"]), st.integers(1, 3))
def test_a_trend_has_its_shape(seed: str, shape: str, turn: int) -> None:
    """Steps have the sign that the shape asks for on each side of the turn."""
    cells = [str(n) for n in range(5)]
    grids = dict.fromkeys(cells, Grid(10, 90, 5))
    rules = trend_rules(cells, grids, shape, 0.3, turn)
    drawn = solve(Problem(dict(grids), rules), partial(keyed_random, seed))
    ups = [drawn[b] > drawn[a] for a, b in itertools.pairwise(cells)]
    before, after = {
        "rising": (True, True),
        "falling": (False, False),
        "peak": (True, False),
        "dip": (False, True),
    }[shape]
    assert ups == [before if n < turn else after for n in range(4)]


@given(SEEDS, st.integers(30, 260))
def test_cells_add_up(seed: str, total: int) -> None:
    """A sum between the ends is reached with the rules kept."""
    grids = {name: Grid(10, 90) for name in "abc"}
    problem = Problem(grids, [Rule("a", "b", 5)], [], [Sum(("a", "b", "c"), total)])
    if not 35 <= total <= 265:
        with pytest.raises(Unsolvable):
            solve(problem, partial(keyed_random, seed))
        return
    drawn = solve(problem, partial(keyed_random, seed))
    assert sum(drawn.values()) == total
    assert drawn["a"] + 5 <= drawn["b"]


@given(SEEDS)
def test_ranks_differ(seed: str) -> None:
    """As many cells as values get each value once."""
    grids = {str(n): Grid(1, 5) for n in range(5)}
    problem = Problem(grids, groups=[Group(tuple(grids))])
    assert sorted(solve(problem, partial(keyed_random, seed)).values()) == [1, 2, 3, 4, 5]


def test_more_cells_than_values_cannot_differ() -> None:
    """A group that must differ is refused, one that need not is drawn all the same."""
    grids = {str(n): Grid(1, 3) for n in range(4)}
    with pytest.raises(Unsolvable, match="too few values"):
        solve(Problem(dict(grids), groups=[Group(tuple(grids))]), keyed_random)
    soft = Problem(dict(grids), groups=[Group(tuple(grids), strict=False)])
    assert set(solve(soft, keyed_random).values()) == {1, 2, 3}


@given(SEEDS)
def test_times_of_a_table_keep_their_order(seed: str) -> None:
    """Columns are in order in each row, and a row begins after the one before has ended."""
    clock = {"clock": ["06:00", "20:00", 5]}
    image = ImageSpec.model_validate(
        {
            "kind": "timetable",
            "title": "T",
            "about": "a table",
            "rows": ["A", "B", "C"],
            "columns": {"From": clock, "To": clock},
            "laws": [
                {"order": ["From", "To"], "gap": 30},
                {"order": "rows", "by": "From", "then": "To", "gap": 10},
            ],
        }
    )
    drawn = _values(image, seed)
    times = [drawn[f"{row}/{column}"] for row in "ABC" for column in ("From", "To")]
    assert times == sorted(set(times))


@given(SEEDS)
def test_a_row_may_have_narrower_ends(seed: str) -> None:
    """A label that names an hour has a time near it."""
    clock = {"clock": ["06:00", "20:00", 5], "rows": {"Noon": ["11:32", "13:00"]}}
    image = ImageSpec.model_validate(
        {
            "kind": "timetable",
            "title": "T",
            "about": "a table",
            "rows": ["Noon", "Night"],
            "columns": {"At": clock},
        }
    )
    assert "11:35" <= _values(image, seed)["Noon/At"] <= "13:00"


@given(SEEDS)
def test_a_bound_holds_between_numbers_of_different_steps(seed: str) -> None:
    """A rank is at most the number of players, and both are on their grids."""
    image = ImageSpec.model_validate(
        {
            "kind": "label",
            "title": "T",
            "about": "a label",
            "lines": {"Rank": {"number": [1, 40, 1]}, "Players": {"number": [8, 40, 4]}},
            "laws": [{"bound": ["Rank", "Players"]}, {"bound": ["Players", 36]}],
        }
    )
    drawn = {key: Decimal(text) for key, text in _values(image, seed).items()}
    assert drawn["Rank"] <= drawn["Players"] <= 36
    assert drawn["Players"] % 4 == 0


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)), st.integers(1, 2), st.integers(3, 5))
def test_no_row_of_an_axis_is_after_the_day_it_is_shown(day: date, step: int, most: int) -> None:
    """Days, workdays and months end at the day shown, and labels differ."""
    for each, label in (("day", "weekday"), ("workday", "weekday"), ("month", "month")):
        axis = AxisSpec.model_validate(
            {"each": f"{1 if each == 'workday' else step} {each}s", "most": most, "label": label}
        )
        image = _chart(axis=axis.model_dump(), value={"number": [1, 9, 1]})
        labels = row_labels(image, day, str, {})
        last = day - timedelta(days=max(day.weekday() - 4, 0) if each == "workday" else 0)
        assert labels[-1] == f"{last:%b}" if each == "month" else f"{last:%a}"
        assert len(set(labels)) == most


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ([{"order": ["B", "A"], "gap": 50}], "A cannot be 5000 above B"),
        ([{"bound": ["A", "Nobody"]}], "Nobody has no number"),
        ([{"ends": "weight"}], "its range has no 12"),
        ([{"ends": "height"}], "expected a fact of the card"),
        ([{"sum": ["A", "B"], "to": 5}], "add up to"),
    ],
)
def test_the_checker_says_which_law_cannot_be_kept(
    laws: list[dict[str, object]], message: str
) -> None:
    """A law that no values keep, or not for every value of a fact, is named."""
    weight = FactSpec.model_validate(
        {"about": "user", "attribute": "w", "value": {"number": [8, 12, 1]}}
    )
    image = _chart(rows=["A", "B", "C"], value={"number": [3, 10, 1]}, laws=laws)
    (problem,) = law_problems(image, {"weight": weight})
    assert message in problem


def _garlic(days: list[date], seed: int) -> dict[str, dict[str, str]]:
    """By stage, what the world of one staged card says on its day."""
    said = {"user": "Cut {height}.", "assistant": "Good."}
    grows = {"number": [0, 30, 0.5], "unit": "cm", "of": "sun"}
    card = CardSpec.model_validate(
        {
            **dict.fromkeys(("what", "query", "keyword"), "garlic"),
            "id": "garlic",
            "stages": {
                name: {"what": f"the {name} of garlic", "after": "5 days"}
                for name in ("plant", "look", "cut")
            },
            "quantities": {
                "sun": {
                    "since": "plant",
                    "by": "cut",
                    "at_first": 0,
                    "reaches": [11, 18],
                    "curve": "s",
                }
            },
            "facts": {"height": {"about": "user", "attribute": "height", "value": grows}},
            "images": {
                "tall": {
                    "kind": "line_chart",
                    "title": "Height",
                    "about": "it",
                    "measure": "height",
                    "axis": {"each": "2 days", "since": "plant", "most": 6, "label": "Day {n}"},
                    "value": grows,
                }
            },
            "rounds": [
                {"user": "Planted.", "assistant": "Good.", "stage": "plant"},
                {"user": "Look.", "assistant": "Good.", "shows": ["tall"], "stage": "look"},
                {**said, "stage": "cut"},
            ],
        }
    )
    assert list(quantity_problems(card)) == []
    persona = load_persona(PERSONAS / "wei-courier.yaml")
    cast = [
        CastCard(part, EventLine.CORE, n, day, day, {})
        for n, (part, day) in enumerate(zip(parts_of(card, {}), days, strict=True), start=1)
    ]
    world = WorldMaker(persona, partial(keyed_random, str(seed)), 0).make(cast)
    facts = {fact.id: fact for fact in world.facts}
    return {
        event.stage or "": {slot: facts[name].value.text for slot, name in event.facts.items()}
        for event in world.events
    }


@pytest.mark.parametrize("seed", range(5))
def test_a_quantity_is_one_function_of_the_day(seed: int) -> None:
    """A chart begins with its stage, ends on its day, and leads to what the text says later."""
    planted = date(2024, 3, 1)
    days = [planted, planted + timedelta(days=9), planted + timedelta(days=16)]
    said = _garlic(days, seed)
    rows = [slot for slot in said["look"] if slot.startswith("image:tall:Day")]
    assert [row.rpartition(":")[2] for row in rows] == [f"Day {n}" for n in (0, 2, 4, 6, 8)]
    heights = [Decimal(said["look"][row]) for row in rows]
    assert heights[0] == 0
    assert heights == sorted(heights)
    assert heights[-1] < Decimal(said["cut"]["height"])
    assert 11 <= Decimal(said["cut"]["height"]) <= 18


@pytest.mark.parametrize("curve", ["line", "s", "saturating", "cycle"])
def test_a_curve_begins_at_nothing_and_gets_there(curve: Curve) -> None:
    """Whatever its form; a cycle is there after half of its time."""
    there = Decimal("0.5") if curve == "cycle" else Decimal(1)
    assert progress(curve, Decimal(0)) == 0
    assert progress(curve, there) == 1
    assert 0 < progress(curve, there / 2) < 1


def test_the_checker_names_stages_and_quantities_that_are_not_there() -> None:
    """A card without stages cannot have values of a quantity."""
    value = {"number": [0, 30, 0.5], "of": "sun"}
    card = CardSpec.model_validate(
        {
            **dict.fromkeys(("id", "what", "query", "keyword"), "garlic"),
            "facts": {"height": {"about": "user", "attribute": "height", "value": value}},
            "rounds": [{"user": "{height}", "assistant": "Good."}] * 2,
        }
    )
    assert list(quantity_problems(card)) == [
        "facts.height.value.of: expected a quantity of the card, got 'sun'"
    ]


def test_the_checker_names_a_beginning_that_a_chart_has_earlier() -> None:
    """What has grown since it was planted did not begin on the day on which it was cut."""
    persona = load_persona(PERSONAS / "wei-courier.yaml")
    card = next(one for one in persona.side if "sun" in one.quantities)
    late = card.stages["cut"].model_copy(update={"what": "the sprouting of the garlic"})
    renamed = card.model_copy(update={"stages": {**card.stages, "cut": late}})
    assert list(quantity_problems(card)) == []
    assert {one.partition(":")[0] for one in quantity_problems(renamed)} == {"stages.cut.what"}
