"""Whether texts say of pictures only what these can show, whatever is drawn."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from memassay.schemas.errors import UsageError
from memassay.synth.world.cells.claims import (
    CLEAR,
    EXTREMES,
    FORMS,
    TRENDS,
    PictureSlot,
    picture_slot,
)
from memassay.synth.world.cells.laws import cells_of
from memassay.synth.world.grammar import GUARD, SLOT, settle
from memassay.synth.world.persona_file import CardSpec
from memassay.synth.world.persona_pictures import ImageSpec
from memassay.synth.world.values import decimals

_TOTALLED = ("receipt", "scene", "plan", "bar_chart")
"""Kinds of pictures whose values can be added up."""


def claim_problems(card: CardSpec) -> Iterator[str]:
    """Slots and guards of pictures that are not shown yet, or say what may not be clear."""
    shown: dict[str | None, set[str]] = {}
    stage = next(iter(card.stages), None)
    for number, one in enumerate(card.rounds, start=1):
        stage = one.stage or stage
        seen = shown.setdefault(stage, set())
        seen |= set(one.shows)
        images = {name: card.images[name] for name in seen if name in card.images}
        for speaker, text in (("user", one.user), ("assistant", one.assistant)):
            place = f"{card.id}.rounds.{number}.{speaker}"
            for problem in _text_problems(text, card, images):
                yield f"{place}: {problem}"


def _text_problems(text: str, card: CardSpec, images: Mapping[str, ImageSpec]) -> Iterator[str]:
    guarded: set[str] = set()
    found: list[str] = []

    def note(options: list[str]) -> str:
        """Look at the conditions of a choice; nothing else of it is left but `else`."""
        guards = [GUARD.match(one) for one in options]
        for option, guard in zip(options, guards, strict=True):
            if guard is None:
                found.append(f"expected a condition in every alternative, got {option!r}")
            elif guard["left"]:
                found.extend(_term_problems(guard, card, images))
                # Here the extreme that was asked for is clear.
                clear = (
                    {guard["left"], guard["right"]} if guard["compares"] in (None, "=") else set()
                )
                guarded.update(clear & set(SLOT.findall(option)))
        if not (guards[-1] and guards[-1]["left"] is None):
            found.append(f"expected `else:` as the last alternative, got {options[-1]!r}")
        return " ".join(options)

    try:
        whole = settle(text, note)
    except UsageError as error:
        yield str(error)
        return
    yield from found
    for name in dict.fromkeys(SLOT.findall(whole)):
        slot = picture_slot(name, card.images)
        if slot is not None:
            yield from _slot_problems(slot, images, guarded)


def _term_problems(
    guard: re.Match[str], card: CardSpec, images: Mapping[str, ImageSpec]
) -> Iterator[str]:
    for term in (guard["left"], guard["right"]):
        image, _, rest = (term or "").partition(".")
        if image in card.images and rest in FORMS:
            slot = picture_slot(term, card.images)
            yield from _slot_problems(slot, images, {term}) if slot else ()
        elif image in card.images:
            spec = card.images[image]
            if image not in images or rest not in cells_of(spec, spec.rows):
                yield f"{term}: expected a value of an image shown by then"
        elif not (term is None or term in card.facts or term in TRENDS or _is_number(term)):
            yield f"{term}: expected a number, a fact of the card or a value of its images"


def _slot_problems(
    slot: PictureSlot, images: Mapping[str, ImageSpec], guarded: set[str]
) -> Iterator[str]:
    units = set()
    for name, form in slot.of:
        image = images.get(name)
        if image is None:
            yield f"{{{slot.name}}}: expected an image shown by then, in the same stage"
            return
        if image.value is None or image.value.number is None:
            yield f"{{{slot.name}}}: expected an image with one number a row"
            return
        if form == "total" and image.kind not in _TOTALLED:
            yield f"{{{slot.name}}}: expected one of {', '.join(_TOTALLED)}"
        if form in EXTREMES and slot.name not in guarded and not _is_always_clear(image):
            yield (
                f"{{{slot.name}}}: two values may be too near; "
                f"write [if {slot.name}: ...|else: ...], or widen the step"
            )
        units.add(image.value.unit)
    if len(units) > 1:
        yield f"{{{slot.name}}}: expected two images of one unit"


def _is_always_clear(image: ImageSpec) -> bool:
    """Whether the extremes of an image lead whatever is drawn: its values differ by enough."""
    assert image.value is not None
    if image.value.of or image.value.rows or any(law.trend is None for law in image.laws):
        return False
    least, greatest, step = decimals(image.value)
    differ = (greatest - least) // step + 1 >= 2 * image.row_count
    return differ and step >= CLEAR * (greatest - least)


def _is_number(term: str) -> bool:
    return bool(re.fullmatch(r"-?\d+(?:\.\d+)?", term)) and Decimal(term).is_finite()
