"""Items that disagree with their ledger: gold, query, time of asking, mentions."""

import datetime
from collections.abc import Iterator
from typing import Final

from defect_plants import Plant, Site, kind
from defect_rows import Document

_UNITS: Final = {"days": "weeks", "weeks": "days", "months": "weeks", "h": "min"}


def _duration_plants(site: Site, number_too: bool) -> Iterator[Plant]:
    for item in site.items("tr", formats=("number",)):
        number, _, unit = item["answer"]["values"][0].partition(" ")
        if not (item.get("query") and number.isdigit() and unit in _UNITS):
            continue
        new = f"{int(number) + site.one(-2, 1, 10)} {unit}"
        if not number_too:
            new = f"{number} {_UNITS[unit]}"
        item["answer"] |= {"values": [new], "coarser": [new.partition(" ")[0]]}
        yield site.item_plant(item, f"gold {number} {unit} is now {new}")


@kind("duration-gold-off")
def duration_off(site: Site) -> Iterator[Plant]:
    """The gold of a distance in time is some days off, and so are its coarser answers."""
    yield from _duration_plants(site, number_too=True)


@kind("duration-unit-in-gold")
def duration_unit(site: Site) -> Iterator[Plant]:
    """The gold of a distance in time has another unit."""
    yield from _duration_plants(site, number_too=False)


@kind("date-forged-in-ledger-and-gold")
def date_forged(site: Site) -> Iterator[Plant]:
    """Fact and gold move together; only the history keeps the day."""
    for item in site.items("tr", formats=("date",)):
        facts, old = site.facts(item), item["answer"]["values"][0]
        if len(facts) != 1 or facts[0]["value"]["text"] != old or len(old) != 10:
            continue
        day = datetime.date.fromisoformat(old) + datetime.timedelta(site.one(-7, -1, 1, 14))
        facts[0]["value"] = {**facts[0]["value"], "text": day.isoformat()}
        item["answer"] |= {"values": [day.isoformat()], "equivalents": [], "coarser": []}
        yield site.item_plant(item, f"{old} is now {day} in fact and gold", facts[0]["id"])


@kind("gold-date-in-wrong-precision")
def wrong_precision(site: Site) -> Iterator[Plant]:
    """The gold of a question for a full date is a month or a year only."""
    for item in site.items("tr", formats=("date",)):
        gold = item["answer"]["values"][0]
        if item.get("query") and len(gold) == 10:
            item["answer"]["values"] = [gold[: site.one(4, 7)]]
            yield site.item_plant(item, f"gold {gold} is now {item['answer']['values'][0]}")


@kind("equivalent-of-other-item")
def equivalent_of_other_item(site: Site) -> Iterator[Plant]:
    """The gold of another item of the same form counts as right."""
    for item in site.items("ss", "ms", "tr", "mr", "ii"):
        golds = {one["answer"]["values"][0] for one in _items_alike(site, item)}
        others = sorted(golds - set(item["answer"]["values"]))
        if item.get("query") and others:
            text = site.random.choice(others)
            item["answer"]["equivalents"] = [*item["answer"]["equivalents"], text]
            yield site.item_plant(item, f"{text!r} beside the gold {item['answer']['values'][0]!r}")


def _items_alike(site: Site, item: Document) -> list[Document]:
    """The other items of the same history, type and form of answer."""
    return [
        one
        for one in site.items(item["benchmark_type"], formats=(item["answer"]["format"],))
        if one["conversation"] == item["conversation"] and one["id"] != item["id"]
    ]


@kind("query-of-other-question")
def query_of_other_question(site: Site) -> Iterator[Plant]:
    """A question keeps its words and gets gold, query and evidence of another."""
    for item in site.items("ss", "tr", "mr", "ms"):
        others = _items_alike(site, item)
        if item.get("query") and others:
            for name in ("answer", "evidence", "query", "modalities", "decoys", "format_prompt"):
                item[name] = others[0][name]
            site.used.add(others[0]["id"])
            what = f"{item['question']['text']!r} now has the query of {others[0]['id']}"
            yield site.item_plant(item, what, others[0]["id"])


@kind("question-asked-before-its-evidence")
def asked_before_evidence(site: Site) -> Iterator[Plant]:
    """The item is asked after a session that comes before what it rests on."""
    for item in site.items("ss", "ms", "tr", "mr"):
        sessions = {int(place[1:].partition(":")[0]) for place in item["evidence"]["canonical"]}
        if min(sessions, default=0) > 2:
            item["asked_at"] = {"checkpoint": None, "session": f"D{min(sessions) - 1}"}
            yield site.item_plant(item, f"asked after {item['asked_at']['session']}")


def _boxed_mention(site: Site, asset: Document) -> Document | None:
    mentions = site.copy.ledgers[asset["id"].partition("/")[0]]["mentions"]
    boxed = (one for one in mentions if one["asset"] == asset["id"] and one["box"])
    return next(boxed, None)


@kind("mention-box-outside")
def box_outside(site: Site) -> Iterator[Plant]:
    """The region of a fact lies outside of the picture or has no area."""
    for asset in site.pictures():
        mention, wide, high = _boxed_mention(site, asset), asset["width"], asset["height"]
        if mention:
            outside = [wide + 5, high + 5, wide + 60, high + 30]
            mention["box"] = site.one(outside, [10, 10, 10, 10], [50, 60, 20, 30])
            what = f"{mention['id']}: box {mention['box']} in {wide} x {high} px"
            yield site.asset_plant(asset, what, mention["id"], mention["fact"])


@kind("mention-of-other-asset")
def mention_of_other(site: Site) -> Iterator[Plant]:
    """A mention names another asset than its attachment shows."""
    for asset in site.pictures():
        mention, owner = _boxed_mention(site, asset), asset["id"].partition("/")[0]
        others = [one["id"] for one in site.pictures() if one["id"].startswith(f"{owner}/")]
        if mention and len(others) > 1:
            mention["asset"] = next(one for one in others if one != asset["id"])
            what = f"{mention['id']}: {mention['attachment']} with asset {mention['asset']}"
            yield site.asset_plant(asset, what, mention["id"], mention["fact"])
