"""Dates and durations that do not agree, with a ledger and without."""

import re
from collections.abc import Iterator

from defect_plants import FOREIGN, LEDGER, Plant, Site, kind
from defect_rows import Document
from defect_words import (
    MONTHS,
    append,
    change_amount,
    other_month,
    other_year,
    shift_date,
    with_gold,
    with_text,
)


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


def _gold(item: Document) -> str:
    return str(item["answer"]["values"][0]) if item["answer"]["values"] else ""


def _regold(site: Site, item: Document, new: str | None) -> Plant | None:
    old = _gold(item)
    if not new or new == old:
        return None
    with_gold(item, new)
    return site.item_plant(item, f"gold {old!r} is now {new!r}")


_NAMED = rf"\b(?:{'|'.join(MONTHS)})\b"


@kind("foreign-gold-day-moved", FOREIGN)
def gold_day_moved(site: Site) -> Iterator[Plant]:
    """A full date in the gold is some days off."""
    for item in site.items(answerable=True):
        new = shift_date(_gold(item), site.random.choice((-14, -3, -1, 1, 2, 7, 30)))
        if plant := _regold(site, item, new):
            yield plant


@kind("foreign-gold-month-changed", FOREIGN)
def gold_month_changed(site: Site) -> Iterator[Plant]:
    """The gold names another month."""
    for item in site.items(answerable=True):
        if plant := _regold(site, item, other_month(_gold(item), site.random)):
            yield plant


@kind("foreign-gold-year-changed", FOREIGN)
def gold_year_changed(site: Site) -> Iterator[Plant]:
    """The gold names another year."""
    for item in site.items(answerable=True):
        if plant := _regold(site, item, other_year(_gold(item), site.random)):
            yield plant


@kind("foreign-gold-relative-date-changed", FOREIGN)
def gold_relative(site: Site) -> Iterator[Plant]:
    """The week after for the week before, Friday for Sunday, last week for yesterday."""
    pairs = (
        (r"\bweek before", "week after"),
        (r"\bweekend before", "Monday after"),
        (r"\b(sun|mon|tues|wednes|thurs|fri|satur)day before", "day after"),
        (r"\bday before", "week before"),
        (r"\bfirst week of", "last week of"),
        (r"\b[Ll]ast week", "two months ago"),
        (r"\b[Yy]esterday", "last month"),
        (r"\b[Ll]ast (?=night|month|year|summer|weekend)", "next "),
        (r"\bago\b", "later"),
        (r"\bearly\b", "late"),
        (r"\bbeginning of", "end of"),
        (r"\bsummer\b", "winter"),
        (r"\bbefore\b", "after"),
    )
    for item in site.items("2", "TR", answerable=True):
        for old, to in pairs:
            if re.search(old, _gold(item)):
                plant = _regold(site, item, re.sub(old, to, _gold(item), count=1))
                if plant:
                    yield plant
                break


@kind("foreign-gold-duration-changed", FOREIGN)
def gold_duration(site: Site) -> Iterator[Plant]:
    """Six months for four, 19 days for nine."""
    for item in site.items(answerable=True):
        if re.search(r"\b(day|week|month|year|hour|minute)s?\b", _gold(item), re.IGNORECASE):
            found = re.search(_NAMED, _gold(item))
            new = None if found else change_amount(_gold(item), site.random)
            if plant := _regold(site, item, new):
                yield plant


@kind("foreign-gold-unit-of-time-changed", FOREIGN)
def gold_time_unit(site: Site) -> Iterator[Plant]:
    """Two months for two weeks."""
    other = {"day": "week", "week": "month", "month": "year", "year": "month", "hour": "day"}
    for item in site.items(answerable=True):
        found = re.search(
            r"\b((?:\d+|a|an|one|two|three|four|five|six|seven|eight|few)\s)(day|week|month|year|hour)(?=s?\b)",
            _gold(item),
            re.IGNORECASE,
        )
        if found:
            new = _gold(item).replace(found[0], found[1] + other[found[2].lower()], 1)
            if plant := _regold(site, item, new):
                yield plant


@kind("foreign-gold-day-invented", FOREIGN)
def gold_day_invented(site: Site) -> Iterator[Plant]:
    """The history gives a month, the gold a day of it."""
    for item in site.items(answerable=True):
        found = re.fullmatch(rf"(?:[Ii]n )?({'|'.join(MONTHS)}),? (\d{{4}})\.?", _gold(item))
        if found:
            day = site.random.randint(2, 27)
            if plant := _regold(site, item, f"{day} {found[1]} {found[2]}"):
                yield plant


@kind("foreign-question-month-changed", FOREIGN)
def question_month(site: Site) -> Iterator[Plant]:
    """The question is about another month."""
    for item in site.items(answerable=True, formats=("free", "number", "image_id")):
        old = item["question"]["text"]
        new = other_month(old, site.random)
        if new:
            with_text(item, new)
            yield site.item_plant(item, f"{old!r} is now {new!r}")


@kind("foreign-cited-turn-other-time", FOREIGN)
def cited_turn_time(site: Site) -> Iterator[Plant]:
    """The turn that gives the time of the gold says another relative time."""
    pairs = (
        ("yesterday", "three weeks ago"),
        ("last week", "last year"),
        ("last weekend", "two months ago"),
        ("last month", "last week"),
        ("last year", "last month"),
        ("last night", "ten days ago"),
        ("this week", "back in spring"),
        ("tomorrow", "next month"),
        ("next month", "tomorrow"),
        ("last Friday", "last Monday"),
        ("last Saturday", "last Tuesday"),
        ("today", "a fortnight ago"),
        ("two days ago", "two months ago"),
    )
    for item in site.items("2", "TR", answerable=True):
        places = item["evidence"]["canonical"]
        if len(places) != 1 or not re.search(rf"\d|{_NAMED}", _gold(item)):
            continue
        for spot in list(site.all_spots(item["conversation"])):
            if spot.round["id"] != places[0] or spot.place in site.rounds_used | site.rounds_read:
                continue
            for old, new in pairs:
                if re.search(rf"\b{old}\b", spot.turn["text"], re.IGNORECASE):
                    text = re.sub(rf"\b{old}\b", new, spot.turn["text"], flags=re.IGNORECASE)
                    spot.turn["text"] = text
                    what = f"{item['id']}: {spot.turn['id']} says {new!r} for {old!r}"
                    yield site.turn_plant(spot, what, item)
                    break


@kind("foreign-session-date-moved", FOREIGN)
def foreign_session_date(site: Site) -> Iterator[Plant]:
    """A session that golds take their dates from is months later, out of order."""
    for item in site.items("2", "TR", answerable=True):
        places = item["evidence"]["canonical"]
        if len(places) != 1 or ":" not in places[0]:
            continue
        conversation = site.copy.conversations[item["conversation"]]
        name = places[0].partition(":")[0]
        session = next((one for one in conversation["sessions"] if one["id"] == name), None)
        rounds = (
            {(item["conversation"], one["id"]) for one in session["rounds"]} if session else set()
        )
        if session is None or not session["date"] or rounds & site.rounds_used:
            continue
        moved = shift_date(session["date"][:10], site.random.choice((-90, 75, 200)))
        if moved is None or not re.search(rf"\d{{4}}|{_NAMED}", _gold(item)):
            continue
        old, session["date"] = session["date"], moved + session["date"][10:]
        site.rounds_used |= rounds
        at = conversation["sessions"].index(session)
        resting = [
            one["id"]
            for one in site.copy.questions.values()
            if one["conversation"] == item["conversation"]
            and any(place.startswith(f"{name}:") for place in one["evidence"]["canonical"])
        ]
        site.items_used |= set(resting)
        what = f"{item['conversation']} {name}: {old} is now {session['date']}"
        ids = (f"{item['conversation']}/{name}", *resting)
        yield Plant(site.kind, ids, what, ((item["conversation"], f"/sessions/{at}"),))
