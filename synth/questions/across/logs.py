"""Drafts about what is noted in many sessions: ends, courses, kinds and their counts (ms)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, union
from memassay.synth.questions.history import History
from memassay.synth.world.grammar import expand
from memassay.synth.world.persona_parts import LogSpec

LEAST: Final = 4
"""Fewest entries of a log that is asked about (our choice)."""
_COURSE: Final = (
    "How did {label} develop? Give the first and the last figure noted.",
    "What was {label} the first time it was noted, and what the last time?",
    "Where did {label} start, and where was it the last time it was noted?",
    "From the first note to the last, from what to what did {label} go?",
    "What did {label} begin at, and what was it when it was last noted?",
    "[Remind me|Tell me], what was {label} at the very first, and what is the last figure?",
    "What were the first and the last figure noted for {label}?",
)
_END: Final = (
    "What was {label} at its {end}?",
    "What is the {end} that was ever noted for {label}?",
    "Of all that was noted for {label}, what was the {end} figure?",
    "[Remind me|Tell me], what was {label} when it was {end}?",
    "What was the {end} figure for {label}?",
    "What was {label} on the day when it was {end}?",
)


def logs_of(history: History, *, numbers: bool) -> Iterator[tuple[str, LogSpec, list[Fact]]]:
    """Logs of numbers, or of kinds, with enough entries: name, what the card says, entries."""
    for name, log in history.persona.logs.items():
        entries = [fact for _, fact in history.entries(name)]
        if (log.value.number is not None) is numbers and len(entries) >= LEAST:
            yield name, log, entries


def all_of(log: LogSpec, **more: object) -> Query:
    """The entries of a log that fit further filters."""
    return {"op": "select", "where": {"attribute": log.attribute, **more}}


def ends_of(log: LogSpec, entries: Sequence[Fact]) -> Iterator[tuple[str, str, Fact]]:
    """Ends of a log that one entry alone reaches: `max` or `min`, the word for it, the entry."""
    numbers = [Decimal(fact.value.text) for fact in entries]
    for which, word, end in zip(("max", "min"), log.ends, (max, min), strict=True):
        if numbers.count(end(numbers)) == 1:
            yield which, word, entries[numbers.index(end(numbers))]


def repeats(entries: Sequence[Fact]) -> Iterator[tuple[str, list[Fact]]]:
    """Kinds that were noted more than once, with their entries in time order."""
    for value, count in sorted(Counter(fact.value.text for fact in entries).items()):
        if count > 1:
            yield value, [fact for fact in entries if fact.value.text == value]


def ask_of(history: History, patterns: Sequence[str], random: Random, **slots: str) -> str:
    """A question of a log with its slots filled."""
    values = {"user": history.persona.name, **history.names, **slots}
    return expand(random.choice(patterns), random, values).text


def ids_of(facts: Sequence[Fact]) -> tuple[str, ...]:
    """The ids of facts."""
    return tuple(fact.id for fact in facts)


def courses(history: History, random: Random) -> Iterator[Draft]:
    """What a measurement was the first time and the last time it was noted."""
    for name, log, entries in logs_of(history, numbers=True):
        if entries[0].value.text == entries[-1].value.text:
            continue
        text = expand(random.choice(_COURSE), random, {"label": history.log_label(name)}).text
        picked = [
            {"op": "pick", "of": all_of(log), "by": "date", "which": which}
            for which in ("first", "last")
        ]
        query = get({"op": "sequence", "of": union(*picked), "by": "date"})
        about = ids_of([entries[0], entries[-1]])
        yield Draft(text, query, AnswerFormat.FREE, about, whole=True)


def extremes(history: History, random: Random) -> Iterator[Draft]:
    """The greatest or the least that was noted of a measurement."""
    for name, log, entries in logs_of(history, numbers=True):
        for which, word, fact in ends_of(log, entries):
            slots = {"label": history.log_label(name), "end": word}
            text = expand(random.choice(_END), random, slots).text
            query: Query = {"op": "fold", "of": all_of(log), "with": which}
            others = [one for one in (entries[0], entries[-1]) if one is not fact]
            yield Draft(text, query, AnswerFormat.NUMBER, ids_of([fact, *others]), whole=True)


def commonest(history: History, random: Random) -> Iterator[Draft]:
    """Which kind was noted most often."""
    for _, log, entries in logs_of(history, numbers=False):
        texts = [fact.value.text for fact in entries]
        most = max(map(texts.count, texts))
        usual = [fact for fact in entries if texts.count(fact.value.text) == most]
        query: Query = {
            "op": "group",
            "of": all_of(log),
            "by": "value",
            "with": "count",
            "which": "max",
        }
        text = ask_of(history, log.ask, random)
        yield Draft(text, query, AnswerFormat.FREE, ids_of(usual), whole=True)


def every_kind(history: History, random: Random) -> Iterator[Draft]:
    """All kinds that were noted."""
    for _, log, entries in logs_of(history, numbers=False):
        if log.every and len({fact.value.text for fact in entries}) > 1:
            text = ask_of(history, log.every, random)
            query = get(all_of(log))
            about = ids_of(entries)
            yield Draft(text, query, AnswerFormat.FREE, about, whole=True, every=True)


def kind_counts(history: History, random: Random) -> Iterator[Draft]:
    """How many times a kind was noted."""
    for _, log, entries in logs_of(history, numbers=False):
        for value, alike in repeats(entries) if log.times else ():
            text = ask_of(history, log.times, random, value=value)
            query: Query = {"op": "count", "of": all_of(log, value=value)}
            yield Draft(text, query, AnswerFormat.NUMBER, ids_of(alike), whole=True)
