"""Rules on yes and no with a reason: the reason speaks for it, and a "no" has a denial."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.fitting.verbs import base_forms
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    is_unbacked,
    openings,
    roots,
    said_so,
    unbacked_rule,
    weighs_statement,
    yes_or_no_gold,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds turned round"
_ASKS_DENIED: Final = re.compile(
    r"(?:^|[,:] )(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)"
    r"(?:n['’]t\b| (?:[\w'’]+ ){1,4}?(?:not|never)\b)",
    re.IGNORECASE,
)
_GOOD: Final = re.compile(
    r"\b(?:good|great|happy|successful|productive|easy|enjoyable|smooth\w*|lucky|satisf\w+|proud"
    r"|healthy|content|calm|confident|relax\w+|fun|progress|succeeded|thriv\w+|promot\w+)\b",
    re.IGNORECASE,
)
_BAD: Final = re.compile(
    r"\b(?:bad|hard|difficult|tough|rough|sad|unlucky|stress\w*|unhappy|poor|unhealthy|anxious"
    r"|frustrat\w+|disappoint\w*|painful)\b",
    re.IGNORECASE,
)
_WENT_WRONG: Final = re.compile(
    r"\b(?:setbacks?|los(?:s|t|es|ing)|fail\w*|struggl\w*|problems?|crash\w*|injur\w*|sick|ill"
    r"|trouble\w*|rejected|rejections?|fired|broke|broken|letdown|pain|worr\w+)\b",
    re.IGNORECASE,
)
_LEAVES: Final = re.compile(
    r"\b(?:mov(?:e|ing) (?:away|abroad|out|back|to)|leav(?:e|ing)|abroad|relocat\w+|emigrat\w+"
    r"|another (?:country|city|town|state|job)|quit\w*|give up|giving up|switch\w*"
    r"|chang(?:e|ing) (?:jobs?|careers?))\b",
    re.IGNORECASE,
)
_STAYS: Final = re.compile(
    r"\b(?:specifically|only|exclusively|solely|settled|stays?|staying|rooted|attached to|here"
    r"|committed to|in the process of|loves? (?:it here|h(?:er|is) (?:job|home|town|city)))\b",
    re.IGNORECASE,
)
_NOT: Final = re.compile(r"\b(?:not|never|no|without|nothing|hardly|nor)\b|n['’]t\b", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|without|cannot|neither|nor|hardly|barely|unable|lack\w*"
    r"|fail\w*|refus\w*|avoid\w*|instead|rather|stop\w*|quit|difficult\w*|hard|struggl\w*|tough"
    r"|consider\w*|may|maybe|might|perhaps|still|more|thinking|plan\w*|want\w*|hop(?:e|ing)|wish\w*|prefer\w*"
    r"|original\w*|used to|again|almost|nearly|soon|going to|later|yet"
    r"|only|other|another|different\w*|someone|mistake\w*|wrong|actually|sorry|forg[eo]t\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What denies something, sets something else against it, or leaves it open."""
_LIKELY: Final = re.compile(
    r"\b(?:would|will|likely|might|could|should|may|seem\w*)\b", re.IGNORECASE
)


def _is_yes_or_no(item: QAItem) -> bool:
    gold = is_unbacked(item) and yes_or_no_gold(item) is not None
    return gold and not weighs_statement(item.question.text)


@unbacked_rule("asking.denied", Severity.WARNING, _SOURCE, applies=_is_yes_or_no)
def denied(_history: History, item: QAItem) -> Iterator[Problem]:
    """No question for yes or no denies what it asks: "no" would agree and disagree."""
    found = _ASKS_DENIED.search(item.question.text)
    if found:
        fix = "ask without the denial, and turn the gold round"
        yield problem(item.id, ("question", "text"), "a question without denial", found[0], fix)


@unbacked_rule("claims.reason", Severity.WARNING, _SOURCE, applies=_is_yes_or_no)
def reason(_history: History, item: QAItem) -> Iterator[Problem]:
    """The reason that a gold gives for its yes or no speaks for it, not for the other one."""
    text = item.question.text.partition("?")[0]
    for at, value in enumerate(item.answer.values):
        gold, why = said_so(value), " ".join(tokens(value)[1:])
        if gold is None or not why or _NOT.search(why) or _NOT.search(text):
            continue
        follows = _follows(text, why)
        if follows is not None and follows != gold:
            fix = "turn the gold round, or correct its reason"
            yield problem(item.id, ("answer", "values", at), follows, value, fix)


def _follows(text: str, why: str) -> str | None:
    """The yes or no that a reason without denial gives; None where words alone do not say."""
    good, bad = _GOOD.search(text) is not None, _BAD.search(text) is not None
    up = _GOOD.search(why) is not None
    down = any(each.search(why) for each in (_BAD, _WENT_WRONG))
    if good != bad and up != down:
        return "yes" if good == up else "no"
    return "no" if _LEAVES.search(text) and _STAYS.search(why) else None


@unbacked_rule("claims.undenied", Severity.WARNING, _SOURCE, applies=_is_yes_or_no)
def undenied(history: History, item: QAItem) -> Iterator[Problem]:
    """A bare "no" has evidence that denies it, names something else or leaves it open."""
    text, cited = item.question.text, history.cited(item)
    bare = yes_or_no_gold(item) == "no" and len(tokens(item.answer.values[0])) == 1
    if not bare or item.question.attachments or _LIKELY.search(text) or not cited:
        return
    said = history.text(item)
    people = {each.id for each in history.named(text)}
    about = _asked(history, text)
    told = any(
        about & openings(roots(base_forms(part)))
        for each in cited
        for turn in each.turns
        if not people or turn.speaker in people
        for part in sentences(turn.text)
        if not part.endswith("?")
    )
    if about and told and not _OPEN.search(said):
        fix = "correct the gold, or cite the place that denies it"
        expected = "yes, for no cited place denies it or leaves it open"
        yield problem(item.id, ("answer", "values", 0), expected, item.answer.values[0], fix)


def _asked(history: History, text: str) -> Words:
    return openings(roots(base_forms(text)) - history.names)
