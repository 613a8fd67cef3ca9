"""Points dealt to the turns of a session, blind to whether they are true.

A claim of interference is framed, or told as plain news and placed later; as many true claims as
make both look alike are treated so too (WorldMemArena §4, distractors).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memassay.schemas.records.ledger import FactOperation
from memassay.synth.paths.worldmemarena.lifelong.telling.frames import (
    Frame,
    Pair,
    deal_frames,
    load_frames,
)
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point, Role, World

TURNS: Final = 8
"""Turns of a session in which the user tells points."""
_FRAMED: Final = 4
"""True claims for each framed one that is false (our choice; see the page on world models)."""
_TAILS: Final = 2
"""True claims that are placed later for each false one (our choice)."""
_DEFERRED: Final = 0.5
"""Share of interference that is told as plain news and placed later (our choice)."""


class Manner(StrEnum):
    """How points are told."""

    NEWS = "news"
    FRAME = "frame"
    PICTURE = "picture"
    TAIL = "tail"


@dataclass(frozen=True)
class Piece:
    """What is said together: one point, those of a picture, or the ranks of all sources.

    Attributes:
        manner: How it is told.
        points: What it tells.
        frame: Around its claim.
        tail: By which it places a claim that was told before.
    """

    manner: Manner
    points: tuple[Point, ...]
    frame: Frame | None = None
    tail: Pair | None = None

    @property
    def point(self) -> Point:
        """Its first point."""
        return self.points[0]


def deal_session(world: World, at: int) -> list[list[Piece]]:
    """The pieces of each turn in which the user tells points of a session."""
    points = world.of_session(at)
    plain = [point for point in points if _is_plain(point)]
    late = {point.key for point in plain if point.is_false and _is_deferred(world, point)}
    framed = _choose_frames(world, at, plain, late)
    pieces = list(_pieces(world, points, framed))
    turns = _chunks(world, at, pieces, min(TURNS, len(pieces)))
    _place_later(world, at, turns, plain, late, framed)
    return turns


def _is_plain(point: Point) -> bool:
    """Whether a point can be framed: it states a value in a text, alone."""
    return (
        point.role is Role.SLOT
        and not point.pictured
        and not point.event
        and point.operation in {FactOperation.APPEND, FactOperation.REVISE}
    )


def _is_deferred(world: World, point: Point) -> bool:
    return world.draws.chance(_DEFERRED, "deferred", point.key)


def _choose_frames(
    world: World, at: int, plain: Sequence[Point], late: set[str]
) -> dict[str, Frame]:
    """Frames by key of the point: of false claims, and of true ones that are like them."""
    false = [point for point in plain if point.is_false and point.key not in late]
    near = {point.slot.attribute for point in plain if point.is_false}
    true = world.draws.rank([point.key for point in plain if not point.is_false], "framed", at)
    by_key = {point.key: point for point in plain}
    true.sort(key=lambda key: by_key[key].slot.attribute not in near)
    wanted = _FRAMED * sum(point.is_false for point in plain) // 2
    keys = world.draws.rank([*(point.key for point in false), *true[:wanted]], "frame", at)
    return dict(zip(keys, deal_frames(world.draws, at, len(keys)), strict=False))


def _pieces(world: World, points: Sequence[Point], framed: dict[str, Frame]) -> Iterator[Piece]:
    """Pieces by thing, things in an order of their own."""
    ranks = tuple(point for point in points if point.role is Role.RANK)
    things = dict.fromkeys(point.slot.thing for point in points if point.role is not Role.RANK)
    for thing in world.draws.rank(things, "things", points[0].session if points else 0):
        own = [
            point for point in points if point.slot.thing == thing and point.role is not Role.RANK
        ]
        shown = tuple(point for point in own if point.pictured)
        if shown:
            yield Piece(Manner.PICTURE, shown)
        for point in own:
            if point.pictured:
                continue
            frame = framed.get(point.key)
            yield Piece(Manner.FRAME if frame else Manner.NEWS, (point,), frame)
    if ranks:
        yield Piece(Manner.NEWS, ranks)


def _chunks(world: World, at: int, pieces: Sequence[Piece], count: int) -> list[list[Piece]]:
    """Pieces in turns of about the same number, in their order."""
    least, more = divmod(len(pieces), count)
    sizes = [least + 1] * more + [least] * (count - more)
    world.draws.random("turns", at).shuffle(sizes)
    turns: list[list[Piece]] = []
    rest = list(pieces)
    for size in sizes:
        turns.append(rest[:size])
        rest = rest[size:]
    return turns


def _place_later(
    world: World,
    at: int,
    turns: list[list[Piece]],
    plain: Sequence[Point],
    late: set[str],
    framed: dict[str, Frame],
) -> None:
    """Tails in later turns: of what was deferred, and of true claims that were told alike."""
    turn_of = {piece.point.key: nth for nth, turn in enumerate(turns) for piece in turn}
    true = [
        point.key
        for point in plain
        if not point.is_false and point.key not in framed and turn_of[point.key] < len(turns) - 1
    ]
    wanted = _TAILS * sum(point.is_false for point in plain) // 2
    chosen = [*late, *world.draws.rank(true, "tails", at)[:wanted]]
    tails = iter(world.draws.rank(range(len(load_frames().tails)), "tail", at))
    by_key = {point.key: point for point in plain}
    for key in world.draws.rank(chosen, "placed", at):
        after = range(turn_of[key] + 1, len(turns))
        room = world.draws.rank(after, "place", key)
        place = min(room, key=lambda nth: len(turns[nth])) if room else len(turns) - 1
        pair = load_frames().tails[next(tails)]
        turns[place].append(Piece(Manner.TAIL, (by_key[key],), tail=pair))


def is_event_start(piece: Piece, before: Sequence[Piece]) -> bool:
    """Whether a piece tells the first effect of an event."""
    event = piece.point.event
    return bool(event) and all(one.point.event != event for one in before)
