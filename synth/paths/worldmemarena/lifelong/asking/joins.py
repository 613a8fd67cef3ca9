"""Questions that join points (WorldMemArena Table 4: TR, KR, TTL, CMR)."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any, Final

from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.records.taught_rule import LinearRule
from memassay.synth.paths.worldmemarena.lifelong.asking.drafts import (
    IN_BOTH,
    IN_TEXT,
    Asked,
    modalities_of,
    now,
)
from memassay.synth.paths.worldmemarena.lifelong.asking.view import View, names_in_list
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point
from memassay.synth.questions.drafts import Draft, Query, get, union

_SERIES: Final = (4, 6)
"""Fewest and most facts of a question about several (§4.3: most need 1-2, some 5-6)."""
_APART: Final = (
    "How many days lie between the {first} of {e} and the {last} of {f}?",
    "How many days pass from the {first} of {e} to the {last} of {f}?",
)
_ORDER: Final = (
    "In which order do these come by {say}, the earliest first: {names}?",
    "Put in order by {say}, the earliest first: {names}.",
)


def ask_days_apart(view: View) -> Iterator[Asked]:
    """TR: the days between two dates that hold, of one thing or of one property."""
    told = sorted(view.dates(), key=lambda point: (point.value.text, point.key))
    for first, last in combinations(told, 2):
        is_alike = view.spec(first).say == view.spec(last).say
        if first.value.text == last.value.text or not (
            is_alike or first.slot.thing == last.slot.thing
        ):
            continue
        random = view.world.draws.random("days", first.key, last.key)
        query = {
            "op": "diff",
            "a": get(now(view, last)),
            "b": get(now(view, first)),
            "unit": "day",
        }
        text = random.choice(_APART).format(
            first=view.spec(first).say,
            last=view.spec(last).say,
            e=first.slot.thing,
            f=last.slot.thing,
        )
        about = (first.key, last.key)
        draft = Draft(
            text, query, AnswerFormat.NUMBER, about, modalities=modalities_of(first, last)
        )
        yield Asked(draft, "TR", about)


def ask_order(view: View) -> Iterator[Asked]:
    """TR: several things in the order of a date that holds."""
    by_say: dict[str, list[Point]] = {}
    for point in view.dates():
        by_say.setdefault(view.spec(point).say, []).append(point)
    for say, points in by_say.items():
        different = {point.value.text: point for point in points}
        for chosen in _series(view, list(different.values()), "order"):
            query = get({"op": "sequence", "of": _all_now(view, chosen), "by": "value"}, "subject")
            random = view.world.draws.random("in order", *(point.key for point in chosen))
            names = names_in_list([point.slot.thing for point in chosen])
            text = random.choice(_ORDER).format(say=say, names=names)
            about = tuple(point.key for point in chosen)
            # The names that it asks for are in the text, whatever only pictures show.
            where = IN_BOTH if any(point.pictured for point in chosen) else IN_TEXT
            draft = Draft(text, query, AnswerFormat.FREE, about, modalities=where)
            yield Asked(draft, "TR", about)


def ask_knowledge(view: View) -> Iterator[Asked]:
    """KR: what everybody knows about a value that holds."""
    for point in view.held:
        known = view.spec(point).known
        if known is None:
            continue
        query = get({"op": "follow", "of": now(view, point), "attribute": known.attribute})
        text = view.smith.ask(point, known.ask, "known")
        draft = Draft(text, query, AnswerFormat.FREE, (point.key,), modalities=modalities_of(point))
        yield Asked(draft, "KR", (point.key,))


def ask_rule(view: View) -> Iterator[Asked]:
    """TTL: what a rule of the first session gives for a value that holds."""
    for name, rule in view.world.vertical.rules.items():
        kind, _, attribute = rule.of.partition(".")
        of = {"subject": view.world.cast.user, "attribute": rule.say}
        for point in view.held:
            thing = view.world.cast.things[point.slot.thing]
            if point.slot.attribute != attribute or thing.kind != kind:
                continue
            query: dict[str, Any] = {
                "op": "apply",
                "rule": {"op": "select", "where": of},
                "to": {attribute: get(now(view, point))},
            }
            random = view.world.draws.random("applied", name, point.slot.thing)
            text = random.choice(rule.ask).replace("{e}", thing.name)
            text = text.replace("{user}", view.world.cast.user)
            about = (f"rule/{name}", point.key)
            is_number = isinstance(rule.rule, LinearRule)
            form = AnswerFormat.NUMBER if is_number else AnswerFormat.FREE
            yield Asked(Draft(text, query, form, about), "TTL", about)


def ask_sum_of_two(view: View) -> Iterator[Asked]:
    """CMR: the sum of a number that was told and one that a picture shows."""
    for points in view.numbers().values():
        shown = [point for point in points if point.pictured]
        told = [point for point in points if not point.pictured]
        for first in shown:
            for second in told:
                if frozenset({first.slot.thing, second.slot.thing}) in view.joined:
                    continue
                merged = view.spec(first).merged
                assert merged is not None  # only such numbers can be added
                random = view.world.draws.random("added", first.key, second.key)
                names = {"e": first.slot.thing, "f": second.slot.thing}
                text = random.choice(merged.ask).format(user=view.world.cast.user, **names)
                query = _sum(union(now(view, first), now(view, second)))
                about = (first.key, second.key)
                draft = Draft(text, query, AnswerFormat.NUMBER, about, modalities=IN_BOTH)
                yield Asked(draft, "CMR", about)


def ask_total(view: View) -> Iterator[Asked]:
    """CMR: the sum of several numbers, some told and some shown."""
    for points in view.numbers().values():
        for chosen in _series(view, points, "sum"):
            if len(modalities_of(*chosen)) < len(IN_BOTH):
                continue
            merged = view.spec(chosen[0]).merged
            assert merged is not None  # only such numbers can be added
            random = view.world.draws.random("in total", *(point.key for point in chosen))
            *first, last = [point.slot.thing for point in chosen]
            names = {"e": ", ".join(first), "f": last}
            text = random.choice(merged.ask).format(user=view.world.cast.user, **names)
            about = tuple(point.key for point in chosen)
            query = _sum(_all_now(view, chosen))
            draft = Draft(text, query, AnswerFormat.NUMBER, about, modalities=IN_BOTH)
            yield Asked(draft, "CMR", about)


def _all_now(view: View, points: Sequence[Point]) -> Query:
    """What holds of one attribute of several things."""
    where = {
        "subject": [point.subject for point in points],
        "attribute": view.spec(points[0]).say,
    }
    return {"op": "as_of", "of": {"op": "select", "where": where}, "at": "end"}


def _series(view: View, points: Sequence[Point], what: str) -> Iterator[list[Point]]:
    """A few of many points, in an order of their own; no two that are neighbours are joined."""
    by_key = {point.key: point for point in points}
    order = [by_key[key] for key in view.world.draws.rank(by_key, what, view.seen)]
    for at in range(0, len(order), _SERIES[1]):
        taken = order[at : at + _SERIES[1]]
        names = [point.slot.thing for point in taken]
        apart = all(frozenset(pair) not in view.joined for pair in pairwise(names))
        if len(taken) >= _SERIES[0] and apart:
            yield taken


def _sum(of: Query) -> Query:
    return {"op": "fold", "of": of, "with": "sum"}
