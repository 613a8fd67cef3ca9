"""Questions where something false tempts (WorldMemArena Table 4: MB, MC)."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.paths.worldmemarena.lifelong.asking.drafts import (
    FORMATS,
    IN_TEXT,
    Asked,
    now,
    select,
)
from memassay.synth.paths.worldmemarena.lifelong.asking.view import View
from memassay.synth.paths.worldmemarena.lifelong.world.points import Role
from memassay.synth.questions.drafts import Draft, get

_CLAIMED: Final = (
    "People gave different answers about the {say} of {e}. {ask}",
    "There were different claims about the {say} of {e}. {ask}",
    "Two different things were said about the {say} of {e}. {ask}",
)


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
        form = FORMATS.get(point.value.type, AnswerFormat.FREE)
        draft = Draft(text, get(now(view, point)), form, (point.key,), modalities=IN_TEXT)
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
        form = FORMATS.get(first.value.type, AnswerFormat.FREE)
        about = (first.key, second.key)
        draft = Draft(text.format(**names), get(pick), form, about, modalities=IN_TEXT)
        yield Asked(draft, "MC", about)
