"""Questions changed so that they no longer ask their query, one way each."""

import re
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

_AUXILIARY = re.compile(
    r"(.*?\b(?:did|does|do|was|were|is|are|has|had|should|can|would)\b )(\S+ )(.*)", re.DOTALL
)
_TURNED = {
    "first or last": ("first", "last"),
    "highest or lowest": ("highest", "lowest"),
    "longest or shortest": ("longest", "shortest"),
    "above or below": ("above", "below"),
    "at least or at most": ("at least", "at most"),
    "unit": ("days", "weeks"),
    "count or sum": ("How many times", "What is the sum of how often"),
}
"""By kind, two words of which one is put for the other."""


def attacks(bundle: Bundle, item: QAItem) -> Iterator[tuple[str, str]]:
    """Kinds of attack that fit an item, each with the changed text."""
    text = item.question.text
    yield from _names(bundle, item)
    if found := _AUXILIARY.match(text):
        yield "negated", f"{found[1]}{found[2]}not {found[3]}"
    for kind, pair in _TURNED.items():
        for old, new in (pair, pair[::-1]):
            if _has(text, old) and not _has(text, new):
                yield kind, _put(text, old, new)
    head, mark, tail = text.partition("?")
    if mark:
        yield "year added", f"{head} in 1987?{tail}"
        yield "bound added", f"{head} above 731 kg?{tail}"
    if bound := re.search(r" (?:above|below|at least|at most) [\d.]+ \S+?(?=[?.,]| )", text):
        yield "bound dropped", text[: bound.start()] + text[bound.end() :]
    yield from _titles(bundle, text)
    yield from _attributes(bundle, item)


def _names(bundle: Bundle, item: QAItem) -> Iterator[tuple[str, str]]:
    """Who is asked about, exchanged for another of the ledger and for somebody unknown."""
    text = item.question.text
    known = {key: name for event in bundle.events for key, name in event.names.items()}
    asked = [known[each] for each in _texts(item.query, "subject") if each in known]
    others = cycle(sorted(set(known.values()) - set(asked)))
    for name in asked[:1]:
        if _has(text, name):
            other = next(one for one in others if not _has(text, one))
            yield "name of another", _put(text, name, other)
            yield "name of nobody", _put(text, name, "Quillon")


def _titles(bundle: Bundle, text: str) -> Iterator[tuple[str, str]]:
    titles = [event.title for event in bundle.events]
    said = [title for title in titles if title in text]
    unsaid = [title for title in titles if title not in text]
    for title in said[:1]:
        yield "event exchanged", text.replace(title, unsaid[0])
    if not said and text.endswith("?"):
        yield "event added", f"{text[:-1]} before {unsaid[0]}?"


def _attributes(bundle: Bundle, item: QAItem) -> Iterator[tuple[str, str]]:
    """What is asked for, exchanged for another property of the same subject."""
    text = item.question.text
    subjects, asked = _texts(item.query, "subject"), _texts(item.query, "attribute")
    others = [
        fact.attribute
        for fact in bundle.facts
        if fact.subject in subjects and fact.attribute not in {*asked, "depicts", "date", "led by"}
    ]
    fresh = [one for one in others if "/" not in one and one not in text]
    for attribute in asked[:1]:
        if len(subjects) == 1 and _has(text, attribute) and attribute != "date" and fresh:
            yield "attribute exchanged", _put(text, attribute, fresh[0])


def _texts(query: Any, side: str) -> list[str]:
    """The texts of one side in every filter of a query."""
    if isinstance(query, list):
        return [text for each in query for text in _texts(each, side)]
    if not isinstance(query, dict):
        return []
    here = query.get("where", {}).get(side)
    return ([here] if isinstance(here, str) else []) + _texts(list(query.values()), side)


def _has(text: str, part: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _put(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _found: new, text, count=1)
