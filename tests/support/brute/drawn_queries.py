"""Queries about a ledger, drawn by dice so that they often have a result."""

from typing import Any

from memassay.schemas.records.bundle import Bundle
from support.brute.drawn_ledgers import (
    ATTRIBUTES,
    DAYS,
    NUMBERS,
    PLACES,
    THINGS,
    WHOLE_DAYS,
    Dice,
    one_of,
    rarely,
)

Document = dict[str, Any]
ORDERS = ("date", "said", "value", "order", "importance", "authority")
FIELDS = ("value", "subject", "date", "session", "attachment", "speaker", "attribute", "ordinal")
TIMES = ("day", "week", "month", "year", "hour", "minute")


class Drawer:
    """Draws expressions about one ledger, at most some operators deep."""

    def __init__(self, draw: Dice, bundle: Bundle) -> None:
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
        found: Document = self.draw.one(self.facts)
        return found

    def point(self) -> str:
        """A literal point of time."""
        return str(self.one("end", self.draw.one(self.sessions), "C1", *DAYS[:4]))

    def text(self) -> str:
        """A text, number or date, mostly one that some fact has."""
        texts = (self.fact()["value"]["text"], self.fact()["subject"])
        return str(self.one(*texts, *NUMBERS[:2], DAYS[0], PLACES[0], "true"))

    def select(self, depth: int = 0) -> Document:
        """A `select` that one fact at least would fit, were it known and not left out."""
        if depth > 0 and rarely(self.draw, 25):
            made = self.select()
            names = list(made["where"])
            kept = self.draw.one(names) if names else None
            where = {name: wanted for name, wanted in made["where"].items() if name == kept}
            return {"op": "select", "of": self.found(depth - 1), "where": where}
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
        if rarely(self.draw, 30 if fact["speaker"] else 6):
            where["speaker"] = self.one("user", "assistant", "nobody")
        own = [each for each in self.mentions if each["fact"] == fact["id"]]
        if own and rarely(self.draw, 15):
            where |= self._place(self.draw.one(own))
        if rarely(self.draw, 8):
            where |= self._numbers(fact)
        if rarely(self.draw, 10):
            where["dated"] = self._dates()
        return {"op": "select", "where": where}

    def _numbers(self, fact: Document) -> Document:
        """A filter by number, mostly over facts of one attribute."""
        numbers = [each for each in self.facts if each["value"]["type"] == "number"]
        fact = self.draw.one(numbers) if numbers else fact
        bounds = {self.one("above", "below", "least", "most"): self.one(*NUMBERS)}
        if rarely(self.draw, 30):
            bounds[self.one("most", "least")] = fact["value"]["text"]
        bounds = {name: text for name, text in bounds.items() if text in NUMBERS}
        bounds = bounds or {"least": "10"}
        unit = fact["value"]["unit"]
        if unit and not rarely(self.draw, 5):
            bounds["unit"] = unit
        return {"attribute": fact["attribute"], "number": bounds}

    def _dates(self) -> Document:
        """Bounds of dates or sessions."""
        bounds: Document = {}
        for _ in range(self.one(1, 1, 2)):
            name = self.one("after", "before", "from", "until")
            bound = self.one(*DAYS, *self.sessions)
            if rarely(self.draw, 25):
                bound = self.comparable(0, "date")
                if rarely(self.draw, 30):
                    bound = {**bound, "field": "session"}
            bounds[name] = bound
        return bounds

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
            return self.select(depth)
        if kind == "union":
            return {"op": kind, "of": [self.found(depth - 1), self.found(depth - 1)]}
        if kind == "minus":
            return {"op": kind, "a": self.found(depth - 1), "b": self.select()}
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
                made["n"] = self.draw.whole(1, 3)
        return made

    def scalar(self, depth: int) -> Document:
        """An expression that gives scalars."""
        kind = self.one("get", "get", "count", "fold", "diff", "group", "gaps", "shift", "group")
        if kind in {"diff", "gaps", "shift"}:
            made: Document = getattr(self, kind)(depth)
            return made
        of = self.found(depth - 1)
        if kind == "get":
            return {"op": kind, "of": of, "field": self.one(*FIELDS)}
        if rarely(self.draw, 30):
            of = self.alike(self.one("number", "entity", "text"))
        if kind == "count":
            kinds = (None, None, "value", "subject", "session", "day", "attachment")
            return {"op": kind, "of": of, "distinct": self.one(*kinds)}
        if kind == "group":
            return self.group(of)
        if rarely(self.draw, 25):
            of = self.gaps(depth - 1)
        elif rarely(self.draw, 50):
            of = self.alike("number")
        return {"op": kind, "of": of, "with": self.one("sum", "mean", "min", "max")}

    def alike(self, sort: str) -> Document:
        """Facts of one attribute whose values are mostly of a sort."""
        wanted = [each for each in self.facts if each["value"]["type"] == sort]
        names = [each["attribute"] for each in wanted]
        several = [each for each in wanted if names.count(each["attribute"]) > 1]
        fact = self.draw.one(several or wanted or self.facts)
        of: Document = {"op": "select", "where": {"attribute": fact["attribute"]}}
        at = self.one("end", "end", *self.sessions)
        return {"op": "as_of", "of": of, "at": at} if rarely(self.draw, 50) else of

    def group(self, of: Document) -> Document:
        """A group of facts, compared by number."""
        how = self.one("count", "sum", "mean", "min", "max", "last")
        if how != "count" and rarely(self.draw, 70):
            of = self.alike("number")
        made: Document = {"op": "group", "of": of, "with": how}
        keys = ("subject", "subject", "value", "attribute", "session", "attachment", "month")
        made["by"] = self.one(*keys)
        made["which"] = self.one("max", "min", "max", "min", "nth")
        if made["which"] == "nth":
            made["n"] = self.draw.whole(1, 3)
        return made

    def gaps(self, depth: int) -> Document:
        """The distances of neighbours."""
        field = self.one("date", "value")
        made: Document = {"op": "gaps", "field": field, "by": self.one("date", "said", *ORDERS)}
        sort = self.one("number", "date") if field == "value" else "date"
        some = self.alike(sort) if rarely(self.draw, 60) else self.found(depth - 1)
        made["of"] = self.one(some, {"op": "select", "where": {}}) if field == "date" else some
        made["unit"] = self.one(*TIMES) if sort == "date" else self.one(None, "EUR")
        return made | {"rounding": self.one("down", "exact")}

    def shift(self, depth: int) -> Document:
        """A date some time later or earlier."""
        of: Any = self.comparable(depth - 1, "date")
        by: Any = f"{self.one(1, 2, 13)} {self.one(*TIMES)}{self.one('s', '')}"
        if rarely(self.draw, 5):
            by = self.one("soon", "1.5 days", "2 kg", "")
        if rarely(self.draw, 25):
            by = self.one(self.diff, self.scalar)(depth - 1)
            if rarely(self.draw, 40):
                of = self.one(*DAYS)
        return {"op": "shift", "of": of, "by": by, "direction": self.one("later", "earlier")}

    def apply(self) -> Document:
        """A rule for a new case."""
        rules = [each for each in self.facts if each["value"].get("rule")]
        if not rules:
            return {"op": "get", "of": self.select(), "field": "value"}
        rule = self.draw.one(rules)["value"]["rule"]
        slots = {"n": "number", "pet": "entity"} if rule["kind"] == "template" else {}
        slots = {"n": "number", "m": "number"} if rule["kind"] == "linear" else slots
        slots = slots or {rule["slot"]: "number" if rule["slot"] == "n" else "entity"}
        if rarely(self.draw, 4):
            slots["other"] = "text"
        texts = {"number": (*NUMBERS, "12 EUR", "3kg"), "entity": ("rex", "Ben", "10", "else")}
        to = {
            name: self.one(*texts.get(sort, PLACES))
            if rarely(self.draw, 50)
            else self.comparable(0, sort)
            for name, sort in slots.items()
        }
        of: Document = {"op": "select", "where": {"attribute": "rule"}}
        return {"op": "apply", "rule": self.pick(of) if rarely(self.draw, 50) else of, "to": to}

    def pick(self, of: Document) -> Document:
        """The last of some facts."""
        return {"op": "pick", "of": of, "by": self.one("said", "date"), "which": "last"}

    def comparable(self, depth: int, sort: str) -> Document:
        """An expression that mostly gives one scalar of a sort."""
        if depth > 1 and rarely(self.draw, 20):
            return self.scalar(depth)
        if sort == "number" and rarely(self.draw, 40):
            of = self.found(depth - 1)
            return {"op": "fold", "of": of, "with": self.one("sum", "mean", "min", "max")}
        wanted = [each for each in self.facts if sort in {each["value"]["type"], "date"}]
        field = "date" if sort == "date" else "value"
        fact = self.draw.one(wanted or self.facts)
        where = {"subject": fact["subject"], "attribute": fact["attribute"]}
        of: Document = {"op": "select", "where": where}
        if rarely(self.draw, 60):
            at_end = {"op": "as_of", "of": of, "at": "end"}
            of = self.one(at_end, self.pick(of))
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
        kind = self.one("compare", "conflict", "absent", "exists", "ended", "ended")
        if kind in {"absent", "exists", "ended"}:
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
        if rarely(self.draw, 70):
            where = {name: fact[name] for name in ("attribute", "subject")}
            if claim["one"] == "subject":
                where["subject"] = [each["subject"] for each in self.facts]
            against = {"op": "select", "where": where}
        if rarely(self.draw, 25):
            return {"op": kind, "claim": self.claimed(fact), "against": against}
        return {"op": kind, "claim": claim, "against": against}

    def claimed(self, fact: Document) -> Document:
        """Facts of the question's own images."""
        where: Document = {"scope": "question"}
        if rarely(self.draw, 40):
            where["subject"] = fact["subject"]
        return {"op": "select", "where": {} if rarely(self.draw, 10) else where}

    def choose(self, depth: int) -> Document:
        """A choice among what facts have."""
        if rarely(self.draw, 25):
            options = {"A": "true", "B": "false"}
            return {"op": "choose", "of": self.truth(depth - 1), "options": options}
        fact = self.fact()
        sort = fact["value"]["type"]
        texts: tuple[str, ...] = (*THINGS, *PLACES)
        texts = {"number": NUMBERS, "date": WHOLE_DAYS, "boolean": ("true", "false")}.get(
            sort, texts
        )
        options = {"A": fact["value"]["text"], "B": self.one(*texts), "C": self.one(*texts)}
        if rarely(self.draw, 10):
            options["D"] = self.text()
        of = self.scalar(depth - 1)
        if rarely(self.draw, 75):
            names = {name: fact[name] for name in ("subject", "attribute")}
            chosen: Document = {"op": "select", "where": names}
            chosen = self.one(chosen, self.pick(chosen))
            of = {"op": "get", "of": chosen, "field": "value"}
        return {"op": "choose", "of": of, "options": options}

    def query(self, depth: int = 4) -> Document:
        """Any expression."""
        kind = self.one("scalar", "found", "truth", "choose", "scalar", "apply")
        made: Document = self.apply() if kind == "apply" else getattr(self, kind)(depth)
        return made


def questions(draw: Dice, bundle: Bundle) -> Document:
    """A query with what is asked around it: `query`, `asked_at`, `relation`, `modalities`."""
    drawer = Drawer(draw, bundle)
    session = draw.one(drawer.sessions)
    asked_at = one_of(draw, {}, {}, {}, {}, {"session": session}, {"checkpoint": "C1"})
    some = (["text"], ["image"], ["image", "document"])
    allowed = one_of(draw, *some) if rarely(draw, 20) else []
    return {
        "query": drawer.query(draw.whole(1, 4)),
        "asked_at": asked_at,
        "relation": one_of(draw, "all", "one", "all", "ordered"),
        "modalities": allowed,
    }
