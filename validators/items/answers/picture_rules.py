"""Rule on pictures that several items are about: they agree on what the pictures show."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.registry import RULES, problem
from memassay.validators.texts.history import History, history_of, is_unbacked, openings, roots

_LEAST: Final = 2
"""Pictures that make a series, and items that agree on its name."""


def _names_pictures(item: QAItem) -> bool:
    named = item.type is QuestionType.LEARNED_CONCEPT and item.answer.format is AnswerFormat.FREE
    return named and is_unbacked(item) and len(item.answer.values) == 1


def _pictures(history: History, item: QAItem) -> frozenset[str]:
    """Ids of the pictures of the cited rounds; none if one of these shows no picture."""
    shown = [
        {one.id for turn in each.turns for one in turn.attachments}
        for each in history.evidence(item)
    ]
    return frozenset[str]().union(*shown) if all(shown) else frozenset()


@RULES.conversation(
    "pictures.named",
    Severity.INFO,
    "Mem-Gallery data, several items about one series of pictures",
    looks_at=LooksAt.CONVERSATION,
)
def other_name(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """What one series of pictures shows has one name, in whichever item."""
    items = [item for item in bundle.questions if _names_pictures(item)]
    history = history_of(bundle.history) if items else None
    series: dict[frozenset[str], list[QAItem]] = {}
    for item in items if history else ():
        if history and len(cited := _pictures(history, item)) >= _LEAST:
            series.setdefault(cited, []).append(item)
    for group in series.values():
        golds = [openings(roots(each.answer.values[0])) for each in group]
        usual = max(golds, key=lambda one: sum(bool(one & other) for other in golds))
        agreed = sum(bool(usual & other) for other in golds)
        name = group[golds.index(usual)].answer.values[0]
        for item, gold in zip(group, golds, strict=True):
            alike = sum(bool(gold & other) for other in golds)
            if not gold & usual and agreed > alike and agreed >= _LEAST:
                yield problem(
                    item.id,
                    ("answer", "values", 0),
                    f"{name}, as {agreed} items about the same pictures say",
                    item.answer.values[0],
                    "correct the gold, or cite the pictures that are meant",
                )
