"""Operators that give truth, `choose`, and the whole: values, unit and evidence, or the error."""

from typing import Any, NamedTuple

from memassay.schemas.records.bundle import Bundle
from support.brute.applying import Applying
from support.brute.claims import Claims, related
from support.brute.common import (
    AMBIGUOUS,
    HIDDEN,
    NONE,
    TYPE,
    Document,
    WrongQuery,
    all_same,
    every,
    number,
    plain,
)
from support.brute.endings import Endings
from support.brute.evidence import evidence
from support.brute.measuring import Measuring
from support.brute.scalars import Values, key, scalar
from support.brute.validity import Validity

_FACTS = {"select", "as_of", "pick", "follow", "union", "minus", "sequence"}
_TRUTH = {"compare", "conflict", "absent", "exists", "ended"}


class Outcome(NamedTuple):
    """What a query gives: values, unit, groups of rounds; or the kinds of error that fit."""

    values: tuple[Any, ...] = ()
    unit: str | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    kinds: frozenset[str] = frozenset()


class Judging(Claims, Endings, Measuring, Applying):
    """The evaluation of every expression."""

    def values(self, query: Document) -> Values:
        """What an expression gives; facts stand for their values."""
        if query["op"] in _FACTS:
            found = self.finding.find(query)
            if not found.facts:
                raise self.finding.nothing(query)
            return self.read(found, "value")
        return self.scalars(query)

    def _choose(self, query: Document) -> Values:
        of = query["of"]
        if of["op"] in _TRUTH:
            given = self.scalars(of)
            value, why = given.scalars[0], given.why
        else:
            value, why = self.one(of)
        labels = [
            label
            for label, text in query["options"].items()
            if related(self.read_like(text, value), value, "same")
        ]
        if len(labels) != 1:
            raise WrongQuery(AMBIGUOUS if labels else NONE)
        return Values([scalar("label", labels[0])], why)


def evaluate(
    bundle: Bundle, query: Document, asked_at: Document, relation: str, modalities: list[str]
) -> Outcome:
    """What a query gives at asking time, or the kinds of error of which one is to be reported."""
    world = Validity(bundle, asked_at)
    try:
        given = Judging(world).values(query)
        scalars = given.scalars
        every(
            lambda: _one_unit(scalars),
            lambda: _related(given, relation, query),
        )
        scalars = scalars[:1] if relation == "one" else scalars
        groups = evidence(world, given.why, modalities)
    except WrongQuery as wrong:
        kinds = _as_reported(wrong.kinds, query, world)
        unordered = relation == "ordered" and query["op"] not in {"choose", "sequence"}
        return Outcome(kinds=kinds | {TYPE} if unordered else kinds)
    return Outcome(comparable(scalars), scalars[0]["unit"], groups)


def _one_unit(scalars: list[Document]) -> None:
    if not all_same(each["unit"] for each in scalars):
        raise WrongQuery(TYPE)


def _related(given: Values, relation: str, query: Document) -> None:
    """Whether values are as many as are asked, and in order if that is asked."""
    if relation == "one" and not all_same(key(each) for each in given.scalars):
        raise WrongQuery(AMBIGUOUS)
    if relation == "ordered" and not given.in_order and query["op"] != "choose":
        raise WrongQuery(TYPE)


def _as_reported(kinds: frozenset[str], query: Document, world: Validity) -> frozenset[str]:
    """Where nothing was found, the error may say that the query asks for what is not yet known."""
    hidden = NONE in kinds and Judging(world).finding.hidden(query) is not False
    return kinds | {HIDDEN} if hidden else kinds


def comparable(scalars: list[Document]) -> tuple[Any, ...]:
    """Values as they are compared: the spelling of a number or text is no part of the language."""
    return tuple(
        number(each["text"]) if number(each["text"]) is not None else plain(each["text"])
        for each in scalars
    )
