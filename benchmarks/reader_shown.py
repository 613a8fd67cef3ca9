"""Answers from what the cited rounds show: mr, read from pixels with Tesseract and by colour."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

from reader_compare import same
from reader_layout import (
    Phrase,
    beside,
    cell,
    keyed,
    likeness,
    lying_pairs,
    nearest_label,
    phrases,
    plan_pairs,
    upright_pairs,
)
from reader_ocr import Ocr
from reader_release import ReadRound, Shown
from reader_scenes import objects_of
from reader_values import plain

_Reading = Callable[[Shown, "Gallery", re.Match[str]], str | None]


class Gallery:
    """Reads pictures of a release; remembers the words of each."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._ocr = Ocr()

    def phrases(self, shown: Shown) -> list[Phrase]:
        """The phrases printed in a picture."""
        return phrases(self._ocr.words(shown.data))

    def text(self, shown: Shown) -> str:
        """All that is printed in a picture."""
        return "\n".join(one.text for one in self.phrases(shown))


def seen(question: str, rounds: Sequence[ReadRound], gallery: Gallery) -> str | None:
    """The answer to a question about a picture of the cited rounds."""
    for pattern, reading in _READINGS:
        match = pattern.fullmatch(question)
        if match is None:
            continue
        for shown in _by_caption(match.group("picture"), rounds, gallery):
            answer = reading(shown, gallery, match)
            if answer is not None:
                return answer
        return None
    return None


def _by_caption(picture: str, rounds: Sequence[ReadRound], gallery: Gallery) -> list[Shown]:
    """The picture with the caption asked for; else every page, the likeliest first."""
    every = [shown for each in rounds for shown in each.shown]
    fit = [(likeness(picture, shown.caption.partition(": ")[2]), shown) for shown in every]
    best = max((share for share, _ in fit), default=0.0)
    if best > 0.9:
        return [shown for share, shown in fit if share == best]
    pages = [shown for shown in every if shown.page is not None] or every
    if len(pages) < 2:
        return pages
    words = set(picture.lower().split())

    def common(shown: Shown) -> int:
        return len(words & set(gallery.text(shown).lower().split()))

    return sorted(pages, key=common, reverse=True)


def chart(shown: Shown, gallery: Gallery) -> dict[str, Decimal]:
    """Labels and numbers of a chart or plan; its kind is known from its caption or its looks."""
    found = gallery.phrases(shown)
    kind = shown.caption.partition(":")[0].lower()
    if kind == "line chart":
        return upright_pairs(found)
    if kind == "plan":
        return plan_pairs(found)
    lying = lying_pairs(found)
    if len(lying) >= 3:
        return lying
    upright = upright_pairs([one for one in found if not one.text.startswith("Page ")])
    if kind == "bar chart":
        return upright
    return max((upright, plan_pairs(found)), key=len)


def _where(shown: Shown, gallery: Gallery, match: re.Match[str]) -> str | None:
    pairs = chart(shown, gallery)
    if len(pairs) < 2:
        return None
    best = max if match.group("which") == "highest" else min
    return best(pairs, key=lambda label: pairs[label])


def _extreme(shown: Shown, gallery: Gallery, match: re.Match[str]) -> str | None:
    label = _where(shown, gallery, match)
    return None if label is None else _said(chart(shown, gallery)[label])


def _said(number: Decimal) -> str:
    return plain(str(number))


def _numbers(pairs: dict[str, Decimal], labels: Sequence[str]) -> list[Decimal] | None:
    near = [nearest_label(label, pairs) for label in labels]
    return None if None in near else [pairs[label] for label in near if label is not None]


def _higher(shown: Shown, gallery: Gallery, match: re.Match[str]) -> str | None:
    numbers = _numbers(chart(shown, gallery), [match.group("one"), match.group("other")])
    return None if numbers is None else _said(numbers[0] - numbers[1])


def _of_label(shown: Shown, gallery: Gallery, match: re.Match[str]) -> str | None:
    numbers = _numbers(chart(shown, gallery), [match.group("label")])
    return None if numbers is None else _said(numbers[0])


def _counted(shown: Shown, _gallery: Gallery, match: re.Match[str]) -> str | None:
    colours = [name.split()[0] for name in re.split(r" and ", match.group("things"))]
    return str(sum(len(objects_of(shown.data, colour)) for colour in colours))


def _charged(shown: Shown, gallery: Gallery, match: re.Match[str]) -> str | None:
    return beside(gallery.phrases(shown), match.group("label"))


def _together(shown: Shown, gallery: Gallery, match: re.Match[str]) -> str | None:
    found = gallery.phrases(shown)
    parts = match.group("labels").split(" and ")
    for at in range(1, len(parts)):
        labels = [" and ".join(parts[:at]), " and ".join(parts[at:])]
        amounts = [beside(found, label) for label in labels]
        numbers = [re.match(r"-?\d+(\.\d+)?", amount or "") for amount in amounts]
        if all(numbers):
            return _said(sum((Decimal(one.group()) for one in numbers if one), Decimal(0)))
    return None


def _cell(shown: Shown, gallery: Gallery, match: re.Match[str]) -> str | None:
    return cell(gallery.phrases(shown), match.group("row"), match.group("column"))


def _given(shown: Shown, gallery: Gallery, match: re.Match[str]) -> str | None:
    return keyed(gallery.phrases(shown), match.group("key"))


def matches(question: str, shown: Shown, gallery: Gallery) -> bool:
    """Whether a picture shows what a question describes (fm)."""
    if match := re.search(r"exactly (\d+) (\w+) \w+\?", question):
        return len(objects_of(shown.data, match.group(2))) == int(match.group(1))
    for pattern in _DESCRIBED:
        if match := pattern.fullmatch(question):
            read = _value(shown, gallery, match.group("key"))
            return read is not None and same(match.group("value"), read)
    return False


def _value(shown: Shown, gallery: Gallery, key: str) -> str | None:
    """What a picture gives for a key, by the kind its caption names."""
    kind, found = shown.caption.partition(":")[0].lower(), gallery.phrases(shown)
    if kind in ("bar chart", "line chart", "plan"):
        numbers = _numbers(chart(shown, gallery), [key])
        return None if numbers is None else _said(numbers[0])
    if kind == "receipt":
        return beside(found, key)
    if kind in ("table", "timetable"):
        row, _, column = key.rpartition(", ")
        return cell(found, row, column)
    return keyed(found, key)


_DESCRIBED: Final = (
    re.compile(r"Which image is the .+? in which (?P<key>.+) reads (?P<value>.+)\?"),
    re.compile(r"Find the .+? that gives (?P<value>.+) for (?P<key>.+)\. Which image is it\?"),
)
_WHICH: Final = "(?P<which>highest|lowest)"
_READINGS: Final[tuple[tuple[re.Pattern[str], _Reading], ...]] = tuple(
    (re.compile(pattern), reading)
    for pattern, reading in (
        (rf"Going by (?P<picture>.+), where was the .+ {_WHICH}\?", _where),
        (rf"In (?P<picture>.+), which label carries the {_WHICH} .+\?", _where),
        (rf"What is the {_WHICH} .+? in (?P<picture>the .+|.+)\?", _extreme),
        (
            r"In (?P<picture>.+), how much higher is the .+ for (?P<one>.+) than for "
            r"(?P<other>.+)\?",
            _higher,
        ),
        (r"What .+? does (?P<picture>.+) show for (?P<label>.+)\?", _of_label),
        (r"How many (?P<things>\w+ \w+) can be counted in (?P<picture>.+)\?", _counted),
        (
            r"How many (?P<things>\w+ \w+ and \w+ \w+) are there together in (?P<picture>.+)\?",
            _counted,
        ),
        (r"What does (?P<picture>.+) charge for (?P<label>.+)\?", _charged),
        (r"On (?P<picture>.+), what do (?P<labels>.+) cost together\?", _together),
        (
            r"In (?P<picture>.+), what stands under (?P<column>.+) for (?P<row>.+)\?",
            _cell,
        ),
        (r'What does (?P<picture>.+) say under "(?P<key>.+)"\?', _given),
        (r'What stands beside "(?P<key>.+)" on (?P<picture>.+)\?', _given),
    )
)
