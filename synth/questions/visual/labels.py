"""How the labels of pictures are spoken: as nouns in a sentence, with the words before them."""

import re
from collections.abc import Sequence
from typing import Final

from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import History, Picture

TOTAL: Final = "Total"
"""Label of the sum of a receipt."""
SUPERLATIVES: Final = ("highest", "lowest")
"""How the name of a measure begins that is an end itself."""
_PLAIN: Final = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)*")
_CLOCK: Final = re.compile(r"\d{1,2}:\d{2}")
_DAYS: Final = "|".join(day[:3] for day in WEEKDAYS)
_MONTHS: Final = "|".join(month[:3] for month in MONTHS)
_TIMES: Final = {
    "day": re.compile(rf"day \w+|(?:{_DAYS})\w*|\d+ (?:{_MONTHS})", re.I),
    "week": re.compile(r"week \w+", re.I),
    "month": re.compile(rf"month \w+|(?:{_MONTHS})", re.I),
    "quarter": re.compile(r"Q[1-4]"),
    "year": re.compile(r"year \w+|[12]\d{3}", re.I),
    "hour": re.compile(r"(?:hour \w+|\d+(?:-\d+)? ?h)", re.I),
    "minute": re.compile(r"(?:minute \w+|\d+ ?min)", re.I),
}
"""What rows that are times look like, by what they are called."""
_OF: Final = re.compile(r"the (?:[\w'-]+ ){1,2}(?:for|of|on) (?P<thing>.+)")
_BEFORE: Final = {"day": "on", "hour": "at", "minute": "at"}
_NO_NOUN: Final = re.compile(
    r"(?:.* )?(?:[a-z]+ed|above|after|at|back|before|below|by|every|for|from|in|no|of|on|out|per"
    r"|than|to|until|up|with)",
    re.I,
)
"""Labels that are no noun phrase but the beginning of a sentence: `Best before`."""


def is_named(history: History, label: str, fact: Fact) -> bool:
    """Whether a column says what is in it: a unitless number is of things in the plural."""
    number = fact.value.type is ValueType.NUMBER and fact.value.unit is None
    return is_noun(history, label, fact) and (not number or is_count(label, fact))


def is_noun(history: History, label: str, fact: Fact) -> bool:
    """Whether a printed key can be spoken as a noun: `Salt content`, not `Sold at` or `Departs`."""
    if _NO_NOUN.fullmatch(label):
        return False
    # A single word without a unit may be anything: `Built`, `Bring`, `Late`.
    if " " not in label and fact.value.unit is None and label.casefold() not in history.nouns:
        return False
    timed = fact.value.type is ValueType.DATE or is_clock(fact)
    # `Departs` and `Takes` are verbs, `Meals a day` are counted.
    verb = label.endswith("s") and " " not in label and fact.value.unit is not None
    return not verb and not (timed and label.endswith("s"))


def is_clock(fact: Fact) -> bool:
    """Whether a value is a time of day."""
    return _CLOCK.fullmatch(fact.value.text) is not None


def is_money(fact: Fact) -> bool:
    """Whether a value is an amount in a currency."""
    unit = fact.value.unit or ""
    return fact.value.type is ValueType.NUMBER and len(unit) == 3 and unit.isupper()


def is_count(label: str, fact: Fact) -> bool:
    """Whether one asks how many there are: a number without a unit of things in the plural."""
    head = label.partition(" ")[0]
    plural = head.endswith("s") or label.endswith("s")
    return fact.value.type is ValueType.NUMBER and fact.value.unit is None and plural


def was_or_were(measure: str) -> str:
    """The verb of what is measured: `were` of hours of sleep, `was` of a number of hands."""
    head = head_of(measure)
    return "were" if head.endswith("s") and not head.endswith("ss") else "was"


def as_noun(label: str) -> str:
    """A label as it is written inside a sentence: `salt content`, `GR number`."""
    first = label.partition(" ")[0]
    return f"{label[:1].lower()}{label[1:]}" if _PLAIN.fullmatch(first) else label


def time_of(label: str) -> str | None:
    """What a row is if it is a time: a day, a week, a month, a year, an hour, a minute."""
    return next((kind for kind, like in _TIMES.items() if like.fullmatch(label)), None)


def thing_of(about: str) -> str | None:
    """What a label is on: `the squat soy sauce bottle` of `the label of ...`.

    None where that is somebody, who has no salt content.
    """
    found = _OF.fullmatch(about)
    named = found is not None and found["thing"][:1].isupper() and "'s " not in found["thing"]
    return found["thing"] if found is not None and not named else None


def as_row(history: History, label: str) -> str:
    """A row as it is written inside a sentence: small where the history writes its word so."""
    small = as_noun(label)
    return small if small.partition(" ")[0] in history.small_words else label


def at_label(history: History, label: str) -> str:
    """A row with the word before it: `on Mon`, `in week 2`, `at 08 h`, `for Osaka`."""
    time = time_of(label)
    if time is None:
        return f"for {as_row(history, label)}"
    said = as_noun(label) if label.casefold().startswith(time) else label
    return f"{_BEFORE.get(time, 'in')} {said}"


def bare_label(label: str) -> str:
    """A row as the end of a stretch: `week 2`, `Mon`."""
    return as_noun(label) if (time_of(label) or "-") in label.casefold() else label


def kind_of_rows(labels: Sequence[str]) -> str | None:
    """What all rows are, so that one can ask which of them: a day, a week, a draw, a sample."""
    times = {time_of(label) for label in labels}
    if len(times) == 1 and times != {None}:
        return times.pop()
    heads = {label.partition(" ")[0] for label in labels if " " in label}
    alike = len(heads) == 1 and all(" " in label for label in labels)
    return as_noun(heads.pop()) if alike else None


def numbers_of(picture: Picture) -> dict[str, Fact]:
    """The numbers of a picture by label, without the sum of the others."""
    return {
        key: fact
        for key, fact in picture.cells.items()
        if fact.value.type is ValueType.NUMBER and key != TOTAL
    }
