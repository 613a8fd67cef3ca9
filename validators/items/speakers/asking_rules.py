"""Rule on names in questions: the evidence speaks of the person whom a question names."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.question import QAItem
from memassay.validators.registry import problem
from memassay.validators.texts.history import (
    History,
    asks_directly,
    unbacked_rule,
)

_LETTERS: Final = 4
_PERSON: Final = re.compile(
    r"\b(?:(?:did|does|do|has|have|had|by) (?P<actor>[A-Z][a-zà-ÿ]{2,})\b(?! [A-Z])"
    r"|(?P<owner>[A-Z][a-zà-ÿ]{2,})['’]s (?=[A-Za-z]))"
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
