"""Dialogues of every size: a pack must have a plan for each."""

from collections.abc import Callable, Iterator
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.synth.packs.checking.problems import Problem
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.plans.plan import Card

Planner = Callable[[Pack, int, Card], object]
"""Plans the dialogue of an ordinal; raises a `UsageError` where there is none."""

_LENGTHS: Final = range(4, 23)
"""Rounds of a dialogue (MMRC §3.3)."""
_EACH: Final = 10
"""Dialogues of each length that are planned."""
_MOST_IMAGES: Final = 8
_MOST_UPDATES: Final = 4
_MOST_PIECES: Final = 5
_CHANGING: Final = 10
"""Rounds from which on something changes in every dialogue."""


def card_for(rounds: int, ordinal: int) -> Card:
    """A card of so many rounds; those of the first ordinals differ in all else."""
    quarter, half = rounds // 4, rounds // 2
    fewest = 1 if rounds == _LENGTHS[0] else max(2, quarter - 1)
    most = min(_MOST_IMAGES, max(2, (2 * rounds + 2) // 5))
    updates = 1 + ordinal % min(_MOST_UPDATES, quarter) if rounds >= _CHANGING else 0
    pieces = 2 + ordinal // 2 % (min(_MOST_PIECES, quarter + 1, half - updates) - 1)
    return Card(
        rounds,
        images=fewest + ordinal % (most - fewest + 1),
        updates=updates,
        pieces=pieces if rounds >= _CHANGING or ordinal % 2 else 0,
        join=rounds >= _CHANGING or not ordinal % 2,
    )


def missing_plans(pack: Pack, plan: Planner) -> Iterator[Problem]:
    """Lengths of which some dialogue cannot be planned.

    Args:
        pack: A pack without other problems.
        plan: Plans one dialogue.
    """
    for rounds in _LENGTHS:
        failed: list[tuple[Card, str]] = []
        for ordinal in range(_EACH):
            card = card_for(rounds, ordinal)
            try:
                plan(pack, ordinal, card)
            except UsageError as error:
                failed.append((card, str(error)))
        if failed:
            card, why = failed[0]
            yield Problem(
                f"scenes, {rounds} rounds",
                f"a plan for each of {_EACH} dialogues",
                f"none for {len(failed)} such as {card} ({why.partition('got ')[2] or why})",
                "add scenes, or pictures, of the phases that are short",
            )
