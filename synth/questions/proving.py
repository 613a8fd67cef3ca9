"""From a draft to an item: the gold is what its query gives, the evidence what that rests on."""

from collections.abc import Collection, Sequence
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.ids import attachment_id, conversation_of
from memassay.schemas.queries.answers import answer_values
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import Execution, execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.wordings import equivalents
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerOption,
    AnswerRelation,
    AskedAt,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.civil_time import MONTHS, start
from memassay.synth.questions.drafts import Draft

CLOSED: Final = frozenset({AnswerFormat.CHOICE, AnswerFormat.IMAGE_ID})
"""Formats whose answers are labels or ids, which have no other wording."""


def proven_item(
    draft: Draft,
    name: str,
    code: str,
    type_: QuestionType,
    modalities: Sequence[Modality],
    ledger: Ledger,
    told: Collection[frozenset[str]] = (),
    asked_at: AskedAt = AskedAt(),  # noqa: B008 - immutable
) -> QAItem:
    """The item of a draft, without its wording.

    Args:
        draft: The draft; the options of a choice are placed.
        name: Id of the item.
        code: The benchmark's code of its type.
        type_: The nearest type of our taxonomy.
        modalities: Where its answer is read.
        ledger: What its query is executed on.
        told: Groups of rounds that tell what its references describe.
        asked_at: When it is asked.

    Raises:
        MalformedQueryError: Its query is none of the language.
        QueryError: Its query does not prove a fit answer.
    """
    relation = _relation(draft)
    execution = execute(parse_query(draft.query), ledger, asked_at, relation)
    values = answer_values(execution, draft.format)
    return QAItem(
        id=name,
        conversation=conversation_of(name),
        question=QuestionText(
            text=draft.text,
            attachments=[
                Attachment(id=attachment_id("Q", at), asset=asset)
                for at, asset in enumerate(draft.shows, start=1)
            ],
        ),
        answer=_answer(draft, execution, values, relation),
        answerable=draft.format is not AnswerFormat.REFUSAL,
        modalities=list(modalities),
        asked_at=asked_at,
        evidence=evidence_of(execution, ledger, asked_at, list(modalities), told),
        type=type_,
        benchmark_type=code,
        query=draft.query,
        origin=ItemOrigin.MACHINE,
        references=list(draft.references),
    )


def _relation(draft: Draft) -> AnswerRelation:
    """Several values are those of a sequence, or all that a draft asks for."""
    listed = draft.query.get("of", {})
    if isinstance(listed, dict) and listed.get("op") == "sequence":
        return AnswerRelation.ORDERED
    return AnswerRelation.ALL if draft.every else AnswerRelation.ONE


def _answer(
    draft: Draft, execution: Execution, values: list[str], relation: AnswerRelation
) -> Answer:
    return Answer(
        format=draft.format,
        values=values,
        relation=relation,
        equivalents=_equivalents(draft, execution, values),
        coarser=list(draft.coarser) or _coarser(execution, draft),
        competitors=list(draft.competitors),
        options=[AnswerOption(label=label, text=said) for label, said in draft.options],
    )


def _equivalents(draft: Draft, execution: Execution, values: list[str]) -> list[str]:
    """Other wordings of the gold; of several values one alone would not be the answer."""
    if draft.format in CLOSED or len(values) != 1:
        return []
    return equivalents(values[0], execution.values[0], execution.value_type, execution.unit)


def _coarser(execution: Execution, draft: Draft) -> list[str]:
    """A date's month, or a number without its unit, is a coarser answer."""
    if draft.format is AnswerFormat.DATE:
        moment = start(execution.values[0])
        return [f"{MONTHS[moment.month - 1]} {moment.year}"]
    if execution.value_type is ValueType.NUMBER and execution.unit:
        return [execution.values[0]]
    return []
