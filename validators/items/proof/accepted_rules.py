"""Rules on what counts as right or wrong beside the gold: other wordings, coarser ones, rivals."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.validators.items.proof.accepted import Accepted
from memassay.validators.items.proof.verdict import Verdict
from memassay.validators.registry import problem, question_rule

_SOURCE: Final = "M3Exam B.2, answers from full to coarse; memassay records, answers"
_LESS_FIX: Final = "list it among the coarser answers"
_COARSER_FIX: Final = "list what follows from the gold and says less, or drop it"


def _has_equivalents(item: QAItem) -> bool:
    return bool(item.answer.equivalents)


def _has_coarser(item: QAItem) -> bool:
    return bool(item.answer.coarser)


def _has_rivals(item: QAItem) -> bool:
    return bool(item.answer.competitors or item.answer.traps)


@question_rule("accepted.equivalent", Severity.ERROR, _SOURCE, _has_equivalents)
def equivalent(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """No equivalent says something else than the gold; none of a number or a date says less."""
    wrong = {Verdict.OTHER: "correct it or drop it; a reader who gives it would be right"}
    if item.answer.format is not AnswerFormat.FREE:
        wrong[Verdict.COARSER] = _LESS_FIX
    yield from _problems(
        Accepted(bundle, item, context), "equivalents", "the gold in other words", wrong
    )


@question_rule("accepted.equivalent_unproven", Severity.WARNING, _SOURCE, _has_equivalents)
def equivalent_unproven(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """An equivalent follows from the gold, its unit, its format or the names of the ledger.

    Words that say less may mean the same all the same: `the lugsail` where there is one.
    """
    wrong = {Verdict.UNSURE: "read it beside the gold; keep it if both always mean the same"}
    if item.answer.format is AnswerFormat.FREE:
        wrong[Verdict.COARSER] = f"{_LESS_FIX}, unless nothing else is called so"
    yield from _problems(
        Accepted(bundle, item, context), "equivalents", "the gold in other words", wrong
    )


@question_rule("accepted.coarser", Severity.ERROR, _SOURCE, _has_coarser)
def coarser(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """No coarser answer says something else than the gold."""
    wrong = {Verdict.OTHER: _COARSER_FIX}
    yield from _problems(Accepted(bundle, item, context), "coarser", "less of the gold", wrong)


@question_rule("accepted.coarser_unproven", Severity.WARNING, _SOURCE, _has_coarser)
def coarser_unproven(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """A coarser answer follows from the gold."""
    wrong = {Verdict.UNSURE: f"read it beside the gold; {_COARSER_FIX}"}
    yield from _problems(Accepted(bundle, item, context), "coarser", "less of the gold", wrong)


def _problems(
    gold: Accepted, name: str, expected: str, wrong: dict[Verdict, str]
) -> Iterator[Problem]:
    item = gold.item
    for at, text in enumerate(getattr(item.answer, name)):
        fix = wrong.get(gold.verdict(text))
        if fix is not None:
            shown = f"{text} beside {'; '.join(gold.values)}"
            yield problem(item.id, ("answer", name, at), expected, shown, fix)


@question_rule("accepted.rival", Severity.ERROR, _SOURCE, _has_rivals)
def rival(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """Nothing that counts as right is listed as a competitor or a trap, which are wrong."""
    answer = item.answer
    golds = [Accepted(bundle, item, context)]
    for text in (*answer.equivalents, *answer.coarser):
        one = item.model_copy(update={"answer": answer.model_copy(update={"values": [text]})})
        golds.append(Accepted(bundle, one, context))
    for name in ("competitors", "traps"):
        for at, text in enumerate(getattr(answer, name)):
            if any(gold.verdict(text) is Verdict.SAME for gold in golds):
                fix = "list it as right or as wrong, not as both"
                yield problem(item.id, ("answer", name, at), "a wrong answer", text, fix)
