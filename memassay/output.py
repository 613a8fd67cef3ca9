"""What the command line prints: one JSON document, or text and tables for people."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from memassay.schemas.values.redaction import redact

if TYPE_CHECKING:
    from memassay.schemas.judgements.finding import Finding

SHOWN_FINDINGS: Final = 60
"""Findings printed for people; `--json` and the files on disk hold all of them."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""All but tab and line end: a terminal would obey them."""
_SEVERITIES: Final = ("error", "warning", "info")

_WITHOUT_TERMINAL: Final = 1000
"""Columns (characters) where nobody looks through a window: nothing is wrapped."""


def say(text: str = "") -> None:
    """Print a line of the result."""
    click.echo(printable(text))


def printable(text: str) -> str:
    """A text for the terminal: without keys, and control characters as escapes."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", redact(text))


def count_text(number: int, what: str) -> str:
    """How many there are of something: `1 vote`, `2 votes`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def note(text: str) -> None:
    """Print a message beside the result."""
    click.echo(printable(text), err=True)


def emit(document: Any) -> None:
    """Print the one JSON document of a command."""
    click.echo(redact(json.dumps(document, indent=2, allow_nan=False)))


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; nothing when it has no rows. Columns of numbers stand to the right."""
    cells = [list(row) for row in rows]
    if not cells:
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for at, head in enumerate(heads):
        numbers = all(isinstance(row[at], int | float) for row in cells)
        grid.add_column(Text(head), justify="right" if numbers else "left", overflow="fold")
    for row in cells:
        grid.add_row(*(Text(printable(str(cell))) for cell in row))
    console = Console(width=None if sys.stdout.isatty() else _WITHOUT_TERMINAL, highlight=False)
    say(title)
    console.print(grid)


def list_findings(findings: Sequence["Finding"], rest: str, most: int = SHOWN_FINDINGS) -> None:
    """Print findings one by one, worst first.

    Args:
        findings: What was found.
        rest: Where to look for those that are too many to print.
        most: How many are printed.
    """
    for finding in _worst_first(findings)[:most]:
        say(f"{finding.severity:<8}{finding.rule}: {finding.message}")
        if finding.fix:
            say(f"        fix: {finding.fix}")
    if len(findings) > most:
        say(f"... and {len(findings) - most} more: {rest}")


def print_findings(findings: Sequence["Finding"], rest: str) -> None:
    """Print findings one by one, worst first, and how many there are by severity.

    Args:
        findings: What was found.
        rest: Where to look for those that are too many to print.
    """
    list_findings(findings, rest)
    if len(findings) > SHOWN_FINDINGS:
        rules = Counter((each.severity, each.rule) for each in _worst_first(findings))
        rows = ((severity, rule, number) for (severity, rule), number in rules.items())
        table("All findings", ("severity", "rule", "findings"), rows)
    counted = count_severities(findings)
    say(f"{len(findings)} findings" + (f": {counted}" if counted else ""))


def count_severities(findings: Sequence["Finding"]) -> str:
    """How many findings there are by severity, the worst first."""
    counts = Counter(str(finding.severity) for finding in findings)
    return ", ".join(f"{counts[name]} {name}" for name in _SEVERITIES if counts[name])


def _worst_first(findings: Sequence["Finding"]) -> list["Finding"]:
    from memassay.schemas.ids import natural_key

    return sorted(
        findings,
        key=lambda each: (_SEVERITIES.index(each.severity), natural_key(each.target), each.rule),
    )
