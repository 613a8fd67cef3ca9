"""Rule on golds that the question gives away."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.validators.registry import problem
from memassay.validators.texts.history import (
    History,
    Words,
    recalls_words,
    roots,
    unbacked_rule,
)

_SOURCE: Final = "LoCoMo data, golds read by hand"
_LEAST: Final = 2
_ALTERNATIVES: Final = re.compile(r"\bor\b|\bwhich of\b|\bboth\b", re.IGNORECASE)


@unbacked_rule("claims.gold_asked", Severity.WARNING, _SOURCE, applies=recalls_words)
def gold_asked(history: History, item: QAItem) -> Iterator[Problem]:
    """A gold of several words says one that the question does not say."""
    text = item.question.text
    asked: Words = roots(text)
    for at, value in enumerate(item.answer.values):
        own = roots(value) - history.names
        if len(own) >= _LEAST and own <= asked and not _ALTERNATIVES.search(text):
            yield problem(
                item.id,
                ("answer", "values", at),
                "a gold that the question does not say",
                value,
                "reword the question so that it does not give the answer away",
            )
