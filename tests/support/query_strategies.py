"""Strategies that draw ledgers and queries of every operator."""

from typing import Any

from hypothesis import strategies as st

from memassay.schemas.queries.grammar.words import (
    FactField,
    GroupBy,
    JoinSide,
    Measure,
    Order,
    Which,
)
from support.ledgers import fact, get, select

Document = dict[str, Any]
SESSIONS = ("D1", "D2", "D3", "D4")
PLACES = st.lists(
    st.builds(lambda session, at: f"{session}:{at}", st.sampled_from(SESSIONS), st.integers(1, 4)),
    max_size=3,
    unique=True,
)


@st.composite
def worlds(draw: st.DrawFn, odd_dates: bool = False) -> list[tuple[Document, str]]:
    """Up to eight numbered facts of two subjects, some superseded, each told in some rounds."""
    made = []
    dates = [None, "2024-01-10", "2024-03-20", *(["2023-02-30", "9999"] if odd_dates else [])]
    for at in range(draw(st.integers(1, 8))):
        earlier = [f"F{other}" for other in range(at)]
        replaced = draw(st.lists(st.sampled_from(earlier), max_size=2)) if earlier else []
        status = draw(st.sampled_from(["asserted", "asserted", "retracted", "interference"]))
        made.append(
            (
                fact(
                    f"F{at}",
                    draw(st.sampled_from(["amy", "ben"])),
                    draw(st.sampled_from(["price", "cost"])),
                    str(draw(st.decimals(0, 100, places=2))),
                    kind="number",
                    unit="EUR",
                    order=at + 1,
                    status=status,
                    supersedes=[] if status == "interference" else replaced,
                    operation=draw(st.sampled_from(["append", "delete"])) if replaced else "append",
                    valid_from=draw(st.sampled_from(dates)),
                ),
                " ".join(draw(PLACES)),
            )
        )
    return made


DISTINCT = [None, "value", "subject", "session", "day", "attachment"]
BOUNDS = st.deferred(
    lambda: (
        st.sampled_from(["D2", "D9", "2024-01", "2024-02-05", "2023-02-30", "9999"]) | scalars(0)
    )
)
WORDS = st.sampled_from(["amy", "ben", "price", "cost", "12.50", "2024-01-10", "D2", "end", "9999"])


@st.composite
def scalars(draw: st.DrawFn, depth: int = 2) -> Document:
    """Any expression that gives scalars."""
    kind = draw(
        st.sampled_from(["get", "get", "count", "fold", "group", "diff", "gaps", "shift", "apply"])
    )
    if kind == "diff":
        unit = draw(st.sampled_from([None, "EUR", "day", "month", "hour"]))
        operands = scalars(depth - 1) | WORDS if depth else WORDS
        return {"op": "diff", "a": draw(scalars(0)), "b": draw(operands), "unit": unit}
    if kind == "shift":
        by = draw(st.sampled_from(["2 weeks", "1 month", "3 hours", "90 minutes", "two"]))
        return {"op": "shift", "of": draw(scalars(0)), "by": by}
    of = draw(facts(depth - 1))
    if kind == "apply":
        return {"op": "apply", "rule": of, "to": {"x": draw(WORDS)}}
    if kind == "gaps":
        field = draw(st.sampled_from(["date", "value"]))
        return {"op": "gaps", "of": of, "by": draw(st.sampled_from(list(Order))), "field": field}
    if kind == "group":
        return {
            "op": "group",
            "of": of,
            "by": draw(st.sampled_from(list(GroupBy))),
            "with": draw(st.sampled_from(list(Measure))),
            "which": draw(st.sampled_from(["max", "min", "nth"])),
            "n": draw(st.integers(1, 3)),
        }
    if kind == "get":
        return get(of, draw(st.sampled_from(list(FactField))))
    if kind == "count":
        return {"op": "count", "of": of, "distinct": draw(st.sampled_from(DISTINCT))}
    return {"op": "fold", "of": of, "with": draw(st.sampled_from(["sum", "mean", "max"]))}


@st.composite
def facts(draw: st.DrawFn, depth: int = 2) -> Document:
    """Any expression that gives facts."""
    kinds = ["select", "as_of", "pick", "sequence", "follow", "union", "minus"]
    kind = draw(st.sampled_from(kinds)) if depth > 0 else "select"
    inner = facts(depth - 1)
    if kind == "select":
        names = ("subject", "attribute", "value", "during", "session", "status", "order")
        names = (*names, "number", "dated")
        where = {
            "subject": st.lists(WORDS, max_size=3),
            "attribute": WORDS,
            "value": WORDS,
            "during": st.sampled_from(["2024", "2024-01-10T10:00", "2023-02-30", "9999"]),
            "session": st.sampled_from(["D1", "D9"]),
            "status": st.sampled_from(["asserted", "implied", "retracted"]),
            "order": st.integers(1, 4),
            "number": st.fixed_dictionaries(
                {
                    "above": st.sampled_from(["0", "12.50", "-1"]),
                    "unit": st.sampled_from(["EUR", None]),
                }
            ),
            "dated": st.dictionaries(
                st.sampled_from(["after", "before", "from", "until"]), BOUNDS, min_size=1
            ),
        }
        chosen = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
        made = select(**{name: draw(where[name]) for name in chosen})
        return {**made, "of": draw(inner)} if depth > 0 and draw(st.booleans()) else made
    if kind == "as_of":
        return {"op": "as_of", "of": draw(inner), "at": draw(WORDS | scalars(0))}
    if kind in {"pick", "sequence"}:
        by = draw(st.sampled_from(list(Order)))
        more = {"which": draw(st.sampled_from(list(Which))), "n": 2} if kind == "pick" else {}
        return {"op": kind, "of": draw(inner), "by": by, **more}
    if kind == "follow":
        sides = draw(st.sampled_from(list(JoinSide)))
        return {"op": "follow", "of": draw(inner), "attribute": draw(WORDS), "from": sides}
    if kind == "union":
        return {"op": "union", "of": [draw(inner), draw(inner)]}
    return {"op": "minus", "a": draw(inner), "b": draw(inner)}


@st.composite
def truths(draw: st.DrawFn) -> Document:
    """Any expression that gives truth, or a choice."""
    kind = draw(st.sampled_from(["compare", "conflict", "absent", "exists", "ended", "choose"]))
    if kind in {"absent", "exists", "ended"}:
        return {"op": kind, "of": draw(facts())}
    if kind == "conflict":
        claim = {name: draw(WORDS) for name in ("subject", "attribute", "value")}
        one = draw(st.sampled_from(["value", "subject"]))
        return {"op": "conflict", "claim": {**claim, "one": one}, "against": draw(facts())}
    of = draw(scalars())
    if kind == "choose":
        return {"op": "choose", "of": of, "options": {"A": draw(WORDS), "B": draw(WORDS)}}
    how = draw(st.sampled_from(["same", "differ", "less", "more"]))
    return {"op": "compare", "a": of, "b": draw(WORDS | scalars(0)), "with": how}
