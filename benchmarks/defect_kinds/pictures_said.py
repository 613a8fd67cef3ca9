"""What is said of a picture: captions, transcriptions, boxes, who shows it, what gives it away."""

from collections.abc import Iterator

from defect_plants import LEDGER, Plant, Site, kind
from defect_rows import Document
from defect_words import append, change_number

from defect_kinds.pictures import asked_of, drawn, new_bytes


def _shown_by(site: Site, item: Document) -> list[Document]:
    """The mentions in pictures that an item rests on."""
    return [
        mention
        for fact in item["evidence"]["facts"]
        for mention in site.mentions(item["conversation"], fact)
        if mention["modality"] == "image" and mention["round"] in item["evidence"]["canonical"]
    ]


@kind("captions-exchanged", LEDGER)
def captions_exchanged(site: Site) -> Iterator[Plant]:
    """Two attachments of one history have each other's caption."""
    for shown, asset, spot in site.pictures(drawn):
        for other, second, place in site.pictures(drawn):
            if (
                place.conversation is spot.conversation
                and other is not shown
                and second["origin"] != asset["origin"]
                and other["caption"] != shown["caption"]
            ):
                shown["caption"], other["caption"] = other["caption"], shown["caption"]
                site.turn_plant(place, "")
                asked = [*asked_of(site, asset), *asked_of(site, second)]
                what = f"captions of {shown['id']} and {other['id']} are exchanged"
                yield site.asset_plant(asset["id"], what, second["id"], *asked)
                break


@kind("caption-of-other-sort", LEDGER)
def caption_of_other_sort(site: Site) -> Iterator[Plant]:
    """The caption describes something that is nowhere in the picture."""
    texts = (
        "Photo: a red bicycle against a harbour wall",
        "Scene: three swans on a frozen lake",
        "Portrait: a woman with a blue scarf",
        "Photo: the inside of an empty tram",
        "Line chart: sales of umbrellas by month",
        "Map: hiking trails north of the dam",
        "Receipt: two coffees and a slice of cake",
        "Table: results of the chess club",
    )
    for shown, asset, _spot in site.pictures(drawn):
        shown["caption"] = site.random.choice(texts)
        what = f"{shown['id']} ({asset['origin']}) is captioned {shown['caption']!r}"
        yield site.asset_plant(asset["id"], what, *asked_of(site, asset))


@kind("caption-gives-gold-away", LEDGER)
def caption_gives_gold(site: Site) -> Iterator[Plant]:
    """The public caption states the gold of an item that only pixels may answer."""
    for item in site.items("mr"):
        mentions = _shown_by(site, item)
        gold = item["answer"]["values"][0]
        if not mentions or "text" in item["modalities"]:
            continue
        for spot in site.all_spots(item["conversation"]):
            for shown in spot.turn["attachments"]:
                if shown["id"] != mentions[0]["attachment"] or spot.place in site.rounds_used:
                    continue
                frame = site.one("{c} ({g})", "{c}: {g}", "{c}, here {g}", "{c}; note the {g}")
                shown["caption"] = frame.format(c=shown["caption"], g=gold)
                what = f"{item['id']} (gold {gold!r}): {shown['id']} says {shown['caption']!r}"
                yield site.turn_plant(spot, what, item)


@kind("turn-gives-visual-gold-away", LEDGER)
def turn_gives_gold(site: Site) -> Iterator[Plant]:
    """The text beside a picture reads out what only the picture should say."""
    frames = (
        "It reads {g}, if you cannot make it out.",
        "For the blind among us: {g}.",
        "The bit that counts is {g}.",
        "I see {g} there.",
        "Mine says {g}.",
    )
    for item in site.items("mr"):
        gold = item["answer"]["values"][0]
        mentions = _shown_by(site, item)
        if not mentions or "text" in item["modalities"] or len(gold) < 2:
            continue
        spot = site.spot(item["conversation"], mentions[0]["round"], site.random.choice((0, 1)))
        if spot.place in site.rounds_used or spot.place in site.rounds_read:
            continue
        sentence = site.random.choice(frames).format(g=gold)
        spot.turn["text"] = append(spot.turn["text"], sentence)
        yield site.turn_plant(spot, f"{item['id']}: {spot.turn['id']} ends: {sentence}", item)


@kind("transcription-number-wrong", LEDGER)
def transcription_number(site: Site) -> Iterator[Plant]:
    """What can be read in a picture is written down with another number."""
    for _, asset, _spot in site.pictures(drawn):
        old = asset["transcription"] or ""
        lines = [line for line in old.split("\n")[1:] if any(sign.isdigit() for sign in line)]
        if not lines:
            continue
        line = site.random.choice(lines)
        new = change_number(line, site.random)
        if new:
            asset["transcription"] = old.replace(line, new, 1)
            what = f"{asset['id']}: {line!r} is written down as {new!r}"
            yield site.asset_plant(asset["id"], what, *asked_of(site, asset))


@kind("transcription-of-other-picture", LEDGER)
def transcription_of_other(site: Site) -> Iterator[Plant]:
    """What can be read is written down for another picture."""
    for _, asset, _spot in site.pictures(drawn):
        others = [
            one["transcription"]
            for one in site.copy.assets.values()
            if one["transcription"] and one["origin"] != asset["origin"]
        ]
        if asset["transcription"] and others:
            asset["transcription"] = site.random.choice(others)
            what = f"{asset['id']}: transcription {asset['transcription'][:60]!r}"
            yield site.asset_plant(asset["id"], what, *asked_of(site, asset))


@kind("mention-box-elsewhere", LEDGER)
def box_elsewhere(site: Site) -> Iterator[Plant]:
    """The region of a fact in a picture is where something else stands."""
    for _, asset, _spot in site.pictures(drawn):
        name = asset["id"].partition("/")[0]
        boxed = [
            one
            for one in site.copy.ledgers[name]["mentions"]
            if one["asset"] == asset["id"] and one["box"]
        ]
        others = [one for one in boxed[1:] if one["box"] != boxed[0]["box"]]
        if others:
            other = site.random.choice(others)
            boxed[0]["box"], other["box"] = other["box"], boxed[0]["box"]
            what = f"{asset['id']}: the boxes of {boxed[0]['fact']} and {other['fact']} exchanged"
            more = (boxed[0]["id"], other["id"], boxed[0]["fact"], other["fact"])
            yield site.asset_plant(asset["id"], what, *more, *asked_of(site, asset))


@kind("mention-box-outside", LEDGER)
def box_outside(site: Site) -> Iterator[Plant]:
    """The region of a fact lies outside of the picture or has no area."""
    for _, asset, _spot in site.pictures(drawn):
        name = asset["id"].partition("/")[0]
        for mention in site.copy.ledgers[name]["mentions"]:
            if mention["asset"] == asset["id"] and mention["box"]:
                wide, high = asset["width"], asset["height"]
                mention["box"] = site.one(
                    [wide + 5, high + 5, wide + 60, high + 30], [10, 10, 10, 10], [50, 60, 20, 30]
                )
                what = f"{mention['id']}: box {mention['box']} in {wide} x {high} px"
                yield site.asset_plant(asset["id"], what, mention["id"], mention["fact"])
                break


@kind("mention-of-other-asset", LEDGER)
def mention_of_other(site: Site) -> Iterator[Plant]:
    """A mention names another asset than its attachment shows."""
    for _, asset, _spot in site.pictures(drawn):
        name = asset["id"].partition("/")[0]
        others = sorted(
            one
            for one in site.copy.assets
            if one.startswith(f"{name}/") and one != asset["id"] and one not in site.assets_used
        )
        for mention in site.copy.ledgers[name]["mentions"]:
            if mention["asset"] == asset["id"] and others:
                mention["asset"] = site.random.choice(others)
                what = f"{mention['id']}: {mention['attachment']} with asset {mention['asset']}"
                more = (mention["id"], mention["fact"], *asked_of(site, asset))
                yield site.asset_plant(asset["id"], what, *more)
                break


@kind("picture-of-other-origin", LEDGER)
def other_origin(site: Site) -> Iterator[Plant]:
    """A chart is said to be drawn as a receipt, a table as a plan."""
    for _, asset, _spot in site.pictures(drawn):
        origins = {one["origin"] for one in site.copy.assets.values()} - {asset["origin"]}
        old, asset["origin"] = asset["origin"], site.random.choice(sorted(origins))
        yield site.asset_plant(asset["id"], f"{asset['id']}: origin {old} is now {asset['origin']}")


@kind("picture-needed-and-missing", LEDGER)
def needed_and_missing(site: Site) -> Iterator[Plant]:
    """The bytes of a picture that a question needs are left out."""
    for item in site.items("mr", "fm"):
        name = item["conversation"]
        assets = {one["asset"] for one in _shown_by(site, item)} - {None}
        assets = {one for one in assets if one not in site.assets_used}
        if not assets:
            continue
        asset = site.copy.assets[sorted(assets)[0]]
        if asset["availability"] != "present":
            continue
        site.copy.blobs.pop(asset["id"])
        asset |= {"availability": "missing", "blob_sha256": None, "pixel_sha256": None}
        asked = asked_of(site, asset)
        site.items_used |= set(asked)
        what = f"{item['id']} needs {asset['id']} of {name}, which is missing"
        yield site.asset_plant(asset["id"], what, item["id"], *asked)


@kind("competitor-image-is-right-too", LEDGER)
def competitor_right(site: Site) -> Iterator[Plant]:
    """Of an item that asks for one image, the competitor is shown with the gold's pixels."""
    for item in site.items("fm"):
        name = item["conversation"]
        shown = {
            one["id"]: one["asset"]
            for spot in site.all_spots(name)
            for one in spot.turn["attachments"]
        }
        gold, losers = item["answer"]["values"][0], item["answer"]["competitors"]
        if not losers or gold not in shown or losers[0] not in shown:
            continue
        first, second = shown[gold], shown[losers[0]]
        if first in site.copy.blobs and not {first, second} & site.assets_used:
            asset = site.copy.assets[second]
            new_bytes(site, asset, site.copy.blobs[first])
            what = f"{item['id']}: {losers[0]} has the pixels of the gold {gold}"
            site.assets_used.add(first)
            yield site.asset_plant(second, what, first, item["id"], *asked_of(site, asset))
