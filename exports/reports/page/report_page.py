"""Puts a report together: one page without a request to any network.

Equal releases give equal pages: no clock, no host, and samples are drawn by the content hash.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from memassay.exports.release.public.facts import Facts, facts_of, sum_of_facts
from memassay.exports.release.reader import Release
from memassay.exports.reports.page import facts, plots
from memassay.exports.reports.page.samples import samples
from memassay.exports.reports.page.tables import heat, paper_tables
from memassay.schemas.records.bundle import Bundle

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class ReportPage:
    """A page, and how many sample items and questions it is about."""

    html: str
    samples: int
    questions: int


def report_page(
    release: Release,
    bundles: Sequence[Bundle],
    stats: Sequence[Mapping[str, Any]],
    cost: Mapping[str, Any] | None = None,
    review: Mapping[str, Any] | None = None,
) -> ReportPage:
    """The report of a release.

    Args:
        release: The release.
        bundles: Its conversations.
        stats: What `memassay stats` counts of it, collection by collection.
        cost: What `memassay cost` says of a workspace.
        review: What `memassay review stats` says of a workspace.

    Raises:
        RecordError: A record does not fit its schema.
        ReleaseError: A file is not readable as Parquet.
    """
    certificates = list(release.certificates())
    by_item = {one.item: one for one in certificates}
    names = facts.type_names(stats)
    said = sum_of_facts(facts_of(bundle, {}) for bundle in bundles)
    shown = samples(release, bundles, by_item, names)
    decisions = list(release.decisions())
    proof = plots.verdict_plot(bundles, certificates, names)
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
            rules=facts.checked_rules(certificates),
            heat=heat(bundles, list(names)),
            names=names,
            history=_history(bundles),
            checks=[proof, *_checks(release, said)],
            work=[
                plots.agreement_plot(
                    review, len(decisions), len({one.reviewer for one in decisions})
                ),
                plots.cost_plot(cost),
            ],
            collections=[(each, paper_tables(each)) for each in stats],
            samples=shown,
            questions=sum(len(bundle.questions) for bundle in bundles),
            style=(_HERE / "report.css").read_text(encoding="utf-8"),
            script=(_HERE / "report.js").read_text(encoding="utf-8"),
        )
    )
    return ReportPage(html, len(shown), sum(len(bundle.questions) for bundle in bundles))


def _history(bundles: Sequence[Bundle]) -> list[plots.Plot]:
    """What there is to remember."""
    return [
        plots.distance_plot(bundles),
        plots.age_plot(bundles),
        plots.chain_plot(bundles),
        plots.image_plot(bundles),
        *plots.length_plots(bundles),
        plots.calendar_plot(bundles),
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
