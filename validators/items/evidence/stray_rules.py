"""Rules on places among others that say nothing about the item: mistyped ids, mere questions."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.text import tokens
from memassay.validators.places import evidence_places
from memassay.validators.registry import problem
from memassay.validators.texts.history import (
    History,
    counts,
    is_unbacked,
    openings,
    recalls,
    session_of,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.texts.spoken import sentences_of
from memassay.validators.wording import sentences

_SOURCE: Final = "LoCoMo data, a mistyped place among several"
_SEVERAL: Final = 2
_ENOUGH: Final = 0.3
"""Share of a question that a place without a word of the gold must say to be the one meant."""
_MANY: Final = 11
"""From so many places a gold is concluded, and words cannot tell which do not belong to it."""
_FEW: Final = 2
_HOW_MANY: Final = re.compile(r"\bhow many (?P<what>[a-z]+)", re.IGNORECASE)
_UNITS: Final = frozenset({"times", "days", "weeks", "months", "years", "hours", "minutes"})
_ORDINAL: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|another|new|more|one|two|three|four|five|six)\b",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    r"(?:hey|hi|hello|oh|wow|thanks|thank you|cool|nice|great|awesome|long time|good to|glad|sure"
    r"|yeah|yep|no problem|ok|okay|haha|aw+|morning|good morning)\b",
    re.IGNORECASE,
)
_OF_SELF: Final = re.compile(r"\b(?:I|my|mine|me|we|our|us)\b(?!['’]?s\b)")
_SHORT: Final = 6
"""Tokens of a greeting, at most."""


def _cites_or_counts(item: QAItem) -> bool:
    several = len(evidence_places(item)) >= _SEVERAL
    return several and (
        (recalls(item) and not counts(item)) or (is_unbacked(item) and bool(_what_counted(item)))
    )


def _what_counted(item: QAItem) -> str | None:
    """What a question counts; none for "how many times", of which each may be told in any words."""
    found = _HOW_MANY.search(item.question.text)
    return None if found is None or found["what"] in _UNITS else found["what"]


def _lost_places(history: History, item: QAItem) -> list[tuple[Round, Round | None]]:
    """Places that share no word with the item, each with the round that may have been meant."""
    cited = history.evidence(item)
    alone = [each for each in cited if _is_stray(history, item, each)]
    # What belongs to the exchange of another place goes on with it: "I bought it in Paris."
    kept = [each for each in cited if each not in alone]
    lost = [each for each in alone if not any(_goes_on(history, item, one, each) for one in kept)]
    # Where most places share no word with the item, words cannot tell which of them are wrong.
    few = len(lost) <= min(_FEW, len(cited) // 2) and len(cited) < _MANY
    return [(each, _place_meant(history, item, each)) for each in lost] if few else []


@unbacked_rule("support.mistyped", Severity.WARNING, _SOURCE, applies=_cites_or_counts)
def mistyped_place(history: History, item: QAItem) -> Iterator[Problem]:
    """No place shares no word with question and gold where its session has one that says them."""
    for each, meant in _lost_places(history, item):
        if meant is not None:
            yield problem(
                item.id,
                ("evidence", "canonical"),
                f"a place that speaks of what is asked, such as {meant.id}",
                each.id,
                "cite the place that is meant",
            )


def _goes_on(history: History, item: QAItem, told: Round, other: Round) -> bool:
    """Whether a round belongs to what another tells; a session tells at once what is counted."""
    if _what_counted(item):
        return session_of(told) == session_of(other)
    return other in history.near(told)


def _place_meant(history: History, item: QAItem, lost: Round) -> Round | None:
    """The round of the session that says most of question and gold."""
    known = {each.id for each in history.evidence(item)}
    people = {each.id for each in history.people_in(item.question.text)}
    gold = history.gold_words(item)
    wanted = history.question_words(item) | gold
    found = [
        each
        for each in history.rounds
        if session_of(each) == session_of(lost)
        and each.id not in known
        and (gold & history.words[each.id] or _asks_of(history, item, each))
        and (not people or people & speakers_of(each))
    ]
    return max(
        found, key=lambda each: history.weight(wanted & history.words[each.id]), default=None
    )


def _asks_of(history: History, item: QAItem, place: Round) -> bool:
    asked = history.question_words(item)
    shared = history.weight(asked & history.words[place.id])
    return bool(shared) and shared >= _ENOUGH * history.weight(asked)


def _is_stray(history: History, item: QAItem, cited: Round) -> bool:
    """Whether a round, the one it answers included, shares no word with question and gold.

    Words cannot tell it of a round that shows something: its picture may be the evidence.
    """
    if any(turn.attachments for turn in cited.turns):
        return False
    if _what_counted(item) and _ORDINAL.search(history.texts[cited.id]):
        return False
    wanted = history.question_words(item) | history.gold_words(item)
    before = history.before(cited)
    said = history.words[cited.id] | (history.words[before.id] if before else frozenset())
    dated = item.type is QuestionType.TEMPORAL and any(
        each.dates for each in sentences_of(history.bundle, cited)
    )
    return bool(wanted) and not dated and not (openings(wanted) & openings(said))


@unbacked_rule(
    "support.asked",
    Severity.INFO,
    "LoCoMo data, evidence that only asks",
)
def mere_question(history: History, item: QAItem) -> Iterator[Problem]:
    """No place only greets or asks, unless the answer to it is cited too or its words are meant."""
    cited = history.evidence(item)
    known, gold = {each.id for each in cited}, history.gold_words(item)
    for each in cited if len(cited) < _MANY else ():
        after = history.after(each)
        told = after is not None and bool(gold & history.words[after.id])
        such = f", such as {after.id}" if after is not None and told else ""
        only = all(_greets_or_asks(turn) for turn in each.turns)
        if only and not gold & history.words[each.id] and not (after and after.id in known):
            yield problem(
                item.id,
                ("evidence", "canonical"),
                f"a place that says something{such}",
                f"{each.id}, which only greets or asks",
                "cite the round that answers",
            )


def _greets_or_asks(turn: Turn) -> bool:
    """Whether a turn says nothing: questions to the other, courtesies, and no picture."""
    return not turn.attachments and all(
        (part.rstrip().endswith("?") and not _OF_SELF.search(part))
        or (_GREETING.match(part.strip()) and len(tokens(part)) <= _SHORT)
        for part in sentences(turn.text)
    )
