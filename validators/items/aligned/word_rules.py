"""Rules on the words of question and gold: the evidence says them, and does not deny them."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.validators.items.aligned.clauses import claims, forms, is_worded, recalled
from memassay.validators.items.aligned.marked import unsaid_marks
from memassay.validators.items.dates.gold_dates import gold_date
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    counts,
    openings,
    recalls_words,
    roots,
    unbacked_rule,
)
from memassay.validators.items.unbacked.list_rules import MEMBERS
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "our choice: golds and questions that the evidence does not say"
_FEWEST: Final = 2
_DENIES: Final = re.compile(
    r"\b(?:not|never|cannot|no longer)\b(?! (?:only|just|quite|sure|expect))"
    r"|\b(?!can|could|is)\w+n['’]t\b"
    r"(?! (?:only|just|wait|resist|decide|help|believe|forget|worry|take|sure|expect|let))",
    re.IGNORECASE,
)
_DENIAL_ASKED: Final = re.compile(
    r"\b(?:not|never|no|least|un\w+|without|lack\w*|fail\w*|avoid\w*|stop\w*|miss\w*|difficult\w*"
    r"|hard|struggl\w*|refus\w*|prevent\w*|how often|correct\w*|issue|problem)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"[,;:–—]\s|\b(?:but|so|because|though|although|since|as|and|when|while|that|until|if|unless"
    r"|or)\b"
)
_WANTED: Final = re.compile(
    r"\b(?:wanted|planned|hoped|meant|intended|tried|going|supposed) to\b", re.IGNORECASE
)
_ONLY: Final = re.compile(
    r"(?<!not )\b(?:only|sole|solely|exclusively)\b(?! (?:return|answer|use|the image|one word))",
    re.I,
)
_ONLY_SAID: Final = re.compile(
    r"\b(?:only|sole\w*|exclusive\w*|alone|single|nothing (?:but|else)|no other|nobody else)\b",
    re.IGNORECASE,
)
_INSTRUCTION: Final = re.compile(r"(?<=[.?!]) |\(|\bplease\b", re.IGNORECASE)
_GOVERNED: Final = 3
"""So many words behind a denial are what it denies."""


@unbacked_rule("claims.marked", Severity.WARNING, _SOURCE, applies=is_worded)
def marked(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks what was cancelled, lost or sold has evidence that says so."""
    around = [one for each in history.cited(item) for one in (each, *history.near(each))]
    said = " . ".join(history.shown[each.id] for each in around)
    for where, text in claims(item) if around else ():
        unsaid = unsaid_marks(text, said)
        if unsaid:
            expected = "what the evidence says, in any words for it"
            fix = "correct it, or cite the place that says it"
            yield problem(item.id, where, expected, ", ".join(unsaid), fix)
            return


@unbacked_rule("claims.own_words", Severity.WARNING, _SOURCE, applies=recalls_words)
def own_words(history: History, item: QAItem) -> Iterator[Problem]:
    """Of what a gold says beyond its question, the evidence or a round near it says a word."""
    cited = history.cited(item)
    around = [one for each in cited for one in (each, *history.near(each))]
    shows = any(turn.attachments for each in cited for turn in each.turns)
    if not cited or shows or counts(item):
        return
    said = openings(history.said(around))
    for where, value in recalled(item):
        own = roots(value) - history.names - history.asked(item)
        if gold_date(value) is None and len(own) >= _FEWEST and not openings(own) & said:
            expected = "a gold of which the evidence says more than the question"
            fix = "correct the gold, or cite the place that says it"
            yield problem(item.id, where, expected, value, fix)
            return


@unbacked_rule("claims.denied", Severity.WARNING, _SOURCE, applies=is_worded)
def denied(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question or gold says, the clause of the evidence that tells of it does not deny."""
    if _DENIAL_ASKED.search(item.question.text):
        return
    turns = [turn for each in history.cited(item) for turn in each.turns]
    told = [part for turn in turns for part in sentences(turn.text) if not part.endswith("?")]
    clauses = [clause for part in told for clause in _CLAUSE.split(part)]
    for where, value in recalled(item):
        if _DENIES.search(value) or gold_date(value) is not None:
            continue
        for part in MEMBERS.split(value):
            against = _all_deny(openings(roots(part) - history.names), clauses)
            if against:
                fix = "correct the gold, or cite the place that says it"
                yield problem(
                    item.id, where, f"what the evidence does not deny ({against})", part, fix
                )
                return
    against = _asked_denied(openings(history.asked(item)), told)
    if against:
        fix = "correct the question, or cite the place that says it"
        got = item.question.text
        yield problem(item.id, ("question", "text"), f"what is not denied ({against})", got, fix)


@unbacked_rule("claims.only", Severity.WARNING, _SOURCE, applies=is_worded)
def only(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question calls the only one, the evidence calls so."""
    found = _ONLY.search(_INSTRUCTION.split(item.question.text)[0])
    text = history.text(item)
    if found and text and not _ONLY_SAID.search(text):
        expected = "what the evidence calls the only one"
        fix = "take out the word, or cite the place that says it"
        yield problem(item.id, ("question", "text"), expected, found[0], fix)


def _all_deny(gold: Words, clauses: list[str]) -> str | None:
    """A clause that denies some words, where each clause that says most of them does."""
    saying = [each for each in clauses if gold and 2 * len(gold & forms(each)) > len(gold)]
    denying = [each for each in saying if _denies(gold, each)]
    return denying[0].strip() if denying and len(denying) == len(saying) else None


def _asked_denied(asked: Words, told: list[str]) -> str | None:
    """The best clause for what is asked, if it denies that or says that it was only meant to be."""
    clauses = [(each, part) for part in told for each in _CLAUSE.split(part)]
    most = max((len(asked & forms(each)) for each, _ in clauses), default=0)
    best = [(each, part) for each, part in clauses if len(asked & forms(each)) == most]
    if most < _FEWEST or not all(
        _denies(asked, each) or _only_meant(each, part) for each, part in best
    ):
        return None
    return best[0][1]


def _denies(some: Words, clause: str) -> bool:
    """Whether a clause denies one of the words right behind a denial."""
    found = _DENIES.search(clause)
    behind = clause[found.end() :].split()[:_GOVERNED] if found else []
    return bool(some & forms(" ".join(behind)))


def _only_meant(clause: str, sentence: str) -> bool:
    """Whether a sentence says of a clause that somebody meant to, and goes on with a denial."""
    meant, _, rest = sentence.partition(clause)
    return bool(_WANTED.search(clause) and _DENIES.search(rest) and not meant.strip())
