"""What the command line asks of queries: one of them, executed over a conversation of a release."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memassay.exports.release.reader import open_release
from memassay.schemas.base import Modality, Shape
from memassay.schemas.errors import MalformedQueryError, QueryError, UsageError
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.showing import ShownAnswer, Step, explain, show_answer
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerRelation, AskedAt


class QueryReport(Shape):
    """What a query gave, or why it proves no answer, and what each expression passed on.

    Attributes:
        answer: What it gives; None where it proves no answer.
        kind: Else the kind of error, a word of docs/queries.md: `AmbiguousError`.
        error: Else its message.
        steps: If asked for, what every expression passes on, the innermost first.
    """

    answer: ShownAnswer | None = None
    kind: str | None = None
    error: str | None = None
    steps: list[Step]


def query_release(
    release: Path,
    conversation: str,
    document: Any,
    at: str | None = None,
    relation: AnswerRelation = AnswerRelation.ONE,
    modalities: Sequence[Modality] = (),
    *,
    with_steps: bool = False,
) -> QueryReport:
    """Execute a query over the ledger of one conversation of a release.

    Args:
        release: Folder of the release.
        conversation: Id of the conversation.
        document: The query, decoded JSON.
        at: Session or checkpoint at which it is asked; None for the end.
        relation: How many values are asked.
        modalities: Where the reader may look; empty for everywhere.
        with_steps: Whether to say what each expression passes on.

    Raises:
        UsageError: There is no such release, conversation or point, or no ledger.
        ReleaseError: A file of the release is damaged.
        MalformedQueryError: The document is no query, or names an unknown place.
    """
    query = parse_query(document)
    bundle = open_release(release).bundle(conversation)
    if not bundle.facts:
        raise UsageError(
            f"{conversation}: expected a ledger to ask, got a conversation without facts; "
            "query one that was made with its ledger, imported ones have none"
        )
    ledger, asked_at = Ledger(bundle), _asked_at(bundle, at)
    steps = explain(query, ledger, asked_at) if with_steps else []
    try:
        answer = show_answer(query, bundle, ledger, asked_at, relation, modalities)
    except MalformedQueryError:
        raise
    except QueryError as error:
        return QueryReport(kind=type(error).__name__, error=str(error), steps=steps)
    return QueryReport(answer=answer, steps=steps)


def _asked_at(bundle: Bundle, at: str | None) -> AskedAt:
    if at is None:
        return AskedAt()
    sessions = [session.id for session in bundle.conversation.sessions]
    checkpoints = [point.id for point in bundle.conversation.checkpoints]
    if at in sessions:
        return AskedAt(session=at)
    if at in checkpoints:
        return AskedAt(checkpoint=at)
    ends = f"{sessions[0]} to {sessions[-1]}" if sessions else "none"
    marks = f" or checkpoint ({', '.join(checkpoints)})" if checkpoints else ""
    raise UsageError(
        f"--at: expected a session ({ends}){marks} of {bundle.id}, got {at!r}; "
        "leave it out to ask at the end"
    )
