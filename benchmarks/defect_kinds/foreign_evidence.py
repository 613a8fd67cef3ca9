"""Evidence of other people's data that does not say the gold any more."""

import re
from collections.abc import Callable, Iterator

from defect_plants import FOREIGN, Plant, Site, Spot, kind
from defect_rows import Document

from defect_kinds.endings import cited_spot, gold_of

_BESIDE = (
    "a reply, a caption or another cited place still says the gold, so that the question stays "
    "right; only who knew the turn before could say that a word of it was another"
)


def _says(text: str, gold: str) -> bool:
    """Whether a text says a gold, whole or by one of its longer words."""
    words = [word for word in re.findall(r"\w+", gold) if len(word) > 3] or [gold]
    return any(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in words)


def _is_said_beside(site: Site, item: Document, spot: Spot, gold: str) -> bool:
    """Whether something cited says a gold beside the turn in which it is replaced."""
    cited = {place.partition(".")[0] for place in item["evidence"]["canonical"]}
    turns = [one.turn for one in site.all_spots(item["conversation"]) if one.round["id"] in cited]
    texts = [turn["text"] or "" for turn in turns if turn is not spot.turn]
    shown = [each.get("caption") or "" for turn in turns for each in turn["attachments"]]
    rest = re.sub(rf"\b{re.escape(gold)}\b", " ", spot.turn["text"], flags=re.IGNORECASE)
    return any(_says(text, gold) for text in (*texts, *shown, rest))


def _replaced(site: Site, fits: Callable[[bool], bool]) -> Iterator[Plant]:
    for item in site.items("4", "FR", "1", answerable=True, formats=("free",)):
        gold = gold_of(item)
        spot = cited_spot(site, item)
        if spot is None or not 3 < len(gold) < 30:
            continue
        if not re.search(rf"\b{re.escape(gold)}\b", spot.turn["text"], re.IGNORECASE):
            continue
        others = sorted(
            gold_of(one)
            for one in site.copy.questions.values()
            if one["conversation"] != item["conversation"]
            and one["benchmark_type"] == item["benchmark_type"]
            and one["question"]["text"].split()[0] == item["question"]["text"].split()[0]
            and 3 < len(gold_of(one)) < 30
            and gold_of(one).lower() != gold.lower()
        )
        if others and fits(_is_said_beside(site, item, spot, gold)):
            new = site.random.choice(others)
            pattern = rf"\b{re.escape(gold)}\b"
            new = new.replace("\\", "")
            spot.turn["text"] = re.sub(pattern, new, spot.turn["text"], flags=re.IGNORECASE)
            what = f"{item['id']}: {gold!r} is now {new!r} in {spot.turn['id']}"
            yield site.turn_plant(spot, what, item)


@kind("foreign-evidence-says-other", FOREIGN)
def evidence_says_other(site: Site) -> Iterator[Plant]:
    """The word of the gold in the cited turn is replaced, and nothing else cited says it."""
    yield from _replaced(site, lambda beside: not beside)


@kind("foreign-turn-says-other", FOREIGN, knowable=False, why=_BESIDE)
def turn_says_other(site: Site) -> Iterator[Plant]:
    """The word of the gold in the cited turn is replaced, where something else cited says it."""
    yield from _replaced(site, lambda beside: beside)
