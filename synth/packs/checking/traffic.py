"""Traffic: as many wordings, scenes, pictures and plans as many dialogues need."""

from collections.abc import Callable, Iterator
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.synth.packs.checking.problems import Problem
from memassay.synth.packs.checking.texts import Turn, turns_of
from memassay.synth.packs.files.pack_file import Pack, image_rounds
from memassay.synth.packs.files.pack_parts import SceneSpec
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
_WORDINGS: Final = {"aside": 8, "spine": 5, "other": 3}
"""Wordings of a sentence, by how often it is said."""
_ENDS: Final = 2
_PICTURES: Final = 9
_FIRST_PICTURES: Final = 2
_ROUNDS: Final = 34
"""Rounds of all scenes: a dialogue of 22 is not to hold nearly all of them."""
_AGAIN: Final = 4
"""How often a scene that binds something counts."""


def few_wordings(pack: Pack) -> Iterator[Problem]:
    """Sentences that are said more often than their wordings allow."""
    for turn in turns_of(pack):
        use = _use(pack, turn)
        for place, sentence in turn.sentences():
            count = len(sentence.wordings)
            if count < _WORDINGS[use]:
                expected = f"{_WORDINGS[use]} or more wordings of this sentence"
                yield Problem(place, expected, str(count), "write more", True)


def _use(pack: Pack, turn: Turn) -> str:
    if turn.aside:
        return "aside"
    scene = pack.scenes[turn.scene]
    if turn.place.endswith(".shown"):
        return "other"
    return "spine" if scene.spine or scene.role == "opening" else "other"


def few_scenes(pack: Pack) -> Iterator[Problem]:
    """Too few openings, closings, rounds, or pictures."""
    scenes = list(pack.scenes.values())
    for role in ("opening", "closing"):
        count = sum(scene.role == role for scene in scenes)
        yield from _fewer(f"{role} scenes", count, _ENDS)
    first = [scene for scene in scenes if pack.phases[0] in scene.phase]
    if not any(scene.role == "opening" for scene in first):
        fix = f"let one have `phase: {pack.phases[0]}`"
        yield Problem("scenes", "an opening in the first phase", "none", fix)
    yield from _fewer("rounds with pictures", _pictures(scenes), _PICTURES)
    yield from _fewer("rounds with pictures in the first phase", _pictures(first), _FIRST_PICTURES)
    rounds = sum(len(scene.rounds) * (_AGAIN if scene.binds else 1) for scene in scenes)
    yield from _fewer("rounds in all", rounds, _ROUNDS)


def _pictures(scenes: list[SceneSpec]) -> int:
    return sum(len(image_rounds(scene)) * (_AGAIN if scene.binds else 1) for scene in scenes)


def _fewer(what: str, count: int, least: int) -> Iterator[Problem]:
    if count < least:
        yield Problem("scenes", f"{least} or more {what}", str(count), "write more")


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


TRAFFIC_RULES: Final = (few_wordings, few_scenes)
"""Rules about numbers."""
