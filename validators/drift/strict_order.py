"""What breaks a strict order: the fewest places without which the rest goes forward."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from memassay.schemas.values.civil_time import strictly_after


def out_of_order(dates: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Positions of dates that break a strict order, each with what would not.

    The dates that stay are a longest run that goes strictly forward. Where several places could
    be the wrong one, all of them are given.

    Args:
        dates: ISO 8601 dates of one precision, in the order in which they should be.
    """
    ends = _longest(dates)
    begins = [size - 1 for size in _longest([_flip(date) for date in reversed(dates)])][::-1]
    best = max((end + begin for end, begin in zip(ends, begins, strict=True)), default=0)
    on_some = [end + begin == best for end, begin in zip(ends, begins, strict=True)]
    shared = [end for end, on in zip(ends, on_some, strict=True) if on]
    for at, date in enumerate(dates):
        if on_some[at] and shared.count(ends[at]) == 1:
            continue
        before = dates[at - 1] if at else None
        after = dates[at + 1] if at + 1 < len(dates) else None
        fits = (before is None or strictly_after(date, before)) and (
            after is None or strictly_after(after, date)
        )
        if not on_some[at] or not fits:
            yield at, _expected_text(before, after)


def _expected_text(before: str | None, after: str | None) -> str:
    bounds = [f"later than {before}"] if before else []
    bounds += [f"earlier than {after}"] if after else []
    return "a date " + " and ".join(bounds) if bounds else "a date"


def _longest(dates: Sequence[str]) -> list[int]:
    """By position, the length of the longest strictly rising run that ends there."""
    tails: list[str] = []
    lengths: list[int] = []
    for date in dates:
        at = bisect_left(tails, date)
        tails[at : at + 1] = [date]
        lengths.append(at + 1)
    return lengths


def _flip(date: str) -> str:
    """A text that sorts the other way round than the date."""
    return "".join(chr(158 - ord(mark)) for mark in date)
