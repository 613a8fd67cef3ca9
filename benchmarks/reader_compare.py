"""Whether what was read says the same as a gold."""

from reader_layout import likeness
from reader_values import amount, clocks_in, days_in, kind_of


def same(gold: str, read: str) -> bool:
    """Whether two answers say the same: days, times and numbers by value, words by letters."""
    days = days_in(read)
    if kind_of(gold) == "day":
        return bool(days) and days[0].value == gold
    if kind_of(gold) == "clock":
        return gold in [one.value for one in clocks_in(read)]
    wanted, found = amount(gold), amount(read)
    if wanted and found:
        units = (wanted[1].lower(), found[1].lower())
        # A chart prints its unit once, and text was searched for the unit's first word.
        alike = not all(units) or units[0].split()[0] == units[1].split()[0]
        return wanted[0] == found[0] and (alike or likeness(*units) > 0.6)
    if any(letter.isdigit() for letter in gold + read):
        return likeness(gold, read) == 1.0
    return likeness(gold, read) >= 0.85


def within(gold: str, read: str) -> bool:
    """Whether one of two phrases is part of the other, as `baguette` of `a baguette`."""
    if kind_of(gold) != "phrase":
        return False
    return gold.lower() in read.lower() or read.lower() in gold.lower()
