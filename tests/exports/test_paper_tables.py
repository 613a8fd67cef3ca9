"""The printed tables agree with themselves, as the papers print them."""

from memassay.schemas.benchmarks.registry import PAPER_TABLES


def test_mem_gallery_adds_up() -> None:
    """The rows of Table 5 give its total, and the types of Table 6 all questions."""
    printed = PAPER_TABLES["mem-gallery"]
    columns = zip(*printed.conversations.values(), strict=True)
    assert tuple(sum(number or 0 for number in column) for column in columns) == printed.total
    assert sum(size.questions or 0 for size in printed.types.values()) == printed.total.questions


def test_locomo_adds_up() -> None:
    """The five categories give all questions."""
    printed = PAPER_TABLES["locomo"]
    assert sum(size.questions or 0 for size in printed.types.values()) == printed.total.questions
