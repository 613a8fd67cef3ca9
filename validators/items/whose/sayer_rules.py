"""A rule on who said it: what a question takes for words of one of two, the other one said."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.question import QAItem
from memassay.validators.items.unbacked.index import (
    History,
    asks_directly,
    openings,
    roots,
    said_in,
    unbacked_rule,
)
from memassay.validators.registry import problem

_SAYS: Final = (
    r"(?:say|said|tell|told|recommend\w*|suggest\w*|describ\w*|compar\w*|point(?:ed)? out"
    r"|mention\w*|highlight\w*|explain\w*|advis\w*|propos\w*|claim\w*|call(?:ed)?"
    r"|draw|drew|lay out|laid out|use[d]?(?= to (?:describe|compare|explain))|bring up"
    r"|brought up|put forward|c[ao]me up with|encourag\w*|give|gave|offer\w*|provid\w*"
    r"|identif\w*|list\w*|ask\w*|refram\w*|respond\w*|note\w*|stat(?:e|ed))"
)
_SAYER: Final = re.compile(
    r"\b(?P<who>assistant|user|[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?: (?:her|him)self| themselves)?,? "
    rf"(?:(?:\w+ly|first|later) )?{_SAYS}\b"
)
_SAID: Final = 0.5
"""Share of a gold in the words of the one who said it."""
_UNSAID: Final = 0.25
"""The same in the words of one who did not."""


def _names_sayer(item: QAItem) -> bool:
    return asks_directly(item) and _SAYER.search(item.question.text) is not None


@unbacked_rule(
    "claims.sayer", Severity.WARNING, "Mem-Gallery data, read by hand", applies=_names_sayer
)
def sayer(history: History, item: QAItem) -> Iterator[Problem]:
    """Of a person and the assistant the evidence has the one say a gold whom the question names."""
    kind = _kind(history, item)
    gold = history.gold(item)
    if kind is None or not gold:
        return
    shares = {one: _share(history, item, one) for one in (SpeakerKind.HUMAN, SpeakerKind.ASSISTANT)}
    own = shares.pop(kind)
    ((other, said),) = shares.items()
    if said >= _SAID and own <= _UNSAID:
        name = "the assistant" if other is SpeakerKind.ASSISTANT else history.humans[0].name
        yield problem(
            item.id,
            ("question", "text"),
            f"{name}, who says it in the evidence",
            item.question.text,
            "ask what the other one said, or cite the place that is meant",
        )


def _kind(history: History, item: QAItem) -> SpeakerKind | None:
    """Whether a person or the assistant is to have said it; None where nobody can tell."""
    found = _SAYER.search(item.question.text)
    kinds = [each.kind for each in history.bundle.conversation.speakers]
    if not found or SpeakerKind.ASSISTANT not in kinds or len(history.humans) != 1:
        return None
    if found["who"] == "assistant":
        return SpeakerKind.ASSISTANT
    first = history.humans[0].name.split()[:1]
    return SpeakerKind.HUMAN if found["who"].split()[0] in ("user", *first) else None


def _share(history: History, item: QAItem, kind: SpeakerKind) -> float:
    """How much of a gold those of a kind say in the evidence."""
    of_kind = {each.id for each in history.bundle.conversation.speakers if each.kind is kind}
    turns = [turn for each in history.cited(item) for turn in each.turns]
    said = openings(roots(" . ".join(turn.text for turn in turns if turn.speaker in of_kind)))
    gold = history.gold(item)
    return history.weight(said_in(gold, said)) / history.weight(gold)
