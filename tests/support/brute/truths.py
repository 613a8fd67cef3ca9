"""Operators that give truth, `choose`, and the whole: values, unit and evidence, or the error."""

from typing import Any, NamedTuple

from memassay.schemas.records.bundle import Bundle
from support.brute.common import (
    AMBIGUOUS,
    HIDDEN,
    NONE,
    TYPE,
    Document,
    WrongQuery,
    all_same,
    before,
    every,
    number,
    plain,
)
from support.brute.evidence import evidence
from support.brute.finding import Found, ids
from support.brute.scalars import Reading, Values, key, scalar
from support.brute.world import World

_FACTS = {"select", "as_of", "pick", "follow", "union", "minus", "sequence"}
_TRUTH = {"compare", "conflict", "absent"}


class Outcome(NamedTuple):
    """What a query gives: values, unit, groups of rounds; or the kinds of error that fit."""

    values: tuple[Any, ...] = ()
    unit: str | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    kinds: frozenset[str] = frozenset()


class Judging(Reading):
    """The evaluation of every expression."""

    def values(self, query: Document) -> Values:
        """What an expression gives; facts stand for their values."""
        if query["op"] in _FACTS:
            found = self.finding.find(query)
            if not found.facts:
                raise self.finding.nothing(query)
            return self.read(found, "value")
        return self.scalars(query)

    def _compare(self, query: Document) -> Values:
        a, b, why = self.two(query)
        return _truth(_holds(a, b, query["with"]), why)

    def _conflict(self, query: Document) -> Values:
        claim, found = query["claim"], self.finding.find(query["against"])
        if not found.facts:
            raise self.finding.nothing(query["against"])
        attribute = plain(claim["attribute"])
        about = [each for each in found.facts if plain(each["attribute"]) == attribute]
        of_subject = [each for each in about if plain(each["subject"]) == plain(claim["subject"])]
        if claim.get("one", "value") == "value":
            confirming = [each for each in of_subject if self._has_value(each, claim)]
            single = [each for each in of_subject if each["order"] is None]
            against = [each for each in single if each not in confirming]
        else:
            alike = [each for each in about if self._has_value(each, claim)]
            confirming = [each for each in alike if each in of_subject]
            against = [each for each in alike if each not in of_subject]
        if against and confirming:
            raise WrongQuery(AMBIGUOUS)
        if not against and not confirming:
            raise WrongQuery(NONE)
        return _truth(bool(against), ids(against or confirming))

    def _has_value(self, fact: Document, claim: Document) -> bool:
        value = fact["value"]
        return _holds(self.read_like(claim["value"], value), value, "same")

    def _absent(self, query: Document) -> Values:
        found: Found = self.finding.find(query["of"])
        return _truth(not found.facts, ids(found.facts))

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
            if _holds(self.read_like(text, value), value, "same")
        ]
        if len(labels) != 1:
            raise WrongQuery(AMBIGUOUS if labels else NONE)
        return Values([scalar("label", labels[0])], why)


def _truth(holds: bool, why: frozenset[str]) -> Values:
    return Values([scalar("boolean", "true" if holds else "false")], why)


def _holds(a: Document, b: Document, how: str) -> bool:
    """Whether two values of one type stand in a relation."""
    if a["type"] == "date":
        same, less = a["text"] == b["text"], before(a["text"], b["text"])
        if less is None:
            raise WrongQuery(AMBIGUOUS)
        more = not same and not less
    elif a["type"] == "number":
        left, right = number(a["text"]), number(b["text"])
        assert left is not None
        assert right is not None
        same, less, more = left == right, left < right, left > right
    elif how in {"less", "more"}:
        raise WrongQuery(TYPE)
    else:
        same, less, more = key(a) == key(b), False, False
    return {"same": same, "differ": not same, "less": less, "more": more}[how]


def evaluate(
    bundle: Bundle, query: Document, asked_at: Document, relation: str, modalities: list[str]
) -> Outcome:
    """What a query gives at asking time, or the kinds of error of which one is to be reported."""
    world = World(bundle, asked_at)
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


def _as_reported(kinds: frozenset[str], query: Document, world: World) -> frozenset[str]:
    """Where nothing was found, the error may say that the query asks for what is not yet known."""
    hidden = NONE in kinds and Judging(world).finding.hidden(query) is not False
    return kinds | {HIDDEN} if hidden else kinds


def comparable(scalars: list[Document]) -> tuple[Any, ...]:
    """Values as they are compared: the spelling of a number or text is no part of the language."""
    return tuple(
        number(each["text"]) if number(each["text"]) is not None else plain(each["text"])
        for each in scalars
    )
