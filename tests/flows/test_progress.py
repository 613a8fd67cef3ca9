"""Progress: bars on a terminal, plain lines elsewhere."""

import io

import pytest
from rich.console import Console

from memassay.flows.runners.progress import PlainProgress, TerminalProgress, progress_for_terminal


def test_plain_progress_is_a_line_at_each_end_of_a_stage() -> None:
    """Units in between say nothing, standings without records are left out."""
    stream = io.StringIO()
    progress = PlainProgress(stream)
    progress.begin("import", 3)
    progress.advance()
    progress.end("import", {"passed": 7, "pending": 0, "quarantined": 2})
    assert stream.getvalue() == "import: 3 units\nimport: 7 passed, 2 quarantined\n"


def test_a_log_says_every_minute_how_long_a_stage_will_take() -> None:
    """From the rate so far; the last unit is followed by the line of the gate anyway."""
    stream, seconds = io.StringIO(), iter([0.0, 30.0, 70.0, 90.0, 7000.0])
    progress = PlainProgress(stream, lambda: next(seconds))
    progress.begin("dialogue", 300)
    for _ in range(4):
        progress.advance()
    assert stream.getvalue().splitlines() == [
        "dialogue: 300 units",
        "dialogue: 2 of 300 units, about 2 h 54 min left",
        "dialogue: 4 of 300 units, about 143 h 53 min left",
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
    progress.end("import", {"passed": 7})
    assert "2/2" in stream.getvalue()
    assert "/s" in stream.getvalue()
    assert stream.getvalue().rstrip().endswith("import: 7 passed")


def test_a_stream_that_is_no_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs hold no control characters."""
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert isinstance(progress_for_terminal(), PlainProgress)
