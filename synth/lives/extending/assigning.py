"""Which arcs a life can have, and which of several lives gets which."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.lives.extending.arcs import arcs

DRAWN: Final = ("extensions",)
"""Purpose of the generator that draws the arcs of a life."""


def arcs_needed(extensions: int) -> int:
    """How many arcs so many new sessions need."""
    return max(extensions - 1, 1)


def assign_arcs(
    lives: Mapping[str, Callable[[], Sequence[Bundle]]],
    extensions: int,
    random_of: Callable[[str], Random],
) -> dict[str, list[str]]:
    """Arcs for each life; no two lives get the same one as long as there are enough.

    A life gets what it would draw alone, without what others got before it, in the order of their
    ids. So one life more changes few others: at most as many as there are arcs.

    Args:
        lives: What each life is made of, by its id; asked for only while arcs are left.
        extensions: New sessions that each life gets.
        random_of: The generator of a life.

    Returns:
        Names of arcs by life; a life that gets too few draws the rest among all.
    """
    free = set(arcs().arcs) if extensions else set[str]()
    assigned: dict[str, list[str]] = {}
    for name in sorted(lives):
        if not free:
            break
        parts = lives[name]()
        said = "\n".join(text for part in parts for text in texts_of(part))
        fit = usable_arcs(said, attributes_asked(item for part in parts for item in part.questions))
        # Drawn as the life would draw alone, so that a new life changes few others.
        order = random_of(name).sample(fit, len(fit))
        assigned[name] = [one for one in order if one in free][: arcs_needed(extensions)]
        free.difference_update(assigned[name])
    return assigned


def usable_arcs(said: str, attributes: Collection[str]) -> list[str]:
    """Names of the arcs that a text does not mention, none of whose properties is asked of all."""
    return [
        name
        for name, arc in arcs().without_mention(said).items()
        if not any(
            each in attributes
            for spec in arc.facts.values()
            for each in (spec.attribute, spec.becomes)
        )
    ]


def attributes_asked(items: Iterable[QAItem]) -> set[str]:
    """Properties that questions look for, whatever has them: another one would be an answer."""
    return {found for item in items for found in _anywhere(item.query)}


def _anywhere(part: object) -> Iterator[str]:
    """Attributes that a part of a query selects without a subject."""
    if isinstance(part, list):
        for one in part:
            yield from _anywhere(one)
    if not isinstance(part, dict):
        return
    where = part.get("where")
    if isinstance(where, dict) and "subject" not in where:
        names = where.get("attribute", [])
        yield from [names] if isinstance(names, str) else names
    for one in part.values():
        yield from _anywhere(one)


def texts_of(bundle: Bundle) -> Iterator[str]:
    """All texts of a life: an arc must not be about anything in them."""
    for turn in bundle.conversation.turns():
        yield turn.text
        yield from (one.caption or "" for one in turn.attachments)
    for fact in bundle.facts:
        yield f"{fact.subject} {fact.attribute} {fact.value.text}".replace("_", " ")
    for item in bundle.questions:
        yield item.question.text
        yield from item.answer.values
