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
