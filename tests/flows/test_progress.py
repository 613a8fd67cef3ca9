"""Progress: bars on a terminal, plain lines elsewhere."""

import io
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from rich.console import Console

from memassay.flows.engine.reached import Reached
from memassay.flows.engine.units import Plan
from memassay.flows.runners.process_memory import largest_process
from memassay.flows.runners.progress import PlainProgress, TerminalProgress, progress_for_terminal
from memassay.flows.store.leases import Owner
from memassay.flows.store.records import StageProgress, Store
from memassay.flows.store.sharing import Pace
from memassay.flows.store.status import status
from memassay.flows.store.workspace import open_workspace


def test_plain_progress_is_a_line_at_each_end_of_a_stage() -> None:
    """Units in between say nothing, standings without records are left out."""
    stream = io.StringIO()
    progress = PlainProgress(stream)
    progress.begin("import", 3)
    progress.advance()
    progress.end("import", {"passed": 7, "pending": 0, "quarantined": 2})
    assert stream.getvalue() == "import: 3 units\nimport: 7 passed, 2 quarantined\n"


def test_a_log_says_every_minute_how_long_a_stage_will_take() -> None:
    """With who else works and how large they are; the gate's line follows the last unit anyway."""
    stream, seconds = io.StringIO(), iter([0.0, 30.0, 70.0, 90.0, 7000.0])
    progress = PlainProgress(stream, lambda: next(seconds))
    progress.begin("dialogue", 300)
    for held in (0, 3, 0, 0):
        progress.advance()
        progress.show(Pace(held, 0.025, 10440.0, 412_000_000))
    assert stream.getvalue().splitlines() == [
        "dialogue: 300 units",
        "dialogue: 2 of 300 units, 3 held by others, 0.025 a second, about 2 h 54 min left, "
        "largest process 412 MB",
        "dialogue: 4 of 300 units, 0.025 a second, about 2 h 54 min left, largest process 412 MB",
    ]


def test_a_stage_without_records_says_so() -> None:
    """Not an empty line."""
    stream = io.StringIO()
    PlainProgress(stream).end("import", {"passed": 0})
    assert stream.getvalue() == "import: no records\n"


def test_a_terminal_shows_units_and_rate_while_a_stage_runs() -> None:
    """A bar with the count while it runs, a line when it is done."""
    stream = io.StringIO()
    progress = TerminalProgress()
    progress.console = Console(file=stream, force_terminal=True, width=100)
    progress.begin("import", 2)
    progress.advance()
    progress.advance()
    progress.show(Pace(0, 1.5, 0.0, 0))
    progress.end("import", {"passed": 7})
    assert "2/2" in stream.getvalue()
    assert "1.5 a second" in stream.getvalue()
    assert stream.getvalue().rstrip().endswith("import: 7 passed")


def test_a_stream_that_is_no_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs hold no control characters."""
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert isinstance(progress_for_terminal(), PlainProgress)


def test_a_rate_counts_what_is_done_now_and_not_what_was_done_before() -> None:
    """Ten units were kept from before; two of ten more take ten seconds."""
    seconds = iter([0.0, 100.0, 110.0])
    reached = Reached(cast(Store, None), Plan("any", 0, []), lambda: next(seconds))
    reached.begin(10)
    assert reached.pace(20, 12) == Pace(held=0, rate=0.2, left=40.0, memory=0)


def test_nothing_is_said_of_time_before_a_unit_is_done() -> None:
    """Nobody knows."""
    reached = Reached(cast(Store, None), Plan("any", 0, []))
    assert reached.pace(20, 0).in_words() == ""


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="only Linux says")
def test_the_largest_process_may_be_one_that_was_started() -> None:
    """It is found below this one, by what it has in memory now."""
    before = largest_process()
    size = before + 50_000_000
    large = f"held = bytearray({size}); print(len(held), flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", large], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert largest_process() >= size
        child.communicate(b"\n")
    assert largest_process() < size


def test_status_says_how_fast_a_stage_goes_while_somebody_works_on_it(tmp_path: Path) -> None:
    """From another process; what a run that is over or was killed kept is no longer said."""
    pace = Pace(held=0, rate=0.5, left=20.0, memory=412_000_000)
    with open_workspace(tmp_path / "work", create=True) as workspace:
        workspace.store.record_progress("tiny", 0, StageProgress("check", 12, 2, {}, pace))
        owner = Owner(workspace.owners)
        assert workspace.store.lease("key", "check", "c1", owner.name)
        (told,) = status(tmp_path / "work").runs["tiny"]
        assert (told.held, told.rate, told.left, told.memory) == (1, 0.5, 20.0, 412_000_000)
        workspace.store.release("key", owner.name)
        owner.close()
        (told,) = status(tmp_path / "work").runs["tiny"]
        assert (told.finished, told.held, told.rate, told.left) == (2, 0, 0.0, None)
