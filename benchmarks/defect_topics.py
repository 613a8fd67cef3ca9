"""What an item is about, in words that a speaker would use, and other values for it."""

import random
from typing import Any

from defect_plants import Site, Spot
from defect_rows import Document
from defect_words import date_words, names_in, other_number


def topic(item: Document, fact: Document) -> str:
    """The property that an item asks for, with the name of what has it."""
    attribute = str(fact["attribute"])
    subject = str(fact["subject"])
    names = [name.removesuffix("'s") for name in names_in(item["question"]["text"])]
    owner = item["conversation"].partition("-")[0].capitalize()
    names = [name for name in names if name not in attribute and name != owner]
    if attribute == "date" and subject.startswith("event:"):
        return str(_event_words(item["question"]["text"]))
    if subject == "user" or not names:
        return attribute
    return f"{attribute} of {names[0]}"


def _event_words(text: str) -> str:
    for start in ("On what date was ", "Give the full date of ", "note for ", "On what day was "):
        if start in text:
            return text.partition(start)[2].rstrip("?. ")
    return ""


def value_words(fact: Document) -> str:
    """The value of a fact as it is said."""
    value = fact["value"]
    if value["type"] == "date":
        return date_words(value["text"])
    return " ".join(str(one) for one in (value["text"], value.get("unit")) if one)


def other_value(site: Site, item: Document, fact: Document) -> str | None:
    """Another value of the same sort, as it is said."""
    value: dict[str, Any] = fact["value"]
    text, unit = str(value["text"]), value.get("unit")
    if value["type"] == "number" and text.replace(".", "").isdigit():
        return " ".join(one for one in (other_number(text, site.random), unit) if one)
    if value["type"] == "date" and len(text) >= 10:
        return date_words(_moved(text, site.random))
    if len(text) == 5 and text[2] == ":" and text.replace(":", "").isdigit():
        hour = (int(text[:2]) + site.random.choice((1, 2, 3))) % 24
        return f"{hour:02d}:{text[3:]}"
    others = sorted(
        {
            str(one["answer"]["values"][0])
            for one in site.copy.questions.values()
            if one["benchmark_type"] == item["benchmark_type"]
            and one["answer"]["format"] == "free"
            and one["conversation"] != item["conversation"]
        }
        - {text}
    )
    return site.random.choice(others) if others and value["type"] == "text" else None


def _moved(iso: str, generator: random.Random) -> str:
    import datetime

    day = datetime.date.fromisoformat(iso[:10])
    return (day + datetime.timedelta(generator.choice((-9, -3, 4, 11, 30)))).isoformat()


def number_of(place: str) -> tuple[int, int]:
    """Session and round of a place, as numbers."""
    session, _, rest = place[1:].partition(":")
    digits = rest.partition(".")[0]
    return int(session), int(digits) if digits.isdigit() else 0


def later_spot(site: Site, item: Document, *, said_by: str = "human") -> Spot | None:
    """A free turn after everything that an item rests on."""
    last = max((number_of(place) for place in item["evidence"]["canonical"]), default=(0, 0))
    for spot in site.spots(item["conversation"], said_by=said_by):
        if number_of(spot.round["id"]) > last and not _is_read(site, spot):
            return spot
    return None


def earlier_spot(site: Site, item: Document, *, said_by: str = "human") -> Spot | None:
    """A free turn before everything that an item rests on."""
    first = min((number_of(place) for place in item["evidence"]["canonical"]), default=(0, 0))
    for spot in site.spots(item["conversation"], said_by=said_by):
        if number_of(spot.round["id"]) < first and not _is_read(site, spot):
            return spot
    return None


def _is_read(site: Site, spot: Spot) -> bool:
    return any(
        spot.place in site.places(item)
        for item in site.copy.questions.values()
        if item["conversation"] == spot.place[0]
    )
