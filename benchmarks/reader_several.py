"""Answers that need several of the cited rounds: ms, read without the ledger.

The patterns of the questions are the reader's own, written after reading the data set. Each
function returns what it read, or None when it found nothing or the question is another one.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from reader_choices import holds
from reader_release import ReadRound
from reader_said import beside, detail, finder, numbers_of, phrase, sentence_scores
from reader_text import Weights, sentences, stems
from reader_values import amount, plain

_COMPARED: Final = (
    (re.compile(r"By how much does (.+) exceed (.+)\?"), " exceed ", "apart"),
    (re.compile(r"What is the difference between (.+)\?"), " and ", "apart"),
    (re.compile(r"How far apart are (.+)\?"), " and ", "apart"),
    (re.compile(r"What do (.+) add up to\?"), " and ", "sum"),
    (re.compile(r"What is the sum of (.+)\?"), " and ", "sum"),
    (re.compile(r"How much do (.+) make together\?"), " and ", "sum"),
)
_RESULTS: Final[dict[str, Callable[[list[Decimal]], Decimal]]] = {
    "apart": lambda numbers: max(numbers) - min(numbers),
    "sum": lambda numbers: sum(numbers, Decimal()),
}


def compared(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """Difference or sum of the numbers that the rounds give, with their unit."""
    for pattern, between, how in _COMPARED:
        match = pattern.fullmatch(question)
        if match is None:
            continue
        listings = _listings(between.join(match.groups()), between, how == "sum")
        read = [numbers_of(labels, rounds, weights) for labels in listings]
        best = max((one for one in read if one), key=lambda one: one[0], default=None)
        if best:
            number = _RESULTS[how]([one.number for one in best[1]])
            return f"{plain(str(number))} {best[1][0].unit}"
    return None


def _listings(listed: str, between: str, longer: bool) -> list[list[str]]:
    """The ways to read a list as labels: `a and b`, or `a, b and c` where there may be three."""
    parts = listed.split(between)
    pairs = [[between.join(parts[:at]), between.join(parts[at:])] for at in range(1, len(parts))]
    three = [
        [label.strip() for label in pair[0].split(", ", 1)] + [pair[1]]
        for pair in pairs
        if ", " in pair[0]
    ]
    return [*three, *pairs] if longer else pairs


_DETAILS: Final = (
    re.compile(r"About (?P<of>.+?): what are the (?P<one>.+) and the (?P<two>.+), in that order\?"),
    re.compile(
        r"Two things are told of (?P<of>.+?): the (?P<one>.+), and later the (?P<two>.+)\. "
        r"What are they\?"
    ),
    re.compile(r"Of (?P<of>.+?), name the (?P<one>.+), then the (?P<two>.+)\."),
    re.compile(r"What are (?P<one>.+) and (?P<two>.+), in that order\?"),
    re.compile(r"Name (?P<one>.+), then (?P<two>.+)\."),
    re.compile(r"First (?P<one>.+), then (?P<two>.+): what are the two\?"),
)


def two_labels(question: str) -> tuple[str, str] | None:
    """The two things that a question asks for one after the other; None for other questions."""
    for pattern in _DETAILS:
        if match := pattern.fullmatch(question):
            said = match.groupdict()
            owner = f"{said['of']}'s " if said.get("of") else ""
            return owner + said["one"], owner + said["two"]
    return None


_HOP: Final = re.compile(
    r"(?:Think of the|The) \w+ whose (?P<known>.+?) was (?P<value>.+?)(?:\. What|: what) was "
    r"(?:its|their) (?P<asked>.+)\?"
)
_NAME: Final = re.compile(r"\b[A-Z][\w-]+")


def followed(
    question: str, rounds: Sequence[ReadRound]
) -> tuple[str, tuple[ReadRound, ...]] | None:
    """Whom a round names that says the known detail, what to ask about them, and where.

    The name stands in the round that says the detail, or just before it, and where it is asked.
    """
    match = _HOP.fullmatch(question)
    if match is None:
        return None
    value = match["value"].strip('"')
    told = [one for one in rounds if any(holds(part, value) for part in sentences([one]))]
    rest = tuple(one for one in rounds if one not in told[:1])
    if not told or not rest:
        return None
    shared = _names(told[:1]) & _names(rest)
    if not shared:
        return None
    return f"What is {' '.join(sorted(shared))} {match['asked']}?", rest


def _names(rounds: Sequence[ReadRound]) -> set[str]:
    """Capitalised words that tell something and are never said in lower case."""
    text = " ".join(text for each in rounds for text in (*each.turns, *each.before))
    low = set(re.findall(r"\b[a-z][\w-]+", text))
    return {name for name in _NAME.findall(text) if name.lower() not in low and stems(name)}


_STOOD: Final = (
    re.compile(r"By the time of (?P<event>.+), what was the latest word on (?P<asked>.+)\?"),
    re.compile(r"What was the latest word on (?P<asked>.+) by the time of (?P<event>.+)\?"),
    re.compile(r"When (?P<event>.+) came up, what was the latest word on (?P<asked>.+)\?"),
)


def stood(question: str, rounds: Sequence[ReadRound]) -> tuple[str, tuple[ReadRound, ...]] | None:
    """What to ask of the rounds before the last, which tells the named event, and where."""
    match = next(filter(None, (pattern.fullmatch(question) for pattern in _STOOD)), None)
    return (f"What is {match['asked']}?", tuple(rounds[:-1])) if match else None


_CHANGED_BY: Final = (
    (re.compile(r"By how much did (.+) go (up|down) when it was revised\?"), "number"),
    (
        re.compile(r"By how much did the latest word on (.+) go (up|down) between .+\?"),
        "number",
    ),
    (re.compile(r"By how many days was (.+) (put off|brought forward)\?"), "day"),
)
_UPWARD: Final = frozenset({"up", "put off"})


def changed_by(
    question: str, gold: str, rounds: Sequence[ReadRound], weights: Weights
) -> str | None:
    """How far a value of the earliest cited round lies from what it became in the latest."""
    for pattern, kind in _CHANGED_BY:
        if match := pattern.fullmatch(question):
            label, up = match.group(1), match.group(2) in _UPWARD

            # The last of three or more tells an event, not the value.
            last_told = rounds[-2] if len(rounds) > 2 else rounds[-1]
            first, last = (
                _scored(label, kind, gold, [one], weights) for one in (rounds[0], last_told)
            )
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
    return None


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


def before_and_after(
    question: str,
    golds: Sequence[str],
    kind: str,
    rounds: Sequence[ReadRound],
    weights: Weights,
) -> list[str] | None:
    """A value of the earliest cited round and what it became in the latest."""
    label = re.sub(
        r"What was | to begin with.*|Give | before and after.*| was revised once.*", "", question
    )
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
