"""Questions of each type for every conversation: both sums of a table are exact."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memassay.schemas.benchmarks.mem_gallery import PRINTED
from memassay.schemas.errors import RecipeError
from memassay.synth.paths.mem_gallery.apportioning import apportion, question_matrix
from memassay.synth.paths.mem_gallery.stories_recipe import StoriesSection

PICTURED = {"TTL": 333, "VS": 88, "VR": 54, "CD": 10, "KR": 2}


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=6),
    st.data(),
)
def test_sums_are_exact_and_bounds_are_kept(cells: list[list[int]], data: st.DataObject) -> None:
    """Whatever matrix there is, its sums give one, within bounds that it keeps itself."""
    rows, columns = [sum(row) for row in cells], [sum(one) for one in zip(*cells, strict=True)]
    least = [[data.draw(st.integers(0, one)) for one in row] for row in cells]
    most = [[data.draw(st.integers(one, 20)) for one in row] for row in cells]
    found = apportion(rows, columns, least, most)
    assert [sum(row) for row in found] == rows
    assert [sum(one) for one in zip(*found, strict=True)] == columns
    for row, low, high in zip(found, least, most, strict=True):
        assert all(a <= b <= c for a, b, c in zip(low, row, high, strict=True))


def test_free_numbers_are_next_to_their_shares() -> None:
    """No cell is more than one from its share of the sums."""
    rows, columns = [57, 77, 205, 68], [200, 150, 57]
    found = apportion(rows, columns, [[0] * 3] * 4, [[500] * 3] * 4)
    for number, row in zip(rows, found, strict=True):
        for total, got in zip(columns, row, strict=True):
            assert abs(got - number * total / sum(rows)) < 1


@pytest.mark.parametrize(
    ("pictures", "types", "shown", "message"),
    [
        ([1, 0], {"VS": 4}, {"VS": 1}, "stories.questions: expected 5 of .* got 4; cha"),
        (
            [1, 0],
            {"VS": 5},
            {"VS": 2},
            "stories.question_images: expected 1 of .* got 2; cha",
        ),
        ([0, 3], {"VS": 5}, {"VS": 3}, "stories.scenarios.1.question_images: .* 2 .* got 3; lower"),
    ],
)
def test_sums_that_do_not_agree_are_refused(
    pictures: list[int], types: dict[str, int], shown: dict[str, int], message: str
) -> None:
    """The message names the field, what was expected, and what to change."""
    with pytest.raises(RecipeError, match=message):
        question_matrix([3, 2], pictures, types, shown)


def test_limits_that_no_matrix_meets_are_refused() -> None:
    """A life that can ask one question of the only type has no two."""
    with pytest.raises(RecipeError, match=r"stories.scenarios: .* raise `at_most`"):
        question_matrix([2], [0], {"VS": 2}, {}, (), [{"VS": 1}])


def test_tables_5_and_6_have_a_matrix() -> None:
    """Both tables of the paper are met, pictures too; each is where its row has room for it."""
    rows = list(PRINTED.conversations.values())
    types = {code: size.questions for code, size in PRINTED.types.items()}
    pictures = [one.question_images for one in rows]
    every, shown = question_matrix([one.questions for one in rows], pictures, types, PICTURED)
    assert {code: sum(row[code] for row in every) for code in types} == types
    assert [sum(row.values()) for row in every] == [one.questions for one in rows]
    assert [sum(row.values()) for row in shown] == pictures
    assert all(
        row[code] >= own[code] for row, own in zip(every, shown, strict=True) for code in own
    )
    # Who asks for no picture is taught nothing.
    assert [row["TTL"] for row, own in zip(every, pictures, strict=True) if not own] == [0]


def test_what_a_row_cannot_ask_others_ask() -> None:
    """No row gets more than it takes, and no other row gets all of that."""
    rows, types = [40, 40, 40, 40], {"FR": 100, "KR": 60}
    every, _ = question_matrix(rows, [0] * 4, types, {}, at_most=[{"KR": 6}, {}, {}, {}])
    assert [row["KR"] for row in every] == [6, 18, 18, 18]
    assert [row["FR"] for row in every] == [34, 22, 22, 22]


def test_what_new_sessions_ask_counts() -> None:
    """A row has at least what it gets in any case."""
    every, _ = question_matrix([10, 10], [0, 0], {"FR": 15, "CD": 5}, {}, [{"CD": 4}, {}])
    assert [row["CD"] for row in every] == [4, 1]


def test_types_are_asked_in_one_order_however_a_recipe_lists_them() -> None:
    """A release is made again from its manifest, which has them by name."""
    scenario = {"name": "A", "persona": "wei-courier", "sessions": 9, "rounds": 90, "images": 20}
    orders = []
    for codes in (["VS", "TTL", "CD"], ["CD", "TTL", "VS"]):
        numbers = dict.fromkeys(codes, 2)
        table = {"scenarios": [scenario | {"questions": 6}], "questions": numbers}
        section = StoriesSection.model_validate(table | {"question_images": numbers})
        orders.append(([*section.questions], [*section.question_images]))
    assert orders == [(["VS", "TTL", "CD"], ["TTL", "VS", "CD"])] * 2
