"""Texts as canonical words: one form for every way to write a number, a date, a time, a unit."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.date_forms import read_date
from memassay.schemas.values.stems import stem
from memassay.schemas.values.text import NUMBER_WORDS, ORDINALS, normalise

_LARGE: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_NUMBER: Final = "|".join(sorted([*NUMBER_WORDS, *_LARGE], key=len, reverse=True))
_NUMBERS: Final = re.compile(rf"\b(?:{_NUMBER})(?:(?:[ -]| and )(?:{_NUMBER}))*\b")
_MONTH: Final = "|".join(rf"{month[:3].lower()}(?:{month[3:].lower()})?" for month in MONTHS)
_ORDINAL: Final = "|".join(ORDINALS)
_DAY: Final = rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<word>{_ORDINAL})"
_YEAR: Final = r"(?P<year>(?:19|20)\d{2})\b"
_DATES: Final = (
    re.compile(r"\b(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})\b"),
    re.compile(rf"\b(?:{_DAY})(?: of)?[ -](?P<month>{_MONTH})\b\.?(?:,?[ -]{_YEAR})?"),
    re.compile(rf"\b(?P<month>{_MONTH})\.? (?:the )?(?:{_DAY})\b(?!:)(?:,? {_YEAR})?"),
)
_MONTHS_OF: Final = re.compile(rf"\b(?P<month>{_MONTH})\b\.?,? (?:of )?{_YEAR}")
_YEAR_LAST: Final = re.compile(r"\b\d{1,2}([/.])\d{1,2}\1\d{4}\b")
_CLOCK: Final = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:h](?P<minute>[0-5]\d)\b(?: ?(?P<half>[ap])\.?m\b)?"
    r"|\.(?P<after>[0-5]\d) ?(?P<also>[ap])\.?m\b)"
)
_HOUR: Final = re.compile(r"\b(?P<hour>\d{1,2}) ?(?P<half>[ap])\.?m\b")
_HOURS: Final = re.compile(
    r"\b(?P<hours>an?|\d+(?:\.\d+)?)[ -]?(?:hours?|hrs?|h)\b"
    r"(?:(?: and)? (?P<minutes>\d{1,2}) ?(?:minutes?|mins?)\b)?"
)
_SEPTEMBER: Final = re.compile(r"\bsept\b")
_SPOKEN: Final = re.compile(r"\b(?P<part>half|quarter) (?P<side>past|to) (?P<hour>\d{1,2})\b")
_TOKEN: Final = re.compile(r"(?:date|month|time)\d+x[\dx]+|\d+(?:\.\d+)?|[^\W\d_]+|[%€$£°]")
_THOUSANDS: Final = re.compile(r"\b\d{1,3}(?:,\d{3})+\b")
_SENTENCE: Final = re.compile(r"(?<=[.;!?])\s+|\n+|;")
_SEGMENT: Final = re.compile(r"[,:()\[\]]| - |\bbut\b")
_ALIASES: Final = {
    **dict.fromkeys(("€", "euro", "euros"), "eur"),
    **dict.fromkeys(("$", "dollar", "dollars"), "usd"),
    **dict.fromkeys(("£", "pound", "pounds", "quid"), "gbp"),
    **dict.fromkeys(("minute", "minutes", "mins"), "min"),
    **dict.fromkeys(("hour", "hours", "hrs"), "h"),
    **dict.fromkeys(("kilometre", "kilometres", "kilometers"), "km"),
    **dict.fromkeys(("kilogram", "kilograms", "kilos"), "kg"),
    **dict.fromkeys(("percent", "per cent"), "%"),
    **dict.fromkeys(("gigabytes", "gigabyte"), "gb"),
    **dict.fromkeys(("tue", "tues"), "tuesday"),
    **dict.fromkeys(("thu", "thurs"), "thursday"),
    "fri": "friday",
    "litres": "l",
    "metres": "m",
    "grams": "g",
}
"""Units that are written out, and days that are not."""
NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_KEPT: Final = 1 << 13


@dataclass(frozen=True)
class Segment:
    """A part of a sentence that can say something by itself.

    Attributes:
        words: Its canonical words.
        sentence: Those of its whole sentence.
        opens: Whether its sentence begins with it.
        stems: Stems of its words.
        sentence_stems: Stems of the words of its sentence.
    """

    words: tuple[str, ...]
    sentence: tuple[str, ...]
    opens: bool
    stems: frozenset[str]
    sentence_stems: frozenset[str]


@text_cache(_KEPT)
def canonical_words(text: str) -> tuple[str, ...]:
    """Small words; numbers as digits, dates as `date5x4x2024`, times as `time7x35`."""
    return _words(_rewrite(text))


@text_cache(_KEPT)
def segments(text: str) -> tuple[Segment, ...]:
    """The parts of every sentence, in their order."""
    return tuple(
        segment
        for sentence in _SENTENCE.split("\n".join(_rewrite(line) for line in text.split("\n")))
        for segment in _of_sentence(sentence)
    )


def stems_of(words: tuple[str, ...]) -> frozenset[str]:
    """Stems of words; numbers, dates and times as they are."""
    return frozenset(map(stem, words))


def _of_sentence(sentence: str) -> list[Segment]:
    parts = [words for part in _SEGMENT.split(sentence) if (words := _words(part))]
    whole = tuple(word for part in parts for word in part)
    stems = stems_of(whole)
    return [Segment(part, whole, at == 0, stems_of(part), stems) for at, part in enumerate(parts)]


def _words(rewritten: str) -> tuple[str, ...]:
    return tuple(_word(word) for word in _TOKEN.findall(rewritten))


def _word(word: str) -> str:
    if NUMBER.fullmatch(word):
        return plain_number(word)
    if word.endswith("days") and len(word) > len("days"):
        return word[:-1]  # Mondays
    return _ALIASES.get(word, word)


def plain_number(text: str) -> str:
    """A decimal without zeros that say nothing: `10.0` is `10`."""
    value = Decimal(text).normalize()
    return f"{value:f}"


def _rewrite(text: str) -> str:
    """A normalised text with numbers, dates and times in one form."""
    text = normalise(text).replace("n't", " not").replace("cannot", "can not")
    text = _SEPTEMBER.sub("sep", text.replace("->", " to "))
    text = _SPOKEN.sub(
        _spoken_time,
        _NUMBERS.sub(_as_digits, _THOUSANDS.sub(lambda found: found[0].replace(",", ""), text)),
    )
    for pattern in _DATES:
        text = pattern.sub(_date, text)
    text = _YEAR_LAST.sub(_numeric_date, _MONTHS_OF.sub(_month, text))
    return _HOURS.sub(_minutes, _HOUR.sub(_time, _CLOCK.sub(_time, text)))


def _as_digits(found: re.Match[str]) -> str:
    total = current = 0
    for word in re.findall(r"[a-z]+(?:-[a-z]+)?", found[0].replace(" and ", " ")):
        if word in _LARGE:
            current = max(1, current) * _LARGE[word]
            if _LARGE[word] >= 1000:
                total, current = total + current, 0
        else:
            current += int(
                NUMBER_WORDS.get(word)
                or sum(int(NUMBER_WORDS.get(one, 0)) for one in word.split("-"))
            )
    return str(total + current)


def _date(found: re.Match[str]) -> str:
    parts = found.groupdict()
    day = ORDINALS[parts["word"]] if parts.get("word") else int(parts["day"])
    month = int(parts["number"]) if parts.get("number") else _number_of(parts["month"])
    year = f"x{parts['year']}" if parts["year"] else ""
    return f" date{month}x{day}{year} " if 1 <= day <= 31 else found[0]


def _numeric_date(found: re.Match[str]) -> str:
    read = read_date(found[0])
    if read is None:
        return found[0]
    year, month, day = map(int, read.when.split("-"))
    return f" date{month}x{day}x{year} "


def _month(found: re.Match[str]) -> str:
    return f" month{_number_of(found['month'])}x{found['year']} "


def _number_of(month: str) -> int:
    return next(at for at, name in enumerate(MONTHS, 1) if name.lower()[:3] == month[:3])


def _time(found: re.Match[str]) -> str:
    parts = found.groupdict()
    hour, half = int(parts["hour"]), parts["half"] or parts.get("also")
    minute = int(parts.get("minute") or parts.get("after") or 0)
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f" time{hour}x{minute} " if hour < 24 else found[0]


def _minutes(found: re.Match[str]) -> str:
    hours = Decimal(found["hours"]) if found["hours"][0].isdigit() else Decimal(1)
    return f"{hours * 60 + int(found['minutes'] or 0)} min"


def _spoken_time(found: re.Match[str]) -> str:
    minutes = 30 if found["part"] == "half" else 15
    total = int(found["hour"]) * 60 + (minutes if found["side"] == "past" else -minutes)
    return f" time{total // 60}x{total % 60} "
