"""Drafts of questions that need two pieces of evidence: two pictures, or a picture and a word."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.parts.reference import Reference
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.text import tokens
from memassay.synth.questions.drafts import Draft, Query, get, in_turn, select
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.describing import (
    describe_both,
    describe_pair,
    describe_picture,
)
from memassay.synth.questions.visual import wordings
from memassay.synth.questions.visual.single import CHARTS, TOTAL, in_or_on
from memassay.synth.world.grammar import choose, expand

_SMALL: Final = frozenset({"a", "an", "the", "of", "for", "from", "on", "at", "to"})

_PATTERNS: Final = {"scene": wordings.FEWER, "receipt": wordings.DEARER}
_BOTH: Final = (Modality.DOCUMENT, Modality.IMAGE, Modality.TEXT)
_PATTERNS_BOTH: Final = {"scene": wordings.FEWER_BOTH, "receipt": wordings.DEARER_BOTH}
_COUNTS: Final = frozenset({*CHARTS, "scene", "table", "timetable"})
"""Kinds whose numbers without a unit are counts."""
_TOGETHER: Final = 0.7
"""Share of the pairs that are all of their kind which are named together (our choice)."""
_PAIR: Final = re.compile(r"<\{(one|other)\}(.*?)\{(one|other)\}>")
"""What of a pattern names both pictures."""
_PAID: Final = frozenset({"price", "bill", "budget", "estimate", "bid", "demand", "offer", "quote"})
"""Heads of properties that a bill is held against."""
_UNREAD: Final = frozenset({"double_chart", "cluttered_scene", "photo_pair", "calendar"})
"""Kinds whose values are counted or found, not read one by one."""
_LABELS: Final = 2
"""Most labels by which two pictures are compared."""


def join_evidence(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """Pictures of one round and of two compared, and bills held against what was said, in turn."""
    compared = list(_comparisons(history, pictures, random))
    apart = [draft for draft in compared if len(_rounds_of(history, draft)) > 1]
    together = [draft for draft in compared if len(_rounds_of(history, draft)) == 1]
    yield from in_turn([apart, together, list(_against_words(history, pictures, random))])


def _rounds_of(history: History, draft: Draft) -> set[str]:
    return {place for name in draft.about for place in history.anchors(name)}


def label_words(label: str) -> str:
    """A label in quotation marks; of a cell of a table the row, then the column."""
    row, slash, column = label.partition("/")
    if label == TOTAL:
        return "the total"
    return f'{row} under "{column}"' if slash else f'"{label}"'


def cards_of(history: History, picture: Picture) -> frozenset[str]:
    """The cards of the events that a picture goes with: what belongs to one matter."""
    events = history.things.gallery.by_id[picture.attachment].events
    return frozenset(event.card for event in history.events if event.id in events)


def pairs_alike(
    history: History, pictures: list[Picture], random: Random
) -> Iterator[tuple[Picture, Picture, list[str]]]:
    """Two pictures of one kind and one matter, with the labels of which both have a number."""
    pairs = list(combinations(pictures, 2))
    for one, other in random.sample(pairs, len(pairs)):
        if one.image.kind in _UNREAD or one.image.kind != other.image.kind:
            continue
        if one.image.measure != other.image.measure:
            continue
        labels = sorted(
            label
            for label, fact in one.cells.items()
            if label in other.cells
            and _are_comparable(fact, other.cells[label])
            # A number without a unit may be the name of something, as that of an order.
            and (fact.value.unit is not None or one.image.kind in _COUNTS)
        )
        if labels and cards_of(history, one) & cards_of(history, other):
            yield one, other, labels


def _are_comparable(one: Fact, other: Fact) -> bool:
    number = one.value.type is ValueType.NUMBER and other.value.type is ValueType.NUMBER
    return number and one.value.unit == other.value.unit and one.value.text != other.value.text


def _comparisons(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    for one, other, labels in pairs_alike(history, pictures, random):
        for label in random.sample(labels, min(_LABELS, len(labels))):
            more, less = sorted(
                (one, other), key=lambda each: -Decimal(each.cells[label].value.text)
            )
            worded = _words_for(history, more, less, label, random)
            if worded is None:
                continue
            text, references = worded
            facts = (more.cells[label], less.cells[label])
            query: Query = {"op": "diff", "a": get(select(facts[0])), "b": get(select(facts[1]))}
            about = tuple(fact.id for fact in facts)
            yield Draft(text, query, AnswerFormat.NUMBER, about, whole=True, references=references)


def _words_for(
    history: History, more: Picture, less: Picture, label: str, random: Random
) -> tuple[str, tuple[Reference, Reference]] | None:
    """A question about two pictures: in one phrase where one event shows both, else in two."""
    kind = more.image.kind
    spoken = label.split("/")
    slots = {"label": label if kind == "scene" else label_words(label)}
    together = describe_both(history, more.attachment, less.attachment, random)
    if together is not None and random.random() < _TOGETHER:
        pattern = random.choice(_PATTERNS_BOTH.get(kind, wordings.CHANGED_BOTH))
        return expand(pattern, random, {**slots, "both": together[0].phrase}).text, together
    pattern = choose(random.choice(_PATTERNS.get(kind, wordings.CHANGED)), random)
    pattern = pattern.replace("{in}", in_or_on(kind))
    both = _PAIR.search(pattern)
    if both is None:
        return None
    named = {"one": more.attachment, "other": less.attachment}
    pair = describe_pair(history, named[both[1]], named[both[3]], both[2].strip(), random)
    if pair is not None:
        text = _PAIR.sub("{both}", pattern)
        return expand(text, random, {**slots, "both": pair[0].phrase}).text, pair
    high, low = (
        describe_picture(history, each.attachment, random, without=spoken) for each in (more, less)
    )
    if high is None or low is None:
        return None
    text = pattern.replace("<", "").replace(">", "")
    slots |= {"one": high.phrase, "other": low.phrase}
    return expand(text, random, slots).text, (high, low)


def _against_words(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """The total of a bill against a price, fee or budget that was said about the same matter."""
    said = [fact for fact in history.numbers() if head_of(fact.attribute) in _PAID]
    for picture in random.sample(pictures, len(pictures)):
        total = picture.cells.get(TOTAL)
        if total is None:
            continue
        near = [fact for fact in said if _is_of(history, picture, total, fact)]
        reference = describe_picture(history, picture.attachment, random)
        if not near or reference is None:
            continue
        fact = random.choice(near)
        on_bill, spoken = f"the total on {reference.phrase}", history.label(fact)
        ordered = [(total, on_bill), (fact, spoken)]
        ordered.sort(key=lambda each: -Decimal(each[0].value.text))
        (high, more), (low, less) = ordered
        query: Query = {"op": "diff", "a": get(select(high)), "b": get(select(low))}
        text = expand(
            random.choice(wordings.AGAINST_WORD), random, {"more": more, "less": less}
        ).text
        yield Draft(
            text,
            query,
            AnswerFormat.NUMBER,
            (total.id, fact.id),
            modalities=_BOTH,
            whole=True,
            references=(reference,),
        )


def _is_of(history: History, picture: Picture, total: Fact, fact: Fact) -> bool:
    """Whether what was said is about what a bill is for: it belongs to it and shares a word."""
    cards = cards_of(history, picture)
    own = {name for event in history.events if event.card in cards for name in event.facts.values()}
    shared = set(tokens(picture.about)) & set(tokens(history.label(fact)))
    return fact.id in own and _are_comparable(total, fact) and bool(shared - _SMALL)
