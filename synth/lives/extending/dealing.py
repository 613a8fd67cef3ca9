"""Which small matters a life can have, and who of several lives gets which."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.extending.arcs import arcs

DRAWN: Final = ("extensions",)
"""Purpose of the generator that draws the matters of a life."""


def matters_of(extensions: int) -> int:
    """How many matters so many new sessions tell of."""
    return max(extensions - 1, 1)


def dealt_matters(
    lives: Mapping[str, Callable[[], Sequence[Bundle]]],
    extensions: int,
    random_of: Callable[[str], Random],
) -> dict[str, list[str]]:
    """Small matters for each life, none for two of them as long as there are enough.

    A life gets what it would draw alone, without what others got before it, in the order of their
    ids. So one life more changes few others: at most as many as there are matters.

    Args:
        lives: What each life is made of, by its id; asked for only while matters are left.
        extensions: New sessions that each life gets.
        random_of: The generator of a life.

    Returns:
        Names of matters by life; who gets too few draws the rest among all.
    """
    free = set(arcs().arcs) if extensions else set[str]()
    dealt: dict[str, list[str]] = {}
    for name in sorted(lives):
        if not free:
            break
        parts = lives[name]()
        said = "\n".join(text for part in parts for text in said_in(part))
        fit = fitting(said, {fact.attribute for part in parts for fact in part.facts})
        order = random_of(name).sample(fit, len(fit))
        dealt[name] = [one for one in order if one in free][: matters_of(extensions)]
        free.difference_update(dealt[name])
    return dealt


def fitting(said: str, attributes: Collection[str]) -> list[str]:
    """Names of the matters of which neither a text speaks nor a ledger has a property."""
    return [
        name
        for name, arc in arcs().fitting(said).items()
        if not any(
            each in attributes
            for spec in arc.facts.values()
            for each in (spec.attribute, spec.becomes)
        )
    ]


def said_in(bundle: Bundle) -> Iterator[str]:
    """All that a life speaks of: what a small matter must not touch."""
    for turn in bundle.conversation.turns():
        yield turn.text
        yield from (one.caption or "" for one in turn.attachments)
    for fact in bundle.facts:
        yield f"{fact.subject} {fact.attribute} {fact.value.text}".replace("_", " ")
    for item in bundle.questions:
        yield item.question.text
        yield from item.answer.values
