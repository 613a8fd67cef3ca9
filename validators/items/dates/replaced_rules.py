"""Rule on answers that were true and are no longer: the speaker gave another value later."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.registry import problem
from memassay.validators.texts.asked_dates import asked_date
from memassay.validators.texts.history import History, asks_directly, unbacked_rule
from memassay.validators.texts.intervals import changes, content, state_in
from memassay.validators.texts.spoken import sentences_of

_PRESENT: Final = re.compile(r"\b(?:does|do|is|are|has|have)\b|['’]s\b", re.IGNORECASE)
_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|used to|before|when|first|previous\w*|old|ever)\b", re.IGNORECASE
)


def _asks_of_now(item: QAItem) -> bool:
    text = item.question.text
    now = _PRESENT.search(text) is not None and _PAST.search(text) is None
    dated = item.type is QuestionType.TEMPORAL or asked_date(text) is not None
    return asks_directly(item) and now and not dated


@unbacked_rule(
    "dates.replaced",
    Severity.WARNING,
    "LongMemEval, knowledge updates: answers that a later session replaces",
    applies=_asks_of_now,
)
def replaced_value(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question asks about now has the value that its speaker gave last."""
    cited, asked = history.evidence(item), history.question_words(item)
    gold = content(" . ".join(item.answer.values)) - asked
    for said in (one for each in cited for one in sentences_of(history.bundle, each)):
        state = state_in(said.text)
        if state is None or not gold or not gold <= state.value or not asked & state.about:
            continue
        later = next((one for one in changes(history, said) if one.round not in cited), None)
        if later is not None and not gold <= content(later.text):
            yield problem(
                item.id,
                ("answer", "values"),
                f"the value that {later.turn.id} gives later ({later.text})",
                item.answer.values,
                "answer with the later value, or ask for the time of the first one",
            )
            return
