"""The question no longer asks its query: names, negation, order, quantities, other texts."""

import re
from collections.abc import Iterator
from typing import Final

from defect_plants import LEDGER, Plant, Site, kind
from defect_rows import Document
from defect_words import names_in, negated, other_number, swapped_order, with_text

_TEXTS: Final = ("ss", "ms", "tr", "ii", "th")


@kind("question-name-of-same-history", LEDGER)
def name_of_same_history(site: Site) -> Iterator[Plant]:
    """Asks about somebody or something else of the same history."""
    for item in site.items(*_TEXTS):
        text = item["question"]["text"]
        own = names_in(text)
        pool = {
            name
            for other in _told(site)
            if other["conversation"] == item["conversation"]
            for name in names_in(other["question"]["text"])
            if not any(name in one or one in name for one in own)
        }
        if own and pool:
            old, new = site.random.choice(own), site.random.choice(sorted(pool))
            with_text(item, text.replace(old, new))
            yield site.item_plant(item, f"{old!r} is now {new!r}: {item['question']['text']}")


def _told(site: Site) -> list[Document]:
    """Questions about what is told, not about labels of pictures."""
    return [one for one in site.copy.questions.values() if one["benchmark_type"] in _TEXTS]


@kind("question-name-from-elsewhere", LEDGER)
def name_from_elsewhere(site: Site) -> Iterator[Plant]:
    """Asks about somebody of another history."""
    for item in site.items(*_TEXTS):
        text = item["question"]["text"]
        own = names_in(text)
        pool = {
            name
            for other in _told(site)
            if other["conversation"] != item["conversation"]
            for name in names_in(other["question"]["text"])
        }
        pool -= {
            name
            for other in site.copy.questions.values()
            if other["conversation"] == item["conversation"]
            for name in names_in(other["question"]["text"])
        }
        if own and pool:
            old, new = site.random.choice(own), site.random.choice(sorted(pool))
            with_text(item, text.replace(old, new))
            yield site.item_plant(item, f"{old!r} is now {new!r}: {item['question']['text']}")


@kind("question-negated", LEDGER)
def question_negated(site: Site) -> Iterator[Plant]:
    """Asks for what was not."""
    for item in site.items(*_TEXTS, "mr"):
        new = negated(item["question"]["text"], site.random)
        if new:
            with_text(item, new)
            yield site.item_plant(item, f"negated: {new}")


@kind("question-of-same-history", LEDGER)
def question_of_same_history(site: Site) -> Iterator[Plant]:
    """Another question's text stands over this query, gold and evidence."""
    yield from _other_text(site, same=True)


@kind("question-of-other-history", LEDGER)
def question_of_other_history(site: Site) -> Iterator[Plant]:
    """A question of another history stands over this query, gold and evidence."""
    yield from _other_text(site, same=False)


def _other_text(site: Site, *, same: bool) -> Iterator[Plant]:
    for item in site.items(*_TEXTS, "mr"):
        others = [
            one
            for one in site.copy.questions.values()
            if (one["conversation"] == item["conversation"]) is same
            and one["answer"]["format"] == item["answer"]["format"]
            and one["benchmark_type"] == item["benchmark_type"]
            and one["answer"]["values"] != item["answer"]["values"]
        ]
        if others:
            other = site.random.choice(others)
            with_text(item, other["question"]["text"])
            yield site.item_plant(item, f"the text of {other['id']}: {other['question']['text']}")


@kind("question-attribute-of-same-subject", LEDGER)
def attribute_of_same_subject(site: Site) -> Iterator[Plant]:
    """Asks for another property of the same subject."""
    for item in site.items(*_TEXTS, "fj"):
        text = item["question"]["text"]
        for fact in site.facts(item):
            others = [
                one["attribute"]
                for one in site.all_facts(item["conversation"])
                if one["subject"] == fact["subject"]
                and one["attribute"] not in text
                and one["attribute"] != fact["attribute"]
                and one["value"]["type"] == fact["value"]["type"]
            ]
            if fact["attribute"] in text and len(fact["attribute"]) > 5 and others:
                new = site.random.choice(sorted(others))
                with_text(item, text.replace(fact["attribute"], new))
                yield site.item_plant(item, f"{fact['attribute']!r} is now {new!r}")
                break


@kind("question-order-reversed", LEDGER)
def order_reversed(site: Site) -> Iterator[Plant]:
    """First for last, before for after, highest for lowest."""
    for item in site.items():
        new = swapped_order(item["question"]["text"])
        if new:
            with_text(item, new)
            yield site.item_plant(item, f"now: {new[:200]}")


@kind("question-number-changed", LEDGER)
def number_changed(site: Site) -> Iterator[Plant]:
    """A number that restricts what is asked is another one."""
    for item in site.items("ms", "tr", "fm", "mr", "ss"):
        text = item["question"]["text"]
        found = re.findall(r"(?<![\w:.])\d+(?:\.\d+)?(?![\w:])", text)
        if found:
            old = site.random.choice(found)
            new = other_number(old, site.random)
            with_text(item, re.sub(rf"(?<![\w:.]){re.escape(old)}(?![\w:])", new, text, count=1))
            yield site.item_plant(item, f"{old} is now {new}: {item['question']['text'][:160]}")


@kind("question-unit-of-time-changed", LEDGER)
def unit_of_time_changed(site: Site) -> Iterator[Plant]:
    """Asks for weeks where the gold counts days."""
    other = {"days": "weeks", "weeks": "days", "months": "weeks", "hours": "days", "day": "week"}
    for item in site.items("tr", "ms", "ss"):
        text = item["question"]["text"]
        for old, new in other.items():
            if re.search(rf"\b(?:many|in|the) {old}\b", text):
                with_text(item, re.sub(rf"\b(many|in|the) {old}\b", rf"\1 {new}", text, count=1))
                yield site.item_plant(item, f"{old} is now {new}: {item['question']['text'][:160]}")
                break


@kind("question-label-of-picture-changed", LEDGER)
def label_changed(site: Site) -> Iterator[Plant]:
    """Asks for another label of the same picture."""
    for item in site.items("mr", "fm"):
        text, facts = item["question"]["text"], site.facts(item)
        if len(facts) != 1:
            continue
        label = facts[0]["attribute"].partition("/")[0]
        others = {
            one["attribute"].partition("/")[0]
            for one in site.all_facts(item["conversation"])
            if one["subject"] == facts[0]["subject"] and one["attribute"] != "depicts"
        } - {label}
        if others and label in text:
            new = site.random.choice(sorted(others))
            with_text(item, text.replace(label, new))
            yield site.item_plant(
                item, f"{label!r} is now {new!r}: {item['question']['text'][:160]}"
            )


@kind("question-picture-changed", LEDGER)
def picture_changed(site: Site) -> Iterator[Plant]:
    """Asks about another picture than the query."""
    for item in site.items("mr"):
        text = item["question"]["text"]
        phrase = _picture_phrase(text)
        others = {
            other
            for one in site.copy.questions.values()
            if one["conversation"] == item["conversation"]
            and one["benchmark_type"] == "mr"
            and (other := _picture_phrase(one["question"]["text"]))
            and other != phrase
        }
        if phrase and others:
            new = site.random.choice(sorted(others))
            with_text(item, text.replace(phrase, new))
            yield site.item_plant(item, f"{phrase!r} is now {new!r}")


def _picture_phrase(text: str) -> str:
    found = re.search(
        r"(?:[Ii]n|[Oo]n|by|on the label of|does) (the [^,?]{8,60}?)(?:,| say| carries|\?)", text
    )
    return found[1] if found else ""


@kind("question-current-made-original", LEDGER)
def current_made_original(site: Site) -> Iterator[Plant]:
    """Asks for the first state where the gold is the latest, or the other way about."""
    changes = (
        (" rely on today ", " have relied on at the very beginning "),
        ("the latest word on", "the very first word on"),
        ("latest", "original"),
        (" today", " at the outset"),
        ("by the end", "at the start"),
        ("is the better advice", "was the advice before anything changed"),
        ("was last ", "was first "),
        ("the last word on", "the first word on"),
    )
    for item in site.items():
        text = item["question"]["text"]
        for old, new in changes:
            if old in text:
                with_text(item, text.replace(old, new, 1))
                yield site.item_plant(item, f"now: {item['question']['text'][:160]}")
                break


@kind("question-before-and-after-exchanged", LEDGER)
def events_exchanged(site: Site) -> Iterator[Plant]:
    """The two events of a question change places, so that its order or sign is another."""
    pattern = re.compile(
        r"^(?:How many \w+ (?:after|before)|By how much does) "
        r"(?P<a>(?:the|[A-Z]\w+'s) [^,?]{6,90}?) (?:was|exceed) (?P<b>[^?]{6,90})\?"
    )
    for item in site.items("tr", "ms"):
        text = item["question"]["text"]
        found = pattern.search(text)
        if found:
            a, b = found["a"], found["b"]
            new = text.replace(a, "\0").replace(b, a).replace("\0", b)
            with_text(item, new)
            yield site.item_plant(item, f"now: {new[:200]}")


def _copied(item: Document, other: Document) -> None:
    for name in ("answer", "evidence", "query", "modalities", "decoys", "format_prompt"):
        item[name] = other[name]


@kind("query-of-other-question", LEDGER)
def query_of_other_question(site: Site) -> Iterator[Plant]:
    """This question keeps its words and gets gold, query and evidence of another."""
    for item in site.items("ss", "tr", "mr", "ms"):
        others = [
            one
            for one in site.items(item["benchmark_type"])
            if one["conversation"] == item["conversation"]
            and one["id"] != item["id"]
            and one["answer"]["format"] == item["answer"]["format"]
        ]
        if others:
            other = others[0]
            _copied(item, other)
            site.items_used.add(other["id"])
            what = f"{item['question']['text']!r} now has query and gold of {other['id']}"
            yield site.item_plant(item, what, other["id"])


@kind("question-asked-twice-in-other-words", LEDGER)
def asked_twice(site: Site) -> Iterator[Plant]:
    """Two items have one query, gold and evidence; only their words differ."""
    rewordings = (
        ("What ", "Could you tell me what "),
        ("How many ", "What is the number of "),
        ("On what date was ", "Which day saw "),
        ("Which ", "Can you name which "),
        ("Give the full date of ", "When exactly was "),
        ("How ", "Do you recall how "),
        ("Where ", "Remind me where "),
        ("At what ", "Say at what "),
    )
    for item in site.items("ss", "tr"):
        others = [
            one
            for one in site.items(item["benchmark_type"])
            if one["conversation"] == item["conversation"] and one["id"] != item["id"]
        ]
        text = item["question"]["text"]
        new = next((text.replace(a, b, 1) for a, b in rewordings if text.startswith(a)), None)
        if others and new:
            other = others[0]
            _copied(other, item)
            with_text(other, new)
            site.items_used.add(item["id"])
            yield site.item_plant(other, f"{item['id']} again in other words: {new}", item["id"])


@kind("question-bound-turned", LEDGER)
def bound_turned(site: Site) -> Iterator[Plant]:
    """At least for at most, above for below."""
    pairs = (("at least", "at most"), ("below", "above"), ("above", "below"), ("over", "under"))
    more = (("more than", "less than"), ("less than", "more than"), ("at most", "at least"))
    for item in site.items("ms", "tr", "mr"):
        text = item["question"]["text"]
        for old, new in (*pairs, *more):
            if re.search(rf"\b{old} \d", text):
                with_text(item, re.sub(rf"\b{old} (?=\d)", f"{new} ", text, count=1))
                yield site.item_plant(item, f"{old} is now {new}: {item['question']['text'][:160]}")
                break


@kind("question-asked-before-its-evidence", LEDGER)
def asked_before_evidence(site: Site) -> Iterator[Plant]:
    """The item is asked after a session that comes before what it rests on."""
    for item in site.items("ss", "ms", "tr", "mr"):
        sessions = {int(place[1:].partition(":")[0]) for place in item["evidence"]["canonical"]}
        if min(sessions, default=0) > 2:
            item["asked_at"] = {"checkpoint": None, "session": f"D{min(sessions) - 1}"}
            yield site.item_plant(item, f"asked after {item['asked_at']['session']}")


@kind("question-presumes-other-value", LEDGER)
def presumes_other_value(site: Site) -> Iterator[Plant]:
    """A clause of the question states what is not so."""
    clauses = (
        ", now that it has been cancelled",
        ", seeing that it never took place",
        ", given that nobody ever learnt it",
        " before it was moved to another year",
        ", although it was somebody else's",
        " on the second attempt, in Lisbon",
    )
    for item in site.items("ss", "tr"):
        text = item["question"]["text"]
        if text.endswith("?"):
            clause = site.random.choice(clauses)
            with_text(item, f"{text[:-1]}{clause}?")
            yield site.item_plant(item, f"clause added: {item['question']['text']}")
