"""Drafts of questions: a text, a query, and what must lose; the gold comes from execution."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeVar

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.parts.reference import Reference
from memassay.schemas.records.question import AnswerFormat

_One = TypeVar("_One")
Query = dict[str, Any]
Option = tuple[str, str]
"""What a choice offers: the text shown, and the value that it says."""


@dataclass(frozen=True)
class Ladder:
    """Wrong options of a number or a date, from which those are taken that give its rank.

    Attributes:
        quota: Ranks are dealt evenly among choices of one name.
        below: Smaller or earlier values, in the order in which they are taken.
        above: Greater or later ones.
        least: How many of each side are always among them.
    """

    quota: str
    below: tuple[Option, ...]
    above: tuple[Option, ...]
    least: tuple[int, int] = (0, 0)

    def around(self, rank: int, wrong: int) -> tuple[Option, ...] | None:
        """So many wrong options, `rank` of them below; None if there are no such ones."""
        sides = zip((self.below, self.above), (rank, wrong - rank), self.least, strict=True)
        taken = [side[:count] for side, count, least in sides if least <= count <= len(side)]
        return (*taken[0], *taken[1]) if len(taken) == 2 else None


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
        ladder: Where the wrong options of a number or a date come from; the bank takes them.
        modalities: Where its answer can be read; empty for what is usual for its type.
        whole: Whether it is about a series, or joins pictures, so that no window of its type
            holds it.
        every: Whether it asks for all of several values, in any order.
        shows: Ids of the assets that are shown with it.
        references: The phrases of its text that describe a thing instead of naming it.
    """

    text: str
    query: Query
    format: AnswerFormat
    about: tuple[str, ...]
    coarser: tuple[str, ...] = ()
    competitors: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    ladder: Ladder | None = None
    modalities: tuple[Modality, ...] = ()
    whole: bool = False
    every: bool = False
    shows: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """What a reader sees of it: no other question of a bank has the same."""
        return (self.text, *self.shows, *(f"{label}. {text}" for label, text in self.options))


def select(fact: Fact) -> Query:
    """The facts of a fact's subject and attribute."""
    return {"op": "select", "where": {"subject": fact.subject, "attribute": fact.attribute}}


def get(of: Query, field: str = "value") -> Query:
    """A field of facts."""
    return {"op": "get", "of": of, "field": field}


def union(*of: Query) -> Query:
    """All the facts of several expressions."""
    return {"op": "union", "of": list(of)}


def list_names(names: Sequence[str]) -> str:
    """Names as a list in a sentence: `a, b and c`."""
    return f"{', '.join(names[:-1])} and {names[-1]}"


def in_turn(kinds: Sequence[Sequence[_One]]) -> Iterator[_One]:
    """What several kinds hold in turn, so that a bank of any size holds all kinds."""
    for drawn in zip_longest(*kinds):
        yield from (draft for draft in drawn if draft is not None)


def interleave(many: Sequence[_One], few: Sequence[_One], each: int) -> list[_One]:
    """So many of the one kind, one of the other, until both are through."""
    mixed: list[_One] = []
    for at, start in enumerate(range(0, max(len(many), each * len(few)), each)):
        mixed += [*many[start : start + each], *few[at : at + 1]]
    return mixed
