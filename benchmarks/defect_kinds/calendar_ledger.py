"""Dates and durations that do not agree, where a ledger knows them."""

import re
from collections.abc import Iterator

from defect_plants import LEDGER, Plant, Site, kind
from defect_words import MONTHS, append, shift_date, with_gold


@kind("duration-gold-off", LEDGER)
def duration_off(site: Site) -> Iterator[Plant]:
    """The gold of a distance in time is some days off, and so are its coarser answers."""
    for item in site.items("tr", formats=("number",)):
        number, _, unit = item["answer"]["values"][0].partition(" ")
        if number.isdigit() and unit:
            new = str(int(number) + site.random.choice((-2, -1, 1, 2, 10)))
            with_gold(item, f"{new} {unit}")
            item["answer"]["coarser"] = [new]
            yield site.item_plant(item, f"gold {number} {unit} is now {new} {unit}")


@kind("duration-unit-in-gold", LEDGER)
def duration_unit(site: Site) -> Iterator[Plant]:
    """The gold of a distance in time has another unit."""
    other = {"days": "weeks", "weeks": "days", "day": "week", "months": "weeks", "h": "min"}
    for item in site.items("tr", formats=("number",)):
        number, _, unit = item["answer"]["values"][0].partition(" ")
        if unit in other:
            with_gold(item, f"{number} {other[unit]}")
            yield site.item_plant(item, f"gold {number} {unit} is now {number} {other[unit]}")


@kind("date-forged-in-ledger-and-gold", LEDGER)
def date_forged(site: Site) -> Iterator[Plant]:
    """Fact, gold and formats move together; only the history keeps the day."""
    for item in site.items("tr", formats=("date",)):
        facts = site.facts(item)
        if len(facts) != 1 or facts[0]["value"]["text"] != item["answer"]["values"][0]:
            continue
        fact, old = facts[0], facts[0]["value"]["text"]
        new = shift_date(old, site.random.choice((-7, -1, 1, 2, 14)))
        others = [
            one for one in site.copy.questions.values() if fact["id"] in one["evidence"]["facts"]
        ]
        if new is None or len(others) > 1:
            continue
        fact["value"] = {**fact["value"], "text": new}
        answer = item["answer"]
        for name in ("values", "equivalents", "coarser"):
            answer[name] = [_same_form(text, old, new) for text in answer[name]]
        yield site.item_plant(item, f"{old} is now {new} in fact and gold", fact["id"])


def _same_form(text: str, old: str, new: str) -> str:
    year, month, day = old.split("-")
    to_year, to_month, to_day = new.split("-")
    if text == old:
        return new
    for names in (MONTHS, [one[:3] for one in MONTHS]):
        text = re.sub(rf"\b{names[int(month) - 1]}\b", names[int(to_month) - 1], text)
    return re.sub(rf"\b{int(day)}\b", str(int(to_day)), text.replace(year, to_year))


@kind("session-date-moved", LEDGER)
def session_date_moved(site: Site) -> Iterator[Plant]:
    """A session gets another date than its events and facts."""
    spots = [spot for spot in site.spots() if spot.round is spot.session["rounds"][0]]
    for spot in spots:
        sessions = spot.conversation["sessions"]
        at = sessions.index(spot.session)
        if spot.place in site.rounds_used:
            continue
        if not 0 < at < len(sessions) - 1 or len(spot.session["date"] or "") != 10:
            continue
        new = shift_date(spot.session["date"], site.random.choice((-1, 1)))
        if new and sessions[at - 1]["date"] < new < sessions[at + 1]["date"]:
            old, spot.session["date"] = spot.session["date"], new
            name, place = spot.pointer()
            pointers = ((name, place.rpartition("/rounds")[0]),)
            ids = [
                item["id"]
                for item in site.copy.questions.values()
                if item["conversation"] == name
                and any(
                    one.startswith(f"{spot.session['id']}:")
                    for one in item["evidence"]["canonical"]
                )
            ]
            site.items_used |= set(ids)
            site.rounds_used |= {(name, one["id"]) for one in spot.session["rounds"]}
            what = f"{name} {spot.session['id']}: {old} is now {new}"
            yield Plant(site.kind, (f"{name}/{spot.session['id']}", *ids), what, pointers)


@kind("turn-names-other-day", LEDGER)
def turn_names_other_day(site: Site) -> Iterator[Plant]:
    """A turn says of today that it is another day or weekday than the session's."""
    frames = (
        "Today is {day} {month}, after all.",
        "Anyway, happy {day} {month}!",
        "It is {month} {day} today and I am tired.",
        "As of today, {day} {month} {year}, that is where we stand.",
    )
    for spot in site.spots(said_by="human"):
        date = spot.session["date"] or ""
        new = shift_date(date, site.random.choice((-40, -9, 12, 35))) if len(date) == 10 else None
        if new:
            year, month, day = new.split("-")
            sentence = site.random.choice(frames).format(
                day=int(day), month=MONTHS[int(month) - 1], year=year
            )
            spot.turn["text"] = append(spot.turn["text"], sentence)
            yield site.turn_plant(spot, f"session of {date}; {spot.turn['id']} ends: {sentence}")


@kind("turn-names-wrong-weekday", LEDGER)
def wrong_weekday(site: Site) -> Iterator[Plant]:
    """A turn gives a date with a weekday that it does not have."""
    import datetime

    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    for spot in site.spots(said_by="human"):
        date = spot.session["date"] or ""
        if len(date) != 10:
            continue
        day = datetime.date.fromisoformat(date) - datetime.timedelta(site.random.randint(1, 6))
        wrong = names[(day.weekday() + site.random.randint(1, 6)) % 7]
        frame = site.one(
            "On {w}, {d} {m}, I did nothing at all.",
            "I slept badly on {w} {d} {m} {y}.",
            "It has been like that since {w}, {m} {d}, {y}.",
        )
        sentence = frame.format(w=wrong, d=day.day, m=MONTHS[day.month - 1], y=day.year)
        spot.turn["text"] = append(spot.turn["text"], sentence)
        yield site.turn_plant(spot, f"{day} is a {names[day.weekday()]}; {sentence}")


@kind("gold-date-in-wrong-precision", LEDGER)
def wrong_precision(site: Site) -> Iterator[Plant]:
    """The gold of a question for a full date is a month or a year only."""
    for item in site.items("tr", formats=("date",)):
        gold = item["answer"]["values"][0]
        if len(gold) == 10:
            with_gold(item, gold[: site.random.choice((4, 7))])
            yield site.item_plant(item, f"gold {gold} is now {item['answer']['values'][0]}")
