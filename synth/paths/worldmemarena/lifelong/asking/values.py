"""Questions for a value: recall, update, still so? (WorldMemArena Table 4: FR, DU, VFR, VU, VS)."""

from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.records.ledger import FactOperation
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.paths.worldmemarena.lifelong.asking.drafts import (
    IN_PICTURES,
    IN_TEXT,
    Asked,
    draft_value,
    now,
    select,
)
from memassay.synth.paths.worldmemarena.lifelong.asking.view import View
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point
from memassay.synth.questions.drafts import Draft, get

_PICTURES: Final = (
    "Which picture shows the current {say} of {e}?",
    "In which picture can one read the current {say} of {e}?",
)


def ask_value(view: View) -> Iterator[Asked]:
    """FR: a value that was told once; those first that change before the next checkpoint."""
    for point in view.held:
        if view.is_first(point) and not point.pictured:
            yield draft_value(view, point, "FR", IN_TEXT)


def ask_twin(view: View, near: Sequence[str]) -> Iterator[Asked]:
    """FR or DU: what a boundary question asks, of things of which it was told."""
    for point in view.held:
        if point.key in near:
            yield draft_value(view, point, "FR" if view.is_first(point) else "DU", IN_TEXT)


def ask_before_change(view: View) -> Iterator[Asked]:
    """FR: a value that changes before the next checkpoint, where it is asked again."""
    for point in view.held:
        if view.is_first(point) and not point.pictured and view.is_revised_next(point):
            yield draft_value(view, point, "FR", IN_TEXT, _next(point))


def ask_changed(view: View) -> Iterator[Asked]:
    """DU: a value that was changed."""
    for point in view.held:
        if point.operation is FactOperation.REVISE and not point.pictured and view.is_new(point):
            yield draft_value(view, point, "DU", IN_TEXT, _next(point))
    for point in view.state:
        merged = view.spec(point).merged if point.other else None
        if merged is not None and view.is_new(point):
            text = view.smith.ask(point, merged.ask)
            form, about = AnswerFormat.NUMBER, (point.key,)
            draft = Draft(text, get(now(view, point)), form, about, modalities=IN_TEXT)
            yield Asked(draft, "DU", (point.key, *point.replaces))


def ask_picture_before_change(view: View) -> Iterator[Asked]:
    """VFR: a value that only a picture shows and that changes before the next checkpoint."""
    for point in view.held:
        if view.is_first(point) and point.pictured and view.is_revised_next(point):
            yield draft_value(view, point, "VFR", IN_PICTURES, _next(point))


def ask_picture(view: View) -> Iterator[Asked]:
    """VFR: a value that only a picture shows."""
    for point in view.held:
        if view.is_first(point) and point.pictured:
            yield draft_value(view, point, "VFR", IN_PICTURES)


def ask_changed_picture(view: View) -> Iterator[Asked]:
    """VU: the latest of a value that pictures show."""
    for point in view.held:
        if point.operation is FactOperation.REVISE and point.pictured:
            yield draft_value(
                view, point, "VU", IN_PICTURES, _next(point) if view.is_new(point) else ""
            )


def ask_search(view: View) -> Iterator[Asked]:
    """VS: the picture that shows a value that holds."""
    for point in view.held:
        if not point.pictured:
            continue
        random = view.world.draws.random("which picture", *point.slot)
        text = random.choice(_PICTURES).format(say=view.spec(point).say, e=point.slot.thing)
        query = get(now(view, point), "attachment")
        draft = Draft(text, query, AnswerFormat.IMAGE_ID, (point.key,), modalities=IN_PICTURES)
        yield Asked(draft, "VS", (point.key,))


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


def _next(point: Point) -> str:
    """What the questions before and after a change share: its slot."""
    return f"{point.slot.thing}/{point.slot.attribute}"
