"""Units that several processes share: what a run offers, and what it hears of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue


@dataclass(frozen=True)
class StageMessage:
    """Units of a stage that anybody may do; who takes a lease first does it.

    Attributes:
        stage: Name of the stage.
        inputs: By shard, the content hashes of what it is given.
        depends: By shard, what a gathering stage said that it depends on.
    """

    stage: str
    inputs: Mapping[str, list[str]]
    depends: Mapping[str, JsonValue]


@dataclass(frozen=True)
class UnitDone:
    """A process finished a unit.

    Attributes:
        stage: Name of its stage.
        shard: What it worked on.
        again: Whether the unit was done before with other inputs.
    """

    stage: str
    shard: str
    again: bool


@dataclass(frozen=True)
class Pace:
    """How fast a stage goes.

    Attributes:
        held: Units that other processes have now.
        rate: Units a second since it began.
        left: Seconds that the rest will take at that rate; None before the first is done.
        memory: Bytes of the largest process; 0 where nobody knows.
    """

    held: int
    rate: float
    left: float | None
    memory: int

    def in_words(self, held: str = "held by others") -> str:
        """As it follows a number of units; `held` says where those are that are under way."""
        parts = [f"{self.held} {held}"] if self.held else []
        if self.left is not None:
            parts += [f"{self.rate:.2g} a second", f"{about(self.left)} left"]
        if self.memory:
            parts.append(f"largest process {self.memory / 1e6:.0f} MB")
        return ", ".join(parts)


def about(seconds: float) -> str:
    """A time in the unit that one would say it in: `40 s`, `12 min`, `3 h 20 min`."""
    minutes = round(seconds / 60)
    if minutes < 2:
        return f"about {round(seconds)} s"
    return (
        f"about {minutes} min" if minutes < 100 else f"about {minutes // 60} h {minutes % 60} min"
    )


class Team(Protocol):
    """Whoever does units beside a run."""

    def share(self, stage: StageMessage) -> None:
        """Offer units of a stage."""
        ...

    def look(self, done: Callable[[UnitDone], None]) -> None:
        """Take reports of what was done.

        Raises:
            MemassayError: A unit could not be done.
        """
        ...

    def is_deadly(self, stage: str, shard: str) -> bool:
        """Whether a unit has ended a process: the run itself had better not try it."""
        ...
