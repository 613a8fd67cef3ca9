"""Drafts of questions that ask for an image: fm (M3Exam A.3), as somebody would remember it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.queries.asked.nouns import ANY
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.parts.reference import PictureDescription, Reference
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, in_turn
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.describing import (
    describe_both,
    describe_event,
    describe_picture,
)
from memassay.synth.questions.references.matters import events_of
from memassay.synth.questions.visual import image_wordings as wordings
from memassay.synth.questions.visual.gathered import Series, series_of
from memassay.synth.questions.visual.labels import TOTAL, as_noun, is_money, is_noun, numbers_of
from memassay.synth.questions.visual.placing import beside, mix
from memassay.synth.world.grammar import choose, expand

_RIVALS: Final = 3
"""Most images that must lose."""
_DEPICTS: Final = "depicts"
_CHARTS: Final = frozenset({"bar_chart", "line_chart", "double_chart"})
_LINES: Final = frozenset({"label", "ticket", "notice", "certificate", "whiteboard"})
_ENDS: Final = ("max", "min")
_WHOLE: Final = ("?", ".")
"""How a pattern ends that is a question of its own, and not what is looked for."""


def find_matching(history: History, random: Random) -> Iterator[Draft]:
    """fm: an image by what it is for, by what is in it, or by a comparison."""
    shown = history.things.gallery.by_id
    # A page is no image of its own; an image without others beside it is no search.
    everything = history.pictures(random)
    pictures = [each for each in everything if shown[each.attachment].page is None]
    pictures = mix(history, pictures, random)
    yield from in_turn(
        [
            list(_purposes(history, pictures, everything, random)),
            list(_contrasts(history, pictures, random)),
            list(_contents(history, pictures, random)),
            list(best_images(history, pictures, series_of(history, random), random)),
            list(_descriptions(history, pictures, random)),
        ]
    )


class _Drafts:
    """Drafts whose answer is an image."""

    def __init__(self, history: History, random: Random) -> None:
        self._history, self._random = history, random

    def draft(
        self,
        patterns: Sequence[str],
        slots: Mapping[str, str],
        query: Query,
        picture: Picture,
        references: tuple[Reference, ...] = (),
        others: Sequence[Picture] = (),
    ) -> Draft:
        """One whose answer is a picture; `others` are what it is compared with."""
        about = [picture, *(one for one in others if one is not picture)]
        pattern = choose(self._random.choice(patterns), self._random)
        if not pattern.endswith(_WHOLE):
            pattern = self._random.choice(wordings.SHOWING).replace("{what}", pattern)
        return Draft(
            expand(pattern, self._random, slots).text,
            get(query, "attachment"),
            AnswerFormat.IMAGE_ID,
            tuple(one.attachment for one in about),
            competitors=_rivals(self._history, picture, self._random),
            whole=bool(others or references),
            references=references,
        )


def _select(attribute: str, *pictures: Picture) -> Query:
    subjects = [picture.subject for picture in pictures]
    subject = subjects if len(subjects) > 1 else subjects[0]
    where = {"subject": subject, "attribute": attribute, "modality": "image"}
    return {"op": "select", "where": where}


def _rivals(history: History, picture: Picture, random: Random) -> tuple[str, ...]:
    """Images that must lose: alike in kind and near it first."""
    shown = history.things.gallery.by_id
    own = shown[picture.attachment]
    others = [each for each in shown.values() if each.page is None and each is not own]
    mixed = random.sample(others, len(others))

    def order(each: object) -> tuple[bool, bool]:
        other = shown[getattr(each, "attachment", "")]
        return other.kind != own.kind, other.session != own.session

    return tuple(each.attachment for each in sorted(mixed, key=order)[:_RIVALS])


def _descriptions(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    for picture in pictures:
        reference = describe_picture(history, picture.attachment, random)
        asked = reference.description if reference is not None else None
        # Nobody looks for one of several of an event, or for `the picture` of it.
        placed = isinstance(asked, PictureDescription) and (
            asked.place is not None or asked.noun in ANY
        )
        if reference is not None and not placed:
            slots = {"ref": reference.phrase}
            query = _select(_DEPICTS, picture)
            yield _Drafts(history, random).draft(
                wordings.REFERENCE, slots, query, picture, (reference,)
            )


def _purposes(
    history: History, pictures: list[Picture], everything: list[Picture], random: Random
) -> Iterator[Draft]:
    """By what somebody would look up in it, which no other picture of its event shows."""
    for picture in pictures:
        event = describe_event(
            history, events_of(history, picture.attachment)[0], random, plainly=True
        )
        others = beside(history, picture, everything)
        told = _purpose(history, picture, others, random)
        if event is None or told is None:
            continue
        patterns, slots, shown = told
        slots["event"] = event.phrase
        query = _select(shown, picture)
        yield _Drafts(history, random).draft(patterns, slots, query, picture, (event,))


def _purpose(
    history: History, picture: Picture, others: Sequence[Picture], random: Random
) -> tuple[tuple[str, ...], dict[str, str], str] | None:
    """What a picture is for, its measure or a line, and as which property it is selected.

    None where others of its event show the same.
    """
    kind, measure = picture.image.kind, picture.image.measure
    if kind in _CHARTS:
        alike = any(one.image.measure == measure for one in others)
        if measure is None or alike:
            return None
        return wordings.MEASURE, {"measure": measure}, _DEPICTS
    known = {key.casefold() for one in others for key in one.cells}
    own = [
        key
        for key, fact in sorted(picture.cells.items())
        if key.casefold() not in known and key != TOTAL and is_noun(history, key, fact)
    ]
    patterns = {
        "receipt": wordings.PRICE,
        "plan": wordings.ROOM,
        **dict.fromkeys(_LINES, wordings.LINE),
    }
    if kind not in patterns or not own:
        return None
    # `The colour` of what? Two words say more.
    told = [key for key in own if " " in key or kind not in _LINES]
    if not told:
        return None
    key = random.choice(told)
    return patterns[kind], {"label": as_noun(key)}, key


def _contents(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """By a kind of things that only one picture of all has in it."""
    holders: dict[str, list[Picture]] = defaultdict(list)
    for picture in history.pictures(random):
        for label in {part for key in picture.cells for part in (key, *key.split("/"))}:
            holders[label].append(picture)
    for picture in pictures:
        if picture.image.kind != "scene":
            continue
        own = [label for label in sorted(picture.cells) if len(holders[label]) == 1]
        for label in random.sample(own, min(1, len(own))):
            query: Query = {"op": "select", "where": {"attribute": label, "modality": "image"}}
            yield _Drafts(history, random).draft(wordings.THINGS, {"label": label}, query, picture)


def _contrasts(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """The cheaper of two bills, the fuller of two photos, the higher of two labels of an event."""
    worded = {
        "receipt": wordings.BILLS,
        "scene": wordings.COUNTED,
        **dict.fromkeys(_LINES, wordings.KEYS),
    }
    for one, other in combinations(pictures, 2):
        kind = one.image.kind
        if kind != other.image.kind or kind not in worded:
            continue
        labels = [TOTAL] if kind == "receipt" else sorted(numbers_of(one))
        shared = [
            label
            for label in labels
            if label in one.cells
            and label in other.cells
            and other.cells[label].value.type is ValueType.NUMBER
            and one.cells[label].value.unit == other.cells[label].value.unit
            and one.cells[label].value.text != other.cells[label].value.text
            and (kind == "scene" or is_noun(history, label, one.cells[label]))
            # A number without a unit may be the name of something, as that of an order.
            and (kind == "scene" or one.cells[label].value.unit is not None)
        ]
        both = describe_both(history, one.attachment, other.attachment, random)
        if not shared or both is None:
            continue
        label, which = random.choice(shared), random.choice(_ENDS)
        higher = max((one, other), key=lambda each: Decimal(each.cells[label].value.text))
        lower = other if higher is one else one
        query: Query = {
            "op": "pick",
            "of": _select(label, one, other),
            "by": "value",
            "which": which,
        }
        slots = {"both": both[0].phrase, "label": as_noun(label)}
        picture, rest = (higher, lower) if which == "max" else (lower, higher)
        yield _Drafts(history, random).draft(
            worded[kind][which], slots, query, picture, both, [rest]
        )


def best_images(
    history: History, pictures: list[Picture], series: Sequence[Series], random: Random
) -> Iterator[Draft]:
    """The picture of all in which there is most of something, or an item is cheapest."""
    by_subject = {picture.subject: picture for picture in pictures}
    for one in random.sample(series, len(series)):
        which = "max" if one.kind == "scene" else "min"
        query = one.end(which)
        if one.kind not in wordings.BEST or query is None or one.label == TOTAL:
            continue
        if one.kind != "scene" and not is_money(one.facts[0]):
            continue
        facts = sorted(one.facts, key=lambda fact: Decimal(fact.value.text))
        best = facts[-1] if which == "max" else facts[0]
        held = [by_subject[fact.subject] for fact in one.facts]
        slots = {"label": as_noun(one.label)}
        yield _Drafts(history, random).draft(
            wordings.BEST[one.kind], slots, query, by_subject[best.subject], (), held
        )
