"""What `memassay stats` says of question banks."""

from memassay.exports.reports.collection_stats import bank_figures
from memassay.schemas.benchmarks.m3exam import TYPES
from memassay.schemas.judgements.bank import BankTally, Dropped, tally_id


def _tally(conversation: str, code: str, kept: int, **dropped: int) -> BankTally:
    return BankTally(
        id=tally_id(conversation, code),
        conversation=conversation,
        code=code,
        wanted=8,
        kept=kept,
        dropped=[Dropped(reason=reason, drafts=n) for reason, n in sorted(dropped.items())],
    )


def test_drops_are_summed_by_type_and_reason() -> None:
    """One row a type in the paper's order, over all conversations."""
    tallies = [
        _tally("alex", "ms", 7, unproven=2, repeated=1),
        _tally("wei", "ms", 8, unproven=3),
        _tally("alex", "ss", 8),
    ]
    (figure,) = bank_figures(tallies, TYPES)
    assert [list(row.values()) for row in figure.rows] == [
        ["ss", 8, 8, 0, ""],
        ["ms", 16, 15, 6, "repeated 1, unproven 5"],
    ]


def test_a_release_without_banks_has_no_figure() -> None:
    """Curated data have none."""
    assert bank_figures([], TYPES) == []
