"""Rules on dates in questions: what is asked for happened when the question says so."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.relative_dates import RelativeDate
from memassay.validators.registry import problem
from memassay.validators.texts.asked_dates import (
    AskedDate,
    asked_date,
)
from memassay.validators.texts.gold_dates import GoldDate, names_a_date
from memassay.validators.texts.history import (
    History,
    Words,
    is_unbacked,
    roots,
    session_of,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.texts.intervals import intervals, meets
from memassay.validators.texts.spoken import (
    DatedSentence,
    meanings,
    sentences_of,
    spoken_dates,
)

_SOURCE: Final = "LoCoMo data, dates in questions"
_TELLING: Final = re.compile(
    r"\b(?:shar|show|mention|tell|told|said|say|discuss|describ|talk|ask|recommend|suggest|express"
    r"|reveal|announc|plan|motivat|agree|offer|propos|admir|compliment|thank|invit|remind|encourag"
    r"|think|thought|feel|felt|currently|recently|(?:is|are|will|going|about to)\b|excited)",
    re.IGNORECASE,
)
"""What happens while people talk: the date of the talk is its date."""
_PLANNED: Final = re.compile(
    r"\b(?:plan|arrang|schedul|intend|agree|promis|hope|decid|prepar|look(?:ing)? forward)", re.I
)
_AT_EVENT: Final = re.compile(
    r"\b(?:at|after|during|from|before) (?:the|a|an|her|his|their|its) ([\w' -]+?)\s*$"
)
_ATTENDED: Final = re.compile(
    r"\b(?:at|after|during|from|before) (?:the|a|an|her|his|their|its) ([\w'-]+(?: [\w'-]+){0,3}?)"
    r" (?:that |which )?(?:he|she|they|[A-Z]\w+) (?:had )?(?:attended|visited|joined|hosted|held"
    r"|went to|took part in|participated in|organi[sz]ed)\s*$"
)
_FEWEST: Final = 2
_RECENT: Final = timedelta(days=45)
"""What is told so soon after a month needs no word that says when it was (our choice)."""


def _names_date(item: QAItem) -> bool:
    return is_unbacked(item) and asked_date(item.question.text) is not None


def _meets(span: GoldDate, found: RelativeDate) -> bool:
    return any(each.first <= span.last and span.first <= each.last for each in found.readings)


def _sentences(history: History, item: QAItem) -> list[DatedSentence]:
    return [said for each in history.evidence(item) for said in sentences_of(history.bundle, each)]


@unbacked_rule("dates.question", Severity.WARNING, _SOURCE, applies=_names_date)
def question(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question places at a date happened then, by the words of those who tell it."""
    named = asked_date(item.question.text)
    if named is None:
        return
    for said in _about(history, item, named):
        past = [each for each in said.dates if each.readings[0].first <= said.day]
        if past and not any(_meets(named.span, each) for each in said.dates):
            yield problem(
                item.id,
                ("question", "text"),
                f"the date of {said.round.id} ({meanings(past)})",
                named.words,
                "count again from the day of the session",
            )
            return


def _about(history: History, item: QAItem, named: AskedDate) -> list[DatedSentence]:
    """The sentences that tell when that happened which a question places at a date."""
    spoken = _sentences(history, item)
    text = item.question.text.replace(named.words, " ")
    if any(names_a_date(said.text) or spoken_dates(text, said.day) for said in spoken):
        return []
    now = any(named.span.first <= said.day <= named.span.last for said in spoken)
    if now and _TELLING.search(text):
        return []
    wanted = history.question_words(item) | history.gold_words(item)
    own = [said for said in spoken if said.dates and len(wanted & roots(said.text)) >= _FEWEST]
    return own or _of_event(history, item, named)


def _of_event(history: History, item: QAItem, named: AskedDate) -> list[DatedSentence]:
    """Sentences of the cited sessions, by those who speak there, about the event that has the date.

    "… at the retreat on 9 February": the date belongs to the word in front of it.
    """
    event = _event(history, item.question.text[: named.at])
    cited = history.evidence(item)
    speakers = {(session_of(each), name) for each in cited for name in speakers_of(each)}
    sessions = {name for name, _ in speakers}
    return [
        said
        for each in history.rounds
        if event and session_of(each) in sessions
        for said, after in pairwise([*sentences_of(history.bundle, each), None])
        if said is not None
        and said.dates
        and (session_of(each), said.turn.speaker) in speakers
        and (event <= roots(said.text) or (len(event) >= _FEWEST and event <= _both(said, after)))
    ]


def _both(said: DatedSentence, after: DatedSentence | None) -> Words:
    """The words of a sentence and of the next one: "Something happened last Friday. I went …"."""
    return roots(said.text if after is None else f"{said.text} {after.text}")


def _event(history: History, before: str) -> Words:
    """What has the date: the last word of "at her trip", or all of "the fair that he attended"."""
    attended, phrase = _ATTENDED.search(before), _AT_EVENT.search(before)
    if attended is not None:
        return roots(attended.group(1)) - history.names
    return frozenset() if phrase is None else roots(phrase.group(1).split()[-1]) - history.names


@unbacked_rule("dates.question_unsaid", Severity.INFO, _SOURCE, applies=_names_date)
def other_time(history: History, item: QAItem) -> Iterator[Problem]:
    """At the date that a question names, something is true that its evidence says."""
    named = asked_date(item.question.text)
    spoken = _sentences(history, item)
    days = {said.day for said in spoken}
    if named is None or not days or any(names_a_date(said.text) for said in spoken):
        return
    ahead = max(days) < named.span.first
    if ahead and _PLANNED.search(item.question.text):
        return
    if not ahead and _may_be_meant(named.span, days):
        return
    true_then = any(
        meets(named.span.first, named.span.last, intervals(history, said)) for said in spoken
    )
    if not true_then and (ahead or not _about(history, item, named)):
        yield problem(
            item.id,
            ("question", "text"),
            f"a date of the evidence ({', '.join(map(str, sorted(days)))}) or one it speaks of",
            named.words,
            "correct the date, or cite the place that is meant",
        )


def _may_be_meant(span: GoldDate, days: set[date]) -> bool:
    """Whether a date is that of the evidence, or too coarse or too near to be held against it."""
    if any(span.first <= day <= span.last for day in days):
        return True
    return not _is_day(span) and min(days) - _RECENT <= span.last <= max(days)


def _is_day(span: GoldDate) -> bool:
    return span.exact and span.first == span.last
