"""Rules on names in questions: whom and which place a question names, its evidence speaks of."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.question import QAItem
from memassay.validators.items.unbacked.heard import KNOWN_WORDS
from memassay.validators.items.unbacked.index import (
    History,
    asks_directly,
    session_of,
    unbacked_rule,
)
from memassay.validators.registry import problem

_LETTERS: Final = 4
_PERSON: Final = re.compile(
    r"\b(?:(?:did|does|do|has|have|had|by) (?P<actor>[A-Z][a-zà-ÿ]{2,})\b(?! [A-Z])"
    r"|(?P<owner>[A-Z][a-zà-ÿ]{2,})['’]s (?=[A-Za-z]))"
)

_PLACE: Final = re.compile(
    r"\b(?:in|at|from|to|near|around) (?:the )?(?P<place>[A-Z][a-zà-ÿ'’-]{3,})(?: [A-Z][\w'’-]+)*"
    r"(?=[?,.]| (?:with|on|in|at|for|to|during|and|last|by|when|after|before|as)\b)"
)
_ASKS_PLACE: Final = re.compile(
    r"\b(?:which|what) (?:\w+ )?(?:places?|cit(?:y|ies)|countr(?:y|ies)|states?|landmarks?"
    r"|regions?)\b",
    re.IGNORECASE,
)


def _is_of_assistant(history: History) -> bool:
    """Whether one person talks to an assistant: what is told of others is told by that one."""
    kinds = [each.kind for each in history.bundle.conversation.speakers]
    return SpeakerKind.ASSISTANT in kinds and kinds.count(SpeakerKind.HUMAN) == 1


def _names_somebody(item: QAItem) -> bool:
    return asks_directly(item) and _PERSON.search(item.question.text) is not None


@unbacked_rule("asking.person", Severity.WARNING, "Mem-Gallery data", applies=_names_somebody)
def person(history: History, item: QAItem) -> Iterator[Problem]:
    """Whom a question says did or has something, its evidence or a round near it speaks of."""
    cited = history.cited(item)
    if not cited or not _is_of_assistant(history):
        return
    around = [one for each in cited for one in (each, *history.near(each))]
    said = " . ".join(history.shown[each.id] for each in around).casefold()
    known = " ".join(each.name for each in history.bundle.conversation.speakers).casefold()
    for found in _PERSON.finditer(item.question.text):
        name = found["actor"] or found["owner"]
        short = name[:_LETTERS].casefold()
        # What is asked of a thing (the museum's hall) begins with a small letter; a name in the
        # gold needs no second mention.
        if short not in said and short not in known and name not in " ".join(item.answer.values):
            yield problem(
                item.id,
                ("question", "text"),
                "somebody of whom the evidence speaks",
                name,
                "name the one who is meant, or cite the place that speaks of them",
            )
            return


def _names_place(item: QAItem) -> bool:
    asked = item.question.text
    plain = asks_directly(item) and not item.question.attachments
    return plain and _PLACE.search(asked) is not None and not _ASKS_PLACE.search(asked)


@unbacked_rule("asking.place", Severity.WARNING, "LoCoMo data", applies=_names_place)
def place(history: History, item: QAItem) -> Iterator[Problem]:
    """Of a place that a question names, and the history, the session that answers speaks, too."""
    sessions = {session_of(each) for each in history.cited(item)}
    told = {each.id: history.shown[each.id].casefold() for each in history.rounds}
    near = " . ".join(told[each.id] for each in history.rounds if session_of(each) in sessions)
    people = " ".join(each.name for each in history.bundle.conversation.speakers).casefold()
    for found in _PLACE.finditer(item.question.text) if sessions else ():
        name = found["place"].casefold()
        short = name[:_LETTERS]
        known = name in KNOWN_WORDS or short in people or short in near
        if not known and any(name in text for text in told.values()):
            yield problem(
                item.id,
                ("question", "text"),
                "a place of which the session of the evidence speaks",
                found["place"],
                "name the place that is meant, or cite where it is told of",
            )
            return
