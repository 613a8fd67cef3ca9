"""Answers that need several of the cited rounds: ms, read without the ledger.

The patterns of the questions are the reader's own, written after reading the data set. Each
function returns what it read, or None when it found nothing or the question is another one.
"""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from reader_choices import holds
from reader_release import ReadRound
from reader_said import beside, detail, finder, phrase, sentence_scores
from reader_text import Weights, first_match, sentences, stems
from reader_values import amount, plain

_WHICH: Final = r"(?:in|on|at|for|after|before|during|under|with|without|by|from|until|per)\b.+?"
_ASPECTS: Final = (
    re.compile(
        rf"(?:What|.+ me, what) was (?P<label>.+?) (?P<one>{_WHICH}), and what (?:was it )?"
        r"(?P<two>.+)\?"
    ),
    re.compile(rf"What was (?P<label>.+?) (?P<one>{_WHICH}) and (?P<two>{_WHICH})\?"),
)


def labels_of(question: str, count: int) -> tuple[str, ...]:
    """The things that a question asks about one after the other; none for other questions."""
    for pattern in _ASPECTS:
        if (match := pattern.fullmatch(question)) and re.match(_WHICH, match["two"]):
            return f"{match['label']} {match['one']}", f"{match['label']} {match['two']}"
    asked = re.sub(r"\? Name .+$|\?$", "", question)
    *first, rest = asked.split(", ")
    parts = [*first, *rest.rsplit(" and ", maxsplit=1)]
    return tuple(parts) if len(parts) == count > 1 else ()


_HOP: Final = re.compile(
    r".+ (?:its|their|whose) (?P<known>.+?) was (?P<value>[^?]+?)[.?] (?P<asked>(?![\d]).+\?)"
)
_NAMELESS: Final = re.compile(r"\bthat (?:person|animal|place|project|organisation)\b")
_NAME: Final = re.compile(r"\b[A-Z][\w-]+")


def followed(
    question: str, rounds: Sequence[ReadRound]
) -> tuple[str, tuple[ReadRound, ...]] | None:
    """Whom a round names that says the known detail, what to ask about them, and where.

    The name stands in the round that says the detail, or just before it, and where it is asked.
    """
    match = _HOP.fullmatch(question)
    if match is None or not _NAMELESS.search(match["asked"]):
        return None
    value = match["value"]
    told = [one for one in rounds if any(holds(part, value) for part in sentences([one]))]
    rest = tuple(one for one in rounds if one not in told[:1])
    if not told or not rest:
        return None
    shared = _names(told[:1]) & _names(rest)
    if not shared:
        return None
    return _NAMELESS.sub(" ".join(sorted(shared)), match["asked"]), rest


def _names(rounds: Sequence[ReadRound]) -> set[str]:
    """Capitalised words that tell something and are never said in lower case."""
    text = " ".join(text for each in rounds for text in (*each.turns, *each.before))
    low = set(re.findall(r"\b[a-z][\w-]+", text))
    return {name for name in _NAME.findall(text) if name.lower() not in low and stems(name)}


_WAY: Final = r"(?P<way>up|down)"
_CHANGED_BY: Final = (
    re.compile(rf"By how much did (?P<label>.+) go {_WAY} when it .+\?"),
    re.compile(rf"(?P<label>.+) went {_WAY}(?: .+)?\. By how much\?"),
    re.compile(rf".+ me, how much did (?P<label>.+) go {_WAY}\?"),
    re.compile(rf"How big was the change when (?P<label>.+) went {_WAY}\?"),
)
_MOVED: Final = r"(?P<way>put off|brought forward)"
_MOVED_BY: Final = (
    re.compile(rf"By how many days was (?P<label>.+) {_MOVED}\?"),
    re.compile(rf"(?P<label>.+) was {_MOVED}\. By how many days\?"),
    re.compile(rf"(?:.+, )?[Hh]ow many days was (?P<label>.+) {_MOVED}(?: .+)?\?"),
)
_UPWARD: Final = frozenset({"up", "put off"})


def changed_by(
    question: str, gold: str, rounds: Sequence[ReadRound], weights: Weights
) -> str | None:
    """How far a value of the earliest cited round lies from what it became in the latest."""
    match = first_match((*_CHANGED_BY, *_MOVED_BY), question)
    if match is None:
        return None
    kind = "day" if first_match(_MOVED_BY, question) else "number"
    label, up = match["label"], match["way"] in _UPWARD
    ends = (rounds[0], rounds[-1])
    first, last = (_scored(label, kind, gold, [one], weights) for one in ends)
    both = [
        (one + other, old, new)
        for old, one in first.items()
        for new, other in last.items()
        # What was said before is not what it changed to.
        if new not in first and (_distance(old, new, kind) > 0) is up
    ]
    if not both:
        return None
    _, old, new = max(both)
    unit = "days" if kind == "day" else (amount(gold) or ("", ""))[1]
    return f"{plain(str(abs(_distance(old, new, kind))))} {unit}"


def _scored(
    label: str, kind: str, gold: str, rounds: Sequence[ReadRound], weights: Weights
) -> dict[str, float]:
    """Every value of a kind in rounds, with how well its best sentence matches a label."""
    find, said = finder(kind, gold), sentences(rounds)
    scored: dict[str, float] = {}
    for score, sentence in zip(sentence_scores(label, said, weights), said, strict=True):
        for one in find(sentence.text):
            fit = score + beside(label, sentence.text, one, weights)
            scored[one.value] = max(fit, scored.get(one.value, fit))
    return scored


def _distance(old: str, new: str, kind: str) -> Decimal:
    if kind == "day":
        return Decimal((date.fromisoformat(new) - date.fromisoformat(old)).days)
    return Decimal(new) - Decimal(old)


_BEFORE_AND_AFTER: Final = (
    re.compile(r"What was (?P<label>.+) (?:at first|to begin with|originally), and .+\?"),
    re.compile(r"How did (?P<label>.+) change\? .+"),
    re.compile(r"(?P<label>.+) changed .+\. From what to what\?"),
    re.compile(r".+ me, what was (?P<label>.+) before it changed, and what after\?"),
    re.compile(r"What was (?P<label>.+) before and after the change\?"),
    re.compile(r"What was (?P<label>.+) first, and what did it become\?"),
    re.compile(r"(?P<label>.+) was one thing first and another then\. .+\?"),
    re.compile(r"What did (?P<label>.+) start as, and what is it now\?"),
    re.compile(r"Which was (?P<label>.+) first, and which .+\?"),
    re.compile(r"There was a change to (?P<label>.+)\. What was it, .+\?"),
)


def before_and_after(
    question: str,
    golds: Sequence[str],
    kind: str,
    rounds: Sequence[ReadRound],
    weights: Weights,
) -> list[str] | None:
    """A value of the earliest cited round and what it became in the latest."""
    match = first_match(_BEFORE_AND_AFTER, question)
    if match is None:
        return None
    label = match["label"]
    first, last = [rounds[0]], [rounds[-1]]
    if kind == "phrase":
        old = phrase(label, first, weights)
        new = phrase(label, last, weights, known=[old or ""])
        return [old, new] if old and new else None
    old = detail(label, kind, golds[0], first, weights)
    find, said = finder(kind, golds[-1]), sentences(last)
    scores = sentence_scores(label, said, weights)
    later = [
        (score, at, one.value)
        for at, (score, sentence) in enumerate(zip(scores, said, strict=True))
        for one in find(sentence.text)
        if one.value != old
    ]
    return [old, max(later)[2]] if old and later else None
