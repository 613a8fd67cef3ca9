"""Refusals over what was said and later ended, taken back or denied; rivals without a ledger."""

import re
from collections.abc import Callable, Iterator

from defect_plants import FOREIGN, LEDGER, Plant, Site, Spot, kind
from defect_rows import Document
from defect_topics import later_spot, number_of, topic, value_words
from defect_words import append

_COMMON = frozenset(
    [
        "what",
        "which",
        "when",
        "where",
        "who",
        "whom",
        "whose",
        "how",
        "does",
        "did",
        "do",
        "is",
        "are",
        "was",
        "were",
        "the",
        "and",
        "for",
        "from",
        "with",
        "has",
        "have",
        "had",
        "his",
        "her",
        "their",
        "its",
        "that",
        "this",
        "these",
        "those",
        "about",
        "into",
        "any",
        "long",
        "many",
        "much",
        "kind",
        "type",
        "would",
        "could",
        "should",
        "been",
        "being",
        "after",
        "before",
        "they",
        "them",
        "she",
        "him",
        "can",
        "will",
        "according",
        "based",
    ]
)


def _words_of(site: Site, item: Document) -> str:
    """What a question is about: its last content words."""
    speakers = {
        one["name"].lower() for one in site.copy.conversations[item["conversation"]]["speakers"]
    }
    words = re.findall(r"[A-Za-z][\w'-]+", item["question"]["text"])
    kept = [
        word
        for word in words
        if len(word) > 2
        and word.lower() not in _COMMON
        and word.lower().removesuffix("'s") not in speakers
    ]
    return " ".join(kept[-4:])


def gold_of(item: Document) -> str:
    """The first gold of an item, without its full stop."""
    return str(item["answer"]["values"][0]).rstrip(".") if item["answer"]["values"] else ""


def refuse(site: Site, item: Document) -> None:
    """Make an item one whose gold is a refusal, as others of the release are."""
    refusals = [one for one in site.copy.questions.values() if one["answer"]["format"] == "refusal"]
    pattern = refusals[0] if refusals else None
    values = pattern["answer"]["values"] if pattern else ["Not mentioned."]
    item["answer"] = {
        **item["answer"],
        "format": "refusal",
        "values": list(values),
        "relation": "one",
        "equivalents": [],
        "coarser": [],
        "traps": [],
    }
    item |= {"answerable": False, "type": "refusal"}
    if pattern is not None:
        item["benchmark_type"] = pattern["benchmark_type"]
        item["format_prompt"] = pattern["format_prompt"]
    if item.get("query") is not None:
        item["query"] = {"op": "absent", "of": item["query"].get("of", item["query"])}


def cited_spot(site: Site, item: Document) -> Spot | None:
    """A turn that an item rests on and no plant touches."""
    places = item["evidence"]["canonical"]
    for spot in site.all_spots(item["conversation"]):
        if places and spot.round["id"] == places[0]:
            free = spot.place not in site.rounds_used | site.rounds_read
            return spot if free else None
    return None


def _refused(
    site: Site, frames: tuple[str, ...], where: Callable[[Site, Document], Spot | None]
) -> Iterator[Plant]:
    """Append a sentence about the end of what is asked, and make the gold a refusal."""
    for item in site.items("4", "FR", "MR", answerable=True, formats=("free",)):
        gold, words = gold_of(item), _words_of(site, item)
        spot = where(site, item)
        if spot is None or not words or len(gold) > 60:
            continue
        sentence = site.random.choice(frames).format(g=gold, t=words)
        spot.turn["text"] = append(spot.turn["text"], sentence)
        asked = item["evidence"]
        refuse(site, item)
        if item["benchmark_type"] == "AR":
            item["evidence"] = {"canonical": [], "facts": [], "groups": []}
        what = (
            f"{item['id']}: refusal, though {asked['canonical']} say it; {spot.turn['id']} ends it"
        )
        yield site.turn_plant(spot, what, item)


def _same_speaker_later(site: Site, item: Document) -> Spot | None:
    """A later turn of whoever speaks where the item rests on."""
    cited = cited_spot(site, item)
    if cited is None:
        return None
    last = max(number_of(place) for place in item["evidence"]["canonical"] if ":" in place)
    for spot in site.spots(item["conversation"]):
        later = number_of(spot.round["id"]) > last
        if later and spot.turn["speaker"] == cited.turn["speaker"]:
            return spot
    return None


@kind("refusal-over-what-ended", FOREIGN)
def over_what_ended(site: Site) -> Iterator[Plant]:
    """Was said, has ended since; the gold is 'not mentioned'."""
    frames = (
        "As for {t}: that is over now, no more {g}.",
        "We ended the thing with {t} last week, by the way.",
        "I don't have {g} any more, as regards {t}.",
        "And {t}, well, {g} is history now.",
        "I gave up on {g} in the end.",
    )
    yield from _refused(site, frames, _same_speaker_later)


@kind("refusal-over-what-was-taken-back", FOREIGN)
def over_what_was_taken_back(site: Site) -> Iterator[Plant]:
    """Was said and taken back; the gold is 'not mentioned'."""
    frames = (
        "Forget what I wrote about {t}, it wasn't {g}.",
        "I take that back about {t}. It was not {g}.",
        "I made up that bit on {t}, sorry: {g} was a joke.",
        "What I said on {t} was wrong, not {g}.",
    )
    yield from _refused(site, frames, _same_speaker_later)


@kind("refusal-over-what-is-denied-beside", FOREIGN)
def over_what_is_denied(site: Site) -> Iterator[Plant]:
    """The turn that says it also has a denial; the gold is 'not mentioned'."""
    frames = (
        "No, honestly, never {g}.",
        "Not that it was {g}, of course.",
        "Well, actually it isn't {g}.",
        "Nobody would call that {g}, though.",
    )
    yield from _refused(site, frames, cited_spot)


@kind("refusal-over-ledger-fact", LEDGER)
def over_ledger_fact(site: Site) -> Iterator[Plant]:
    """An item whose fact stands in ledger and text becomes a refusal, query and all."""
    for item in site.items("ss", where=lambda item: len(item["evidence"]["facts"]) == 1):
        gold = gold_of(item)
        refuse(site, item)
        item["evidence"] = {"canonical": [], "facts": [], "groups": []}
        yield site.item_plant(item, f"refusal, though the history says {gold!r}")


@kind("refusal-with-fact-struck-from-ledger", LEDGER)
def fact_struck(site: Site) -> Iterator[Plant]:
    """Fact and mentions are gone, the query says absent; the text still says it."""
    for item in site.items("ss", where=lambda item: len(item["evidence"]["facts"]) == 1):
        fact = site.facts(item)[0]
        ledger = site.copy.ledgers[item["conversation"]]
        users = [
            one
            for one in site.copy.questions.values()
            if fact["id"] in one["evidence"]["facts"] or fact["id"] in str(one.get("query"))
        ]
        named = [
            one
            for one in ledger["facts"]
            if fact["id"] in (*one["supersedes"], *one["entailed_by"])
        ]
        if len(users) > 1 or named:
            continue
        gold = value_words(fact)
        ledger["facts"].remove(fact)
        ledger["mentions"] = [one for one in ledger["mentions"] if one["fact"] != fact["id"]]
        for event in ledger["events"]:
            event["facts"] = {k: v for k, v in event["facts"].items() if v != fact["id"]}
        where = item["evidence"]["canonical"]
        refuse(site, item)
        item["evidence"] = {"canonical": [], "facts": [], "groups": []}
        yield site.item_plant(item, f"refusal; {where} still says {gold!r}, the ledger no longer")


@kind("refusal-over-ended-ledger-fact", LEDGER)
def over_ended_fact(site: Site) -> Iterator[Plant]:
    """The ledger ends the fact, a turn says so, and the gold is 'not mentioned'."""
    frames = (
        "The {t} is done with, by the way; no more {g}.",
        "They did away with the {t}, so {g} no longer counts.",
        "There is no {t} any more since this week.",
        "I stopped keeping track of the {t}; {g} was the last of it.",
    )
    for item in site.items("ss", where=lambda item: len(item["evidence"]["facts"]) == 1):
        fact = site.facts(item)[0]
        spot = later_spot(site, item)
        words = topic(item, fact)
        if spot is None or not words:
            continue
        sentence = site.random.choice(frames).format(t=words, g=value_words(fact))
        spot.turn["text"] = append(spot.turn["text"], sentence)
        fact["valid_to"] = spot.session["date"]
        refuse(site, item)
        item["evidence"] = {"canonical": [], "facts": [], "groups": []}
        what = (
            f"{item['id']}: refusal; was {value_words(fact)!r} until {spot.turn['id']}: {sentence}"
        )
        yield site.turn_plant(spot, what, item)


@kind("ended-fact-asked-as-current", LEDGER)
def asked_as_current(site: Site) -> Iterator[Plant]:
    """A turn says that something is over; the question asks for it as it is today."""
    frames = (
        "The {t} is no longer {g}, that ended today.",
        "As of today there is no {t} at all.",
        "Cancel the {t}, it is off for good.",
        "We dropped the {t} altogether.",
    )
    for item in site.items("ss", "fj"):
        facts = site.facts(item)
        spot = later_spot(site, item) if len(facts) == 1 else None
        words = topic(item, facts[0]) if facts else ""
        if spot is None or not words:
            continue
        sentence = site.random.choice(frames).format(t=words, g=value_words(facts[0]))
        spot.turn["text"] = append(spot.turn["text"], sentence)
        yield site.turn_plant(spot, f"{item['id']}; {spot.turn['id']} ends: {sentence}", item)


def _foreign_rivals(
    site: Site, frames: tuple[str, ...], where: Callable[[Site, Document], Spot | None]
) -> Iterator[Plant]:
    """Append a sentence that names the gold's topic and another value."""
    for item in site.items(
        "4", "2", "1", "FR", "TR", answerable=True, formats=("free", "date", "number")
    ):
        gold, words = gold_of(item), _words_of(site, item)
        others = [
            gold_of(one)
            for one in site.copy.questions.values()
            if one["conversation"] != item["conversation"]
            and one["benchmark_type"] == item["benchmark_type"]
            and one["answer"]["format"] == item["answer"]["format"]
            and one["question"]["text"].split()[0] == item["question"]["text"].split()[0]
            and gold_of(one) != gold
            and len(gold_of(one)) < 50
        ]
        spot = where(site, item)
        if spot is None or not others or not words or len(gold) > 50:
            continue
        new = site.random.choice(others)
        sentence = site.random.choice(frames).format(t=words, g=gold, n=new)
        spot.turn["text"] = append(spot.turn["text"], sentence)
        what = f"{item['id']} (gold {gold!r}); {spot.turn['id']} now ends: {sentence}"
        yield site.turn_plant(spot, what, item)


@kind("foreign-rival-correction", FOREIGN)
def foreign_correction(site: Site) -> Iterator[Plant]:
    """The same speaker corrects the gold later on."""
    frames = (
        "By the way, I got it wrong about {t}: it was {n}, not {g}.",
        "I have to correct myself on {t}. Not {g} but {n}.",
        "About {t}, make that {n} instead of {g}.",
        "Remember when I said {g} for {t}? It's really {n}.",
    )
    yield from _foreign_rivals(site, frames, _same_speaker_later)


@kind("foreign-rival-same-turn", FOREIGN)
def foreign_same_turn(site: Site) -> Iterator[Plant]:
    """The cited turn itself gives another answer in its last sentence."""
    frames = (
        "No wait, {n}, not {g}.",
        "Or rather {n}; {g} was something else.",
        "Hm, thinking about {t} again: {n}.",
        "I mean {n}, of course, as to {t}.",
    )
    yield from _foreign_rivals(site, frames, cited_spot)


@kind("foreign-rival-denial", FOREIGN)
def foreign_denial(site: Site) -> Iterator[Plant]:
    """The same speaker denies the gold later on."""
    frames = (
        "It wasn't {g} at all, that story about {t}.",
        "And no, {t} was never {g}.",
        "I don't know why I wrote {g} about {t}. That is not true.",
        "Just so you know, {g} is wrong for {t}.",
    )
    yield from _foreign_rivals(site, frames, _same_speaker_later)


@kind(
    "foreign-turn-and-gold-changed-together",
    FOREIGN,
    knowable=False,
    why="the turn and the gold agree; nothing else in the release says what was there before",
)
def changed_together(site: Site) -> Iterator[Plant]:
    """A number is another one in the only turn that says it and in the gold."""
    for item in site.items("4", "FR", answerable=True, formats=("free", "number")):
        found = re.search(r"(?<![\d:.])\d{1,3}(?![\d:.,])", gold_of(item))
        spot = cited_spot(site, item)
        if found is None or spot is None or len(item["evidence"]["canonical"]) != 1:
            continue
        number = rf"(?<![\d:.]){found[0]}(?![\d:.,])"
        said = [
            one
            for one in site.all_spots(item["conversation"])
            if re.search(number, one.turn["text"] or "")
        ]
        if [one.turn["id"] for one in said] != [spot.turn["id"]]:
            continue
        new = str(int(found[0]) + site.random.choice((1, 2)))
        spot.turn["text"] = re.sub(number, new, spot.turn["text"])
        item["answer"] = {**item["answer"], "values": [re.sub(number, new, gold_of(item))]}
        yield site.turn_plant(spot, f"{item['id']}: {found[0]} is {new} in turn and gold", item)
