"""Agreement, held against the worked examples of the literature."""

from collections.abc import Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.annotation.measures.agreement import (
    agreement,
    cohen_kappa,
    interval,
    krippendorff_alpha,
)


def _units(*rows: str) -> list[dict[str, Hashable]]:
    """Ratings from one row a reviewer, one column a unit; `.` is none."""
    columns = zip(*(row.split() for row in rows), strict=True)
    return [
        {str(number): value for number, value in enumerate(column) if value != "."}
        for column in columns
    ]


@pytest.mark.parametrize(
    ("rows", "alpha"),
    [
        pytest.param(("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"), 0.095, id="binary"),
        pytest.param(("a a b b d c c c e d d a", "b a b b b c c c e d d d"), 0.692, id="nominal"),
        pytest.param(
            (
                "1 2 3 3 2 1 4 1 2 . . .",
                "1 2 3 3 2 2 4 1 2 5 . 3",
                ". 3 3 3 2 3 4 2 2 5 1 .",
                "1 2 3 3 2 4 4 1 2 5 1 .",
            ),
            0.743,
            id="four-observers-with-gaps",
        ),
    ],
)
def test_alpha_of_krippendorffs_examples(rows: tuple[str, ...], alpha: float) -> None:
    """Computing Krippendorff's Alpha-Reliability (2011), sections A, B and C."""
    assert krippendorff_alpha(_units(*rows)) == pytest.approx(alpha, abs=0.0005)


def test_alpha_of_sizes() -> None:
    """The same four observers, their values as intervals (section E)."""
    units = _units(
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    )
    assert krippendorff_alpha(units, interval) == pytest.approx(0.849, abs=0.0005)
    assert agreement(units, interval).alpha == krippendorff_alpha(units, interval)


@pytest.mark.parametrize(
    ("cells", "kappa"),
    [
        pytest.param({("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15}, 0.4, id="50"),
        pytest.param(
            {("y", "y"): 45, ("y", "n"): 15, ("n", "y"): 25, ("n", "n"): 15},
            0.1304,
            id="60-percent",
        ),
        pytest.param(
            {("y", "y"): 25, ("y", "n"): 35, ("n", "y"): 5, ("n", "n"): 35}, 0.2593, id="skewed"
        ),
    ],
)
def test_kappa_of_textbook_tables(cells: dict[tuple[str, str], int], kappa: float) -> None:
    """Two-by-two tables whose kappa is printed in every introduction."""
    both = [pair for pair, number in cells.items() for _ in range(number)]
    assert cohen_kappa(both) == pytest.approx(kappa, abs=0.0001)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2))
def test_kappa_is_that_of_scikit_learn(both: list[tuple[str, str]]) -> None:
    """On any ratings of which it can be had."""
    from sklearn.metrics import cohen_kappa_score

    ours = cohen_kappa(both)
    if ours is not None:
        assert ours == pytest.approx(cohen_kappa_score(*zip(*both, strict=True)))


def test_full_agreement_is_one() -> None:
    """Of two values; of one value chance alone explains it."""
    assert krippendorff_alpha(_units("a b", "a b")) == 1.0
    assert krippendorff_alpha(_units("a a", "a a")) is None
    assert cohen_kappa([("a", "a")]) is None


def test_units_of_one_rating_do_not_count() -> None:
    """Nothing can be compared there."""
    found = agreement([{"ada": "x"}, {"ada": "x", "eve": "x"}, {"eve": "x", "bob": "y"}])
    assert (found.units, found.percent) == (2, 0.5)
    assert [(pair.pair, pair.units, pair.percent) for pair in found.pairs] == [
        (("ada", "eve"), 1, 1.0),
        (("bob", "eve"), 1, 0.0),
    ]
    assert agreement([]).alpha is agreement([]).percent is None
