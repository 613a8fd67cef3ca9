"""Operators that give facts: `select`, `as_of`, `pick`, `follow`, `union`, `minus`, `sequence`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from support.brute.common import (
    AMBIGUOUS,
    HIDDEN,
    MALFORMED,
    NONE,
    TYPE,
    Document,
    WrongQuery,
    all_same,
    before,
    every,
    listed,
    number,
    plain,
    reached,
    span,
    spans,
)
from support.brute.world import World

_LEFT_OUT = {
    "scope": {"question"},
    "status": {"interference", "implied", "unsaid"},
    "operation": {"delete"},
}


@dataclass(frozen=True)
class Found:
    """Facts, what they rest on, and how they came about."""

    facts: list[Document]
    why: frozenset[str]
    aside: list[Document] = field(default_factory=list)  # retracted, for `as_of`
    in_order: bool = False
    settled: frozenset[str] = frozenset()  # of which `as_of` has said that they held


def ids(facts: list[Document]) -> frozenset[str]:
    """The ids of facts."""
    return frozenset(each["id"] for each in facts)


class Finding:
    """The evaluation of expressions that give facts."""

    def __init__(self, world: World, one_scalar: Callable[[Document], Document]) -> None:
        """Keep the world, and what evaluates a scalar expression inside."""
        self.world = world
        self.one_scalar = one_scalar

    def find(self, query: Document) -> Found:
        """The facts that an expression gives."""
        found: Found = getattr(self, f"_{query['op']}")(query)
        return found

    def _select(self, query: Document) -> Found:
        where = {name: wanted for name, wanted in query["where"].items() if wanted is not None}
        facts, aside, unclear = [], [], False
        for fact in self.world.facts:
            if not self.world.known(fact, self.world.now) or not self._fits(fact, where):
                continue
            inside = self._during(fact, where.get("during"))
            gone = self.world.retracted(fact, self.world.now)
            gone = gone and "retracted" not in listed(where.get("status"))
            unclear = unclear or inside is None
            if inside:
                (aside if gone else facts).append(fact)
        if unclear:
            raise WrongQuery(AMBIGUOUS)
        return Found(facts, ids(facts), aside)

    def nothing(self, query: Document) -> WrongQuery:
        """The error of an expression without facts: hidden if it asks for some that are unknown."""
        hidden = self.hidden(query)
        return WrongQuery(*({HIDDEN, NONE} if hidden is None else {HIDDEN} if hidden else {NONE}))

    def hidden(self, query: Document) -> bool | None:
        """Whether some `select` of an expression asks for facts that are not known yet.

        None if they fit all but the filters of places: whether they fit those nobody can see.
        """
        unknown = [each for each in self.world.facts if not self.world.known(each, self.world.now)]
        placed = {"modality", "attachment", "asset", "session", "during", "speaker"}
        unclear = False
        for where in _filters(query):
            texts = {name: wanted for name, wanted in where.items() if name not in placed}
            if any(self._fits(fact, texts) for fact in unknown):
                if texts == where:
                    return True
                unclear = True
            unclear = unclear or any(self._fits(fact, where) for fact in unknown)
        return None if unclear else False

    def _fits(self, fact: Document, where: Document) -> bool:
        """Whether a fact fits every filter but `during`, and is not left out."""
        for name, left_out in _LEFT_OUT.items():
            if name not in where and fact[name] in left_out:
                return False
        for name, wanted in where.items():
            if name in {"subject", "attribute", "value", "source"}:
                own = fact["value"]["text"] if name == "value" else fact[name]
                fits = own is not None and plain(own) in [plain(each) for each in listed(wanted)]
            elif name in {"order", "holder", "scope", "status", "operation"}:
                own = self.status(fact) if name == "status" else fact[name]
                fits = own in listed(wanted)
            elif name == "speaker":
                fits = bool(self.speakers(fact) & {plain(each) for each in listed(wanted)})
            else:
                fits = True
            if not fits:
                return False
        return self._placed(fact, where)

    def status(self, fact: Document) -> str:
        """How a fact stands at asking time: what is taken back later is still asserted."""
        if fact["status"] == "retracted" and not self.world.retracted(fact, self.world.now):
            return "asserted"
        return str(fact["status"])

    def _placed(self, fact: Document, where: Document) -> bool:
        """Whether one visible mention has all that filters of places ask for."""
        asked = {
            name: listed(where[name])
            for name in ("modality", "attachment", "asset", "session")
            if name in where
        }
        if not set(asked.get("session", [])) <= set(self.world.sessions):
            raise WrongQuery(MALFORMED)
        return not asked or any(
            all(
                (self.world.session_of(mention) if name == "session" else mention[name]) in wanted
                for name, wanted in asked.items()
            )
            for mention in self.world.mentioned(fact, self.world.now)
        )

    def speakers(self, fact: Document) -> set[str]:
        """Who holds a fact, or else who mentions it."""
        if fact["speaker"]:
            return {plain(fact["speaker"])}
        mentions = self.world.mentioned(fact, self.world.now)
        return {plain(each["speaker"]) for each in mentions if each["speaker"]}

    def _during(self, fact: Document, stretch: str | None) -> bool | None:
        """Whether the date of a fact lies in a stretch; None where it is too coarse to tell."""
        if stretch is None:
            return True
        when = self.world.date(fact)
        if when is None:
            raise WrongQuery(NONE)
        (begin, end), (first, last) = spans(when, stretch)
        if first <= begin and end <= last:
            return True
        return False if end <= first or last <= begin else None

    def _as_of(self, query: Document) -> Found:
        of, at = every(lambda: self.find(query["of"]), lambda: self._point(query["at"]))
        assert isinstance(of, Found)
        asked = [*of.facts, *of.aside]
        answers = every(*(lambda fact=fact: self._clearly_held(fact, at) for fact in asked))  # type: ignore[misc]
        held = [fact for fact, holds in zip(asked, answers, strict=True) if holds]
        passed_over = ids(of.facts) - ids(held)
        why = (of.why - passed_over) | ids(held)
        return Found(held, why, in_order=of.in_order, settled=ids(held))

    def _point(self, at: Any) -> list[str] | str:
        """The sessions seen at a point, or a date."""
        if isinstance(at, dict):
            given = self.one_scalar(at)
            if given["type"] == "date":
                spans(given["text"])
                return str(given["text"])
            if given["text"] not in self.world.sessions:
                raise WrongQuery(TYPE)
            return self.world.until(given["text"])
        if at == "end":
            return self.world.now
        checkpoints = [each["id"] for each in self.world.conversation["checkpoints"]]
        if at not in checkpoints and span(at):
            return str(at)
        return self.world.until(at)

    def _clearly_held(self, fact: Document, at: list[str] | str) -> bool:
        holds = self.held(fact, at)
        if holds is None:
            raise WrongQuery(AMBIGUOUS)
        return holds

    def held(self, fact: Document, at: list[str] | str) -> bool | None:
        """Whether a fact held at a point; None where dates are too coarse to tell."""
        seen = self.world.now if isinstance(at, str) else at
        if not self.world.known(fact, seen) or fact["operation"] == "delete":
            return False
        if self.world.retracted(fact, seen):
            return False
        if isinstance(at, str):
            return self._valid(fact, at)
        return not self.over(fact, at) and not self._not_yet(fact, at)

    def over(self, fact: Document, at: list[str]) -> bool:
        """Whether a fact is replaced or ended at a session, by what had been said by then.

        What replaces it may be announced for later; what is too coarse to tell is not later.
        """
        if any(not self._announced(each, at) for each in self.world.replacements(fact, at)):
            return True
        dated = [each for each in map(self.world.date_of, at) if each]
        return bool(fact["valid_to"] and dated and reached(fact["valid_to"], dated[-1]))

    def _announced(self, fact: Document, at: list[str]) -> bool:
        """Whether a fact is to begin only after a session."""
        today, begin = self.world.date_of(at[-1]), fact["valid_from"]
        return bool(begin and today and reached(begin, today) is False)

    def _not_yet(self, fact: Document, at: list[str]) -> bool:
        """Whether a fact is a change of something known that is announced for later."""
        changed = [
            each
            for each in self.world.facts
            if fact in self.world.replacing(each) and self.world.known(each, at)
        ]
        return bool(changed) and self._announced(fact, at)

    def _valid(self, fact: Document, when: str) -> bool | None:
        """Whether a fact had begun and not ended at a date, with all that is known."""
        ends = [fact["valid_to"]] if fact["valid_to"] else []
        ends += [self._begin(each) for each in self.world.replacements(fact, self.world.now)]
        begun = reached(self._begin(fact), when)
        if not begun:
            return begun
        ended = [reached(each, when) for each in ends]
        return False if True in ended else None if None in ended else True

    def _begin(self, fact: Document) -> str:
        """From when on a fact holds: `valid_from`, else the telling."""
        begin = fact["valid_from"] or self.world.told_on(fact)
        if begin is None:
            raise WrongQuery(NONE)
        return str(begin)

    def _union(self, query: Document) -> Found:
        parts = every(*(lambda part=part: self.find(part) for part in query["of"]))  # type: ignore[misc]
        facts = [each for each in self.world.facts if any(each in part.facts for part in parts)]
        why: frozenset[str] = frozenset().union(*(part.why for part in parts))
        aside = [each for part in parts for each in part.aside]
        settled: frozenset[str] = frozenset().union(*(part.settled for part in parts))
        return Found(facts, why, aside, settled=settled)

    def _minus(self, query: Document) -> Found:
        a, b = every(lambda: self.find(query["a"]), lambda: self.find(query["b"]))
        facts = [each for each in a.facts if each not in b.facts]
        aside = [each for each in a.aside if each not in [*b.facts, *b.aside]]
        return Found(facts, a.why | b.why, aside, a.in_order, a.settled)

    def _follow(self, query: Document) -> Found:
        of = self.find(query["of"])
        side, to = query.get("from", "value"), query.get("to", "subject")
        wanted = {plain(self._side(each, side)) for each in of.facts if self._side(each, side)}
        if not wanted:
            hidden = self.hidden(query["of"]) is not False
            raise WrongQuery(NONE, HIDDEN) if of.facts and hidden else self.nothing(query["of"])
        every_one = self._select({"where": {"attribute": query["attribute"]}})
        facts, aside = (
            [each for each in part if plain(self._side(each, to)) in wanted]
            for part in (every_one.facts, every_one.aside)
        )
        return Found(facts, of.why | ids(facts), aside)

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
        order, ranks = self.ordered(of.facts, query["by"], alike=True)
        size = len(of.facts)
        at = {"first": 1, "min": 1, "last": size, "max": size}.get(query["which"])
        place: int = query["n"] if at is None else at
        if place > size:
            raise WrongQuery(NONE)
        fact = self.nth(of.facts, order, place)
        return Found([fact], of.why | ranks, settled=of.settled)

    def nth(self, facts: list[Document], order: "Order", place: int) -> Document:
        """The fact with so many before it and all others after it; a tie is an error."""
        for fact in facts:
            others = [order(fact, each) for each in facts if each is not fact]
            if None not in others and others.count(False) == place - 1:
                return fact
        raise WrongQuery(AMBIGUOUS)

    def ordered(
        self, facts: list[Document], by: str, alike: bool = False
    ) -> tuple["Order", frozenset[str]]:
        """Whether one fact comes before another (None: nobody knows), and what ranks them.

        Args:
            facts: What is put in order.
            by: By what.
            alike: Whether facts that state the same may share a place.
        """
        ranks: list[Document] = []
        keys: dict[str, Any] = {}
        if by == "date" and not any(self.world.date(each) for each in facts):
            by = "said"
        for fact in facts:
            if by == "authority":
                found = self.world.rank(fact)
                if not found:
                    raise WrongQuery(NONE)
                if not all_same(number(each["value"]["text"]) for each in found):
                    raise WrongQuery(AMBIGUOUS)
                ranks += found
                keys[fact["id"]] = number(found[0]["value"]["text"])
            else:
                keys[fact["id"]] = self._key(fact, by)
        if any(key is None for key in keys.values()):
            raise WrongQuery(NONE)
        if by == "value":
            self._refuse_mixed(facts)

        def comes_first(left: Document, right: Document) -> bool | None:
            first, second = keys[left["id"]], keys[right["id"]]
            if first == second:
                same = alike and says(left) == says(right)
                return bool(left["id"] < right["id"]) if same else None
            if isinstance(first, str):
                return before(first, second)
            return bool(first < second)

        return comes_first, ids(ranks)

    def _key(self, fact: Document, by: str) -> Any:
        if by == "date":
            return self.world.date(fact)
        if by == "said":
            told = self.world.mentioned(fact, self.world.now)
            return self.world.position(told[0]) if told else None
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


def says(fact: Document) -> tuple[str, str, str, str]:
    """What a fact states."""
    value = fact["value"]
    text = number(value["text"]) if value["type"] == "number" else plain(value["text"])
    return plain(fact["subject"]), plain(fact["attribute"]), str(text), str(value["unit"])


def _filters(node: Any) -> list[Document]:
    """The filters of every `select` in an expression."""
    if isinstance(node, list):
        return [found for part in node for found in _filters(part)]
    if not isinstance(node, dict):
        return []
    if node.get("op") == "select":
        return [{name: wanted for name, wanted in node["where"].items() if wanted is not None}]
    return [found for part in node.values() for found in _filters(part)]


Order = Callable[[Document, Document], bool | None]
