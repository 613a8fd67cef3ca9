"""Drafts of questions: a text, a query, and what must lose; the gold comes from execution."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat

Query = dict[str, Any]


@dataclass(frozen=True)
class Draft:
    """A question before its query was executed.

    Attributes:
        text: The question.
        query: Its query.
        format: Form of the answer.
        about: Ids of the facts it is about; two drafts about the same are alike.
        coarser: Coarser answers, best first.
        competitors: Candidates that must lose.
        options: What a choice offers: (text shown, value), the right one first; once the
            options are placed, (letter, text shown).
        modalities: Where its answer can be read; empty for what is usual for its type.
        whole: Whether it is about a series that runs through the whole history, so that no
            window of its type holds it.
    """

    text: str
    query: Query
    format: AnswerFormat
    about: tuple[str, ...]
    coarser: tuple[str, ...] = ()
    competitors: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    modalities: tuple[Modality, ...] = ()
    whole: bool = False


def select(fact: Fact) -> Query:
    """The facts of a fact's subject and attribute."""
    return {"op": "select", "where": {"subject": fact.subject, "attribute": fact.attribute}}


def get(of: Query, field: str = "value") -> Query:
    """A field of facts."""
    return {"op": "get", "of": of, "field": field}


def union(*of: Query) -> Query:
    """All the facts of several expressions."""
    return {"op": "union", "of": list(of)}


def in_turn(kinds: Sequence[Sequence[Draft]]) -> Iterator[Draft]:
    """Drafts of several kinds in turn, so that a bank of any size holds all kinds."""
    for drawn in zip_longest(*kinds):
        yield from (draft for draft in drawn if draft is not None)
