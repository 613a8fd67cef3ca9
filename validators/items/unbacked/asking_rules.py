"""Rules on what a question asks for: one thing, in the unit of its gold, of a known occasion."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import NUMBER_WORDS
from memassay.validators.items.dates.gold_dates import names_a_date
from memassay.validators.items.dates.spoken import said_in_round
from memassay.validators.items.unbacked.heard import is_unheard
from memassay.validators.items.unbacked.index import (
    History,
    unbacked_rule,
    weighs_statement,
)
from memassay.validators.registry import problem

_SOURCE: Final = "our choice: what somebody with the history could answer"
_ASKS_AGAIN: Final = re.compile(
    r"\?\s+(?P<more>(?:(?:and|also|but|or),? )?(?:(?:on|in|at|for|with|by|to|from) )?"
    r"(?:who|whom|whose|what|which|when|where|why|how|did|does|do|is|are|was|were)\b.*\?)\s*$",
    re.IGNORECASE,
)
_DEMANDS: Final = tuple(
    (re.compile(asks, re.IGNORECASE), re.compile(wants))
    for asks, wants in (
        (r"\bwhy\b", r"\b(?:because|since|so|due|as|for|to)\b"),
        (
            r"\b(?:who|whom|whose)\b",
            r"(?<=[a-z,;] )[A-Z]|\b(?:friend|family|mother|father|her|his)\b",
        ),
        (
            r"\b(?:when|weekday|date|what day|which day)\b",
            r"[0-9]|[a-z]day\b|\b(?:ago|before|after)\b",
        ),
        (
            r"\bhow (?:many|much|long|old|often|far)\b|\bcost|\bprice",
            r"[0-9]|\b(?:one|two|three|once)\b",
        ),
        (r"\bhappen|\breact|\belse\b|\bthen\b|\bafter that\b", r"\b(?:then|after|next|later)\b"),
    )
)
"""What a second question asks for, and what of it a gold then has."""
_KINDS: Final = (
    (
        re.compile(r"when (?:did|do|does|was|were|is|are|will|has|have|had)\b", re.IGNORECASE),
        re.compile(
            r"[0-9]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun"
            r"|year|month|week|day|night|morning|evening|afternoon|noon|hour|minute|time|ago|before"
            r"|after|since|during|while|when|once|until|summer|winter|spring|autumn|fall|christmas"
            r"|thanksgiving|halloween|easter|holiday|birthday|today|tomorrow|yesterday|recent|last"
            r"|next|early|late|never|always|now|current|age|child|young|old|still|daily|every|not)",
            re.IGNORECASE,
        ),
        "a time",
    ),
    (
        re.compile(r"how many\b", re.IGNORECASE),
        re.compile(
            rf"[0-9]|\b(?:{'|'.join(NUMBER_WORDS)}|once|twice|several|many|few|couple|both|none|no"
            r"|dozen|half|hundred|thousand|every|all|multiple|more|a|an|zero|never|lots?)\b",
            re.IGNORECASE,
        ),
        "a number",
    ),
)
"""How a question for a time or a number begins, and what such a gold has."""
_PARTS: Final = re.compile(r"[,;.](?=\s)|\band\b")
_CONTRARY: Final = re.compile(
    r"(?:(?:had|were) \w+ |if [^,]*\b(?:had|were)(?:n['’]t| not)?\b"
    r"|suppos(?:e|ing)\b|imagin(?:e|ing)\b|assum(?:e|ing)\b)[^,?]*, (?:(?:on|in|at|from|by|to) )?"
    r"(?:who|what|which|when|where|why|how|did|does|do|is|are|was|were|would|please|list|name"
    r"|give|tell|state|describe)\b",
    re.IGNORECASE,
)
_UNIT: Final = r"minute|hour|day|week|month|year"
_UNIT_ASKED: Final = re.compile(rf"\bhow many (?P<unit>{_UNIT})s?\b", re.IGNORECASE)
_OF_CALENDARS: Final = frozenset({"day", "week", "month", "year"})
_CLOCK: Final = re.compile(r"\b[0-2]?[0-9]:[0-5][0-9]\b")
_UNIT_GIVEN: Final = re.compile(
    rf"\s*(?:about |around |approximately |nearly |almost |over )?[\w.-]+ (?P<unit>{_UNIT})s?\W*",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"\b(?:after|before|while|when|once|during|on the (?:day|night|morning|evening)) "
    r"(?P<tail>[^,?]+)\??\s*$"
)
_THING: Final = re.compile(r"\bthe ([a-z]{4,})\b(?!-)")
_VAGUE: Final = frozenset(
    [
        "conversation",
        "conversations",
        "dialogue",
        "session",
        "sessions",
        "picture",
        "image",
        "images",
        "photo",
        "chat",
        "talk",
        "moment",
        "event",
        "events",
        "incident",
        "experience",
        "situation",
        "weekend",
        "month",
        "morning",
        "evening",
        "daytime",
        "same",
        "first",
        "second",
        "third",
        "final",
        "last",
        "next",
        "previous",
        "following",
        "whole",
        "latter",
        "former",
        "beginning",
    ]
)
"""Words of which a question may make something that the history calls otherwise."""
_THIRD: Final = re.compile(r"\b(?:they|them|their|theirs|he|him|his|she|her|hers)\b", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][a-z]+")
_MISPLACED: Final = re.compile(
    r"\b(?:of|with|in|to|for|at|by|from|about|on|is|has|was|does|[a-z]+ing) they\b"
    r"|[\"'‘“](?:he|she|they|him|her|them)[\"'’”]"
)
_TWICE_OFFERED: Final = re.compile(r"\b(\w+) or \1\b", re.IGNORECASE)
_TWO: Final = 2


@unbacked_rule("asking.twice", Severity.WARNING, _SOURCE)
def twice(_history: History, item: QAItem) -> Iterator[Problem]:
    """Where a question asks for a second thing, its gold has a second part."""
    found = _ASKS_AGAIN.search(item.question.text)
    if found is None:
        return
    more, gold = found["more"], " ".join(item.answer.values)
    demands = [wants for asks, wants in _DEMANDS if asks.search(more)]
    parts = len(item.answer.values) + len(_PARTS.findall(gold.strip(" .")))
    answers = all(wants.search(gold) for wants in demands) if demands else parts >= _TWO
    if not answers:
        yield problem(
            item.id,
            ("question", "text"),
            "one thing, for which there is a gold",
            more,
            "drop the second question, or answer it too",
        )


@unbacked_rule("asking.contrary", Severity.WARNING, _SOURCE)
def contrary(_history: History, item: QAItem) -> Iterator[Problem]:
    """No question is put under a condition that is contrary to the history."""
    found = _CONTRARY.match(item.question.text)
    if found:
        yield problem(
            item.id,
            ("question", "text"),
            "what the history tells, not what might have been",
            found.group(),
            "ask without the condition, or mark the item as not answerable",
        )


@unbacked_rule("asking.unit", Severity.WARNING, _SOURCE)
def unit(history: History, item: QAItem) -> Iterator[Problem]:
    """A length of time is given in the unit that the question asks for, and clocks count none."""
    asked = _UNIT_ASKED.search(item.question.text)
    if asked and asked["unit"].casefold() in _OF_CALENDARS and _tells_hours(history, item, asked):
        yield problem(
            item.id,
            ("question", "text"),
            "minutes or hours: the evidence gives hours of one day",
            asked.group(),
            "ask for the unit of the gold, or cite the days that are meant",
        )
    for at, value in enumerate(item.answer.values if asked else ()):
        given = _UNIT_GIVEN.fullmatch(value)
        if asked and given and given["unit"].casefold() != asked["unit"].casefold():
            yield problem(
                item.id,
                ("answer", "values", at),
                f"a number of {asked['unit']}s",
                value,
                "ask for the unit of the gold, or give the gold in the one asked for",
            )


def _tells_hours(history: History, item: QAItem, asked: re.Match[str]) -> bool:
    """Whether the evidence of one day gives hours, and neither another day nor the unit asked."""
    spoken = [one for each in history.cited(item) for one in said_in_round(history.bundle, each)]
    text = " . ".join(history.shown[each.id] for each in history.cited(item)).casefold()
    another = any(one.dates or names_a_date(one.text) for one in spoken)
    alone = len({one.day for one in spoken}) == 1 and not another
    hours = any(_CLOCK.search(one.text) for one in spoken)
    return alone and hours and asked["unit"].casefold() not in text


@unbacked_rule("asking.supposes", Severity.WARNING, _SOURCE)
def supposes(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question takes for granted, as a time or occasion, the history speaks of."""
    found = _TAIL.search(item.question.text)
    if found is None or weighs_statement(item.question.text) or not found.start():
        return
    strange = [
        thing
        for thing in _THING.findall(found["tail"])
        if thing not in _VAGUE and is_unheard(history, thing)
    ]
    if strange:
        yield problem(
            item.id,
            ("question", "text"),
            "an occasion that the history speaks of",
            found.group().rstrip("?"),
            "drop the clause, or mark the item as not answerable",
        )


@unbacked_rule("asking.whom", Severity.WARNING, _SOURCE)
def whom(history: History, item: QAItem) -> Iterator[Problem]:
    """A question says whom it is about: where two people talk, "their pets" are nobody's."""
    text = item.question.text
    nobody = len(history.humans) >= _TWO and not _NAME.search(text) and not history.named(text)
    found = _MISPLACED.search(text) or (_THIRD.search(text) if nobody else None)
    if found:
        yield problem(
            item.id,
            ("question", "text"),
            "a name for whom it asks about",
            found.group(),
            "name them",
        )


@unbacked_rule("asking.either", Severity.WARNING, _SOURCE)
def either(_history: History, item: QAItem) -> Iterator[Problem]:
    """Of two things that a question offers one is not the other."""
    found = _TWICE_OFFERED.search(item.question.text)
    if found:
        yield problem(
            item.id, ("question", "text"), "two things", found.group(), "write what was meant"
        )


@unbacked_rule("asking.kind", Severity.WARNING, _SOURCE)
def kind(_history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks when gets a time, and who asks how many a number."""
    for asks, gives, wanted in _KINDS:
        gold = " ".join(item.answer.values)
        if gold and asks.match(item.question.text) and not gives.search(gold):
            yield problem(
                item.id,
                ("answer", "values"),
                wanted,
                item.answer.values,
                "correct the gold, or ask for what it is",
            )
