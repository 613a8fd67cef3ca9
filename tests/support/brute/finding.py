"""Operators that give facts: `as_of`, `pick`, `follow`, `union`, `minus`, `sequence`."""

from collections.abc import Callable
from typing import Any

from support.brute.common import (
    AMBIGUOUS,
    HIDDEN,
    NONE,
    TYPE,
    Document,
    WrongQuery,
    all_same,
    before,
    both,
    every,
    number,
    plain,
    span,
    spans,
)
from support.brute.selecting import Found, Selecting, ids


class Finding(Selecting):
    """The evaluation of expressions that give facts."""

    def _as_of(self, query: Document) -> Found:
        of, (at, reasons) = both(lambda: self.find(query["of"]), lambda: self._point(query["at"]))
        asked = [*of.facts, *of.aside]
        answers = every(*(lambda fact=fact: self._clearly_held(fact, at) for fact in asked))
        held = [fact for fact, holds in zip(asked, answers, strict=True) if holds]
        passed_over = ids(of.facts) - ids(held)
        ended = [each for each in asked if each not in held and self._had_ended(each, at)]
        return Found(
            held,
            (of.why - passed_over) | ids(held) | reasons,
            settled=ids(held),
            ended=[*of.ended, *ended],
            deletions=of.deletions,
        )

    def _had_ended(self, fact: Document, at: list[str] | str) -> bool:
        """Whether what does not hold at a point was there and had ended."""
        world = self.world
        if not isinstance(at, str):
            deletion = fact["operation"] == "delete"
            return world.known(fact, at) and (deletion or world.ended(fact, at))
        if world.retracted(fact, world.now) or fact["operation"] == "delete":
            return True
        begin = fact["valid_from"] or world.told_on(fact)
        return bool(begin is None or before(at, begin) is not True)

    def _point(self, at: Any) -> tuple[list[str] | str, frozenset[str]]:
        """The sessions seen at a point, or a date, and what it rests on."""
        why: frozenset[str] = frozenset()
        if isinstance(at, dict):
            given, why = self.one(at)
            if given["type"] != "date" and given["text"] not in self.world.sessions:
                raise WrongQuery(TYPE)
            at = given["text"]
            if given["type"] == "date":
                spans(at)
        if at == "end":
            return self.world.now, why
        checkpoints = [each["id"] for each in self.world.conversation["checkpoints"]]
        if at not in checkpoints and span(at):
            return str(at), why
        return self.world.until(at), why

    def _clearly_held(self, fact: Document, at: list[str] | str) -> bool:
        holds = self.world.held(fact, at)
        if holds is None:
            raise WrongQuery(AMBIGUOUS)
        return holds

    def _union(self, query: Document) -> Found:
        parts = every(*(lambda part=part: self.find(part) for part in query["of"]))
        return Found(
            [each for each in self.world.facts if any(each in part.facts for part in parts)],
            frozenset().union(*(part.why for part in parts)),
            [each for part in parts for each in part.aside],
            settled=frozenset().union(*(part.settled for part in parts)),
            ended=[each for part in parts for each in part.ended],
        )

    def _minus(self, query: Document) -> Found:
        a, b = every(lambda: self.find(query["a"]), lambda: self.find(query["b"]))
        taken = [*b.facts, *b.aside, *b.ended]
        facts = [each for each in a.facts if each not in b.facts]
        aside, ended = ([each for each in part if each not in taken] for part in (a.aside, a.ended))
        return Found(facts, a.why | b.why, aside, settled=a.settled, ended=ended)

    def _follow(self, query: Document) -> Found:
        of = self.find(query["of"])
        side, to = query.get("from", "value"), query.get("to", "subject")
        starts = [each for each in of.facts if self._side(each, side)]
        if not starts:
            hidden = self.hidden(query["of"]) is not False
            raise WrongQuery(NONE, HIDDEN) if of.facts and hidden else self.nothing(query["of"])
        every_one = self._select({"where": {"attribute": query["attribute"]}})
        facts, aside = (
            [each for each in part if self._joins(each, to, starts, side)]
            for part in (every_one.facts, every_one.aside)
        )
        return Found(facts, of.why | ids(facts), aside)

    def _joins(self, fact: Document, to: str, starts: list[Document], side: str) -> bool:
        """Whether a fact is joined to another one."""
        return any(
            plain(self._side(fact, to)) == plain(self._side(start, side))
            for start in starts
            if start is not fact
        )

    @staticmethod
    def _side(fact: Document, side: str) -> str:
        return fact["value"]["text"] if side == "value" else fact[side] or ""

    def _sequence(self, query: Document) -> Found:
        of = self.find(query["of"])
        if not of.facts:
            raise self.nothing(query["of"])
        order, ranks = self.ordered(of.facts, query["by"])
        facts = [self.nth(of.facts, order, at) for at in range(1, len(of.facts) + 1)]
        return Found(facts, of.why | ranks, in_order=True, settled=of.settled)

    def _pick(self, query: Document) -> Found:
        of = self.find(query["of"])
        if not of.facts:
            raise self.nothing(query["of"])
        order, ranks = self.ordered(of.facts, query["by"])
        size = len(of.facts)
        at = {"first": 1, "min": 1, "last": size, "max": size}.get(query["which"])
        place: int = query["n"] if at is None else at
        if place > size:
            raise WrongQuery(NONE)
        ends = {"first": True, "min": True, "last": False, "max": False}
        if query["which"] in ends:
            fact = self._at_end(of.facts, order, ends[query["which"]])
        else:
            fact = self.nth(of.facts, order, place)
        return Found([fact], of.why | ranks, settled=of.settled)

    def _at_end(self, facts: list[Document], order: "Order", first: bool) -> Document:
        """The first or last fact; those that state the same, of which it is one, are no tie."""
        by_place = sorted(facts, key=lambda each: self._told(each) or (9999, 0))
        for fact in by_place if first else reversed(by_place):
            others = [
                (order(fact, each), says(fact) == says(each)) for each in facts if each is not fact
            ]
            if all(before is first or (before is None and same) for before, same in others):
                return fact
        raise WrongQuery(AMBIGUOUS)

    def nth(self, facts: list[Document], order: "Order", place: int) -> Document:
        """The fact with so many before it and all others after it; a tie is an error."""
        for fact in facts:
            others = [order(fact, each) for each in facts if each is not fact]
            if None not in others and others.count(False) == place - 1:
                return fact
        raise WrongQuery(AMBIGUOUS)

    def ordered(self, facts: list[Document], by: str) -> tuple["Order", frozenset[str]]:
        """Whether one fact comes before another (None: nobody knows), and what ranks them."""
        ranks: list[Document] = []
        keys: dict[str, Any] = {}
        if by == "date" and not any(self.world.date(each) for each in facts):
            by = "said"
        if by == "authority":
            found = every(*(lambda fact=fact: self._rank(fact) for fact in facts))
            ranks = [part[0] for part in found]
            values = [number(part[0]["value"]["text"]) for part in found]
            keys = {fact["id"]: value for fact, value in zip(facts, values, strict=True)}
        else:
            keys = {fact["id"]: self._key(fact, by) for fact in facts}
        if any(key is None for key in keys.values()):
            raise WrongQuery(NONE)
        if by == "value":
            self._refuse_mixed(facts)

        def comes_first(left: Document, right: Document) -> bool | None:
            first, second = keys[left["id"]], keys[right["id"]]
            if first == second:
                less = None
            else:
                less = before(first, second) if isinstance(first, str) else first < second
            return less

        return comes_first, ids(ranks)

    def _rank(self, fact: Document) -> list[Document]:
        """The facts that rank the source of a fact, all of them alike."""
        if not fact["source"]:
            raise WrongQuery(NONE)
        where = {"subject": fact["source"], "attribute": "authority"}
        found = self._select({"where": where}).facts
        if not found:
            raise WrongQuery(NONE)
        if not all_same(says(each)[3] for each in found):
            raise WrongQuery(AMBIGUOUS)
        if number(found[0]["value"]["text"]) is None:
            raise WrongQuery(TYPE)
        return sorted(found, key=lambda each: (self._told(each) or (9999, 0), each["id"]))

    def _told(self, fact: Document) -> tuple[int, int] | None:
        """Where a fact was first told."""
        told = self.world.mentioned(fact, self.world.now)
        return self.world.position(told[0]) if told else None

    def _key(self, fact: Document, by: str) -> Any:
        if by == "date":
            return self.world.date(fact)
        if by == "said":
            return self._told(fact)
        if by == "value":
            value = fact["value"]
            if value["type"] == "date":
                return value["text"]
            if value["type"] != "number":
                raise WrongQuery(TYPE)
            return number(value["text"])
        return fact[by]

    def _refuse_mixed(self, facts: list[Document]) -> None:
        values = [each["value"] for each in facts]
        if not all_same((each["type"], each["unit"]) for each in values):
            raise WrongQuery(TYPE)


def says(fact: Document) -> list[object]:
    """What a fact states."""
    value = fact["value"]
    text = number(value["text"]) if value["type"] == "number" else plain(value["text"])
    names = [plain(fact[name]) for name in ("subject", "attribute")]
    return [*names, value["type"], text, value["unit"], value.get("rule")]


Order = Callable[[Document, Document], bool | None]
