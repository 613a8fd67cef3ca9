"""Drafts of questions about a world, one maker a kind (WorldMemArena §4.4, Table 4)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import FactOperation, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.paths.worldmemarena.lifelong.asking.view import View, names_in_list
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point, Role
from memassay.synth.questions.drafts import Draft, Query, get, union

_FORMATS: Final = {
    ValueType.NUMBER: AnswerFormat.NUMBER,
    ValueType.DATE: AnswerFormat.DATE,
}
_TEXT: Final = (Modality.TEXT,)
_IMAGE: Final = (Modality.IMAGE,)
_BOTH: Final = (Modality.TEXT, Modality.IMAGE)
_SERIES: Final = (4, 6)
"""Fewest and most facts of a question about several (§4.3: most need 1-2, some 5-6)."""
_CLAIMED: Final = (
    "People contradicted each other on the {say} of {e}. {ask}",
    "More than one claim was made about the {say} of {e}. {ask}",
    "Two claims about the {say} of {e} contradict each other. {ask}",
)
_APART: Final = (
    "How many days lie between the {first} of {e} and the {last} of {f}?",
    "How many days pass from the {first} of {e} to the {last} of {f}?",
)
_ORDER: Final = (
    "In which order do these come by {say}, the earliest first: {names}?",
    "Put in order by {say}, the earliest first: {names}.",
)
_PICTURES: Final = (
    "Which picture shows the current {say} of {e}?",
    "In which picture can one read the current {say} of {e}?",
)


@dataclass(frozen=True)
class Asked:
    """A draft with what it is about.

    Attributes:
        draft: The question, its query and its form.
        code: Its code in the paper.
        points: Keys of the points that it is about, those that it tempts with among them.
        trap: What interference would have one answer.
        pairs: What it shares with a question of another checkpoint, before or after a change.
        near: Keys of the points that answer the same question of another thing.
    """

    draft: Draft
    code: str
    points: tuple[str, ...]
    trap: str = ""
    pairs: str = ""
    near: tuple[str, ...] = ()


Maker = Callable[[View], Iterator[Asked]]


def select(view: View, point: Point) -> Query:
    """All facts of the slot of a point."""
    where = {"subject": point.subject, "attribute": view.spec(point).say}
    return {"op": "select", "where": where}


def now(view: View, point: Point) -> Query:
    """What holds of the slot of a point."""
    return {"op": "as_of", "of": select(view, point), "at": "end"}


def _value(
    view: View, point: Point, code: str, modalities: tuple[Modality, ...], pairs: str = ""
) -> Asked:
    """A question for the value of a slot."""
    draft = Draft(
        view.smith.ask(point, view.spec(point).ask),
        get(now(view, point)),
        _FORMATS.get(point.value.type, AnswerFormat.FREE),
        (point.key,),
        modalities=modalities,
    )
    return Asked(draft, code, (point.key,), pairs=pairs)


def ask_value(view: View) -> Iterator[Asked]:
    """FR: a value that was told once; those first that change before the next checkpoint."""
    for point in view.held:
        if view.is_first(point) and not point.pictured:
            yield _value(view, point, "FR", _TEXT)


def ask_twin(view: View, near: Sequence[str]) -> Iterator[Asked]:
    """FR or DU: what a boundary question asks, of things of which it was told."""
    for point in view.held:
        if point.key in near:
            yield _value(view, point, "FR" if view.is_first(point) else "DU", _TEXT)


def ask_before_change(view: View) -> Iterator[Asked]:
    """FR: a value that changes before the next checkpoint, where it is asked again."""
    for point in view.held:
        if view.is_first(point) and not point.pictured and view.is_revised_next(point):
            yield _value(view, point, "FR", _TEXT, _next(point))


def ask_changed(view: View) -> Iterator[Asked]:
    """DU: a value that was changed."""
    for point in view.held:
        if point.operation is FactOperation.REVISE and not point.pictured and view.is_new(point):
            yield _value(view, point, "DU", _TEXT, _next(point))
    for point in view.state:
        merged = view.spec(point).merged if point.other else None
        if merged is not None and view.is_new(point):
            text = view.smith.ask(point, merged.ask)
            form, about = AnswerFormat.NUMBER, (point.key,)
            draft = Draft(text, get(now(view, point)), form, about, modalities=_TEXT)
            yield Asked(draft, "DU", (point.key, *point.replaces))


def ask_picture_before_change(view: View) -> Iterator[Asked]:
    """VFR: a value that only a picture shows and that changes before the next checkpoint."""
    for point in view.held:
        if view.is_first(point) and point.pictured and view.is_revised_next(point):
            yield _value(view, point, "VFR", _IMAGE, _next(point))


def ask_picture(view: View) -> Iterator[Asked]:
    """VFR: a value that only a picture shows."""
    for point in view.held:
        if view.is_first(point) and point.pictured:
            yield _value(view, point, "VFR", _IMAGE)


def ask_changed_picture(view: View) -> Iterator[Asked]:
    """VU: the latest of a value that pictures show."""
    for point in view.held:
        if point.operation is FactOperation.REVISE and point.pictured:
            yield _value(view, point, "VU", _IMAGE, _next(point) if view.is_new(point) else "")


def _next(point: Point) -> str:
    """What the questions before and after a change share: its slot."""
    return f"{point.slot.thing}/{point.slot.attribute}"


def ask_still(view: View) -> Iterator[Asked]:
    """DU: whether something still holds that ends before the next checkpoint."""
    for point in view.held:
        if view.is_deleted_next(point):
            yield _still(view, point)


def ask_ended(view: View) -> Iterator[Asked]:
    """DU: whether something still holds that has ended; never a refusal."""
    for history in view.histories.values():
        if history[-1].operation is FactOperation.DELETE and view.is_new(history[-1]):
            yield _still(view, history[-1])


def _still(view: View, point: Point) -> Asked:
    ending = view.spec(point).ended
    assert ending is not None  # nothing else ends
    query = {
        "op": "choose",
        "of": {"op": "ended", "of": select(view, point)},
        "options": {"Yes": "false", "No": "true"},
    }
    draft = Draft(
        view.smith.ask(point, ending.ask, "ended"),
        query,
        AnswerFormat.CHOICE,
        (point.key,),
        options=(("Yes", "Yes"), ("No", "No")),
    )
    return Asked(draft, "DU", (point.key,), pairs=f"{_next(point)}/ended")


def ask_boundary(view: View) -> Iterator[Asked]:
    """MB: what nobody told, where interference tempts."""
    for point in view.false:
        if point.slot in view.histories:
            continue
        query = {"op": "absent", "of": select(view, point)}
        text = view.smith.ask(point, view.spec(point).ask)
        draft = Draft(text, query, AnswerFormat.REFUSAL, (point.key,))
        twins = [
            one.key
            for one in view.held
            if one.slot.attribute == point.slot.attribute
            and view.world.cast.things[one.slot.thing].kind
            == view.world.cast.things[point.slot.thing].kind
            and not one.pictured
        ]
        if twins:
            yield Asked(draft, "MB", (point.key,), trap=point.value.text, near=tuple(twins))


def ask_conflict_by_context(view: View) -> Iterator[Asked]:
    """MC: what holds, where interference claimed something else."""
    claims = {point.slot: point for point in view.false}
    for point in view.held:
        claim = claims.get(point.slot)
        if claim is None or point.pictured:
            continue
        random = view.world.draws.random("claimed question", *point.slot)
        text = random.choice(_CLAIMED).format(
            say=view.spec(point).say,
            e=point.slot.thing,
            ask=view.smith.ask(point, view.spec(point).ask),
        )
        form = _FORMATS.get(point.value.type, AnswerFormat.FREE)
        draft = Draft(text, get(now(view, point)), form, (point.key,), modalities=_TEXT)
        yield Asked(draft, "MC", (point.key, claim.key))


def ask_conflict_by_authority(view: View) -> Iterator[Asked]:
    """MC: what holds by the rank of the sources that disagree."""
    claims = [point for point in view.points if point.role is Role.CLAIM]
    for first, second in pairwise(claims):
        if first.slot != second.slot:
            continue
        pick = {"op": "pick", "of": select(view, first), "by": "authority", "which": "last"}
        random = view.world.draws.random("disputed question", *first.slot)
        text = random.choice(view.world.vertical.sources.ask)
        names = {
            "say": view.spec(first).say,
            "e": first.slot.thing,
            "user": view.world.cast.user,
        }
        form = _FORMATS.get(first.value.type, AnswerFormat.FREE)
        about = (first.key, second.key)
        draft = Draft(text.format(**names), get(pick), form, about, modalities=_TEXT)
        yield Asked(draft, "MC", about)


def ask_days_apart(view: View) -> Iterator[Asked]:
    """TR: the days between two dates that hold."""
    told = sorted(view.dates(), key=lambda point: (point.value.text, point.key))
    for first, last in combinations(told, 2):
        if first.value.text == last.value.text:
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
        draft = Draft(text, query, AnswerFormat.NUMBER, about, modalities=_where(first, last))
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
            where = _BOTH if any(point.pictured for point in chosen) else _TEXT
            draft = Draft(text, query, AnswerFormat.FREE, about, modalities=where)
            yield Asked(draft, "TR", about)


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


def _where(*points: Point) -> tuple[Modality, ...]:
    """Where points can be read."""
    shown = {point.pictured for point in points}
    return _BOTH if len(shown) > 1 else (_IMAGE if shown == {True} else _TEXT)


def ask_knowledge(view: View) -> Iterator[Asked]:
    """KR: what everybody knows about a value that holds."""
    for point in view.held:
        known = view.spec(point).known
        if known is None:
            continue
        query = get({"op": "follow", "of": now(view, point), "attribute": known.attribute})
        text = view.smith.ask(point, known.ask, "known")
        draft = Draft(text, query, AnswerFormat.FREE, (point.key,), modalities=_where(point))
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
            yield Asked(Draft(text, query, AnswerFormat.FREE, about), "TTL", about)


def ask_search(view: View) -> Iterator[Asked]:
    """VS: the picture that shows a value that holds."""
    for point in view.held:
        if not point.pictured:
            continue
        random = view.world.draws.random("which picture", *point.slot)
        text = random.choice(_PICTURES).format(say=view.spec(point).say, e=point.slot.thing)
        query = get(now(view, point), "attachment")
        draft = Draft(text, query, AnswerFormat.IMAGE_ID, (point.key,), modalities=_IMAGE)
        yield Asked(draft, "VS", (point.key,))


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
                draft = Draft(text, query, AnswerFormat.NUMBER, about, modalities=_BOTH)
                yield Asked(draft, "CMR", about)


def ask_total(view: View) -> Iterator[Asked]:
    """CMR: the sum of several numbers, some told and some shown."""
    for points in view.numbers().values():
        for chosen in _series(view, points, "sum"):
            if len(_where(*chosen)) < len(_BOTH):
                continue
            merged = view.spec(chosen[0]).merged
            assert merged is not None  # only such numbers can be added
            random = view.world.draws.random("in total", *(point.key for point in chosen))
            *first, last = [point.slot.thing for point in chosen]
            names = {"e": ", ".join(first), "f": last}
            text = random.choice(merged.ask).format(user=view.world.cast.user, **names)
            about = tuple(point.key for point in chosen)
            query = _sum(_all_now(view, chosen))
            draft = Draft(text, query, AnswerFormat.NUMBER, about, modalities=_BOTH)
            yield Asked(draft, "CMR", about)


def _sum(of: Query) -> Query:
    return {"op": "fold", "of": of, "with": "sum"}
