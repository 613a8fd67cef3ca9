"""Puts a report together: one page without a request to any network.

Equal releases give equal pages: no clock, no host, and samples are drawn by the content hash.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from memassay.exports.release.public.facts import Facts
from memassay.exports.release.reader import Release
from memassay.exports.reports.page import facts, plots
from memassay.exports.reports.page.page_counts import PageCounts
from memassay.exports.reports.page.samples import samples
from memassay.exports.reports.page.tables import heat, paper_tables

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class ReportPage:
    """A page, and how many sample items and questions it is about."""

    html: str
    samples: int
    questions: int


def report_page(
    release: Release,
    counted: PageCounts,
    stats: Sequence[Mapping[str, Any]],
    cost: Mapping[str, Any] | None = None,
    review: Mapping[str, Any] | None = None,
) -> ReportPage:
    """The report of a release.

    Args:
        release: The release.
        counted: What was counted of its conversations.
        stats: What `memassay stats` counts of it, collection by collection.
        cost: What `memassay cost` says of a workspace.
        review: What `memassay review stats` says of a workspace.

    Raises:
        RecordError: A record does not fit its schema.
        ReleaseError: A file is not readable as Parquet.
    """
    names = facts.type_names(stats)
    said = counted.facts
    shown = samples(release, counted.items, names)
    decisions = list(release.decisions())
    proof = plots.verdict_plot(counted.verdicts, names)
    html = (
        _environment()
        .get_template("report.html")
        .render(
            manifest=release.manifest,
            summary=facts.summary(release, said),
            means=facts.means(said),
            sections=facts.sections(release, said),
            errata=facts.errata(release),
            makers=facts.makers(release, said, decisions),
            lead=proof.says,
            rules=counted.rules,
            heat=heat(counted.types, list(names)),
            names=names,
            history=_history(counted),
            checks=[proof, *_checks(release, said)],
            work=[
                plots.agreement_plot(
                    review, len(decisions), len({one.reviewer for one in decisions})
                ),
                plots.cost_plot(cost),
            ],
            collections=[(each, paper_tables(each)) for each in stats],
            samples=shown,
            questions=counted.questions,
            style=(_HERE / "report.css").read_text(encoding="utf-8"),
            script=(_HERE / "report.js").read_text(encoding="utf-8"),
        )
    )
    return ReportPage(html, len(shown), counted.questions)


def _history(counted: PageCounts) -> list[plots.Plot]:
    """What there is to remember."""
    return [
        plots.distance_plot(counted.distances),
        plots.age_plot(counted.ages),
        plots.chain_plot(counted.chains),
        plots.image_plot(counted.images),
        *plots.length_plots(counted.words),
        plots.calendar_plot(counted.days),
    ]


def _checks(release: Release, said: Facts) -> list[plots.Plot]:
    """What gives an answer away, what rules found, and what is not in the release."""
    return [
        plots.shortcut_plot(said),
        plots.findings_plot(release.findings()),
        plots.held_out_plot(release.held_out()),
    ]


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
