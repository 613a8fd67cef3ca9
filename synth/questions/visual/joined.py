"""Drafts of questions that need two pieces of evidence: two pictures, or a picture and a word."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, islice
from random import Random
from typing import Final, NamedTuple

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.parts.reference import PictureDescription, Reference
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.text import tokens
from memassay.synth.questions.drafts import Draft, Query, get, in_turn, select, union
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.describing import describe_both, describe_picture
from memassay.synth.questions.references.matters import cards_of
from memassay.synth.questions.visual import wordings
from memassay.synth.questions.visual.labels import (
    SUPERLATIVES,
    TOTAL,
    as_noun,
    is_money,
    numbers_of,
    was_or_were,
)
from memassay.synth.questions.visual.placing import SMALL, mix
from memassay.synth.world.grammar import expand

_BOTH: Final = (Modality.DOCUMENT, Modality.IMAGE, Modality.TEXT)
_MOST_CHARTS: Final = 3
"""Most pairs of charts of one history that are asked about (our choice)."""
OFFERS: Final = frozenset({"quote", "estimate"})
"""What is held against another one of its kind; all other bills are paid together."""
_BOUNDS: Final = frozenset({"budget", "estimate", "limit", "offer", "quote"})
"""Heads of properties that a bill is held against."""
_READ: Final = frozenset({"scene", "receipt"})
"""Kinds of which the same is read in two."""
_READINGS: Final = 2
"""Most labels of two pictures that are read."""
_ENDS: Final = (("max", "highest"), ("min", "lowest"))


class PairWords(NamedTuple):
    """Patterns for two pictures: `{both}`, or each of them as `{one}` and `{other}`.

    Attributes:
        spent: What two bills come to.
        cheaper: How far two offers are apart.
        fare: What two tickets cost together.
        counted: How many things are in both photos.
        more: How many things came.
        fewer: How many things went.
        end: The highest or lowest value of two charts.
        both: How many things are in each of both photos.
    """

    spent: tuple[str, ...]
    cheaper: tuple[str, ...]
    fare: tuple[str, ...]
    counted: tuple[str, ...]
    more: tuple[str, ...]
    fewer: tuple[str, ...]
    end: tuple[str, ...]
    both: tuple[str, ...] = ()


BY_EVENT: Final = PairWords(
    wordings.SPENT_ON_BOTH,
    wordings.CHEAPER_OF_BOTH,
    wordings.FARE_ON_BOTH,
    wordings.COUNTED_ON_BOTH,
    wordings.MORE_LATER,
    wordings.FEWER_LATER,
    wordings.END_OF_BOTH,
)
"""Where one phrase calls both: `the two labels from the tasting`."""


class Pair(NamedTuple):
    """Two pictures of a kind, in the order in which they were shown.

    Attributes:
        one: The first.
        other: The second.
        slots: How patterns call them: `both`, and `one` and `other` where each has a name.
        references: What the words of both describe.
        offers: Whether one is held against the other, and nobody pays both.
    """

    one: Picture
    other: Picture
    slots: dict[str, str]
    references: tuple[Reference, ...]
    offers: bool


CallBoth = Callable[[History, Picture, Picture, Random], Pair | None]
"""Says how to speak of two pictures; None if nothing short tells them from all others."""


def join_evidence(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """Two pictures of one event taken together, and bills held against what was said, in turn."""
    pairs = list(pairs_of(history, pictures, random, _by_event))
    kinds = [list(make(pairs, random)) for make in (join_bills, join_scenes, join_tickets)]
    yield from in_turn([list(_against_words(history, pictures, random)), *kinds])
    yield from islice(join_charts(pairs, random), _MOST_CHARTS)


def pairs_of(
    history: History, pictures: list[Picture], random: Random, call: CallBoth
) -> Iterator[Pair]:
    """Every two pictures of a kind that can be called together."""
    order = {shown: at for at, shown in enumerate(history.things.gallery.by_id)}
    for two in combinations(mix(history, pictures, random), 2):
        one, other = sorted(two, key=lambda each: order[each.attachment])
        if one.image.kind == other.image.kind:
            pair = call(history, one, other, random)
            if pair is not None:
                yield pair


def _by_event(history: History, one: Picture, other: Picture, random: Random) -> Pair | None:
    """The only two pictures of a kind that one event has."""
    both = describe_both(history, one.attachment, other.attachment, random)
    if both is None:
        return None
    asked = both[0].description
    offers = isinstance(asked, PictureDescription) and asked.noun in OFFERS
    return Pair(one, other, {"both": both[0].phrase}, both, offers)


def _draft(
    patterns: Sequence[str],
    query: Query,
    facts: Sequence[Fact],
    pair: Pair,
    random: Random,
    **slots: str,
) -> Draft:
    text = expand(random.choice(patterns), random, {**slots, **pair.slots}).text
    about = tuple(fact.id for fact in facts)
    return Draft(text, query, AnswerFormat.NUMBER, about, whole=True, references=pair.references)


def _sum(*facts: Fact) -> Query:
    return {"op": "fold", "of": union(*map(select, facts)), "with": "sum"}


def _diff(one: Fact, other: Fact) -> Query:
    """How much the larger of two numbers is above the other."""
    high, low = sorted((one, other), key=lambda fact: -Decimal(fact.value.text))
    return {"op": "diff", "a": get(select(high)), "b": get(select(low))}


def _are_alike(one: Fact, other: Fact) -> bool:
    number = one.value.type is ValueType.NUMBER and other.value.type is ValueType.NUMBER
    return number and one.value.unit == other.value.unit and one.value.text != other.value.text


def join_bills(pairs: list[Pair], random: Random, words: PairWords = BY_EVENT) -> Iterator[Draft]:
    """What two bills come to, or how much the cheaper of two offers saves."""
    for pair in pairs:
        facts = [each.cells[TOTAL] for each in (pair.one, pair.other) if TOTAL in each.cells]
        if len(facts) > 1 and _are_alike(*facts):
            patterns = words.cheaper if pair.offers else words.spent
            query = _diff(*facts) if pair.offers else _sum(*facts)
            yield _draft(patterns, query, facts, pair, random)


def join_scenes(pairs: list[Pair], random: Random, words: PairWords = BY_EVENT) -> Iterator[Draft]:
    """How many things of a kind came or went, and how many there are in both photos."""
    for pair in pairs:
        one, other = pair.one, pair.other
        if one.image.kind != "scene":
            continue
        shared = sorted(set(one.cells) & set(other.cells))
        for label in random.sample(shared, min(1, len(shared))):
            facts = [one.cells[label], other.cells[label]]
            if _are_alike(*facts):
                later, earlier = (Decimal(fact.value.text) for fact in reversed(facts))
                patterns = words.more if later > earlier else words.fewer
                yield _draft(patterns, _diff(*facts), facts, pair, random, label=label)
            else:
                yield _draft(words.counted, _sum(*facts), facts, pair, random, label=label)


def join_tickets(pairs: list[Pair], random: Random, words: PairWords = BY_EVENT) -> Iterator[Draft]:
    """What two tickets cost together."""
    for pair in pairs:
        if pair.one.image.kind != "ticket":
            continue
        for label, fact in pair.one.cells.items():
            second = pair.other.cells.get(label)
            if second is not None and is_money(fact) and _are_alike(fact, second):
                query, facts = _sum(fact, second), [fact, second]
                yield _draft(words.fare, query, facts, pair, random, label=as_noun(label))


def join_readings(
    pairs: list[Pair], random: Random, words: PairWords, items: tuple[str, ...]
) -> Iterator[Draft]:
    """What both pictures say of the same, one after the other; `items` are words for bills."""
    for pair in pairs:
        kind = pair.one.image.kind
        shared = sorted(numbers_of(pair.one).keys() & numbers_of(pair.other).keys())
        if kind not in _READ:
            continue
        for label in random.sample(shared, min(_READINGS, len(shared))):
            facts = [pair.one.cells[label], pair.other.cells[label]]
            patterns = words.both if kind == "scene" else items
            query = get({"op": "sequence", "of": union(*map(select, facts)), "by": "said"})
            draft = _draft(patterns, query, facts, pair, random, label=label)
            yield replace(draft, format=AnswerFormat.FREE)


def join_charts(pairs: list[Pair], random: Random, words: PairWords = BY_EVENT) -> Iterator[Draft]:
    """The highest or lowest value of two charts that show the same."""
    for pair in pairs:
        one, other = pair.one, pair.other
        measure = one.image.measure
        if measure is None or measure != other.image.measure or measure.startswith(SUPERLATIVES):
            continue
        facts = [*numbers_of(one).values(), *numbers_of(other).values()]
        which, end = random.choice(_ENDS)
        ordered = sorted(facts, key=lambda fact: Decimal(fact.value.text), reverse=which == "max")
        if ordered[0].value.text == ordered[1].value.text or len({f.value.unit for f in facts}) > 1:
            continue
        picked: Query = {
            "op": "pick",
            "of": union(*map(select, facts)),
            "by": "value",
            "which": which,
        }
        slots = {"end": end, "measure": measure, "was": was_or_were(measure)}
        yield _draft(words.end, get(picked), [ordered[0]], pair, random, **slots)


def _against_words(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """The total of a bill against a budget, limit or quote that was named for the same matter."""
    said = [fact for fact in history.numbers() if head_of(fact.attribute) in _BOUNDS]
    for picture in random.sample(pictures, len(pictures)):
        total = picture.cells.get(TOTAL)
        if total is None:
            continue
        near = [fact for fact in said if _is_of(history, picture, total, fact)]
        reference = describe_picture(history, picture.attachment, random)
        if not near or reference is None:
            continue
        fact = random.choice(near)
        named = [(total, f"the total on {reference.phrase}"), (fact, history.label(fact))]
        named.sort(key=lambda each: -Decimal(each[0].value.text))
        slots = {"more": named[0][1], "less": named[1][1]}
        yield Draft(
            expand(random.choice(wordings.AGAINST_WORD), random, slots).text,
            _diff(total, fact),
            AnswerFormat.NUMBER,
            (total.id, fact.id),
            modalities=_BOTH,
            whole=True,
            references=(reference,),
        )


def _is_of(history: History, picture: Picture, total: Fact, fact: Fact) -> bool:
    """Whether what was said is about what a bill is for: it belongs to it and shares a word."""
    cards = cards_of(history, picture.attachment)
    own = {name for event in history.events if event.card in cards for name in event.facts.values()}
    shared = set(tokens(picture.about)) & set(tokens(history.label(fact)))
    return fact.id in own and _are_alike(total, fact) and bool(shared - SMALL)
