"""A rule on who did it: what a person is asked of, the evidence tells of them, not of their kin."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.validators.items.unbacked.index import (
    History,
    is_unbacked,
    roots,
    unbacked_rule,
    weighs_statement,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_KIN: Final = (
    r"(?:(?:little|big|old(?:er)?|young(?:er)?|best|elder|step|half|grand|ex|late)[ -]?)*"
    r"(?:mom|mum|mother|dad|father|parents?|sisters?|brothers?|siblings?|cousins?|aunts?|aunties?"
    r"|uncles?|nieces?|nephews?|sons?|daughters?|kids?|child(?:ren)?|husband|wife|partner"
    r"|girlfriend|boyfriend|fianc[eé]e?|grand(?:ma|pa|mother|father)|granny|friends?|buddy|pal"
    r"|colleagues?|co-?workers?|roommate|flatmate|neighbou?rs?|boss|in-laws?)"
)
_MY_KIN: Final = rf"(?P<kin>my {_KIN})\b"
_DOER: Final = re.compile(
    rf"(?:^|[,:;—] ?|\b(?:and|but|so|since|that|when|while|because|yesterday|today|week|month"
    rf"|then|also|did|has|had|yeah|btw|way|know|guess|think)[,!]? ){_MY_KIN}", re.IGNORECASE
)
"""Somebody of theirs who does something, and to whom nothing is done."""
_SELF: Final = re.compile(
    r"\b(?:me|us)\b|(?:^|[,:;] ?|\b(?:and|but|so|since|that|when|while|because|then|which) )"
    r"(?:I|[Ww]e)\b"
)
"""The speaker, who does something too, or to whom it is done; not in "a shelter I know"."""
_ANY_KIN: Final = re.compile(rf"\b{_KIN}\b", re.IGNORECASE)
_ASKS_OF: Final = re.compile(
    r"\b(?:did|does|do|has|have|had|is|was) (?P<actor>[A-Z][a-zà-ÿ]+)\b"
    r"|(?P<owner>[A-Z][a-zà-ÿ]+)['’`]s "
)


def _names_doer(item: QAItem) -> bool:
    asked = item.question.text
    return (
        is_unbacked(item)
        and not weighs_statement(asked)
        and _ASKS_OF.search(asked) is not None
        and not _ANY_KIN.search(" ".join([asked, *item.answer.values]))
    )


@unbacked_rule("whose.doer", Severity.WARNING, "LoCoMo data", applies=_names_doer)
def doer(history: History, item: QAItem) -> Iterator[Problem]:
    """What a person is said to have done, they tell of themselves, not of somebody of theirs."""
    found = _ASKS_OF.search(item.question.text)
    actors = {each.id for each in history.named(found["actor"] or found["owner"])} if found else set[str]()
    about = history.asked(item) | history.gold(item)
    best, place, kin = 0.0, "", ""
    for turn in (turn for each in history.cited(item) for turn in each.turns):
        if turn.speaker not in actors:
            continue
        by = ""
        for part in sentences(turn.text):
            by = _doer(part) or (by if part[0].islower() and not _SELF.search(part) else "")
            weight = history.weight(about & roots(part))
            if weight > best or (weight == best and not by):
                best, place, kin = weight, f"{turn.id}: {part}", by
    if kin:
        yield problem(
            item.id,
            ("question", "text"),
            f"somebody who did it themselves, not {kin}",
            place,
            "ask of the one who did it, or cite the place that tells of this one",
        )


def _doer(part: str) -> str:
    """Whose kin a sentence tells of, if it tells of nothing that the speaker does."""
    doer = _DOER.search(part)
    return doer["kin"] if doer and not _SELF.search(part) else ""
