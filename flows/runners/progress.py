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
)

from memassay.flows.store.sharing import Pace

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

    def show(self, pace: Pace) -> None:
        """How fast the stage goes; said after units that were done now."""
        ...

    def end(self, stage: str, counts: Mapping[str, int]) -> None:
        """A stage and its gate are done; records by standing."""
        ...


class ReportLines:
    """Lines that say how far a stage is, at most one a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Take a clock that counts seconds."""
        self._clock = clock
        self._spoke = 0.0

    def begin(self) -> None:
        """A stage starts, which somebody says."""
        self._spoke = self._clock()

    def line(self, stage: str, done: int, total: int, pace: Pace) -> str | None:
        """How far the stage is, if nobody said anything for a minute; its last unit says enough."""
        now = self._clock()
        if now - self._spoke < _QUIET or done >= total:
            return None
        self._spoke = now
        return f"{stage}: {done} of {total} units, {pace.in_words()}"


def _summary(counts: Mapping[str, int]) -> str:
    parts = [f"{number} {standing}" for standing, number in counts.items() if number]
    return ", ".join(parts) or "no records"


class SilentProgress:
    """Nothing: somebody else shows it."""

    def begin(self, stage: str, total: int) -> None:
        """Say nothing."""

    def advance(self) -> None:
        """Say nothing."""

    def show(self, pace: Pace) -> None:
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
        self._lines = ReportLines(clock)

    def begin(self, stage: str, total: int) -> None:
        """Say what starts."""
        self._stage, self._total, self._done = stage, total, 0
        self._lines.begin()
        print(f"{stage}: {total} units", file=self.stream, flush=True)

    def advance(self) -> None:
        """Count a unit."""
        self._done += 1

    def show(self, pace: Pace) -> None:
        """Say after a minute of silence how far the stage is, and how long it will take."""
        line = self._lines.line(self._stage, self._done, self._total, pace)
        if line is not None:
            print(line, file=self.stream, flush=True)

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
            TextColumn("{task.fields[pace]}"),
            console=self.console,
            transient=True,
        )
        self._bar.start()
        self._bar.add_task(stage, total=total, pace="")

    def advance(self) -> None:
        """Move the bar on."""
        if self._bar is not None:
            self._bar.advance(self._bar.tasks[0].id)

    def show(self, pace: Pace) -> None:
        """Put beside the bar how fast it moves."""
        if self._bar is not None:
            self._bar.update(self._bar.tasks[0].id, pace=pace.in_words())

    def end(self, stage: str, counts: Mapping[str, int]) -> None:
        """Replace the bar by a line."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        self.console.print(f"[green]done[/green] {stage}: {_summary(counts)}", highlight=False)


def progress_for_terminal() -> ProgressReporter:
    """Bars if standard error is a terminal, plain lines if not."""
    return TerminalProgress() if sys.stderr.isatty() else PlainProgress()
