"""What a planner lays over sessions: processes of stages, and where each stage came."""

from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True)
class Awaited:
    """What a process or one of its stages comes after.

    Attributes:
        process: Id of a process.
        stage: 0-based stage of it that is told before.
    """

    process: str
    stage: int = 0


@dataclass(frozen=True)
class Stage:
    """One stage of a process.

    Attributes:
        name: Its name.
        rounds: Rounds that tell it.
        after: Least and most days since the stage before happened, or since `since`.
        since: The stage of another process that `after` counts from; None: the stage before.
        told: Most days from the day it happens to the session that tells it.
        on: Weekdays on which it can happen, Monday 0; None: every day.
    """

    name: str
    rounds: int
    after: tuple[int, int] | None = None
    since: Awaited | None = None
    told: int = 0
    on: frozenset[int] | None = None


@dataclass(frozen=True)
class Process:
    """Stages that follow one another.

    Attributes:
        id: Its id.
        stages: In order, each told in a later session than the one before.
        after: Stages of others that are told before it begins.
        months: Months in which the first stage can happen; none: the whole year.
        edition: Edition that brought it; later ones move nothing of earlier ones.
        rank: Where it wants to come among those that are ready: the least rank comes first.
        opens: Whether it begins in the first session, before everything else.
    """

    id: str
    stages: tuple[Stage, ...]
    after: tuple[Awaited, ...] = ()
    months: frozenset[int] = frozenset()
    edition: int = 1
    rank: float = 0.0
    opens: bool = False

    @property
    def rounds(self) -> int:
        """Rounds of all its stages."""
        return sum(stage.rounds for stage in self.stages)


@dataclass(frozen=True)
class Spot:
    """Where a stage came.

    Attributes:
        session: 0-based session that tells it.
        day: Day on which it happened.
        told: Day of that session.
    """

    session: int
    day: date
    told: date


@dataclass(frozen=True)
class Unplaced:
    """A process that no layout fits.

    Attributes:
        process: Its id.
        reason: The constraint that failed.
    """

    process: str
    reason: str


@dataclass
class Plan:
    """Where the stages of all processes came.

    Attributes:
        order: Processes in the order of telling within a session.
        spots: By process, a spot for each stage.
        unplaced: Processes that no layout fits.
    """

    order: list[Process] = field(default_factory=list)
    spots: dict[str, list[Spot]] = field(default_factory=dict)
    unplaced: list[Unplaced] = field(default_factory=list)
