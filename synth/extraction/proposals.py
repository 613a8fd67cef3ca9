"""Questions that a model proposes about a dialogue: mended once, proven by one fact or not."""

import re
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from memassay.schemas.base import Modality
from memassay.schemas.errors import QueryError
from memassay.schemas.queries.answers import answer_values
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import Answer, AnswerFormat, Evidence, QAItem
from memassay.schemas.values.civil_time import day_forms
from memassay.schemas.values.text import content_tokens, normalise
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.questions.drafts import Query, get, select
from memassay.synth.questions.recall import answer_format

_SPAN: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)? ?[^\W\d]*", re.UNICODE)


class Problem(NamedTuple):
    """Why a draft is no item.

    Attributes:
        reason: A word of `DropReason`, or the id of the rule it would break.
        said: What is wrong, for the model that mends it and for the tally.
    """

    reason: str
    said: str


Checked = tuple[QAItem | None, list[Problem]]
"""The item of a draft, and what is wrong with it."""


def mend_once(
    draft: ItemDraft,
    check: Callable[[ItemDraft], Checked],
    mend: Callable[[ItemDraft, list[str]], ItemDraft],
) -> tuple[ItemDraft, QAItem | None, list[Problem]]:
    """A draft that was sent back if it does not fit, with its item and what is wrong with it.

    Args:
        draft: What was proposed.
        check: Makes its item.
        mend: Gives a draft mended, told what is wrong with it.
    """
    item, problems = check(draft)
    if problems:
        draft = mend(draft, [one.said for one in problems])
        item, problems = check(draft)
    return draft, item, problems


class Proof(NamedTuple):
    """What executing the query of a question gives."""

    answer: Answer
    query: Query
    evidence: Evidence


def proof_by_fact(
    draft: ItemDraft,
    fact: Fact,
    ledger: Ledger,
    places: Sequence[str],
    modalities: Collection[Modality] = (Modality.TEXT,),
    at: str = "",
) -> Proof | None:
    """Answer, query and evidence by execution; None unless a fact gives the gold of a question.

    The question must be worded about that fact: it shares a content word with its property.

    Args:
        draft: The question.
        fact: The fact.
        ledger: The ledger of the conversation.
        places: Rounds that the model names as evidence.
        modalities: Where the fact may be seen.
        at: When the value is asked for, as queries say it; always, where nothing is said.
    """
    if not _asks_for(draft.question, fact):
        return None
    of = select(fact)
    query = get({"op": "as_of", "of": of, "at": at} if at else of)
    try:
        execution = execute(parse_query(query), ledger)
        values = answer_values(execution, answer_format(fact))
        evidence = evidence_of(execution, ledger, modalities=list(modalities))
    except QueryError:
        return None
    groups = {place for group in evidence.groups for place in group}
    if not _same_gold(values[0], draft.answers[0], fact) or not set(places) <= groups:
        return None
    is_date = answer_format(fact) is AnswerFormat.DATE
    answer = Answer(
        format=answer_format(fact),
        values=values,
        equivalents=list(day_forms(values[0])) if is_date else [],
        coarser=[one for one in draft.answers[1:] if normalise(one) != normalise(values[0])],
    )
    return Proof(answer, query, evidence)


def _asks_for(question: str, fact: Fact) -> bool:
    return bool(set(content_tokens(question)) & set(content_tokens(fact.attribute)))


def _same_gold(value: str, gold: str, fact: Fact) -> bool:
    if answer_format(fact) is AnswerFormat.DATE:
        return gold in {value, *day_forms(value)}
    if answer_format(fact) is AnswerFormat.NUMBER and _SPAN.fullmatch(gold):
        number = gold.split()[0] if " " in gold else re.sub(r"[^\d.-]+$", "", gold)
        return normalise(value) == normalise(gold) or Decimal(number) == Decimal(fact.value.text)
    return normalise(value) == normalise(gold)
