"""Strategies that draw queries about a ledger, so that they often have a result."""

from typing import Any

from hypothesis import strategies as st

from memassay.schemas.records.bundle import Bundle
from support.brute.drawn_ledgers import ATTRIBUTES, DAYS, NUMBERS, PLACES, one_of, rarely

Document = dict[str, Any]
ORDERS = ("date", "said", "value", "order", "importance", "authority")
FIELDS = ("value", "subject", "date", "session", "attachment", "speaker", "attribute")


class Drawer:
    """Draws expressions about one ledger, at most some operators deep."""

    def __init__(self, draw: st.DrawFn, bundle: Bundle) -> None:
        """Keep what queries can name: facts, sessions, attachments."""
        self.draw = draw
        document = bundle.model_dump(mode="json")
        self.facts: list[Document] = document["facts"]
        self.mentions: list[Document] = document["mentions"]
        self.sessions = [each["id"] for each in document["conversation"]["sessions"]]

    def one(self, *items: Any) -> Any:
        """One of some items."""
        return one_of(self.draw, *items)

    def fact(self) -> Document:
        """A fact of the ledger."""
        found: Document = self.draw(st.sampled_from(self.facts))
        return found

    def point(self) -> str:
        """A literal point of time."""
        return str(self.one("end", self.draw(st.sampled_from(self.sessions)), "C1", *DAYS[:4]))

    def text(self) -> str:
        """A text, number or date, mostly one that some fact has."""
        texts = (self.fact()["value"]["text"], self.fact()["subject"])
        return str(self.one(*texts, *NUMBERS[:2], DAYS[0], PLACES[0], "true"))

    def select(self) -> Document:
        """A `select` that one fact at least would fit, were it known and not left out."""
        fact = self.fact()
        where: Document = {}
        for name in ("subject", "attribute"):
            if rarely(self.draw, 45):
                where[name] = self._or_another(fact[name], self.fact()[name])
        if rarely(self.draw, 15):
            where["value"] = self._or_another(fact["value"]["text"], self.text())
        for name in ("holder", "status", "operation", "scope"):
            if rarely(self.draw, 6 if fact[name] in {"asserted", "append", "history"} else 25):
                where[name] = self._or_another(fact[name], self.fact()[name])
        for name in ("source", "order"):
            if fact[name] is not None and rarely(self.draw, 10):
                where[name] = self._or_another(fact[name], fact[name])
        if rarely(self.draw, 8):
            where["during"] = self.one(*DAYS, "2024")
        if rarely(self.draw, 6):
            where["speaker"] = self.one("user", "assistant", "nobody")
        own = [each for each in self.mentions if each["fact"] == fact["id"]]
        if own and rarely(self.draw, 15):
            where |= self._place(self.draw(st.sampled_from(own)))
        return {"op": "select", "where": where}

    def _place(self, mention: Document) -> Document:
        where = {}
        for name in ("modality", "attachment", "asset"):
            if mention[name] and rarely(self.draw, 50):
                where[name] = mention[name]
        if rarely(self.draw, 40):
            where["session"] = mention["round"].partition(":")[0]
        return where

    def _or_another(self, wanted: Any, other: Any) -> Any:
        return [wanted, other] if rarely(self.draw, 20) else wanted

    def found(self, depth: int) -> Document:
        """An expression that gives facts."""
        kinds = ("select", "as_of", "pick", "follow", "union", "minus", "sequence", "select")
        kind = self.one(*kinds) if depth > 0 else "select"
        if kind == "select":
            return self.select()
        if kind == "union":
            return {"op": kind, "of": [self.found(depth - 1), self.found(depth - 1)]}
        if kind == "minus":
            return {"op": kind, "a": self.found(depth - 1), "b": self.found(depth - 1)}
        of = self.found(depth - 1)
        if kind == "as_of":
            dated = {"op": "get", "of": self.select(), "field": self.one("date", "session")}
            at = dated if rarely(self.draw, 20) else self.point()
            return {"op": kind, "of": of, "at": at}
        if kind == "follow":
            sides = {"from": self.one("value", "subject", "source")}
            sides["to"] = self.one("subject", "subject", "value")
            return {"op": kind, "of": of, "attribute": self.one(*ATTRIBUTES), **sides}
        made: Document = {"op": kind, "of": of, "by": self.one(*ORDERS)}
        if kind == "pick":
            made["which"] = self.one("first", "last", "min", "max", "nth")
            if made["which"] == "nth":
                made["n"] = self.draw(st.integers(1, 3))
        return made

    def scalar(self, depth: int) -> Document:
        """An expression that gives scalars."""
        kind = self.one("get", "get", "count", "fold", "diff")
        if kind == "diff":
            return self.diff(depth)
        of = self.found(depth - 1)
        if kind == "get":
            return {"op": kind, "of": of, "field": self.one(*FIELDS)}
        if kind == "count":
            return {"op": kind, "of": of, "distinct": self.one(None, "value", "subject")}
        return {"op": kind, "of": of, "with": self.one("sum", "mean", "min", "max")}

    def comparable(self, depth: int, sort: str) -> Document:
        """An expression that mostly gives one scalar of a sort."""
        if depth > 1 and rarely(self.draw, 20):
            return self.scalar(depth)
        if sort == "number" and rarely(self.draw, 40):
            of = self.found(depth - 1)
            return {"op": "fold", "of": of, "with": self.one("sum", "mean", "min", "max")}
        wanted = [each for each in self.facts if sort in {each["value"]["type"], "date"}]
        field = "date" if sort == "date" else "value"
        fact = self.draw(st.sampled_from(wanted or self.facts))
        where = {"subject": fact["subject"], "attribute": fact["attribute"]}
        of = {"op": "select", "where": where}
        if rarely(self.draw, 40):
            of = {"op": "as_of", "of": of, "at": "end"}
        return {"op": "get", "of": of, "field": field}

    def pair(self, depth: int, sort: str) -> Document:
        """Two sides, one of them sometimes a text."""
        a: Any = self.comparable(depth - 1, sort)
        b: Any = self.comparable(depth - 1, sort)
        text = {"number": NUMBERS, "date": DAYS}.get(sort, PLACES)
        if rarely(self.draw, 30):
            b = self.one(*text)
        elif rarely(self.draw, 10):
            a = self.one(*text)
        return {"a": a, "b": b}

    def diff(self, depth: int) -> Document:
        """A difference of two numbers or two dates."""
        sort = self.one("date", "number")
        units: tuple[str | None, ...] = ("day", "week", "month", "year", "hour", "minute", None)
        unit = self.one(*units) if sort == "date" else self.one("EUR", None, "kg")
        rounding = self.one("down", "exact")
        return {"op": "diff", **self.pair(depth, sort), "unit": unit, "rounding": rounding}

    def truth(self, depth: int) -> Document:
        """An expression that gives truth."""
        kind = self.one("compare", "conflict", "absent")
        if kind == "absent":
            return {"op": kind, "of": self.found(depth - 1)}
        if kind == "compare":
            how = self.one("same", "differ", "less", "more")
            sort = self.one("number", "date", "text", "entity", "boolean")
            return {"op": kind, **self.pair(depth, sort), "with": how}
        fact = self.fact()
        claim = {"subject": fact["subject"], "attribute": fact["attribute"]}
        claim["value"] = self.text() if rarely(self.draw, 50) else fact["value"]["text"]
        claim["one"] = self.one("value", "value", "subject")
        against = self.found(depth - 1)
        if rarely(self.draw, 50):
            name = "attribute" if claim["one"] == "subject" else "subject"
            against = {"op": "select", "where": {name: fact[name]}}
        return {"op": kind, "claim": claim, "against": against}

    def choose(self, depth: int) -> Document:
        """A choice among what facts have."""
        of = self.truth(depth - 1) if rarely(self.draw, 30) else self.scalar(depth - 1)
        options = {"A": self.text(), "B": self.text(), "C": "false"}
        return {"op": "choose", "of": of, "options": options}

    def query(self, depth: int = 4) -> Document:
        """Any expression."""
        kind = self.one("scalar", "found", "truth", "choose", "scalar")
        made: Document = getattr(self, kind)(depth)
        return made


@st.composite
def questions(draw: st.DrawFn, bundle: Bundle) -> Document:
    """A query with what is asked around it: `query`, `asked_at`, `relation`, `modalities`."""
    drawer = Drawer(draw, bundle)
    session = draw(st.sampled_from(drawer.sessions))
    asked_at = one_of(draw, {}, {}, {"session": session}, {"checkpoint": "C1"})
    allowed = one_of(draw, [], [], [], ["text"], ["image"], ["image", "document"])
    return {
        "query": drawer.query(draw(st.integers(1, 4))),
        "asked_at": asked_at,
        "relation": one_of(draw, "all", "one", "all", "ordered"),
        "modalities": allowed,
    }
