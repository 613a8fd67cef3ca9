"""Items that can be answered without the history, or are right for nobody: options, hints."""

import re
from collections.abc import Iterator

from defect_plants import FOREIGN, LEDGER, Plant, Site, kind
from defect_rows import Document
from defect_words import other_number, with_text

Options = list[dict[str, str]]


def with_options(item: Document, options: Options, gold: str) -> None:
    """Give a choice other options: in text, answer and query."""
    stem = re.split(r" A\. ", item["question"]["text"], maxsplit=1)[0]
    listed = " ".join(f"{one['label']}. {one['text']}" for one in options)
    with_text(item, f"{stem} {listed}")
    item["answer"] = {**item["answer"], "options": options, "values": [gold]}


def _choices(site: Site) -> Iterator[tuple[Document, Options, dict[str, str]]]:
    for item in site.items("fj", formats=("choice",)):
        options = [dict(one) for one in item["answer"]["options"]]
        gold = next((one for one in options if one["label"] == item["answer"]["values"][0]), None)
        if gold is not None and len(options) == 4:
            yield item, options, gold


def _in_query(item: Document, old: str, new: str) -> None:
    query = item.get("query") or {}
    if isinstance(query.get("options"), dict):
        query["options"] = {
            label: new if text == old else text for label, text in query["options"].items()
        }


@kind("option-gold-stands-out", LEDGER)
def gold_stands_out(site: Site) -> Iterator[Plant]:
    """The right option is far longer or more exact than the others."""
    tails = (
        " as written down in the second week, after it had been checked twice",
        ", which is what was agreed in the end by everybody who was there",
        " (the exact figure according to the notes)",
        ", measured with care and confirmed the next morning by telephone",
    )
    for item, options, gold in _choices(site):
        # The query keeps the value: what is shown of it may be worded otherwise.
        gold["text"] += site.random.choice(tails)
        with_options(item, options, gold["label"])
        yield site.item_plant(item, f"option {gold['label']} is now {gold['text']!r}")


@kind("option-twice-the-same", LEDGER)
def option_twice(site: Site) -> Iterator[Plant]:
    """Two options have the same text."""
    for item, options, gold in _choices(site):
        wrong = [one for one in options if one is not gold]
        first, second = site.random.sample(wrong, 2)
        _in_query(item, second["text"], first["text"])
        second["text"] = first["text"]
        with_options(item, options, gold["label"])
        yield site.item_plant(item, f"options {first['label']} and {second['label']} are the same")


@kind("option-right-twice", LEDGER)
def right_twice(site: Site) -> Iterator[Plant]:
    """Another option is the gold in other words."""
    for item, options, gold in _choices(site):
        found = re.match(r"^(\d+(?:\.\d+)?)( .*|%)?$", gold["text"])
        if found is None:
            continue
        wrong = site.random.choice([one for one in options if one is not gold])
        more = ".0" if "." not in found[1] else "0"
        wrong["text"] = f"{found[1]}{more}{found[2] or ''}"
        with_options(item, options, gold["label"])
        yield site.item_plant(item, f"{wrong['text']!r} beside the gold {gold['text']!r}")


@kind("option-only-gold-has-unit", LEDGER)
def only_gold_has_unit(site: Site) -> Iterator[Plant]:
    """The wrong options are bare numbers."""
    for item, options, gold in _choices(site):
        if not re.match(r"^\d[\d.]* \w+", gold["text"]):
            continue
        for one in options:
            if one is not gold:
                one["text"] = one["text"].partition(" ")[0]
        with_options(item, options, gold["label"])
        yield site.item_plant(item, "only the right option has a unit")


@kind("option-order-word", LEDGER)
def order_word(site: Site) -> Iterator[Plant]:
    """An option of an ordering question says where it stands."""
    heads = {"first": ("before anything else, ", "to begin with, ", "as the very first thing, ")}
    heads["last"] = ("last of all, ", "finally, ", "when all else is done, ")
    for item, options, gold in _choices(site):
        stem = item["question"]["text"].partition(" A. ")[0]
        which = next((one for one in heads if re.search(rf"\bdo {one}\b", stem)), None)
        if which:
            gold["text"] = site.random.choice(heads[which]) + gold["text"]
            with_options(item, options, gold["label"])
            yield site.item_plant(item, f"the right option is now {gold['text']!r}")


@kind("option-of-none-or-all", LEDGER)
def none_or_all(site: Site) -> Iterator[Plant]:
    """A wrong option is right by its form: all of these, none of these."""
    texts = ("all of these", "none of the above", "any of them", "A, B and C", "it depends")
    for item, options, gold in _choices(site):
        wrong = site.random.choice([one for one in options if one is not gold])
        old, wrong["text"] = wrong["text"], site.random.choice(texts)
        with_options(item, options, gold["label"])
        _in_query(item, old, wrong["text"])
        yield site.item_plant(item, f"option {wrong['label']} is now {wrong['text']!r}")


@kind("options-text-and-list-differ", LEDGER)
def text_and_list(site: Site) -> Iterator[Plant]:
    """The options in the question are not those of the answer: two labels change places."""
    for item, options, gold in _choices(site):
        wrong = site.random.choice([one for one in options if one is not gold])
        wrong["text"], gold["text"] = gold["text"], wrong["text"]
        stem = re.split(r" A\. ", item["question"]["text"], maxsplit=1)[0]
        listed = " ".join(f"{one['label']}. {one['text']}" for one in options)
        with_text(item, f"{stem} {listed}")
        what = f"in the text, {gold['label']} and {wrong['label']} are exchanged"
        yield site.item_plant(item, what)


@kind("question-gives-gold-away", LEDGER)
def gives_gold_away(site: Site) -> Iterator[Plant]:
    """The gold stands in the question."""
    frames = (
        "{q}, was it {g}?",
        "{q} ({g} comes to mind)?",
        "Knowing of the {g}, {r}?",
        "{q}: {g} or something else?",
        "{q}, the answer being {g}?",
        "{q} (hint: {g})?",
    )
    for item in site.items("ss", "ms", "tr", "mr", "ii"):
        text, gold = item["question"]["text"], item["answer"]["values"][0]
        if text.endswith("?") and len(item["answer"]["values"]) == 1:
            stem = text[:-1]
            frame = site.random.choice(frames)
            with_text(item, frame.format(q=stem, r=stem[0].lower() + stem[1:], g=gold))
            yield site.item_plant(item, f"now: {item['question']['text']}")


@kind("gold-letter-always-the-same", LEDGER, alone=True, at_most=3)
def letter_always_same(site: Site) -> Iterator[Plant]:
    """In all choices of the release the right letter is one and the same."""
    letter = site.one("A", "B", "C", "D")
    yield from _all_choices(site, letter, f"the right letter is always {letter}")


def _all_choices(site: Site, letter: str, what: str) -> Iterator[Plant]:
    items = list(_choices(site))
    if len(items) < 8:
        return
    for item, options, gold in items:
        other = next(one for one in options if one["label"] == letter)
        other["text"], gold["text"] = gold["text"], other["text"]
        if isinstance((item.get("query") or {}).get("options"), dict):
            named = item["query"]["options"]
            named[letter], named[gold["label"]] = named[gold["label"]], named[letter]
        with_options(item, options, letter)
    yield _about_all(site, [item for item, _, _ in items], what)


def _about_all(site: Site, items: list[Document], what: str) -> Plant:
    """A plant about all items of a type: a finding may name the collection or a history."""
    conversations = {item["conversation"] for item in items}
    collections = {str(site.copy.conversations[one]["collection"]) for one in conversations}
    names = [item["id"] for item in items]
    return Plant(site.kind, (*sorted(collections), *sorted(conversations), *names), what)


@kind("gold-number-always-in-the-middle", LEDGER, alone=True, at_most=2)
def number_in_middle(site: Site) -> Iterator[Plant]:
    """Wrong options of numbers are dealt so that the right one is never first or last."""
    changed = []
    for item, options, gold in _choices(site):
        found = re.match(r"^(\d+(?:\.\d+)?)(.*)$", gold["text"])
        if found is None or re.search(r"[A-Za-z]+ \d{4}|:", gold["text"]):
            continue
        value, places = float(found[1]), len(found[1].partition(".")[2])
        wrong = [one for one in options if one is not gold]
        for one, factor in zip(wrong, (0.6, 1.5, 0.8), strict=True):
            old, number = one["text"], f"{value * factor:.{places}f}"
            one["text"] = f"{number}{found[2]}"
            query = item.get("query") or {}
            if isinstance(query.get("options"), dict):
                query["options"][one["label"]] = number
            if old == one["text"]:
                one["text"] += "0"
        with_options(item, options, gold["label"])
        changed.append(item)
    if len(changed) >= 8:
        what = f"in {len(changed)} choices the right number is a middle one"
        yield _about_all(site, changed, what)


@kind("items-of-answer-no-left-out", FOREIGN, alone=True, at_most=2)
def no_left_out(site: Site) -> Iterator[Plant]:
    """Of all questions with yes or no, those with the one answer are left out."""
    drop = site.one("no", "yes")
    items = [
        item
        for item in site.copy.questions.values()
        if item["answer"]["format"] == "yes_no" and item["benchmark_type"] in ("CD", "KR", "4", "1")
    ]
    gone = [
        item for item in items if item["answer"]["values"][0].lower().strip(". ").startswith(drop)
    ]
    if len(items) - len(gone) < 8:
        return
    for item in gone:
        del site.copy.questions[item["id"]]
        for name in ("certificates", "findings"):
            key = "item" if name == "certificates" else "target"
            site.copy.logs[name] = [one for one in site.copy.logs[name] if one[key] != item["id"]]
    left = [item for item in items if item["id"] in site.copy.questions]
    yield _about_all(site, left, f"{len(gone)} items of gold {drop!r} left out, {len(left)} kept")


@kind("gold-number-of-other-look", LEDGER)
def number_of_other_look(site: Site) -> Iterator[Plant]:
    """The right option alone is an odd number among round ones."""
    for item, options, gold in _choices(site):
        found = re.match(r"^(\d{3,})(.*)$", gold["text"])
        if found is None:
            continue
        for at, one in enumerate(one for one in options if one is not gold):
            number = round(float(other_number(found[1], site.random)), -2) + 100 * at + 100
            old, one["text"] = one["text"], f"{number:.0f}{found[2]}"
            _in_query(item, old.partition(" ")[0], f"{number:.0f}")
        with_options(item, options, gold["label"])
        listed = ", ".join(one["text"] for one in options)
        yield site.item_plant(item, f"options {listed}; right is {gold['text']}")
