"""The metrics of stages on cases computed by hand (WorldMemArena B.2 to B.5)."""

import math

import pytest

from memassay.exports.lifecycle.ranking_metrics import (
    FoundItem,
    GoldPoint,
    names_whole,
    ndcg_as_coded,
    ndcg_as_printed,
    recall_at,
    soft_match,
)
from memassay.exports.lifecycle.stage_metrics import (
    Interference,
    Update,
    Verdict,
    Weighed,
    Writing,
    answer_shares,
    flagged_share,
    interference_rejection,
    mean_of_types,
    mean_over_sessions,
    update_score,
    write_recall,
    written_shares,
)

THIRD = 1 / math.log2(3)  # the discount of rank 2 as printed, of rank 3 as coded
FIVE = 1 / math.log2(5)  # of rank 4 as printed


@pytest.mark.parametrize(
    ("points", "score"),
    [
        ([], None),
        ([(0.0, True)], None),
        ([(1.0, True)], 1.0),
        ([(1.0, False)], 0.0),
        ([(0.8, True), (0.2, False)], 0.8),
        ([(0.5, True), (0.5, True), (1.0, False)], 0.5),
    ],
)
def test_write_recall_is_weighted(points: list[tuple[float, bool]], score: float | None) -> None:
    """Equation 1; a session without points, or without weight, has none."""
    assert write_recall(Weighed(*each) for each in points) == score


@pytest.mark.parametrize(
    ("labels", "shares"),
    [
        ([], None),
        ([Writing.CORRECT], (1.0, 0.0, 0.0)),
        ([Writing.CORRECT, Writing.HALLUCINATION], (0.5, 0.5, 0.0)),
        ([Writing.IRRELEVANT, *[Writing.CORRECT] * 3], (0.75, 0.0, 0.25)),
        ([Writing.CORRECT, None], (0.5, 0.0, 0.0)),
    ],
)
def test_written_shares(
    labels: list[Writing | None], shares: tuple[float, float, float] | None
) -> None:
    """Equation 2; what nobody could label stays in the denominator."""
    found = written_shares(labels)
    assert (found and tuple(found[kind] for kind in Writing)) == shares


@pytest.mark.parametrize(
    ("counts", "score"),
    [
        ({}, None),
        ({Update.UPDATED: 0}, None),
        ({Update.UPDATED: 2}, 1.0),
        ({Update.BOTH: 3}, 0.5),
        ({Update.OUTDATED: 1}, 0.0),
        ({Update.MISSING: 1}, 0.0),
        ({Update.UPDATED: 1, Update.BOTH: 1, Update.OUTDATED: 1, Update.MISSING: 1}, 0.375),
    ],
)
def test_update_score(counts: dict[Update, int], score: float | None) -> None:
    """Equation 3; neither old nor new counts as nothing."""
    assert update_score(counts) == score


@pytest.mark.parametrize(
    ("counts", "rejected", "flagged"),
    [
        ({}, None, None),
        ({Interference.REJECTED: 2}, 1.0, 0.0),
        ({Interference.MEMORISED: 2}, 0.0, 0.0),
        ({Interference.REJECTED: 1, Interference.MEMORISED: 3}, 0.25, 0.0),
        ({Interference.FLAGGED: 1, Interference.REJECTED: 1}, 0.5, 0.5),
    ],
)
def test_interference(
    counts: dict[Interference, int], rejected: float | None, flagged: float | None
) -> None:
    """Equation 4; what is kept as a joke is not rejected, and counted apart."""
    assert interference_rejection(counts) == rejected
    assert flagged_share(counts) == flagged


@pytest.mark.parametrize(
    ("verdicts", "shares"),
    [
        ([], None),
        ([None], None),
        ([Verdict.CORRECT, None], (1.0, 0.0, 0.0)),
        (
            [Verdict.CORRECT, Verdict.HALLUCINATION, Verdict.OMISSION, Verdict.OMISSION],
            (0.25, 0.25, 0.5),
        ),
    ],
)
def test_answer_shares(
    verdicts: list[Verdict | None], shares: tuple[float, float, float] | None
) -> None:
    """Equations 5 to 7, over the answers that have a verdict."""
    found = answer_shares(verdicts)
    assert (found and tuple(found[kind] for kind in Verdict)) == shares


def test_means_leave_out_what_has_no_score() -> None:
    """Sessions and types without a score are not 0; where none has one, there is no mean."""
    assert mean_over_sessions([1.0, None, 0.5]) == 0.75
    assert mean_over_sessions([None]) is None
    assert mean_of_types({"FR": 1.0, "DU": 0.0, "VU": None}) == 0.5


@pytest.mark.parametrize(
    ("matches", "golds", "cutoff", "score"),
    [
        ([], 0, 10, None),
        ([{0}], 0, 10, None),
        ([], 1, 10, 0.0),
        ([{0}], 1, 1, 1.0),
        ([set(), {0}], 1, 1, 0.0),
        ([set(), {0}], 1, 5, 1.0),
        ([{0, 1}], 2, 1, 1.0),
        ([{0}, {0}], 2, 10, 0.5),
        ([{0}, {1}], 4, 10, 0.5),
        ([set()] * 10 + [{0}], 1, 10, 0.0),
    ],
)
def test_recall(matches: list[set[int]], golds: int, cutoff: int, score: float | None) -> None:
    """Equation 10; without a gold there is none."""
    assert recall_at(matches, golds, cutoff) == score


@pytest.mark.parametrize(
    ("matches", "golds", "cutoff", "printed", "coded"),
    [
        ([], 0, 10, 0.0, 0.0),
        ([{0}], 0, 10, 0.0, 0.0),
        ([], 1, 10, 0.0, 0.0),
        ([{0}], 1, 1, 1.0, 1.0),
        # The second rank is not discounted by the code.
        ([set(), {0}], 1, 10, THIRD, 1.0),
        ([set(), set(), {0}], 1, 10, 0.5, THIRD),
        ([set(), set(), set(), {0}], 1, 10, FIVE, 0.5),
        ([set(), {0}], 1, 1, 0.0, 0.0),
        ([{0}, {1}], 2, 10, 1.0, 1.0),
        ([{1}, {0}], 2, 10, 1.0, 1.0),
        ([{0}, {0}], 2, 10, 1 / (1 + THIRD), 0.5),
        # One item for two golds: printed, a second item may earn the other; coded, it may not.
        ([{0, 1}], 2, 10, 1 / (1 + THIRD), 0.5),
        ([{0, 1}, {1}], 2, 10, 1.0, 0.5),
        ([{0, 1}, {0}], 2, 10, 1 / (1 + THIRD), 0.5),
        # More golds than ranks: the ideal is as long as the cut.
        ([{0}], 3, 1, 1.0, 1.0),
        ([{0}, set(), {1}], 2, 5, 1.5 / (1 + THIRD), (1 + THIRD) / 2),
    ],
)
def test_ndcg_as_printed_and_as_coded(
    matches: list[set[int]], golds: int, cutoff: int, printed: float, coded: float
) -> None:
    """Equations 11 to 14, and what upstream's code makes of them."""
    assert ndcg_as_printed(matches, golds, cutoff) == pytest.approx(printed)
    assert ndcg_as_coded(matches, golds, cutoff) == pytest.approx(coded)


@pytest.mark.parametrize(
    ("item", "gold", "is_match"),
    [
        (FoundItem("", ("mp_S01_1",)), GoldPoint("mp_S01_1", ""), True),
        # Ids of which one begins another match as coded.
        (FoundItem("", ("mp_S01_10",)), GoldPoint("mp_S01_1", ""), True),
        (FoundItem("image_id: S01_img_10"), GoldPoint("S01_img_1", ""), True),
        (FoundItem("image_id: S01_img_1"), GoldPoint("S01_img_10", ""), False),
        (FoundItem("a b c d"), GoldPoint("", "x b c d"), True),
        (FoundItem("a b c"), GoldPoint("", "x b c d"), False),
        (FoundItem("The dog is Rex."), GoldPoint("", "dog is rex"), True),
        (FoundItem("lies", sessions=frozenset({"S01"})), GoldPoint("p", "x", "S01"), True),
        (FoundItem("lies", sessions=frozenset({"S02"})), GoldPoint("p", "x", "S01"), False),
        (FoundItem(""), GoldPoint("p", "x"), False),
        (FoundItem("x"), GoldPoint("p", ""), False),
        (FoundItem("x"), GoldPoint("", ""), False),
    ],
)
def test_the_soft_match(item: FoundItem, gold: GoldPoint, is_match: bool) -> None:
    """Ids by substring, the session, or three quarters of the words, as upstream's code."""
    assert soft_match(item, gold) is is_match


@pytest.mark.parametrize(
    ("text", "name", "is_there"),
    [
        ("image_id: S01_img_1", "S01_img_1", True),
        ("image_id: S01_img_10", "S01_img_1", False),
        ("see S01_img_1.", "S01_img_1", True),
        ("see D1:IMG_001, please", "D1:IMG_001", True),
        ("see D11:IMG_001", "D1:IMG_001", False),
        ("D1:7", "D1:7.1", False),
        ("D1:7.1", "D1:7", False),
    ],
)
def test_an_id_is_whole(text: str, name: str, is_there: bool) -> None:
    """The strict match takes no id that is a part of another."""
    assert names_whole(text, name) is is_there
