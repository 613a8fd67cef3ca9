"""Small changes of texts that planters share: names, negation, numbers, dates, order."""

import datetime
import random
import re
from typing import Final

from defect_rows import Document

MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_NO_NAMES: Final = frozenset(
    [
        "What",
        "Which",
        "When",
        "Where",
        "Who",
        "Whom",
        "Whose",
        "How",
        "Why",
        "Of",
        "In",
        "On",
        "At",
        "By",
        "Give",
        "Find",
        "Count",
        "Put",
        "The",
        "A",
        "An",
        "Is",
        "Are",
        "Was",
        "Were",
        "Did",
        "Does",
        "Do",
        "Has",
        "Have",
        "Had",
        "Can",
        "Could",
        "Would",
        "Should",
        "According",
        "From",
        "For",
        "To",
        "As",
        "Tell",
        "List",
        "Name",
        "Please",
        "Based",
        "Considering",
        "During",
        "After",
        "Before",
        "Since",
        "If",
        "And",
        "Or",
        "With",
        "About",
        "These",
        "Two",
        "Three",
        "I",
        "It",
        "Say",
        "Order",
        "Going",
        "That",
        "This",
        "There",
        "Their",
        "His",
        "Her",
        "Its",
        "Between",
        "Measured",
        "Trace",
        "Around",
        "Does",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "User",
        "Image",
        "Q",
        "Among",
        "Into",
        "Over",
        "Under",
        "Only",
        "Return",
        "How",
        "Also",
    ]
) | frozenset(MONTHS)
_NAME: Final = re.compile(r"\b[A-Z][\w-]+(?: (?:of |de |the )?[A-Z][\w-]+)*")


def with_text(item: Document, text: str) -> None:
    """Give an item another question text, without the wording that was kept of the old one."""
    item["question"] = {**item["question"], "text": text}
    if item.pop("wording", None) is not None:
        item["schema_version"] = 1


def with_gold(item: Document, *values: str) -> None:
    """Give an item other gold values."""
    item["answer"] = {**item["answer"], "values": list(values)}


def names_in(text: str) -> list[str]:
    """Names of people, places and things in a question, options left out."""
    found = []
    for match in _NAME.finditer(re.split(r"\s[A-D]\. ", text)[0]):
        words = match[0].split()
        while words and words[0] in _NO_NAMES:
            words = words[1:]
        name = " ".join(words)
        if len(name) > 2 and not name.isupper() and name not in found:
            found.append(name)
    return found


def negated(text: str, generator: random.Random) -> str | None:
    """The question with a negation in it; None if it has no verb that takes one."""
    short = {
        "did": "didn't",
        "does": "doesn't",
        "do": "don't",
        "was": "wasn't",
        "were": "weren't",
        "is": "isn't",
        "are": "aren't",
        "has": "hasn't",
        "had": "hadn't",
        "could": "couldn't",
        "should": "shouldn't",
        "would": "wouldn't",
        "stands": "does not stand",
        "carries": "does not carry",
        "made": "did not make",
        "lay": "did not lie",
    }
    found = re.search(rf"\b(?:{'|'.join(short)})\b", text)
    if found is None:
        return None
    verb = found[0]
    named = re.match(r" [A-Z][\w-]*(?: [A-Z][\w-]*)* ", text[found.end() :])
    if named and verb in ("did", "does", "could", "should") and generator.random() < 0.5:
        end = found.end() + named.end()
        word = generator.choice(("never", "not"))
        return f"{text[:end]}{word} {text[end:]}"
    if verb in ("was", "is", "were", "are") and generator.random() < 0.3:
        return f"{text[: found.end()]} not{text[found.end() :]}"
    return f"{text[: found.start()]}{short[verb]}{text[found.end() :]}"


def swapped_order(text: str) -> str | None:
    """First for last, before for after; None if the text has no such word."""
    pairs = (
        ("highest", "lowest"),
        ("longest", "shortest"),
        ("first", "last"),
        ("earliest", "latest"),
        ("most", "least"),
        ("before", "after"),
        ("above", "below"),
        ("largest", "smallest"),
        ("cheapest", "dearest"),
        ("oldest", "youngest"),
        ("more", "less"),
    )
    stem = re.split(r"\s[A-D]\. ", text)[0]
    for one, other in pairs:
        for old, new in ((one, other), (other, one)):
            found = re.search(rf"\b{old}\b(?! name)", stem)
            if found and f"{old} and" not in stem and f"and {old}" not in stem:
                return text[: found.start()] + new + text[found.end() :]
    return None


def other_number(text: str, generator: random.Random) -> str:
    """A number of the same look that is clearly another."""
    places = len(text.partition(".")[2])
    value = float(text)
    step = max(1.0, abs(value) * generator.choice((0.2, 0.35, 0.5)))
    new = value + step if generator.random() < 0.6 or value < step + 1 else value - step
    return (
        f"{new:.{places}f}"
        if places
        else str(round(new) if round(new) != value else round(new) + 1)
    )


_NUMBER: Final = re.compile(r"(?<![\w.:])\d[\d,]*(?:\.\d+)?(?![\w:])")


def change_number(text: str, generator: random.Random) -> str | None:
    """The text with one of its numbers changed; None if it has none."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    one = generator.choice(found)
    new = other_number(one[0].replace(",", ""), generator)
    return text[: one.start()] + new + text[one.end() :]


_WORDS: Final = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


def change_amount(text: str, generator: random.Random) -> str | None:
    """The text with a number changed that is written in figures or as a word."""
    found = re.search(rf"\b(?:{'|'.join(_WORDS)})\b", text, re.IGNORECASE)
    if found is None:
        return change_number(text, generator)
    at = _WORDS.index(found[0].lower())
    new = _WORDS[(at + generator.choice((2, 3, 4))) % len(_WORDS)]
    new = new.capitalize() if found[0][0].isupper() else new
    return text[: found.start()] + new + text[found.end() :]


def shift_date(text: str, days: int) -> str | None:
    """The text with its full date moved by days, in the form it had."""
    iso = re.search(r"\b(\d{4})-(\d\d)-(\d\d)\b", text)
    if iso:
        day = datetime.date(*map(int, iso.groups())) + datetime.timedelta(days)
        return text.replace(iso[0], day.isoformat())
    pattern = rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s?({'|'.join(MONTHS)}),?\s?(\d{{4}})"
    found = re.search(pattern, text, re.IGNORECASE)
    if found:
        month = [one.lower() for one in MONTHS].index(found[2].lower()) + 1
        day = datetime.date(int(found[3]), month, int(found[1])) + datetime.timedelta(days)
        return text.replace(found[0], f"{day.day} {MONTHS[day.month - 1]} {day.year}")
    found = re.search(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})", text)
    if found:
        day = datetime.date(int(found[3]), MONTHS.index(found[1]) + 1, int(found[2]))
        day += datetime.timedelta(days)
        return text.replace(found[0], f"{MONTHS[day.month - 1]} {day.day}, {day.year}")
    return None


def other_month(text: str, generator: random.Random) -> str | None:
    """The text with another month."""
    found = re.search(rf"\b({'|'.join(MONTHS)})\b", text)
    if found is None:
        return None
    new = MONTHS[(MONTHS.index(found[1]) + generator.choice((1, 2, 5, 10))) % 12]
    return text[: found.start()] + new + text[found.end() :]


def other_year(text: str, generator: random.Random) -> str | None:
    """The text with another year."""
    found = re.search(r"\b(19|20)\d\d\b", text)
    if found is None:
        return None
    new = str(int(found[0]) + generator.choice((-2, -1, 1)))
    return text[: found.start()] + new + text[found.end() :]


def date_words(iso: str) -> str:
    """A date as people write it."""
    day = datetime.date.fromisoformat(iso[:10])
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def append(text: str, sentence: str) -> str:
    """A text with one more sentence."""
    return f"{text.rstrip()} {sentence}"
