"""What the executor gives, in the form in which the second evaluator gives it."""

from typing import Any

from memassay.schemas.base import Modality
from memassay.schemas.errors import QueryError
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerRelation, AskedAt
from support.brute.common import Document
from support.brute.truths import Outcome, comparable, evaluate


def executed(bundle: Bundle, question: Document) -> Outcome:
    """What the executor gives for a question, or the kind of its error."""
    asked_at = AskedAt.model_validate(question["asked_at"])
    modalities = [Modality(each) for each in question["modalities"]]
    try:
        ledger = Ledger(bundle)
        query = parse_query(question["query"])
        execution = execute(query, ledger, asked_at, AnswerRelation(question["relation"]))
        evidence = evidence_of(execution, ledger, asked_at, modalities)
    except QueryError as error:
        return Outcome(kinds=frozenset({type(error).__name__}))
    values: list[Document] = [{"text": each} for each in execution.values]
    groups = tuple(tuple(group) for group in evidence.groups)
    return Outcome(comparable(values), execution.unit, groups)


def disagreement(bundle: Bundle, question: Document) -> tuple[Outcome, Outcome] | None:
    """What the executor and the second evaluator give, if they do not agree."""
    one = executed(bundle, question)
    other = evaluated(bundle, question)
    if one.kinds or other.kinds:
        agree = bool(one.kinds) and one.kinds <= other.kinds
    else:
        agree = one == other
    return None if agree else (one, other)


def evaluated(bundle: Bundle, question: Document) -> Outcome:
    """What the second evaluator gives for a question."""
    parts: list[Any] = [question[name] for name in ("query", "asked_at", "relation", "modalities")]
    return evaluate(bundle, *parts)
