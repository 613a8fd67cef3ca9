"""What is gathered over all pictures of a history: receipts of a month, an item, a kind of things.

Each draft rests on pictures of several rounds, and on all of those that show what it asks about.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Final, NamedTuple

from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.text import normalise
from memassay.synth.questions.drafts import Draft, Query, get
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.phrasing import time_words
from memassay.synth.questions.visual import wordings
from memassay.synth.questions.visual.labels import TOTAL, as_noun, is_money
from memassay.synth.world.grammar import expand

BILLS: Final = frozenset({"receipt", "bill"})
"""What people call a receipt when they count what they spent."""


class Series(NamedTuple):
    """A label that several pictures of several rounds have, with its numbers.

    Attributes:
        label: As it is printed, or the kind of things.
        kind: How all of them are drawn.
        facts: Its number in each, in the order in which they were shown.
        query: All facts of the label in pictures.
        paid: Whether each is called a receipt or a bill.
    """

    label: str
    kind: str
    facts: tuple[Fact, ...]
    query: Query
    paid: bool

    def end(self, which: str) -> Query | None:
        """The fact at one end; None where two are there."""
        ordered = sorted(self.facts, key=lambda fact: Decimal(fact.value.text))
        first, second = ordered[:2] if which == "min" else ordered[:-3:-1]
        if first.value.text == second.value.text:
            return None
        return {"op": "pick", "of": self.query, "by": "value", "which": which}


def series_of(history: History, random: Random) -> list[Series]:
    """What several pictures, all of one kind, show a number of in one unit."""
    shown = history.things.gallery.by_id
    holders: dict[str, list[tuple[Picture, str, Fact]]] = defaultdict(list)
    for picture in history.pictures(random):
        for key, fact in picture.cells.items():
            holders[normalise(key)].append((picture, key, fact))
    found = []
    for held in holders.values():
        kinds = {picture.image.kind for picture, _, _ in held}
        units = {(fact.value.type, fact.value.unit) for _, _, fact in held}
        rounds = {picture.round for picture, _, _ in held}
        # What is seen on a page is of no image.
        pages = any(shown[picture.attachment].page is not None for picture, _, _ in held)
        number = held[0][2].value.type is ValueType.NUMBER
        if len(kinds) == len(units) == 1 and len(rounds) > 1 and number and not pages:
            label = held[0][1]
            query: Query = {"op": "select", "where": {"attribute": label, "modality": "image"}}
            facts = tuple(fact for _, _, fact in held)
            paid = all(shown[picture.attachment].nouns & BILLS for picture, _, _ in held)
            found.append(Series(label, kinds.pop(), facts, query, paid))
    return found


def gather(history: History, random: Random, *, quoted: bool = False) -> Iterator[Draft]:
    """mr: what all pictures that show the same come to, how many there are, the least and most.

    Args:
        history: The written history.
        random: Draws what is asked and how.
        quoted: Whether items of receipts are quoted as they are printed: `"Ear tip"`.
    """
    series = series_of(history, random)
    for one in random.sample(series, len(series)):
        noun = as_noun(one.label)
        if one.kind == "scene":
            count: Query = {"op": "count", "of": one.query, "distinct": "attachment"}
            yield _draft(wordings.SEEN_TIMES, count, one.facts, random, label=noun)
            if (most := one.end("max")) is not None:
                yield _draft(wordings.SEEN_MOST, get(most), one.facts, random, label=noun)
        elif is_money(one.facts[0]) and one.label != TOTAL:
            noun = f'"{one.label}"' if quoted and one.kind == "receipt" else noun
            # Offers for one thing are drawn as receipts are, and nobody paid them.
            if one.kind == "receipt" and one.paid:
                summed: Query = {"op": "fold", "of": one.query, "with": "sum"}
                patterns = wordings.BOUGHT_ALTOGETHER
                yield _draft(patterns, summed, one.facts, random, label=noun)
            best = one.end("min")
            if best is not None and one.kind in _AT_BEST and (one.paid or one.kind != "receipt"):
                yield _draft(_AT_BEST[one.kind], get(best), one.facts, random, label=noun)
    yield from _months(history, random)


_AT_BEST: Final = {"receipt": wordings.BOUGHT_AT_BEST, "ticket": wordings.FARE_AT_BEST}


def _draft(
    patterns: Sequence[str], query: Query, facts: Sequence[Fact], random: Random, **slots: str
) -> Draft:
    text = expand(random.choice(patterns), random, slots).text
    about = tuple(fact.id for fact in facts)
    return Draft(text, query, AnswerFormat.NUMBER, about, whole=True)


def _months(history: History, random: Random) -> Iterator[Draft]:
    """What the receipts of one month come to, where all bills of the month are receipts."""
    shown = history.things.gallery.by_id
    by_month: dict[str, list[Picture]] = defaultdict(list)
    for picture in history.pictures(random):
        if TOTAL in picture.cells:
            by_month[(shown[picture.attachment].date or "")[:7]].append(picture)
    for month, pictures in by_month.items():
        called = all(shown[one.attachment].nouns & BILLS for one in pictures)
        pages = any(shown[one.attachment].page is not None for one in pictures)
        facts = [one.cells[TOTAL] for one in pictures]
        units = {fact.value.unit for fact in facts}
        if not month or not called or pages or len(units) > 1 or len(facts) < 2:
            continue
        where = {"attribute": TOTAL, "modality": "image", "during": month}
        query: Query = {"op": "fold", "of": {"op": "select", "where": where}, "with": "sum"}
        words = time_words(history, month)
        words = words if words.endswith(month[:4]) else f"{words} {month[:4]}"
        yield _draft(wordings.IN_MONTH, query, facts, random, month=words)
