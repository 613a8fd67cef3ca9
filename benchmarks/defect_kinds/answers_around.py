"""Wrong answers among the equivalents and the coarser ones; a finer one; a trap; a rival."""

import datetime
from collections.abc import Iterator

from defect_plants import LEDGER, Plant, Site, kind
from defect_rows import Document
from defect_words import MONTHS, change_amount, date_words, other_number, shift_date


def _add(item: Document, name: str, *texts: str) -> None:
    item["answer"] = {**item["answer"], name: [*item["answer"][name], *texts]}


def _gold(item: Document) -> str:
    return str(item["answer"]["values"][0])


@kind("equivalent-of-nonsense", LEDGER)
def equivalent_of_nonsense(site: Site) -> Iterator[Plant]:
    """A text that has nothing to do with the gold counts as right."""
    texts = (
        "purple staircase",
        "the usual",
        "it depends",
        "Tuesday-ish",
        "lorem ipsum",
        "yes and no",
        "a fine day",
        "ask the assistant",
        "none of your business",
        "banana",
        "as discussed",
    )
    for item in site.items("ss", "ms", "tr", "mr", "ii"):
        text = site.random.choice(texts)
        _add(item, "equivalents", text)
        yield site.item_plant(item, f"{text!r} beside the gold {_gold(item)!r}")


@kind("equivalent-of-other-item", LEDGER)
def equivalent_of_other_item(site: Site) -> Iterator[Plant]:
    """The gold of another item of the same form counts as right."""
    for item in site.items("ss", "ms", "tr", "mr", "ii"):
        others = sorted(
            {
                _gold(one)
                for one in site.copy.questions.values()
                if one["conversation"] == item["conversation"]
                and one["benchmark_type"] == item["benchmark_type"]
                and one["answer"]["format"] == item["answer"]["format"]
            }
            - {_gold(item)}
        )
        if others:
            text = site.random.choice(others)
            _add(item, "equivalents", text)
            yield site.item_plant(item, f"{text!r} beside the gold {_gold(item)!r}")


@kind("equivalent-number-near-by", LEDGER)
def equivalent_number(site: Site) -> Iterator[Plant]:
    """Another number with the same unit counts as right."""
    for item in site.items(formats=("number",)):
        new = change_amount(_gold(item), site.random)
        if new and new != _gold(item):
            _add(item, "equivalents", new)
            yield site.item_plant(item, f"{new!r} beside the gold {_gold(item)!r}")


@kind("equivalent-other-unit", LEDGER)
def equivalent_unit(site: Site) -> Iterator[Plant]:
    """The same number with another unit counts as right."""
    units = ("EUR", "kg", "cm", "weeks", "litres", "USD", "minutes", "m2", "%", "ml", "hours")
    for item in site.items(formats=("number",)):
        number, _, unit = _gold(item).partition(" ")
        if unit:
            new = site.random.choice([one for one in units if one != unit])
            _add(item, "equivalents", f"{number} {new}")
            yield site.item_plant(item, f"'{number} {new}' beside the gold {_gold(item)!r}")


@kind("equivalent-day-and-month-exchanged", LEDGER)
def equivalent_day_month(site: Site) -> Iterator[Plant]:
    """The date with day and month exchanged counts as right."""
    for item in site.items(formats=("date",)):
        try:
            day = datetime.date.fromisoformat(_gold(item))
        except ValueError:
            continue
        if day.day <= 12 and day.day != day.month:
            text = f"{day.month} {MONTHS[day.day - 1]} {day.year}"
            _add(item, "equivalents", text)
            yield site.item_plant(item, f"{text!r} beside the gold {_gold(item)!r}")


@kind("equivalent-other-day", LEDGER)
def equivalent_other_day(site: Site) -> Iterator[Plant]:
    """A day or a year beside the gold counts as right."""
    for item in site.items(formats=("date",)):
        new = shift_date(_gold(item), site.random.choice((-1, 1, 7, 365)))
        if new:
            _add(item, "equivalents", date_words(new))
            yield site.item_plant(item, f"{date_words(new)!r} beside the gold {_gold(item)!r}")


@kind("equivalent-is-competitor", LEDGER)
def equivalent_competitor(site: Site) -> Iterator[Plant]:
    """A competitor, which has to lose, counts as right."""
    for item in site.items("fm", "ii"):
        if item["answer"]["competitors"]:
            text = item["answer"]["competitors"][0]
            _add(item, "equivalents", text)
            yield site.item_plant(item, f"competitor {text!r} beside the gold {_gold(item)!r}")


@kind("coarser-other-month", LEDGER)
def coarser_month(site: Site) -> Iterator[Plant]:
    """A month that the date is not in counts as a coarser answer."""
    for item in site.items(formats=("date",)):
        new = shift_date(_gold(item), site.random.choice((-62, 45, 400)))
        if new:
            _, month, year = date_words(new).split()
            item["answer"] = {**item["answer"], "coarser": [f"{month} {year}"]}
            yield site.item_plant(item, f"'{month} {year}' coarser than {_gold(item)!r}")


@kind("coarser-of-nonsense", LEDGER)
def coarser_of_nonsense(site: Site) -> Iterator[Plant]:
    """Something else counts as a coarser answer."""
    texts = ("something", "a thing", "somewhere", "later on", "more than enough", "whatever", "42")
    for item in site.items("ss", "th", "mr", "tr", "ii"):
        text = site.random.choice(texts)
        _add(item, "coarser", text)
        yield site.item_plant(item, f"{text!r} coarser than {_gold(item)!r}")


@kind("coarser-number-rounded-wrong", LEDGER)
def coarser_number(site: Site) -> Iterator[Plant]:
    """The bare number among the coarser answers is another one."""
    for item in site.items(formats=("number",), where=lambda item: bool(item["answer"]["coarser"])):
        number = _gold(item).partition(" ")[0]
        if number.replace(".", "").isdigit():
            new = other_number(number, site.random)
            item["answer"] = {**item["answer"], "coarser": [new]}
            yield site.item_plant(item, f"{new!r} coarser than {_gold(item)!r}")


@kind("coarser-steps-in-other-order", LEDGER)
def coarser_steps(site: Site) -> Iterator[Plant]:
    """The keywords of a procedure stand in another order than its steps."""
    for item in site.items("th", where=lambda item: "," in "".join(item["answer"]["coarser"][:1])):
        words = item["answer"]["coarser"][0].split(", ")
        mixed = [*words[1:], words[0]]
        item["answer"] = {
            **item["answer"],
            "coarser": [", ".join(mixed), *item["answer"]["coarser"][1:]],
        }
        yield site.item_plant(item, f"coarser is now {', '.join(mixed)!r}")


@kind("coarser-is-refusal", LEDGER)
def coarser_refusal(site: Site) -> Iterator[Plant]:
    """A reader that refuses gets credit."""
    texts = ("Not mentioned.", "unknown", "No information available", "I do not know", "n/a")
    for item in site.items("ss", "ms", "tr", "mr", "ii", "th"):
        text = site.random.choice(texts)
        name = site.random.choice(("coarser", "equivalents"))
        _add(item, name, text)
        yield site.item_plant(item, f"{text!r} among the {name}")


@kind("gold-listed-as-trap", LEDGER)
def gold_as_trap(site: Site) -> Iterator[Plant]:
    """A way of writing the gold is listed as wrong."""
    for item in site.items("ss", "tr", "ii", "mr"):
        text = site.random.choice([_gold(item), f"{_gold(item)}.", _gold(item).capitalize()])
        name = site.random.choice(("traps", "competitors"))
        _add(item, name, text)
        yield site.item_plant(item, f"{text!r} among the {name}")
