"""A rule on who did it: of the person who is asked about the evidence tells, not of their kin."""

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
    rf"|then|also|did|has|had|yeah|btw|way|know|guess|think)[,!]? ){_MY_KIN}",
    re.IGNORECASE,
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


def _asked_of(item: QAItem) -> str:
    found = _ASKS_OF.search(item.question.text)
    return (found["actor"] or found["owner"]) if found else ""


def _names_doer(item: QAItem) -> bool:
    said = " ".join([item.question.text, *item.answer.values])
    named = bool(_asked_of(item)) and not _ANY_KIN.search(said)
    return named and is_unbacked(item) and not weighs_statement(item.question.text)


@unbacked_rule("claims.doer", Severity.WARNING, "LoCoMo data", applies=_names_doer)
def doer(history: History, item: QAItem) -> Iterator[Problem]:
    """What a person is said to have done, they tell of themselves, not of somebody of theirs."""
    people = {each.id for each in history.named(_asked_of(item))}
    about = history.asked(item) | history.gold(item)
    told = [
        (history.weight(about & roots(part)), not kin, f"{turn.id}: {part}", kin)
        for each in history.cited(item)
        for turn in each.turns
        if turn.speaker in people
        for part, kin in _told(turn.text)
    ]
    # Of two sentences that say as much, one that tells of the person is enough.
    _, _, place, kin = max(told, key=lambda one: one[:2], default=(0.0, True, "", ""))
    if kin:
        yield problem(
            item.id,
            ("question", "text"),
            f"somebody who did it themselves, not {kin}",
            place,
            "ask of the one who did it, or cite the place that tells of this one",
        )


def _told(text: str) -> Iterator[tuple[str, str]]:
    """Each sentence of a turn, and whose kin it tells of, where the speaker does nothing in it."""
    kin = ""
    for part in sentences(text):
        found, own = _DOER.search(part), _SELF.search(part)
        if found and not own:
            kin = found["kin"]
        elif own or not part[0].islower():
            kin = ""
        yield part, kin
