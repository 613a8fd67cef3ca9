"""Something else in the history answers otherwise: filler, corrections, other speakers."""

from collections.abc import Callable, Iterator

from defect_plants import LEDGER, Plant, Site, Spot, kind
from defect_rows import Document
from defect_topics import earlier_spot, later_spot, other_value, topic, value_words
from defect_words import append

_Where = Callable[[Site, Document], Spot | None]


def _own_turn(site: Site, item: Document) -> Spot | None:
    """The turn that states the gold."""
    fact = site.facts(item)[0]
    for mention in site.mentions(item["conversation"], fact["id"]):
        if mention["modality"] == "text" and mention["round"] in item["evidence"]["canonical"]:
            spot = site.spot(item["conversation"], mention["round"])
            if spot.place in site.rounds_used:
                return None
            for one in site.all_spots(item["conversation"]):
                if one.turn["id"] == mention["turn"]:
                    return one
    return None


def _assistant_later(site: Site, item: Document) -> Spot | None:
    return later_spot(site, item, said_by="assistant")


def _rivals(
    site: Site, frames: tuple[str, ...], where: _Where, codes: tuple[str, ...] = ("ss",)
) -> Iterator[Plant]:
    """Append a sentence with another value; `{t}` topic, `{n}` new value, `{g}` gold."""
    for item in site.items(*codes):
        facts = site.facts(item)
        if len(facts) != 1:
            continue
        words, new = topic(item, facts[0]), other_value(site, item, facts[0])
        spot = where(site, item) if words and new else None
        if spot is None:
            continue
        frame = site.random.choice(frames)
        sentence = frame.format(t=words, n=new, g=value_words(facts[0]))
        sentence = sentence[0].upper() + sentence[1:]
        spot.turn["text"] = append(spot.turn["text"], sentence)
        what = f"{item['id']} (gold {value_words(facts[0])!r}); {spot.turn['id']} ends: {sentence}"
        yield site.turn_plant(spot, what, item)


@kind("rival-same-turn", LEDGER)
def same_turn(site: Site) -> Iterator[Plant]:
    """The turn that states the gold ends with another value."""
    frames = (
        "The {t} is {n}, by the way.",
        "On a second look the {t} comes to {n}.",
        "That makes {n} for the {t}.",
        "In my notes it says {n} under {t}.",
        "And again, so that nobody forgets it: {t}, {n}.",
        "Put down {n} as the {t}, please.",
    )
    yield from _rivals(site, frames, _own_turn)


@kind("rival-later-session", LEDGER)
def later_session(site: Site) -> Iterator[Plant]:
    """A later turn states another value as if nothing had been stated."""
    frames = (
        "The {t} is {n}, in case I never mentioned it.",
        "For the record, the {t}: {n}.",
        "I checked again today, {t} {n}.",
        "Do keep in mind that the {t} is {n}.",
        "{n}, that is the {t}.",
        "My list has {n} next to the {t}.",
    )
    yield from _rivals(site, frames, later_spot)


@kind("rival-earlier-session", LEDGER)
def earlier_session(site: Site) -> Iterator[Plant]:
    """An earlier turn states another value, and nothing says that it changed."""
    frames = (
        "The {t} is {n}, just so you have it.",
        "Write this down for me: {t}, {n}.",
        "If you ever need it, {n} is the {t}.",
        "I read somewhere in my papers that the {t} is {n}.",
    )
    yield from _rivals(site, frames, earlier_spot)


@kind("rival-correction", LEDGER)
def correction(site: Site) -> Iterator[Plant]:
    """A later turn corrects the gold."""
    frames = (
        "I have to correct myself on the {t}: it is {n}, not {g}.",
        "Scratch the {g} I gave you; the {t} was {n} all along.",
        "I had the {t} wrong. It should read {n}.",
        "Please replace {g} by {n} wherever you keep the {t}.",
        "Turns out I misread it, {n} is the right {t}.",
        "Sorry, slip of the tongue earlier: for the {t} I meant {n}.",
    )
    yield from _rivals(site, frames, later_spot)


@kind("rival-negation", LEDGER)
def negation(site: Site) -> Iterator[Plant]:
    """A later turn denies the gold."""
    frames = (
        "The {t} is not {g} after all.",
        "It was never {g}, the {t}, whatever I wrote.",
        "Nobody can confirm {g} for the {t}; it is wrong.",
        "By the way, {g} is not the {t}.",
        "I no longer believe that the {t} is {g}. It can't be.",
    )
    yield from _rivals(site, frames, later_spot)


@kind("rival-negation-same-turn", LEDGER)
def negation_same_turn(site: Site) -> Iterator[Plant]:
    """The turn that states the gold takes it back in the same breath."""
    frames = (
        "No, wait, {g} is wrong.",
        "Forget the {g}, I made that up.",
        "Hm, it isn't {g}, though. I mixed something up.",
        "Actually that is not right, it wasn't {g}.",
        "Strike that, {g} was a guess and a bad one.",
    )
    yield from _rivals(site, frames, _own_turn)


@kind("rival-hypothetical", LEDGER)
def hypothetical(site: Site) -> Iterator[Plant]:
    """The turn of the gold treats another value as the settled one, in a condition."""
    frames = (
        "If the {t} were {g} I would be lucky; as it stands it is {n}.",
        "Suppose it had been {g}; but the {t} is {n}, so never mind.",
        "Had it been {g}, fine. With {n} as the {t} I am stuck.",
        "I wish the {t} were {g} and not {n}.",
    )
    yield from _rivals(site, frames, _own_turn)


@kind("rival-other-speaker", LEDGER)
def other_speaker(site: Site) -> Iterator[Plant]:
    """The assistant states another value later on."""
    frames = (
        "And since you have {n} as the {t}, plan with that.",
        "Remember that the {t} is {n}.",
        "With the {t} at {n}, as you wrote to me, there is little room.",
        "You noted {n} for the {t}, so I work from there.",
    )
    yield from _rivals(site, frames, _assistant_later)


@kind("rival-third-person", LEDGER)
def third_person(site: Site) -> Iterator[Plant]:
    """Somebody else is quoted with another value."""
    frames = (
        "My neighbour insists that the {t} is {n}, and she was there.",
        "According to the woman at the desk the {t} is {n}.",
        "The official letter gives {n} as the {t}.",
        "Two people independently gave me {n} for the {t}.",
    )
    yield from _rivals(site, frames, later_spot)


@kind("rival-change-unnoted", LEDGER)
def change_unnoted(site: Site) -> Iterator[Plant]:
    """A later turn says that the value changed; query and gold know nothing of it."""
    frames = (
        "They changed the {t} from {g} to {n} this week.",
        "The {t} went from {g} to {n} overnight.",
        "New {t} from now on: {n}.",
        "As of this morning the {t} stands at {n}.",
    )
    yield from _rivals(site, frames, later_spot)


@kind("rival-date-moved", LEDGER)
def date_moved(site: Site) -> Iterator[Plant]:
    """A later turn gives another date for an event."""
    frames = (
        "Looking at my calendar, {t} was on {n}.",
        "I had the day wrong: {t} took place on {n}, not on {g}.",
        "{n}, that was the day of {t}.",
        "In the end {t} only happened on {n}.",
    )
    yield from _rivals(site, frames, later_spot, ("tr",))


@kind("rival-step-inserted", LEDGER)
def step_inserted(site: Site) -> Iterator[Plant]:
    """The turn of a procedure gets one more step, or two of them change places."""
    frames = (
        "Oh, and before the last step I always wait until a second pair of hands is there.",
        "One thing is missing there: between the second and the third step comes a full rinse.",
        "I forgot the very first step, which is to switch everything off.",
        "And I now do the last step before the first one, it works better.",
        "Leave out the second step, nobody does that any more.",
    )
    for item in site.items("th"):
        place = item["evidence"]["canonical"][0]
        spot = site.spot(item["conversation"], place, 1)
        if spot.place in site.rounds_used or spot.place in site.rounds_read:
            continue
        sentence = site.random.choice(frames)
        spot.turn["text"] = append(spot.turn["text"], sentence)
        yield site.turn_plant(spot, f"{item['id']}; {spot.turn['id']} ends: {sentence}", item)


@kind("rival-in-caption", LEDGER)
def in_caption(site: Site) -> Iterator[Plant]:
    """The public caption of a picture gives another value than the gold."""
    for item in site.items("ss"):
        facts = site.facts(item)
        if len(facts) != 1:
            continue
        new = other_value(site, item, facts[0])
        for shown, asset, spot in site.pictures():
            if new and spot.conversation["id"] == item["conversation"]:
                words = topic(item, facts[0])
                frame = site.one(" ({t}: {n})", ", with {n} noted as the {t}", ". {t} {n}")
                shown["caption"] = (shown["caption"] or "") + frame.format(t=words, n=new)
                what = f"{item['id']} (gold {value_words(facts[0])!r}); caption of {shown['id']}: "
                site.assets_used.add(asset["id"])
                yield site.turn_plant(spot, what + shown["caption"], item)
                break


@kind("rival-in-transcription", LEDGER)
def in_transcription(site: Site) -> Iterator[Plant]:
    """What can be read in a picture gives another value than the gold."""
    for item in site.items("ss"):
        facts = site.facts(item)
        if len(facts) != 1:
            continue
        new = other_value(site, item, facts[0])
        for _, asset, spot in site.pictures(lambda _, asset, __: bool(asset["transcription"])):
            if new and spot.conversation["id"] == item["conversation"]:
                line = f"{topic(item, facts[0])} {new}"
                asset["transcription"] += f"\n{line[0].upper()}{line[1:]}"
                plant = site.asset_plant(asset["id"], "", item["id"])
                what = (
                    f"{item['id']} (gold {value_words(facts[0])!r}); {asset['id']} reads {line!r}"
                )
                site.items_used.add(item["id"])
                yield Plant(site.kind, plant.ids, what, plant.pointers)
                break


@kind("rival-of-one-in-a-count", LEDGER)
def one_more_to_count(site: Site) -> Iterator[Plant]:
    """A turn adds one more value of a series that an item counts or compares."""
    for item in site.items("ms", "tr"):
        facts = site.facts(item)
        kinds = {(one["subject"], one["attribute"]) for one in facts}
        if len(facts) < 3 or len(kinds) != 1 or facts[0]["value"]["type"] != "number":
            continue
        spot = later_spot(site, item) or earlier_spot(site, item)
        if spot is None:
            continue
        largest = max(float(one["value"]["text"]) for one in facts)
        unit = facts[0]["value"].get("unit") or ""
        new = f"{largest * 2:g} {unit}".strip()
        frame = site.one("{t} today: {n}.", "Noted {n} as {t} this time.", "{n}, so much for {t}.")
        sentence = frame.format(t=facts[0]["attribute"], n=new)
        sentence = sentence[0].upper() + sentence[1:]
        spot.turn["text"] = append(spot.turn["text"], sentence)
        yield site.turn_plant(spot, f"{item['id']}; {spot.turn['id']} ends: {sentence}", item)


@kind("rival-replaces-value-in-evidence", LEDGER)
def value_replaced(site: Site) -> Iterator[Plant]:
    """The cited turn states another value in place of the gold; ledger and gold stay."""
    for item in site.items("ss", "tr"):
        facts = site.facts(item)
        new = other_value(site, item, facts[0]) if len(facts) == 1 else None
        gold = value_words(facts[0]) if facts else ""
        if not new:
            continue
        spots = [
            spot
            for spot in site.all_spots(item["conversation"])
            if spot.round["id"] in item["evidence"]["canonical"] and gold in spot.turn["text"]
        ]
        if not spots or spots[0].place in site.rounds_used | site.rounds_read:
            continue
        for spot in spots:
            spot.turn["text"] = spot.turn["text"].replace(gold, new)
        what = f"{item['id']}: {gold!r} is now {new!r} in {spots[0].round['id']}"
        yield site.turn_plant(spots[0], what, item)


@kind(
    "value-changed-everywhere",
    LEDGER,
    knowable=False,
    why="history, ledger and gold agree; only the world, which is not released, knew better",
)
def changed_everywhere(site: Site) -> Iterator[Plant]:
    """A value is another one in the turns, the fact and the gold alike."""
    for item in site.items("ss", formats=("number",)):
        facts = site.facts(item)
        new = other_value(site, item, facts[0]) if len(facts) == 1 else None
        old = value_words(facts[0]) if facts else ""
        spots = [
            spot
            for spot in site.all_spots(item["conversation"])
            if old in (spot.turn["text"] or "")
        ]
        users = [
            one
            for one in site.copy.questions.values()
            if facts and facts[0]["id"] in one["evidence"]["facts"]
        ]
        touched = {spot.place for spot in spots} & (site.rounds_used | site.rounds_read)
        if not new or not spots or touched or len(users) > 1:
            continue
        if len(new) != len(old) or {spot.round["id"] for spot in spots} - set(_cited(item)):
            continue
        for spot in spots:
            spot.turn["text"] = spot.turn["text"].replace(old, new)
        number = new.partition(" ")[0]
        facts[0]["value"] = {**facts[0]["value"], "text": number}
        coarser = [number] if item["answer"]["coarser"] else []
        item["answer"] = {**item["answer"], "values": [new], "coarser": coarser}
        yield site.turn_plant(spots[0], f"{item['id']}: {old} is {new} everywhere", item)


def _cited(item: Document) -> list[str]:
    return [place for group in item["evidence"]["groups"] for place in group]
