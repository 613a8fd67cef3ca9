"""Items of other people's data, without a ledger, whose gold or question is wrong."""

import re
from collections.abc import Iterator

from defect_plants import FOREIGN, Plant, Site, kind
from defect_rows import Document
from defect_words import (
    MONTHS,
    change_amount,
    names_in,
    negated,
    other_year,
    swapped_order,
    with_gold,
    with_text,
)

_STRANGERS = (
    "Bartholomew",
    "Ingeborg",
    "Zebulon",
    "Philomena",
    "Thaddeus",
    "Wilhelmina",
    "Cornelius",
    "Ottilie",
    "Ignatius",
    "Rosamund",
    "Leopold",
    "Clementine",
    "Balthasar",
    "Hildegard",
)


def _gold(item: Document) -> str:
    return str(item["answer"]["values"][0]) if item["answer"]["values"] else ""


def _speakers(site: Site, item: Document) -> list[str]:
    conversation = site.copy.conversations[item["conversation"]]
    return [one["name"] for one in conversation["speakers"] if one["kind"] == "human"]


def _is_name(site: Site, item: Document, word: str) -> bool:
    """Whether the history writes a word with a capital inside a sentence."""
    inside = re.compile(rf"[a-z,] {re.escape(word)}\b")
    return " " not in word and any(
        inside.search(spot.turn["text"] or "") for spot in site.all_spots(item["conversation"])
    )


def _others(site: Site, item: Document) -> list[Document]:
    """Items of the same history, type and form with another gold."""
    return [
        one
        for one in site.copy.questions.values()
        if one["conversation"] == item["conversation"]
        and one["benchmark_type"] == item["benchmark_type"]
        and one["answer"]["format"] == item["answer"]["format"]
        and _gold(one) != _gold(item)
        and not set(one["evidence"]["canonical"]) & set(item["evidence"]["canonical"])
    ]


@kind("foreign-question-and-answer-exchanged", FOREIGN)
def exchanged(site: Site) -> Iterator[Plant]:
    """The question stands where the answer belongs."""
    for item in site.items(answerable=True, formats=("free", "date", "number")):
        if _gold(item):
            text, gold = item["question"]["text"], _gold(item)
            with_text(item, gold)
            with_gold(item, text)
            yield site.item_plant(item, f"asks {gold!r}, gold {text!r}")


@kind("foreign-unknown-person-in-question", FOREIGN)
def unknown_in_question(site: Site) -> Iterator[Plant]:
    """Asks about a person whom the history does not know."""
    for item in site.items(answerable=True):
        text = item["question"]["text"]
        own = [name for name in _speakers(site, item) if re.search(rf"\b{name}\b", text)]
        own = own or [name for name in names_in(text) if _is_name(site, item, name)]
        if own:
            new = site.random.choice(_STRANGERS)
            with_text(item, re.sub(rf"\b{re.escape(own[0])}\b", new, text))
            yield site.item_plant(item, f"{own[0]!r} is now {new!r}")


@kind("foreign-unknown-person-in-gold", FOREIGN)
def unknown_in_gold(site: Site) -> Iterator[Plant]:
    """The gold names a person whom the history does not know."""
    for item in site.items(answerable=True, formats=("free",)):
        own = [name for name in names_in(_gold(item)) if _is_name(site, item, name)]
        if own:
            new = site.random.choice(_STRANGERS)
            old = _gold(item)
            with_gold(item, old.replace(own[0], new))
            yield site.item_plant(item, f"gold {old!r} is now {_gold(item)!r}")


@kind("foreign-speaker-exchanged", FOREIGN)
def speaker_exchanged(site: Site) -> Iterator[Plant]:
    """Asks about the one speaker what only the other one said."""
    for item in site.items("4", "2", answerable=True):
        speakers = _speakers(site, item)
        text = item["question"]["text"]
        named = [name for name in speakers if re.search(rf"\b{name}\b", text)]
        if len(speakers) == 2 and len(named) == 1:
            other = next(name for name in speakers if name != named[0])
            with_text(item, re.sub(rf"\b{named[0]}\b", other, text))
            yield site.item_plant(item, f"{named[0]} is now {other}")


@kind("foreign-question-negated", FOREIGN)
def foreign_negated(site: Site) -> Iterator[Plant]:
    """Asks for what was not."""
    for item in site.items(answerable=True, formats=("free", "date", "number")):
        new = negated(item["question"]["text"], site.random)
        if new:
            with_text(item, new)
            yield site.item_plant(item, "a negation was put into the question")


@kind("foreign-question-of-other-item", FOREIGN)
def foreign_other_question(site: Site) -> Iterator[Plant]:
    """Another question's text stands over this gold and evidence."""
    for item in site.items(answerable=True, formats=("free", "date", "number")):
        text = item["question"]["text"]
        # One wording is often asked of many pictures: it would change nothing.
        others = [one for one in _others(site, item) if one["question"]["text"] != text]
        if others:
            other = site.random.choice(others)
            with_text(item, other["question"]["text"])
            yield site.item_plant(item, f"asks what {other['id']} asks")


@kind("foreign-gold-of-other-item", FOREIGN)
def foreign_other_gold(site: Site) -> Iterator[Plant]:
    """The gold of another item stands under this question."""
    for item in site.items(answerable=True, formats=("free",)):
        others = _others(site, item)
        if others:
            other = site.random.choice(others)
            with_gold(item, _gold(other))
            yield site.item_plant(item, f"has the gold of {other['id']}: {_gold(other)!r}")


@kind("foreign-evidence-of-other-item", FOREIGN)
def foreign_other_evidence(site: Site) -> Iterator[Plant]:
    """The places of another item are cited."""
    for item in site.items(answerable=True, formats=("free", "date", "number")):
        others = [one for one in _others(site, item) if one["evidence"]["canonical"]]
        if others and item["evidence"]["canonical"]:
            other = site.random.choice(others)
            item["evidence"] = dict(other["evidence"])
            yield site.item_plant(
                item, f"cites what {other['id']} cites: {other['evidence']['canonical']}"
            )


@kind("foreign-evidence-next-round", FOREIGN)
def foreign_next_round(site: Site) -> Iterator[Plant]:
    """Each cited round is replaced by one some rounds further."""
    for item in site.items(answerable=True, formats=("free",)):
        cited = item["evidence"]["canonical"]
        known = [spot.round["id"] for spot in site.all_spots(item["conversation"])]
        if len(cited) != 1 or cited[0] not in known:
            continue
        at = known.index(cited[0])
        moved = known[min(at + 7, len(known) - 1)]
        if moved.partition(":")[0] == cited[0].partition(":")[0] and moved != cited[0]:
            item["evidence"] = {**item["evidence"], "canonical": [moved], "groups": [[moved]]}
            yield site.item_plant(item, f"cites {moved} in place of {cited[0]}")


@kind("foreign-yes-no-flipped", FOREIGN)
def yes_no_flipped(site: Site) -> Iterator[Plant]:
    """The gold says no for yes, or yes for no."""
    for item in site.items(answerable=True):
        gold = _gold(item)
        found = re.match(r"(yes|no)\b", gold, re.IGNORECASE)
        if found:
            new = "No" if found[0].lower() == "yes" else "Yes"
            new = new if found[0][0].isupper() else new.lower()
            with_gold(item, new + gold[found.end() :])
            yield site.item_plant(item, f"gold {gold!r} is now {_gold(item)!r}")


@kind("foreign-yes-no-question-negated", FOREIGN)
def yes_no_negated(site: Site) -> Iterator[Plant]:
    """The question of a yes or no is turned round; the gold stays."""
    for item in site.items(answerable=True, formats=("yes_no",)):
        new = negated(item["question"]["text"], site.random)
        if new is None:
            text = item["question"]["text"]
            new = text.replace(" conflict", " agree") if " conflict" in text else None
        if new:
            with_text(item, new)
            yield site.item_plant(item, "the question is turned round, the gold stays")


def _members(gold: str) -> list[str]:
    if any(month in gold for month in MONTHS):
        return []
    parts = [one.strip() for one in re.split(r",| and ", gold.rstrip(".")) if one.strip()]
    return parts if len(parts) >= 2 and all(len(one) < 40 for one in parts) else []


@kind("foreign-list-member-wrong", FOREIGN)
def member_wrong(site: Site) -> Iterator[Plant]:
    """One member of a list is something that another item is about."""
    yield from _lists(site, "wrong")


@kind("foreign-list-member-extra", FOREIGN)
def member_extra(site: Site) -> Iterator[Plant]:
    """A list has one member more, which nothing cited names."""
    yield from _lists(site, "extra")


@kind("foreign-list-member-missing", FOREIGN)
def member_missing(site: Site) -> Iterator[Plant]:
    """A list lacks a member, though what names it is cited."""
    yield from _lists(site, "missing")


def _lists(site: Site, how: str) -> Iterator[Plant]:
    for item in site.items(answerable=True, formats=("free",)):
        members = _members(_gold(item))
        pool = [
            one
            for other in site.copy.questions.values()
            if other["conversation"] != item["conversation"]
            and other["benchmark_type"] == item["benchmark_type"]
            for one in _members(_gold(other))
            if one not in members
        ]
        if not members or not pool or (how == "missing" and len(members) < 3):
            continue
        old, at = _gold(item), site.random.randrange(len(members))
        new = site.random.choice(pool)
        if how == "wrong":
            members[at] = new
        elif how == "extra":
            members.insert(at, new)
        else:
            members.pop(at)
        with_gold(item, ", ".join(members))
        yield site.item_plant(item, f"gold {old!r} is now {_gold(item)!r}")


@kind("foreign-number-wrong", FOREIGN)
def number_wrong(site: Site) -> Iterator[Plant]:
    """A number in the gold is another one."""
    for item in site.items(answerable=True, formats=("free", "number")):
        old = _gold(item)
        new = change_amount(old, site.random)
        if new and not re.search(r"\b(19|20)\d\d\b|IMG_", old):
            with_gold(item, new)
            yield site.item_plant(item, f"gold {old!r} is now {new!r}")


@kind("foreign-answerable-marked-adversarial", FOREIGN)
def marked_adversarial(site: Site) -> Iterator[Plant]:
    """What the history answers is marked as not mentioned; the gold is the trap."""
    for item in site.items("4", "FR", "MR", answerable=True, formats=("free",)):
        refusals = [one for one in site.copy.questions.values() if not one["answerable"]]
        pattern = [one for one in refusals if one["conversation"] == item["conversation"]]
        if not pattern:
            continue
        old = _gold(item)
        item["answer"] = {**item["answer"], "format": "refusal", "values": [_gold(pattern[0])]}
        if pattern[0]["answer"]["traps"]:
            item["answer"]["traps"] = [old]
        else:
            item["evidence"] = {"canonical": [], "facts": [], "groups": []}
        item |= {
            "answerable": False,
            "type": "refusal",
            "benchmark_type": pattern[0]["benchmark_type"],
        }
        item["format_prompt"] = pattern[0]["format_prompt"]
        yield site.item_plant(item, f"gold {old!r} is now the refusal")


@kind("foreign-adversarial-marked-answerable", FOREIGN)
def marked_answerable(site: Site) -> Iterator[Plant]:
    """The trap of an adversarial question becomes its gold."""
    for item in site.items("5", answerable=False):
        if item["answer"]["traps"]:
            trap = item["answer"]["traps"][0]
            item["answer"] = {**item["answer"], "format": "free", "values": [trap], "traps": []}
            item |= {"answerable": True, "type": "fact_recall", "benchmark_type": "4"}
            yield site.item_plant(item, f"the trap {trap!r} is now the gold")


@kind("foreign-trap-is-refusal", FOREIGN)
def trap_is_refusal(site: Site) -> Iterator[Plant]:
    """The wrong answer that a question invites is the right one: to refuse."""
    texts = (
        "Not mentioned.",
        "No information available",
        "not mentioned in the conversation",
        "Unknown",
        "There is no information about that.",
        "It was never mentioned",
    )
    for item in site.items(answerable=False):
        text = site.random.choice(texts)
        item["answer"] = {**item["answer"], "traps": [text]}
        yield site.item_plant(item, f"trap {text!r} beside the gold {_gold(item)!r}")


@kind("foreign-gold-negated", FOREIGN)
def gold_negated(site: Site) -> Iterator[Plant]:
    """The gold says the opposite."""
    for item in site.items(answerable=True, formats=("free",)):
        old = _gold(item)
        found = re.search(r"\b(is|are|was|were|can|should|has|have|will|would|helps|makes)\b", old)
        if found:
            with_gold(item, f"{old[: found.end()]} not{old[found.end() :]}")
            yield site.item_plant(item, f"gold is now {_gold(item)!r}")


@kind("foreign-image-id-of-other-picture", FOREIGN)
def image_wrong(site: Site) -> Iterator[Plant]:
    """The gold names another picture of the same history."""
    for item in site.items(answerable=True, formats=("image_id",)):
        values = list(item["answer"]["values"])
        pool = sorted(
            shown["id"]
            for spot in site.all_spots(item["conversation"])
            for shown in spot.turn["attachments"]
            if shown["id"] not in values
        )
        if pool and len(values) <= 4:
            at = site.random.randrange(len(values))
            old, values[at] = values[at], site.random.choice(pool)
            what = f"gold {old} is now {values[at]}"
            with_gold(item, *values)
            yield site.item_plant(item, what)


@kind("foreign-image-id-added", FOREIGN)
def image_added(site: Site) -> Iterator[Plant]:
    """The gold names one picture too many; its round is cited too."""
    for item in site.items("VS", answerable=True, formats=("image_id",)):
        values = list(item["answer"]["values"])
        pool = sorted(
            (shown["id"], spot.round["id"])
            for spot in site.all_spots(item["conversation"])
            for shown in spot.turn["attachments"]
            if shown["id"] not in values and spot.round["id"] not in item["evidence"]["canonical"]
        )
        if pool:
            new, place = site.random.choice(pool)
            with_gold(item, *values, new)
            evidence = item["evidence"]
            item["evidence"] = {
                **evidence,
                "canonical": [*evidence["canonical"], place],
                "groups": [*evidence["groups"], [place]],
            }
            yield site.item_plant(item, f"gold {', '.join(values)} and now {new} of {place}")


@kind("foreign-question-year-changed", FOREIGN)
def question_year(site: Site) -> Iterator[Plant]:
    """A year in the question is another one."""
    for item in site.items(answerable=True):
        new = other_year(item["question"]["text"], site.random)
        if new:
            old = item["question"]["text"]
            with_text(item, new)
            yield site.item_plant(item, f"{old!r} is now {new!r}")


@kind("foreign-question-order-reversed", FOREIGN)
def foreign_order(site: Site) -> Iterator[Plant]:
    """First for last, before for after, most for least."""
    for item in site.items(answerable=True, formats=("free", "date", "number", "image_id")):
        new = swapped_order(item["question"]["text"])
        if new:
            with_text(item, new)
            yield site.item_plant(item, f"now: {new}")


@kind("foreign-gold-cut-off", FOREIGN)
def gold_cut(site: Site) -> Iterator[Plant]:
    """The gold ends in the middle."""
    for item in site.items(answerable=True, formats=("free",)):
        words = _gold(item).split(" ")
        if len(words) >= 9:
            with_gold(item, " ".join(words[: len(words) // 2]) + " and the")
            yield site.item_plant(item, f"gold is now {_gold(item)!r}")
