"""`select`: which facts fit filters, and what had to be read to see it."""

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
    every,
    listed,
    number,
    plain,
    span,
    spans,
)
from support.brute.validity import Validity

_LEFT_OUT = {
    "scope": {"question"},
    "status": {"interference", "implied", "unsaid"},
    "operation": {"delete"},
}


@dataclass(frozen=True)
class Found:
    """Facts, what they rest on, and what is not among them although it fits."""

    facts: list[Document]
    why: frozenset[str]
    aside: list[Document] = field(default_factory=list)  # retracted, for `as_of`
    in_order: bool = False
    settled: frozenset[str] = frozenset()  # of which `as_of` has said that they held
    ended: list[Document] = field(default_factory=list)  # which `as_of` passed over as ended
    deletions: list[Document] = field(default_factory=list)  # left out because nobody asked


def ids(facts: list[Document]) -> frozenset[str]:
    """The ids of facts."""
    return frozenset(each["id"] for each in facts)


class Selecting:
    """The evaluation of `select`."""

    def __init__(
        self, world: Validity, one: Callable[[Document], tuple[Document, frozenset[str]]]
    ) -> None:
        """Keep the world, and what evaluates a scalar expression inside."""
        self.world = world
        self.one = one

    def find(self, query: Document) -> Found:
        """The facts that an expression gives."""
        found: Found = getattr(self, f"_{query['op']}")(query)
        return found

    def _select(self, query: Document) -> Found:
        """With `of`, what fits of it; else what is known and, if nobody asks, not left out."""
        where = _asked(query)
        if query.get("of"):
            of = self.find(query["of"])
        else:
            known = [each for each in self.world.facts if self.world.known(each, self.world.now)]
            of = self._ledger(known, where)
        pool = [each for each in [*of.facts, *of.aside] if self._fits(each, where)]
        pool = [each for each, fits in self._each(pool, where, self._during) if fits]
        bounded, why = self._bounded(pool, ids(of.facts), where)
        kept = [each for each in bounded if each in of.facts]
        aside = [each for each in bounded if each not in kept]
        read = of.why if query.get("of") else ids(kept)
        ended = [each for each in of.ended if self._clearly_fits(each, where)]
        deletions = [each for each in of.deletions if self._clearly_fits(each, where)]
        settled = of.settled & ids(kept)
        deletions = [] if query.get("of") else deletions
        return Found(kept, read | why, aside, of.in_order, settled, ended, deletions)

    def _ledger(self, known: list[Document], where: Document) -> Found:
        """All known facts, apart: those nobody asks for, those taken back, deletions."""
        asked = [each for each in known if not _left_out(each, where)]
        back = "retracted" in listed(where.get("status"))
        gone = [each for each in asked if self.world.retracted(each, self.world.now) and not back]
        more = {**where, "operation": where.get("operation", "delete")}
        deletions = [
            each
            for each in known
            if each not in asked
            and not _left_out(each, more)
            and (back or not self.world.retracted(each, self.world.now))
        ]
        return Found(
            [each for each in asked if each not in gone], frozenset(), gone, deletions=deletions
        )

    def _clearly_fits(self, fact: Document, where: Document) -> bool:
        """Whether a fact that is no part of the result fits all filters."""
        try:
            if not self._fits(fact, where) or not self._during(fact, where):
                return False
            return bool(self._bounded([fact], frozenset(), where)[0])
        except WrongQuery:
            return False

    @staticmethod
    def _each(
        facts: list[Document], where: Document, decide: Callable[[Document, Document], bool]
    ) -> list[tuple[Document, bool]]:
        """Whether each fact fits; all are decided, whatever the others say."""
        answers = every(*(lambda fact=fact: decide(fact, where) for fact in facts))
        return list(zip(facts, answers, strict=True))

    def _bounded(
        self, pool: list[Document], read: frozenset[str], where: Document
    ) -> tuple[list[Document], frozenset[str]]:
        """What lies within bounds, and what had to be read to see it.

        That is all of the pool but what was set aside, and with it what bounds rest on.
        """
        why: frozenset[str] = frozenset()
        if not (where.get("number") or where.get("dated")):
            return pool, why
        points, given = self._bounds(where.get("dated") or {})
        answers = self._each(pool, where, self._within_numbers)
        within = [
            each
            for each, fits in self._each(
                pool, where, lambda fact, _: self._within_dates(fact, points)
            )
            if fits
        ]
        why = (ids(pool) & read) | (given if ids(pool) & read else frozenset())
        return [each for each, fits in answers if fits and each in within], why

    def _bounds(self, dated: Document) -> tuple[dict[str, Any], frozenset[str]]:
        """The point of each bound (a date, or a session's position), and what it rests on."""
        given = {name: bound for name, bound in dated.items() if bound is not None}
        found = every(*(lambda bound=bound: self._bound(bound) for bound in given.values()))
        why: frozenset[str] = frozenset().union(*(reasons for _, reasons in found))
        return dict(zip(given, (point for point, _ in found), strict=True)), why

    def _bound(self, bound: Any) -> tuple[Any, frozenset[str]]:
        why: frozenset[str] = frozenset()
        if isinstance(bound, dict):
            given, why = self.one(bound)
            bound = given["text"]
            if given["type"] != "date" and bound not in self.world.sessions:
                raise WrongQuery(TYPE)
        if bound in self.world.sessions or span(bound) is None:
            return len(self.world.until(bound)), why
        return bound, why

    def _within_numbers(self, fact: Document, where: Document) -> bool:
        bounds, value = where.get("number"), fact["value"]
        if not bounds:
            return True
        own = number(value["text"]) if value["type"] == "number" else None
        if own is None or value["unit"] != bounds.get("unit"):
            raise WrongQuery(TYPE)
        limits = {name: number(bounds[name]) for name in bounds if name != "unit" and bounds[name]}
        holds = {
            "above": lambda limit: own > limit,
            "below": lambda limit: own < limit,
            "least": lambda limit: own >= limit,
            "most": lambda limit: own <= limit,
        }
        return all(holds[name](limit) for name, limit in limits.items())

    def _within_dates(self, fact: Document, points: dict[str, Any]) -> bool:
        bounds = points.items()
        return all(every(*(lambda each=each: self._within(fact, *each) for each in bounds)))

    def _within(self, fact: Document, name: str, point: Any) -> bool:
        """Whether a fact lies after, before, from or until a date or a session."""
        opposite = {"after": "until", "before": "from"}
        if name in opposite:
            return not self._within(fact, opposite[name], point)
        if isinstance(point, int):
            told = self.world.first_session(fact)
            if told is None:
                raise WrongQuery(NONE)
            own = self.world.sessions.index(told) + 1
            return own >= point if name == "from" else own <= point
        when = self.world.date(fact)
        if when is None:
            raise WrongQuery(NONE)
        (a, b), (s, e) = spans(when, point)
        yes, no = (a >= s, b <= s) if name == "from" else (b <= e, a >= e)
        if not yes and not no:
            raise WrongQuery(AMBIGUOUS)
        return yes

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
        placed |= {"number", "dated"}
        unclear = False
        for where in _filters(query):
            texts = {name: wanted for name, wanted in where.items() if name not in placed}
            if any(self._fits(fact, texts) and not _left_out(fact, texts) for fact in unknown):
                if texts == where:
                    return True
                unclear = True
        return None if unclear else False

    def _fits(self, fact: Document, where: Document) -> bool:
        """Whether a fact fits every filter but `during`, `number` and `dated`."""
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
        if list(asked) == ["session"] and self.world.placed(fact) in asked["session"]:
            return self.world.placed(fact) in self.world.now
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

    def _during(self, fact: Document, where: Document) -> bool:
        """Whether the date of a fact lies in a stretch; too coarse to tell is an error."""
        stretch = where.get("during")
        if stretch is None:
            return True
        when = self.world.date(fact)
        if when is None:
            raise WrongQuery(NONE)
        (begin, end), (first, last) = spans(when, stretch)
        if first <= begin and end <= last:
            return True
        if end <= first or last <= begin:
            return False
        raise WrongQuery(AMBIGUOUS)


def _left_out(fact: Document, where: Document) -> bool:
    """Whether a fact is left out unless a filter asks for its kind."""
    return any(fact[name] in kinds and name not in where for name, kinds in _LEFT_OUT.items())


def _filters(node: Any) -> list[Document]:
    """The filters of every `select` in an expression."""
    if isinstance(node, list):
        return [found for part in node for found in _filters(part)]
    if not isinstance(node, dict):
        return []
    inside = [found for part in node.values() for found in _filters(part)]
    if node.get("op") == "select" and not node.get("of"):
        inside.append(_asked(node))
    if node.get("op") == "follow":  # what it joins may be hidden; a place stands for "maybe"
        inside.append({"attribute": node["attribute"], "session": None})
    return inside


def _asked(select: Document) -> Document:
    """The filters of a `select` that ask for something."""
    return {name: wanted for name, wanted in select["where"].items() if wanted is not None}
