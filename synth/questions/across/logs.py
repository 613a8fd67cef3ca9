"""Drafts about series that run through many sessions: counted, filtered, grouped (ms)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get
from memassay.synth.questions.history import History
from memassay.synth.questions.recall import answer_format
from memassay.synth.world.grammar import expand
from memassay.synth.world.persona_parts import LogSpec
from memassay.synth.world.values import spoken_value

LEAST: Final = 4
"""Fewest entries of a log that is asked about (our choice)."""
_MOST: Final = 9
"""Largest count that is asked for (our choice)."""


@dataclass(frozen=True)
class Bound:
    """A limit that some entries of a log keep and others do not.

    Attributes:
        key: What the filter `number` calls it: `above`, `below`, `least` or `most`.
        word: The same in a question: `above`, `below`, `at least`, `at most`.
        limit: The limit as a value.
        kept: Entries within it, in time order.
    """

    key: str
    word: str
    limit: FactValue
    kept: tuple[Fact, ...]

    @property
    def where(self) -> Query:
        """The filter."""
        return {"number": {self.key: self.limit.text, "unit": self.limit.unit}}

    @property
    def said(self) -> str:
        """The limit in words: `above 12 kg`."""
        return f"{self.word} {spoken_value(self.limit)}"


_TIMES: Final = (
    "How many times was {label} {bound}?",
    "How often was {label} {bound}?",
    "How often did {user} note {noted} {bound}?",
    "How many times did {user} have {noted} {bound}?",
    "On how many occasions was {label} {bound}?",
    "[Remind me|Tell me], how many times was {label} {bound}?",
    "All in all, how often was {label} {bound}?",
    "How many of the times that it was noted was {label} {bound}?",
    "Count the times that {label} was {bound}.",
    "Was {label} often {bound}? How many times?",
)
_TIMES_OF_KIND: Final = (
    "How many times was it {value} for {label}?",
    "How often was {value} {label}?",
    "How often did {user} note {value} as {noted}?",
    "On how many occasions was {value} {label}?",
    "How many times did {user} name {value} as {noted}?",
    "[Remind me|Tell me], how many times was {value} {label}?",
    "Of all the times, how often was {value} {label}?",
    "How many times did {value} come up as {label}?",
)
_RECALLED: Final = (
    "What was {label} the {which} time it was {bound}?",
    "The {which} time that {label} was {bound}, what was it exactly?",
    "{label} was {bound} more than once. What was it the {which} time?",
    "When {label} was {bound} for the {which} time, what was it?",
    "[Remind me|Tell me], what was {label} the {which} time it was {bound}?",
    "Exactly how much was {label} the {which} time it was {bound}?",
)
_APART: Final = (
    "How far apart are the highest and the lowest figure for {label}?",
    "By how much does the highest figure for {label} exceed the lowest?",
    "What is the gap between the highest and the lowest figure for {label}?",
    "How much does {label} vary, from the lowest to the highest?",
    "From its lowest to its highest, how far did {label} go?",
    "[Remind me|Tell me], how far apart were the highest and the lowest figure for {label}?",
)
_BOUNDS: Final[dict[str, tuple[str, Callable[[Decimal, Decimal], bool]]]] = {
    "above": ("above", lambda number, limit: number > limit),
    "below": ("below", lambda number, limit: number < limit),
    "least": ("at least", lambda number, limit: number >= limit),
    "most": ("at most", lambda number, limit: number <= limit),
}


def logs_of(history: History, *, numbers: bool) -> Iterator[tuple[str, LogSpec, list[Fact]]]:
    """Logs of numbers, or of kinds, with enough entries: name, what the card says, entries."""
    for name, log in history.persona.logs.items():
        entries = [fact for _, fact in history.entries(name)]
        if (log.value.number is not None) is numbers and len(entries) >= LEAST:
            yield name, log, entries


def all_of(log: LogSpec, **more: object) -> Query:
    """The entries of a log that fit further filters."""
    return {"op": "select", "where": {"attribute": log.attribute, **more}}


def bounds(log: LogSpec, entries: Sequence[Fact]) -> Iterator[Bound]:
    """Limits on the grid of a log's numbers that two entries or more keep, and not all of them."""
    assert log.value.number is not None
    step = Decimal(f"{log.value.number[2]:.12g}")
    numbers = sorted({Decimal(fact.value.text) for fact in entries})
    # Halfway between two neighbours on the grid, so that few entries lie on the limit itself.
    limits = {low + (high - low) / step // 2 * step for low, high in pairwise(numbers)}
    for limit in sorted(limits):
        value = FactValue(type=ValueType.NUMBER, text=f"{limit:f}", unit=entries[0].value.unit)
        for key, (word, keeps) in _BOUNDS.items():
            kept = tuple(one for one in entries if keeps(Decimal(one.value.text), limit))
            if 2 <= len(kept) < min(len(entries), _MOST + 1):
                yield Bound(key, word, value, kept)


def _ids(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def ask_count(history: History, random: Random) -> Iterator[Draft]:
    """In how many sessions a measurement was above a limit, or how often a kind was noted."""
    drafts = [*_over_limits(history, random), *_of_kinds(history, random)]
    yield from random.sample(drafts, len(drafts))


def _over_limits(history: History, random: Random) -> Iterator[Draft]:
    for name, log, entries in logs_of(history, numbers=True):
        label, noted = history.log_label(name), history.noted_label(name)
        by_size: dict[int, list[Bound]] = {}
        for bound in bounds(log, entries):
            by_size.setdefault(len(bound.kept), []).append(bound)
        # One of each size, so that no count is the usual one.
        for alike in by_size.values():
            bound = random.choice(alike)
            slots = {"label": label, "noted": noted, "bound": bound.said}
            slots |= {"user": history.persona.name}
            text = expand(random.choice(_TIMES), random, slots).text
            query: Query = {"op": "count", "of": all_of(log, **bound.where)}
            yield Draft(text, query, AnswerFormat.NUMBER, _ids(bound.kept), whole=True)


def _of_kinds(history: History, random: Random) -> Iterator[Draft]:
    for name, log, entries in logs_of(history, numbers=False):
        label, noted = history.log_label(name), history.noted_label(name)
        for value in sorted({fact.value.text for fact in entries}):
            alike = [fact for fact in entries if fact.value.text == value]
            if len(alike) < 2:
                continue
            slots = {"label": label, "noted": noted, "value": value}
            slots |= {"user": history.persona.name}
            text = expand(random.choice(_TIMES_OF_KIND), random, slots).text
            where = {"attribute": log.attribute, "value": value}
            query: Query = {"op": "count", "of": {"op": "select", "where": where}}
            yield Draft(text, query, AnswerFormat.NUMBER, _ids(alike), whole=True)


def commonest(history: History, random: Random) -> Iterator[Draft]:
    """Which kind was noted most often."""
    for _, log, entries in logs_of(history, numbers=False):
        texts = [fact.value.text for fact in entries]
        most = max(map(texts.count, texts))
        usual = [fact for fact in entries if texts.count(fact.value.text) == most]
        event = next(event for event in history.events if usual[0].id in event.facts.values())
        query: Query = {
            "op": "group",
            "of": all_of(log),
            "by": "value",
            "with": "count",
            "which": "max",
        }
        text = history.say(random.choice(log.ask), event, random)
        yield Draft(text, query, AnswerFormat.FREE, _ids(usual), whole=True)


def ask_recall(history: History, random: Random) -> Iterator[Draft]:
    """What a measurement was the first or last time that it was above a limit."""
    for name, log, entries in logs_of(history, numbers=True):
        label = history.log_label(name)
        found = list(bounds(log, entries))
        for bound in random.sample(found, len(found)):
            which = random.choice(["first", "last"])
            fact = bound.kept[0 if which == "first" else -1]
            slots = {"label": label, "which": which, "bound": bound.said}
            text = expand(random.choice(_RECALLED), random, slots).text
            of = all_of(log, **bound.where)
            query = get({"op": "pick", "of": of, "by": "date", "which": which})
            yield Draft(text, query, answer_format(fact), _ids(bound.kept), whole=True)


def spans(history: History, random: Random) -> Iterator[Draft]:
    """How far apart the highest and the lowest entry of a log are."""
    for name, log, entries in logs_of(history, numbers=True):
        label = history.log_label(name)
        text = expand(random.choice(_APART), random, {"label": label}).text
        ends = {end: {"op": "fold", "of": all_of(log), "with": end} for end in ("max", "min")}
        query: Query = {"op": "diff", "a": ends["max"], "b": ends["min"]}
        yield Draft(text, query, AnswerFormat.NUMBER, _ids(entries), whole=True)
