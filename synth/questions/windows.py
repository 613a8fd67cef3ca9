"""Sampling windows: what of a history the maker of a question may look at."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from memassay.schemas.ids import parse_place
from memassay.schemas.records.conversation import Conversation


@dataclass(frozen=True)
class WindowShape:
    """How large the windows of a type are.

    Attributes:
        sessions: Fewest and most sessions.
        rounds: Fewest and most rounds of each; None for whole sessions.
    """

    sessions: tuple[int, int]
    rounds: tuple[int, int] | None


def window(
    shape: WindowShape, talk: Conversation, anchors: Sequence[str], random: Random
) -> frozenset[str]:
    """Ids of the rounds of a window, drawn around rounds that it should show.

    Args:
        shape: How large it is.
        talk: The conversation.
        anchors: Ids of the rounds that a draft is about. Those that a window of this shape
            cannot hold stay outside, and the draft with them.
        random: Draws where each excerpt begins, and which sessions fill the window up.
    """
    least, most = shape.sessions
    held: dict[str, list[int]] = {}
    for anchor in anchors:
        place = parse_place(anchor)
        if place is not None and place.round is not None:
            held.setdefault(place.session, []).append(place.round)
    chosen = list(held)[:most]
    others = [session.id for session in talk.sessions if session.id not in held]
    chosen += random.sample(others, min(max(least - len(chosen), 0), len(others)))
    rounds: list[str] = []
    for session in talk.sessions:
        if session.id in chosen:
            names = [round_.id for round_ in session.rounds]
            rounds += _excerpt(names, held.get(session.id, []), shape.rounds, random)
    return frozenset(rounds)


def _excerpt(
    names: Sequence[str], held: Sequence[int], size: tuple[int, int] | None, random: Random
) -> Sequence[str]:
    """Contiguous rounds of one session, around 1-based positions as far as they fit."""
    if size is None:
        return names
    long = min(random.randint(*size), len(names))
    low = (min(held) if held else random.randint(1, len(names))) - 1
    high = (max(held) if held else low + 1) - 1
    first, last = max(0, high - long + 1), min(low, len(names) - long)
    begin = random.randint(first, last) if first <= last else low
    return names[begin : begin + long]
