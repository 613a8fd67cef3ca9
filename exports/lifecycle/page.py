"""The page of an evaluation: stages, types, where questions were lost, tokens and time."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from memassay.exports.lifecycle.tally import MemoryReport
from memassay.exports.reports.page import drawings
from memassay.exports.scores.score_summary import ScoreSummary

_HERE: Final = Path(__file__).parent
_STYLE: Final = Path(drawings.__file__).with_name("report.css")


class Panel(NamedTuple):
    """A drawing with its numbers.

    Attributes:
        title: What it is of.
        drawing: SVG.
        rows: Name, mean, count.
    """

    title: str
    drawing: str
    rows: list[tuple[str, str, int]]


def lifecycle_page(report: MemoryReport, seconds: Mapping[str, float]) -> str:
    """One HTML page about a memory.

    Args:
        report: What it did.
        seconds: How long it took, by stage; in no other document.
    """
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    return environment.get_template("lifecycle.html").render(
        report=report,
        panels=list(_panels(report)),
        lost=_draw_lost(report),
        seconds=[(name, f"{taken:.2f}") for name, taken in seconds.items()],
        style=_STYLE.read_text(encoding="utf-8"),
    )


def _panels(report: MemoryReport) -> Iterator[Panel]:
    yield _panel("Stages", report.stages, "mean over conversations")
    what = "Right" if report.is_answered else "Answerable"
    if report.types:
        yield _panel(f"{what}, by type", report.types, "mean over conversations")
    for name, rows in report.curves.items():
        yield _panel(f"{what}, by {name}", rows, "share of questions")


def _panel(title: str, found: Mapping[str, ScoreSummary], axis: str) -> Panel:
    known = {name: one for name, one in found.items() if one.mean is not None}
    shares = [
        drawings.Share(
            name, one.mean or 0.0, one.low or 0.0, one.high or 0.0, f"{one.mean:.2f} of {one.count}"
        )
        for name, one in known.items()
    ]
    says = "; ".join(f"{name} {one.mean:.2f}" for name, one in known.items())
    rows = [(name, f"{one.mean:.3f}", one.count) for name, one in known.items()]
    return Panel(title, drawings.intervals(shares, axis, f"{title}: {says}"), rows)


def _draw_lost(report: MemoryReport) -> str:
    drawn = [drawings.Bar(name, [count], str(count)) for name, count in report.lost_at.items()]
    return drawings.bars(drawn, ["questions"], "questions", f"Questions lost: {report.lost_at}")
