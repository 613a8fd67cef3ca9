"""Drawings of counted things: bars, columns, shares with intervals, days on a calendar."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from memassay.exports.reports.page.svg import (
    LINE,
    WIDTH,
    box,
    dot,
    fit,
    frame,
    legend,
    line,
    text,
    tick_text,
    ticks,
)
from memassay.schemas.values.civil_time import MONTHS, add_months

_ROW: Final = 32
"""Height of a row: its label, and below it what is drawn."""
_THICK: Final = 12
_THIN: Final = 1.5
"""Width of a bar that would be too thin to be seen."""
_HIGH: Final = 150
"""Height of the columns of a histogram."""
_LEFT: Final = 38
_RIGHT: Final = 12
_DAYS: Final = 6
"""Names of months on a calendar, at most."""


class Bar(NamedTuple):
    """A label and its values, one for each series; `shown` is at the end of the row."""

    label: str
    values: Sequence[float]
    shown: str


class Share(NamedTuple):
    """A share with its interval, each from 0 to 1."""

    label: str
    value: float
    low: float
    high: float
    shown: str


class Days(NamedTuple):
    """Days of one conversation's sessions, and whose they are."""

    label: str
    days: Sequence[date]


def bars(rows: Sequence[Bar], series: Sequence[str], axis: str, alternative: str) -> str:
    """Bars from left to right, those of several series behind one another."""
    parts, top = legend(series, 0)
    values = [value for row in rows for value in row.values]
    marks = ticks(
        max((sum(row.values) for row in rows), default=0),
        whole=all(float(value).is_integer() for value in values),
    )
    unit = (WIDTH - _RIGHT) / marks[-1]
    bottom = top + _ROW * len(rows)
    parts += _ticks([(at * unit, tick_text(at)) for at in marks], top, bottom)
    for at, row in enumerate(rows):
        y = top + at * _ROW
        parts += _bar_labels(row.label, row.shown, y)
        x = 0.0
        for kind, (name, value) in enumerate(zip(series, row.values, strict=True)):
            if value:
                says = f"{row.label}: {tick_text(value)} {name}"
                wide = max(value * unit, _THIN)
                parts.append(box(x, y + LINE, wide, _THICK, f"s{kind}", says))
            x += value * unit
    parts.append(text(WIDTH, bottom + 2 * LINE, axis, "end", "axis"))
    return frame(bottom + 2 * LINE + 6, parts, alternative)


def columns(
    counts: Sequence[tuple[str, int]], axis: str, counted: str, alternative: str, kind: str = "s0"
) -> str:
    """Columns from the ground up: how often each value occurs.

    Args:
        counts: By value, in its order, how often it occurs.
        axis: What the values are, with their unit.
        counted: What is counted.
        alternative: For screen readers.
        kind: Colour.
    """
    marks = ticks(max((often for _, often in counts), default=0))
    top, ground = LINE + 8, LINE + 8 + _HIGH
    parts = [text(0, 11, counted, kind="axis")]
    for mark in marks:
        y = ground - mark / marks[-1] * _HIGH
        parts.append(line(_LEFT, y, WIDTH, y, "grid"))
        parts.append(text(_LEFT - 5, y + 4, tick_text(mark), "end", "tick"))
    wide = (WIDTH - _LEFT) / max(len(counts), 1)
    every = max(1, -(-max((len(name) for name, _ in counts), default=1) * 8 // max(int(wide), 1)))
    for at, (name, often) in enumerate(counts):
        x, high = _LEFT + at * wide, often / marks[-1] * _HIGH
        if often:
            says = f"{name}: {often}"
            parts.append(box(x + wide * 0.1, ground - high, wide * 0.8, high, kind, says))
        if at % every == 0:
            parts.append(text(x + wide / 2, ground + 14, name, "middle", "tick"))
    parts.append(line(_LEFT, ground, WIDTH, ground, "ground"))
    parts.append(text(WIDTH, ground + 2 * LINE, axis, "end", "axis"))
    return frame(top + _HIGH + 2 * LINE + 6, parts, alternative)


def intervals(rows: Sequence[Share], axis: str, alternative: str) -> str:
    """A dot for each share and a line for its interval, on a scale of 0 to 100 %."""
    left, wide = 6, WIDTH - 18
    bottom = _ROW * len(rows)
    places = [(left + wide * at / 100, f"{at} %") for at in (0, 25, 50, 75, 100)]
    parts = _ticks(places, 0, bottom)
    for at, row in enumerate(rows):
        y = at * _ROW + LINE + _THICK / 2
        parts += _bar_labels(row.label, row.shown, at * _ROW)
        low, high = left + row.low * wide, left + row.high * wide
        parts += [line(low, y, high, y, "whisker")]
        parts += [line(end, y - 4, end, y + 4, "whisker") for end in (low, high)]
        parts.append(dot(left + row.value * wide, y, 5, "s0", f"{row.label}: {row.shown}"))
    parts.append(text(WIDTH, bottom + 2 * LINE, axis, "end", "axis"))
    return frame(bottom + 2 * LINE + 6, parts, alternative)


def calendar(rows: Sequence[Days], alternative: str) -> str:
    """A row for each conversation, a stroke for each of its days, over one axis of time."""
    every = [day for row in rows for day in row.days]
    first, last = min(every), max(every)
    span = max((last - first).days, 1)
    left, wide = 4, WIDTH - 8
    bottom = _ROW * len(rows)
    places = [(left + wide * (day - first).days / span, name) for day, name in _months(first, last)]
    parts = _ticks(places, 0, bottom)
    for at, row in enumerate(rows):
        y = at * _ROW
        parts += _bar_labels(row.label, f"{len(row.days)} sessions", y)
        parts.append(line(left, y + LINE + 6, WIDTH - 4, y + LINE + 6, "grid"))
        for day in row.days:
            x = left + wide * (day - first).days / span
            parts.append(box(x - 1.5, y + LINE, 3, _THICK, "s0 thin", day.isoformat()))
    parts.append(text(WIDTH, bottom + 2 * LINE, "date of the session", "end", "axis"))
    return frame(bottom + 2 * LINE + 6, parts, alternative)


def _months(first: date, last: date) -> list[tuple[date, str]]:
    """First days of months, as many as there is room for, by their names."""
    month = first.replace(day=1)
    number = (last.year - first.year) * 12 + last.month - first.month + 1
    step = next((one for one in (1, 2, 3, 6, 12) if number <= one * _DAYS), 0)
    step = step or 12 * -(-number // (12 * _DAYS))
    days = [add_months(month, at) for at in range(0, number, step)]
    within = [day for day in days if day >= first]
    return [(day, f"{MONTHS[day.month - 1][:3]} {day.year}") for day in within or [first]]


def _bar_labels(label: str, shown: str, y: float) -> list[str]:
    room = WIDTH - _RIGHT - 7 * len(shown)
    return [text(0, y + 12, fit(label, room)), text(WIDTH, y + 12, shown, "end", "shown")]


def _ticks(places: Sequence[tuple[float, str]], top: float, bottom: float) -> list[str]:
    """Lines from top to bottom with their names below; names at the edges stay inside."""
    parts = list[str]()
    for x, name in places:
        half = len(name) * 3.4
        anchor = "start" if x < half else "end" if x > WIDTH - half else "middle"
        parts.append(line(x, top, x, bottom, "grid"))
        parts.append(text(x, bottom + 14, name, anchor, "tick"))
    return parts
