"""The box for a query on the form of a new question: run before it is saved, and saved with it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from memassay.annotation.pages.forms import RELATIONS, FieldError
from memassay.schemas.base import Modality
from memassay.schemas.errors import QueryError, UsageError
from memassay.schemas.queries.from_text import read_query
from memassay.schemas.queries.grammar.query import Query
from memassay.schemas.queries.language import parse_query, query_json
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.showing import ShownAnswer, show_answer
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerRelation, AskedAt


@dataclass(frozen=True)
class QueryBox:
    """What a query in the box gives, or why it gives nothing.

    Attributes:
        answer: What it gives; None where it proves no answer.
        kind: Else the kind of error: `AmbiguousError`.
        error: Else its message.
    """

    answer: ShownAnswer | None = None
    kind: str = ""
    error: str = ""

    @property
    def filling(self) -> dict[str, str]:
        """The fields of the form that the answer fills, by name."""
        if self.answer is None:
            return {}
        return {
            "values": "\n".join(self.answer.values),
            "format": str(self.answer.answer_format),
            "evidence": " ".join(self.answer.canonical),
        }


def query_box(bundle: Bundle, form: Mapping[str, str]) -> QueryBox:
    """What the query of a form gives over a conversation, asked at its end.

    Args:
        bundle: The conversation with its facts and mentions.
        form: `query`, as JSON; `relation`, how many values are asked.
    """
    try:
        return QueryBox(_answer(_query(form), bundle, Ledger(bundle), form))
    except (QueryError, UsageError) as error:
        return QueryBox(kind=type(error).__name__, error=str(error))


def with_query(
    document: dict[str, Any], bundle: Bundle, form: Mapping[str, str], *, pictured: bool = False
) -> dict[str, Any]:
    """A new question with the query of its form; without one it stays as it is.

    Where the evidence is that of the query, groups of alternatives, facts and modalities are the
    query's too.

    Args:
        document: The question, as `new_question` makes it.
        bundle: The conversation with its facts and mentions.
        form: `query`, as JSON; `relation`, how many values are asked.
        pictured: Whether the question shows an image of its own.

    Raises:
        FieldError: The query gives no answer.
    """
    if not form.get("query", "").strip():
        return document
    try:
        query, ledger = _query(form), Ledger(bundle)
        found = _answer(query, bundle, ledger, form)
        # Alternatives in other modalities than are needed are none.
        answer = _answer(query, bundle, ledger, form, found.modalities)
    except (QueryError, UsageError) as error:
        raise FieldError("query", f"{type(error).__name__}: {error}") from error
    proven = {**document, "query": query_json(query)}
    if set(document["evidence"]["canonical"]) != set(answer.canonical):
        return proven
    needed = {*answer.modalities, *([Modality.IMAGE] if pictured else [])}
    return {
        **proven,
        "evidence": {
            "groups": answer.groups,
            "canonical": answer.canonical,
            "facts": answer.facts,
        },
        "modalities": [str(one) for one in Modality if one in needed],
    }


def _query(form: Mapping[str, str]) -> Query:
    return parse_query(read_query(form.get("query", ""), "query"))


def _answer(
    query: Query,
    bundle: Bundle,
    ledger: Ledger,
    form: Mapping[str, str],
    modalities: Collection[Modality] = (),
) -> ShownAnswer:
    relation = form.get("relation") or AnswerRelation.ONE
    if relation not in RELATIONS:
        raise FieldError("relation", f"relation: expected {', '.join(RELATIONS)}, got {relation!r}")
    # A question that people write is asked at the end.
    return show_answer(query, bundle, ledger, AskedAt(), AnswerRelation(relation), modalities)
