"""Progress of a run: bars with rate and time left on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)

_QUIET: Final = 60.0
"""Seconds that a log may be without a line."""


class ProgressReporter(Protocol):
    """Who shows how far a run is."""

    def begin(self, stage: str, total: int) -> None:
        """A stage starts with so many units."""
        ...

    def advance(self) -> None:
        """One unit of the stage is done."""
        ...

    def end(self, stage: str, counts: Mapping[str, int]) -> None:
        """A stage and its gate are done; records by standing."""
        ...


def _about(seconds: float) -> str:
    """A time in the unit that one would say it in: `40 s`, `12 min`, `3 h 20 min`."""
    minutes = round(seconds / 60)
    if minutes < 2:
        return f"about {round(seconds)} s"
    return (
        f"about {minutes} min" if minutes < 100 else f"about {minutes // 60} h {minutes % 60} min"
    )


def _summary(counts: Mapping[str, int]) -> str:
    parts = [f"{number} {standing}" for standing, number in counts.items() if number]
    return ", ".join(parts) or "no records"


class SilentProgress:
    """Nothing: somebody else shows it."""

    def begin(self, stage: str, total: int) -> None:
        """Say nothing."""

    def advance(self) -> None:
        """Say nothing."""

    def end(self, stage: str, counts: Mapping[str, int]) -> None:
        """Say nothing."""


class PlainProgress:
    """One line when a stage starts and one when it ends; between them at most one a minute."""

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Write to a stream, by default standard error; the clock counts seconds."""
        self.stream = stream or sys.stderr
        self.clock = clock

    def begin(self, stage: str, total: int) -> None:
        """Say what starts."""
        self.stage, self.total, self.done = stage, total, 0
        self.began = self.spoke = self.clock()
        print(f"{stage}: {total} units", file=self.stream, flush=True)

    def advance(self) -> None:
        """Say after a minute of silence how far the stage is, and how long it will take."""
        self.done += 1
        now = self.clock()
        if now - self.spoke < _QUIET or self.done >= self.total:
            return
        self.spoke = now
        left = (now - self.began) / self.done * (self.total - self.done)
        how_far = f"{self.stage}: {self.done} of {self.total} units, {_about(left)} left"
        print(how_far, file=self.stream, flush=True)

    def end(self, stage: str, counts: Mapping[str, int]) -> None:
        """Say what the gate did."""
        print(f"{stage}: {_summary(counts)}", file=self.stream, flush=True)


class TerminalProgress:
    """A bar for the stage that runs, a line for each that is done."""

    def __init__(self) -> None:
        """Draw on standard error."""
        self.console = Console(stderr=True)
        self._bar: Progress | None = None

    def begin(self, stage: str, total: int) -> None:
        """Start a bar."""
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
        )
        self._bar.start()
        self._bar.add_task(stage, total=total, rate="")

    def advance(self) -> None:
        """Move the bar and its rate on."""
        if self._bar is not None:
            task = self._bar.tasks[0]
            self._bar.advance(task.id)
            self._bar.update(task.id, rate=f"{task.speed or 0:.1f}/s")

    def end(self, stage: str, counts: Mapping[str, int]) -> None:
        """Replace the bar by a line."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        self.console.print(f"[green]done[/green] {stage}: {_summary(counts)}", highlight=False)


def progress_for_terminal() -> ProgressReporter:
    """Bars if standard error is a terminal, plain lines if not."""
    return TerminalProgress() if sys.stderr.isatty() else PlainProgress()
