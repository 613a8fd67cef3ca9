"""Points: what becomes true, changes or only seems so in a session."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memassay.schemas.records.ledger import FactOperation, FactValue
from memassay.synth.paths.worldmemarena.lifelong.files.parts import Arc
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Slot, Vertical
from memassay.synth.paths.worldmemarena.lifelong.world.cast import Cast
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Draws, Sizes


class Role(StrEnum):
    """What a point is about."""

    SLOT = "slot"
    CLAIM = "claim"
    RANK = "rank"
    RULE = "rule"


@dataclass(frozen=True)
class Point:
    """One point of a world, before it has words.

    Attributes:
        key: What it is known by, whatever other points there are.
        session: Position of its session, from 0.
        slot: Whose value it is; of a rank or a rule its source or name, without attribute.
        value: The value; of a deletion that which ended.
        operation: What it does to the state before it.
        role: Whether it states a value, what a source claims, a rank, a rule.
        other: The second thing of a merge.
        replaces: Keys of the points that it supersedes.
        is_false: Whether it is interference.
        pictured: Whether only a picture shows it.
        source: The source of a claim.
        event: The event it is an effect of.
        is_change: Whether its slot had a value before.
    """

    key: str
    session: int
    slot: Slot
    value: FactValue
    operation: FactOperation = FactOperation.APPEND
    role: Role = Role.SLOT
    other: str = ""
    replaces: tuple[str, ...] = ()
    is_false: bool = False
    pictured: bool = False
    source: str = ""
    event: str = ""
    is_change: bool = False

    @property
    def subject(self) -> str:
        """What its fact is about."""
        return f"{self.slot.thing} and {self.other}" if self.other else self.slot.thing


@dataclass(frozen=True)
class SessionPlan:
    """When a session is, its role, and the scene it comes from."""

    date: str
    arc: Arc
    scene: str


@dataclass(frozen=True)
class World:
    """A world drawn whole: what holds after each session follows from its points.

    Attributes:
        vertical: What it is drawn from.
        draws: Generators of all that is drawn from it.
        sizes: How large it is.
        cast: Its things.
        sessions: Its sessions.
        points: Its points, session by session.
    """

    vertical: Vertical
    draws: Draws
    sizes: Sizes
    cast: Cast
    sessions: Sequence[SessionPlan]
    points: Sequence[Point]

    def of_session(self, at: int) -> list[Point]:
        """The points of a session, by its position from 0."""
        return [point for point in self.points if point.session == at]


def replay(points: Sequence[Point]) -> dict[str, Point]:
    """The state that points lead to, by key of the point; interference is passed by."""
    state: dict[str, Point] = {}
    for point in points:
        if point.is_false:
            continue
        for key in point.replaces:
            del state[key]
        if point.operation is not FactOperation.DELETE:
            state[point.key] = point
    return state
