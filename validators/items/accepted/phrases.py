"""Answers in words, and lists of them: the same words, some of them, or steps in their order."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from memassay.validators.items.accepted.verdict import Verdict
from memassay.validators.items.accepted.words import denied, plain_words, within
from memassay.validators.wording import key_words, yes_or_no

_LISTED: Final = re.compile(r"\s*(?:[,;\n]| and | then )+\s*")
_EXCHANGED: Final = 2
"""Keywords that stand at each other's step from which on the order is another."""
Compare = Callable[[str, str], Verdict]


def phrases(text: str, gold: str) -> Verdict:
    """How a text stands to a gold that is neither an amount nor a date."""
    left, right = plain_words(text), plain_words(gold)
    if left == right:
        return Verdict.SAME
    if denied(left) != denied(right):
        # "not vegetarian" beside "vegetarian", and the other way round.
        shared = set(left) & set(right)
        return Verdict.OTHER if shared or yes_or_no(gold) else Verdict.UNSURE
    if _numbers(left) != _numbers(right) and _numbers(left) and _bare(left) == _bare(right):
        return Verdict.OTHER
    return Verdict.COARSER if within(left, right) else Verdict.UNSURE


def truths(text: str, gold: str) -> Verdict:
    """How a text stands to a yes or no, with which it may go on: "Yes, twice"."""
    first = yes_or_no((plain_words(text) or ("",))[0])
    if first is None:
        return Verdict.UNSURE
    return Verdict.SAME if first == yes_or_no(gold) else Verdict.OTHER


def _numbers(words: Sequence[str]) -> list[str]:
    return [word for word in words if word[0].isdigit()]


def _bare(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word[0].isdigit()]


def pieces(text: str) -> list[str]:
    """The parts of a listing: between commas, semicolons, lines, "and"."""
    return [one for one in _LISTED.split(text) if one]


def lists(text: str, values: Sequence[str], compare: Compare, *, ordered: bool) -> Verdict:
    """How a text stands to several golds: all of them, or keywords of them, in their order."""
    if plain_words(text) == tuple(word for value in values for word in plain_words(value)):
        return Verdict.SAME
    # "floor and top" may be one keyword of a list that commas divide.
    for parts in ([text], text.split(", "), pieces(text)):
        verdicts = [[compare(part, value) for value in values] for part in parts]
        if len(parts) == len(values):
            found = _each(parts, values, verdicts, ordered=ordered)
        else:
            found = _some(parts, values, verdicts, ordered=ordered)
        if found is not Verdict.UNSURE:
            return found
    return Verdict.UNSURE


_Table = Sequence[Sequence[Verdict]]
_FOLLOWS: Final = frozenset({Verdict.SAME, Verdict.COARSER})


def _each(
    parts: Sequence[str], values: Sequence[str], verdicts: _Table, *, ordered: bool
) -> Verdict:
    """As many parts as golds: a keyword for each, of which some may be words of another kind."""
    own = elsewhere = 0
    for at, part in enumerate(parts):
        hits = [
            verdicts[at][of] in _FOLLOWS or _speaks_of(part, value)
            for of, value in enumerate(values)
        ]
        own += hits[at] if ordered else any(hits)
        elsewhere += ordered and not hits[at] and any(hits)
    if elsewhere >= _EXCHANGED:
        return Verdict.OTHER
    if elsewhere or 2 * own < len(parts):
        return _none_of(verdicts)
    exact = all(Verdict.SAME in row for row in verdicts)
    return Verdict.SAME if exact else Verdict.COARSER


def _some(
    parts: Sequence[str], values: Sequence[str], verdicts: _Table, *, ordered: bool
) -> Verdict:
    """Fewer parts than golds: each is all there of one of them, in their order."""
    hits = [
        [verdicts[at][of] in _FOLLOWS or _all_of(part, value) for of, value in enumerate(values)]
        for at, part in enumerate(parts)
    ]
    if len(parts) > len(values) or not all(map(any, hits)):
        return _none_of(verdicts)
    rest = iter(range(len(values)))
    in_order = all(any(row[of] for of in rest) for row in hits)
    return Verdict.COARSER if in_order or not ordered else Verdict.OTHER


def _none_of(verdicts: _Table) -> Verdict:
    return (
        Verdict.OTHER
        if all(one is Verdict.OTHER for row in verdicts for one in row)
        else Verdict.UNSURE
    )


def _speaks_of(part: str, value: str) -> bool:
    """Whether a keyword shares a word with a gold in words; numbers are compared as numbers."""
    shared = key_words(part) & key_words(value)
    return bool(shared) and not _numbers(plain_words(part) + plain_words(value))


def _all_of(part: str, value: str) -> bool:
    """Whether every word of a keyword stands in a gold in words."""
    return key_words(part) <= key_words(value) and _speaks_of(part, value)
