"""Drafts of questions that are answered from what was said: ss, ms, th, ii (M3Exam A.3)."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.ledger import Fact, FactStatus
from memassay.schemas.question import AnswerFormat
from memassay.schemas.text import tokens
from memassay.synth.drafts import Draft, get, select, union
from memassay.synth.history import History
from memassay.synth.values import spoken

_LONGEST_GOLD = 6
"""Most words of a single-session gold; M3Exam's limit is lost, so this is our choice."""
_SMALL_WORDS: Final = frozenset({"a", "an", "at", "by", "for", "in", "of", "on", "the", "to"})


def single_session(history: History, random: Random) -> Iterator[Draft]:
    """ss: one detail, stated in one round, with a short gold."""
    for event, spec, fact in history.said_facts():
        if not spec.ask or not history.is_settled(fact):
            continue
        if len(spoken(fact.value).split()) > _LONGEST_GOLD:
            continue
        text = history.say(random.choice(spec.ask), event, random)
        yield Draft("ss", text, get(select(fact)), answer_format(fact), (fact.id,))


def answer_format(fact: Fact) -> AnswerFormat:
    """The form of an answer that is a fact's value."""
    formats = {"number": AnswerFormat.NUMBER, "date": AnswerFormat.DATE}
    return formats.get(fact.value.type, AnswerFormat.FREE)


def multi_session(history: History, random: Random) -> Iterator[Draft]:
    """ms: two numbers compared, or a value before and after it changed, in two sessions."""
    yield from _changes(history, random)
    yield from _differences(history, random)
    yield from _sums(history, random)


def _changes(history: History, random: Random) -> Iterator[Draft]:
    for _, _, new in history.said_facts():
        if len(new.supersedes) != 1 or new.id in history.replaced:
            continue
        old = history.facts[new.supersedes[0]]
        apart = history.in_text(old) and history.session_of(old) != history.session_of(new)
        if not apart or old.supersedes:
            continue
        label = history.label(new)
        text = random.choice(
            [
                f"What was {label} to begin with, and what did it change to?",
                f"Give {label} before and after it was changed, in that order.",
                f"{label[0].upper()}{label[1:]} was revised once. From what to what?",
            ]
        )
        query = {"op": "sequence", "of": select(new), "by": "date"}
        yield Draft("ms", text, get(query), AnswerFormat.FREE, (old.id, new.id))


def _pairs(history: History, random: Random) -> list[tuple[Fact, Fact]]:
    """Numbers of one unit from two sessions, the greater first."""
    pairs = [
        (a, b) if Decimal(a.value.text) > Decimal(b.value.text) else (b, a)
        for a, b in combinations(history.numbers(), 2)
        if a.value.unit == b.value.unit
        and a.value.unit is not None
        and a.value.text != b.value.text
        and history.session_of(a) != history.session_of(b)
    ]
    shuffled = random.sample(pairs, len(pairs))
    return sorted(shuffled, key=lambda pair: -_kinship(*pair))


def _kinship(one: Fact, other: Fact) -> int:
    """How naturally two numbers are compared: about the same thing, or of the same sort."""
    words = set(tokens(one.attribute)) & set(tokens(other.attribute)) - _SMALL_WORDS
    return 2 * (one.subject == other.subject) + len(words)


def _differences(history: History, random: Random) -> Iterator[Draft]:
    for greater, less in _pairs(history, random):
        text = random.choice(
            [
                f"By how much does {history.label(greater)} exceed {history.label(less)}?",
                f"What is the difference between {history.label(less)} and "
                f"{history.label(greater)}?",
                f"How far apart are {history.label(greater)} and {history.label(less)}?",
            ]
        )
        query = {"op": "diff", "a": get(select(greater)), "b": get(select(less))}
        yield Draft("ms", text, query, AnswerFormat.NUMBER, (greater.id, less.id))


def _sums(history: History, random: Random) -> Iterator[Draft]:
    for one, other in _pairs(history, random):
        if one.value.unit not in {"EUR", "CNY", "USD", "GBP", "min", "h", "km", "g", "ml"}:
            continue
        text = f"What do {history.label(other)} and {history.label(one)} add up to?"
        query = {"op": "fold", "of": union(select(one), select(other)), "with": "sum"}
        yield Draft("ms", text, query, AnswerFormat.NUMBER, (one.id, other.id))


def thematic(history: History, random: Random) -> Iterator[Draft]:
    """th: the steps of a procedure in order, from the full answer down to keywords.

    Only of the persona's own cards: side events are told by others too, and a procedure has no
    value of its own that would tell one history from another.
    """
    for event in history.events:
        card = history.cards[event.card]
        steps = [history.facts[fact] for slot, fact in event.facts.items() if "step:" in slot]
        if card.steps is None or card.domain is not None:
            continue
        if any(fact.id not in history.mentions for fact in steps):
            continue
        text = history.say(random.choice(card.steps.ask), event, random)
        query = get({"op": "sequence", "of": select(steps[0]), "by": "order"})
        keys = ", ".join(step.key for step in card.steps.list)
        about = tuple(fact.id for fact in steps)
        yield Draft("th", text, query, AnswerFormat.FREE, about, coarser=(keys,))


def implicit(history: History, random: Random) -> Iterator[Draft]:
    """ii: what is never said but follows from what is; no counting."""
    asked = {(one.about, one.attribute): one for one in history.persona.implied.values()}
    values = {"user": history.persona.name, **history.names}
    for fact in history.bundle.facts:
        spec = asked.get((fact.subject, fact.attribute))
        if fact.status is not FactStatus.IMPLIED or spec is None:
            continue
        if not all(history.in_text(history.facts[clue]) for clue in fact.entailed_by):
            continue
        text = random.choice(spec.ask)
        for slot, name in values.items():
            text = text.replace(f"{{{slot}}}", name)
        query = select(fact)
        query["where"]["status"] = str(FactStatus.IMPLIED)
        yield Draft(
            "ii",
            text,
            get(query),
            AnswerFormat.FREE,
            (fact.id, *fact.entailed_by),
            competitors=tuple(spec.competitors),
        )
