"""Calendar pages: an entry in the cell of its day; the day is read from the grid."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from memassay.schemas.values.civil_time import MONTHS
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import fitting_size, wrap
from memassay.synth.pictures.canvas.sketch import Box, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.parts.sheets import read_sheet, sheet

_WIDTH: Final = 896
_WEEKS: Final = 7
"""Most weeks that a page holds."""
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_ENTRY: Final = 17
_LEAST: Final = 14
_STEP: Final = 21


def calendar(figure: Figure, random: Random) -> Sketch:
    """The weeks of one month, or all weeks from the first entry to the last.

    Lines whose values are no dates are printed below.

    Raises:
        ValueError: No line is a date, or they are too many weeks apart.
    """
    theme = pick_theme(random)
    entries = [(key, day) for key, said in figure.lines if (day := _day_of(said)) is not None]
    rest = tuple((key, said) for key, said in figure.lines if _day_of(said) is None)
    sunday = random.random() < 0.3
    weeks = _weeks(figure, [day for _, day in entries], sunday)
    words = {key: _entry_lines(key, (_WIDTH - 56) / 7 - 20) for key, _ in entries}
    heights = [_week_height(week, entries, words) for week in weeks]
    made = sheet(
        figure.title, rest, theme, random, width=_WIDTH, room=round(74 + sum_in_order(heights))
    )
    sketch, (left, top, right, _) = made.sketch, made.room
    months = sorted({(day.year, day.month) for _, day in entries})
    name = " - ".join(f"{MONTHS[month - 1]} {year}" for year, month in (months[0], months[-1]))
    name = name if len(months) > 1 else name.partition(" - ")[0]
    sketch.text(left, top + 12, name, 24, theme.accent, bold=True)
    slot, y = (right - left) / 7, top + 38.0
    sketch.rectangle((left, y, right, y + 32), theme.accent)
    for at in range(7):
        heading = _DAYS[(at - sunday) % 7]
        sketch.text(left + slot * (at + 0.5), y + 16, heading, 18, "#ffffff", align="middle")
    y += 32
    weekend = random.random() < 0.5
    for week, height in zip(weeks, heights, strict=True):
        for at, day in enumerate(week):
            cell = (left + slot * at, y, left + slot * (at + 1), y + height)
            inside = (day.year, day.month) in months
            plain = theme.panel if inside else theme.tint
            sketch.rectangle(cell, theme.tint if weekend and day.weekday() > 4 else plain)
            sketch.rectangle(cell, None, theme.rule, 1)
            colour = theme.ink if inside else theme.quiet
            sketch.text(cell[0] + 9, y + 17, _number(day, len(months)), 18, colour, bold=inside)
            _write_entries(sketch, cell, [(k, words[k]) for k, on in entries if on == day], theme)
        y += height
    sketch.lines.append(name)
    read_sheet(sketch, tuple((key, said) for key, said in figure.lines if key in words), rest)
    return sketch


def _day_of(said: str) -> date | None:
    """The day that a text such as `14 March 2025` says; None if it says none."""
    parts = said.split()
    if len(parts) != 3 or parts[1] not in MONTHS:
        return None
    if not all(part.isascii() and part.isdecimal() for part in (parts[0], parts[2])):
        return None
    return date(int(parts[2]), MONTHS.index(parts[1]) + 1, int(parts[0]))


def _weeks(figure: Figure, days: Sequence[date], sunday: bool) -> list[list[date]]:
    if not days:
        raise ValueError(f"calendar {figure.title!r}: expected a line with a date, got none")
    first, last = min(days), max(days)
    if (first.year, first.month) == (last.year, last.month):
        first = first.replace(day=1)
        last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    monday = first - timedelta(days=(first.weekday() + sunday) % 7)
    count = (last - monday).days // 7 + 1
    if count > _WEEKS:
        raise ValueError(
            f"calendar {figure.title!r}: expected dates within {_WEEKS} weeks, got {first} and "
            f"{last}; let them be nearer to each other"
        )
    return [[monday + timedelta(days=7 * w + at) for at in range(7)] for w in range(count)]


def _number(day: date, months: int) -> str:
    """The day of the month; with several months on a page, a first names its own."""
    return f"{day.day} {MONTHS[day.month - 1][:3]}" if months > 1 and day.day == 1 else str(day.day)


def _entry_lines(key: str, width: float) -> tuple[int, list[str]]:
    size = fitting_size(key.split(), width, _ENTRY, _LEAST)
    return size, wrap(key, width, size)


def _week_height(
    week: list[date],
    entries: Sequence[tuple[str, date]],
    words: dict[str, tuple[int, list[str]]],
) -> float:
    """Room for the day on which most is written."""
    written = [
        sum_in_order(len(words[key][1]) * _STEP + 12 for key, on in entries if on == day)
        for day in week
    ]
    return max(62.0, 36 + max(written))


def _write_entries(
    sketch: Sketch, cell: Box, entries: list[tuple[str, tuple[int, list[str]]]], theme: Theme
) -> None:
    left, top, right, _ = cell
    y = top + 32
    for key, (size, lines) in entries:
        height = len(lines) * _STEP + 6
        # No frame around it: Tesseract takes a framed word for a picture.
        sketch.rectangle((left + 4, y, left + 8, y + height), theme.accent)
        for at, each in enumerate(lines):
            sketch.text(left + 13, y + 13 + at * _STEP, each, size, theme.ink)
        # The number of the day belongs to what is read.
        sketch.note(key, (left + 2, top + 2, right - 2, y + height))
        y += height + 6
