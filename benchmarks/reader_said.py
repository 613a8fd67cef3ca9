"""Single details, numbers and days as the cited rounds say them, read without the ledger.

The patterns of the questions are the reader's own, written after reading the data set. Each
function returns what it read, or None when it found nothing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import product
from typing import Final

from reader_release import ReadRound
from reader_text import Sentence, Weights, echoes, sentences, stems
from reader_values import Found, amount, clocks_in, days_in, days_told, numbers_in

_BESIDE: Final = 0.3
"""Share of a neighbouring sentence's match that counts for a sentence."""
_BEYOND: Final = 6
"""Words after a number that tell what it measures."""
_RATE: Final = re.compile(r"\b(?:a|per|each|every) (day|week|month|year)\b")
_UNASKED: Final = 2.0
"""What it costs a value to be a rate where the question names none."""
_REPLACED: Final = re.compile(r"\b(?:not|from|instead of|no longer)\s$", re.IGNORECASE)
"""What stands before a value that another one replaces."""
_AHEAD: Final = re.compile(r"\b(?:will|planned|promised)\b")
"""Words that ask for a day to come, which the day of the telling is not."""
_PLACES: Final = "in|inside|at|behind|beside|to|above|below|under|beneath|on|by|near|over"
"""Words before a place."""
_SINGLE: Final = 0.5
"""Worth of a word that both speakers say, against that of a run of words."""
_NEAR: Final = 0.8
"""Share of the match of its sentence that counts for it."""
_WORTH: Final = 9.0
"""Most that its words count for."""
_ARTICLE: Final = 1.5
"""What an indefinite article or a possessive before it adds: new things come with one."""
_ORDINALS: Final = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last"
_STATED: Final = 2.0
"""Weight of the first turn of a round, in which facts are stated, against the answer to it."""
_TELLING: Final = 3.5
"""Least worth of words that both speakers say; else the best sentence is taken."""
_TRIED: Final = 4
"""Numbers tried for each label, the best first."""


@dataclass(frozen=True)
class Measured:
    """A number with the word after it, what stands beside it, and its sentence."""

    number: Decimal
    unit: str
    beside: str
    sentence: Sentence


def sentence_scores(asked: str, said: Sequence[Sentence], weights: Weights) -> list[float]:
    """How well each sentence matches words, its neighbours in the turn counted in part."""
    own = [weights.overlap(asked, one.text) for one in said]
    scores = []
    for at, one in enumerate(said):
        beside = [
            own[near]
            for near in (at - 1, at + 1)
            if 0 <= near < len(said) and said[near].turn == one.turn
        ]
        scores.append(own[at] + _BESIDE * max(beside, default=0.0))
    return scores


def finder(kind: str, gold: str) -> Callable[[str], list[Found]]:
    """Finds values of a kind in a text; numbers of the gold's unit only."""
    if kind == "day":
        return days_in
    if kind == "clock":
        return clocks_in
    read = amount(gold)
    return lambda text: numbers_in(text, (read[1] if read else "") or None)


def detail(
    question: str, kind: str, gold: str, rounds: Sequence[ReadRound], weights: Weights
) -> str | None:
    """A value of the gold's kind (and unit) in the rounds: the one whose sentence fits best."""
    if kind == "phrase":
        return phrase(question, rounds, weights)
    find, said = finder(kind, gold), sentences(rounds)
    scores = sentence_scores(question, said, weights)
    ahead = kind == "day" and _AHEAD.search(question) is not None
    old = {
        one.value
        for sentence in said
        for one in find(sentence.text)
        if _REPLACED.search(sentence.text[: one.start])
    }
    found = [
        (
            not (one.value in old or (ahead and one.value == sentence.round.date)),
            score + beside(question, sentence.text, one, weights),
            -at,
            one.value,
        )
        for at, (score, sentence) in enumerate(zip(scores, said, strict=True))
        for one in find(sentence.text)
    ]
    return max(found)[-1] if found else None


def phrase(
    question: str, rounds: Sequence[ReadRound], weights: Weights, known: Sequence[str] = ()
) -> str | None:
    """What both speakers say and the question does not, else the sentence that fits best.

    A place in a contest is an ordinal, and `which line`, `which channel` ask for its number.
    """
    text = " ".join(turn for each in rounds for turn in each.turns)
    for pattern in _asked_patterns(question):
        if match := re.search(pattern, text, re.IGNORECASE):
            return match.group()
    said, low = sentences(rounds), " ".join(text.lower().split())
    scores = sentence_scores(question, said, weights)
    asked = set(stems(" ".join([question, *known])))
    found = []
    for echo in (echo for each in rounds for echo in echoes(each.turns)):
        new = sorted({stem for stem in stems(echo) if stem not in asked})
        placed = not question.startswith("Where") or _is_placed(echo, low)
        if new and placed and not re.search(r"\d", echo):
            near = [score for score, one in zip(scores, said, strict=True) if echo in _low(one)]
            worth = min(sum(weights.of(stem) for stem in new), _WORTH)
            worth += _ARTICLE if re.match(r"(a|an|one|her|his)\s", echo) else 0.0
            worth *= _SINGLE if " " not in echo else 1.0
            found.append((worth + _NEAR * max(near, default=0.0), echo))
    if found and max(found)[0] > _TELLING:
        return max(found)[1]
    stated = [
        score * (_STATED if one.turn == 0 else 1.0) for score, one in zip(scores, said, strict=True)
    ]
    best = max(range(len(said)), key=lambda at: (stated[at], -at), default=None)
    return None if best is None else said[best].text


def _is_placed(echo: str, text: str) -> bool:
    """Whether a run of words is a place somewhere: a preposition begins it or stands before."""
    begins = re.match(rf"(?:{_PLACES}) ", echo)
    return bool(begins or re.search(rf"\b(?:{_PLACES}) {re.escape(echo)}", text))


def _asked_patterns(question: str) -> list[str]:
    if "which place" in question.lower() and "finish" in question:
        return [rf"\b({_ORDINALS})\b"]
    nouns = re.findall(r"\b[Ww]hich (?:\w+ )?(line|channel|bay|platform|gate|room)\b", question)
    return [rf"\b{noun} (\d+|[A-Z])\b" for noun in nouns]


def _low(sentence: Sentence) -> str:
    return " ".join(sentence.text.lower().split())


def measured(rounds: Sequence[ReadRound]) -> list[Measured]:
    """Every number with the word after it, in the order in which they are said."""
    found = []
    for sentence in sentences(rounds):
        for one in numbers_in(sentence.text):
            after = re.match(r"\s?(%|[^\W\d][\w/²³]*)", sentence.text[one.end :])
            if after:
                unit = after.group(1).lower()
                beside = _window(sentence.text, one)
                found.append(Measured(Decimal(one.value), unit, beside, sentence))
    return found


def beside(asked: str, text: str, one: Found, weights: Weights) -> float:
    """How well the words around a value match; a rate counts against it if none is asked for."""
    window = _window(text, one)
    rate = _RATE.search(window)
    unasked = rate is not None and rate.group(1) not in asked.lower()
    return weights.overlap(asked, window) - (_UNASKED if unasked else 0.0)


def _window(text: str, one: Found) -> str:
    """The words around a value: one before it, six after it at most, in its clause."""
    before = text[: one.start].split()[-1:]
    after = re.split(r"[,;:]| and ", text[one.end :])[0].split()[:_BEYOND]
    return " ".join([*before, *after])


def numbers_of(
    labels: Sequence[str],
    rounds: Sequence[ReadRound],
    weights: Weights,
    unit: str | None = None,
) -> tuple[float, list[Measured]] | None:
    """A number for each label, all of one unit and all different, and how well they match.

    Every cited round was cited for something, so as many rounds as possible are used.
    """
    found = measured(rounds)
    best: tuple[int, float, list[Measured]] | None = None
    for one_unit in sorted({one.unit for one in found} if unit is None else {unit}):
        once: dict[tuple[str, Decimal], list[Measured]] = {}
        for one in found:
            if one.unit == one_unit:
                once.setdefault((one.sentence.round.id, one.number), []).append(one)
        fits = [
            sorted(((_fit(label, once[key], weights), key) for key in once), reverse=True)
            for label in labels
        ]
        for row in product(*(ranked[:_TRIED] for ranked in fits)):
            keys = {key for _, key in row}
            if len(keys) == len(labels):
                spread = len({round_id for round_id, _ in keys})
                score = (spread, sum(fit for fit, _ in row))
                if best is None or score > best[:2]:
                    best = (*score, [once[key][0] for _, key in row])
    return best and (best[1], best[2])


def _fit(label: str, same: Sequence[Measured], weights: Weights) -> float:
    """How well a label matches a number: words beside it, its sentence, its round, its topic."""
    each = same[0].sentence.round
    said = max(weights.overlap(label, one.sentence.text) for one in same)
    beside = max(weights.overlap(label, one.beside) for one in same)
    whole = weights.overlap(label, " ".join(each.turns))
    topic = weights.overlap(label, " ".join(each.before))
    old = all(one.beside.lower().startswith(("from ", "of ", "was ")) for one in same)
    kind = _KIND_WORTH if same[0].unit in _units_for(label) else 0.0
    return said + beside + kind + 0.5 * whole + 0.3 * topic - (1.0 if old else 0.0)


_KIND_WORTH: Final = 4.0
_UNITS: Final = (
    ("price cost fee deposit rent bill budget instalment saving fare stake", "eur cny usd gbp"),
    ("time delay length duration wait age period interval", "s min h hours days weeks years"),
    ("distance range walk climb", "mm cm m km steps"),
    ("weight load", "mg g kg"),
    ("water volume", "ml l"),
)


def _units_for(label: str) -> set[str]:
    """Units that the words of a label suggest."""
    words = set(re.findall(r"[a-z]+", label.lower()))
    return {unit for said, units in _UNITS if words & set(said.split()) for unit in units.split()}


_DISTANCE: Final = re.compile(r"(?:.*\b)?[Hh]ow many (day|week)s\b.+\?")
_SLIPPED: Final = re.compile(
    r"(?:By how many days did .+ slip|How many days .+ plan(?:ned)? was ).+\?"
)
_EARLIEST: Final = re.compile(r"Of (.+): on what date was the one that came (first|last)\?")


def moment(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """A day, or the distance of two, or the first or last of several."""
    if _SLIPPED.fullmatch(question):
        return _slipped(rounds, question, weights)
    if match := _DISTANCE.fullmatch(question):
        days = _days(rounds, question, weights)
        if len(days) != 2:
            return None
        apart = abs((days[1] - days[0]).days)
        unit = match.group(1)
        size = 7 if unit == "week" else 1
        return f"{apart // size} {unit}s" if apart % size == 0 else None
    if match := _EARLIEST.fullmatch(question):
        days = _days(rounds, question, weights)
        if not days:
            return None
        return (min(days) if match.group(2) == "first" else max(days)).isoformat()
    days = _days(rounds, question, weights)
    return days[0].isoformat() if len(days) == 1 else None


def _slipped(rounds: Sequence[ReadRound], question: str, weights: Weights) -> str | None:
    """How far the day told in the last round lies from the day ahead that the first one names."""
    planned = [
        day.value
        for one in sentences(rounds[:1])
        for day in days_told(one.text, rounds[0].date)
        if rounds[0].date is not None and day.value > rounds[0].date
    ]
    came = _days(rounds[1:], question, weights)
    if len({*planned}) != 1 or len(came) != 1:
        return None
    return f"{abs((came[0] - date.fromisoformat(planned[0])).days)} days"


def _days(rounds: Sequence[ReadRound], question: str, weights: Weights) -> list[date]:
    """The day that each round gives for its event: the sentence that fits the question best."""
    found = []
    for each in rounds:
        dated = [
            (weights.overlap(question, one.text), day.value == each.date, -at, day.value)
            for at, one in enumerate(sentences([each]))
            for day in days_told(one.text, each.date)
            # What is told has happened: a day after the telling is a plan.
            if each.date is None or day.value <= each.date
        ]
        if dated:
            found.append(date.fromisoformat(max(dated)[3]))
    return found
