"""Commands that run recipes and tell how far they are."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import PATH, common_options, example, workspace_option
from memassay.output import SHOWN_FINDINGS, count_text, emit, print_findings, say, table

if TYPE_CHECKING:
    from memassay.flows.review.applied import ReviewReport
    from memassay.flows.services.runs import RunReport
    from memassay.flows.store.status import DraftReport, StageReport, StatusReport
    from memassay.schemas.judgements.review import HeldOut

_SAME = "the same items, histories, findings, decisions and recipe"
_CHANGES = {
    "conversations": ("conversation", "added, removed or changed"),
    "added": ("item", "added"),
    "removed": ("item", "removed"),
    "gold": ("gold answer", "changed"),
    "changed": ("item", "changed else"),
    "sessions": ("session", "added, removed or changed"),
    "rounds": ("round", "changed"),
    "images": ("image", "changed"),
    "findings": ("finding", "changed"),
    "decisions": ("decision", "changed"),
}
"""What differs between drafts, by field: what is counted, and what of it."""
_STANDINGS = ("passed", "pending", "quarantined", "rejected")


@click.command(epilog=example("run recipes/curate-demo.yaml --workspace my-workspace"))
@click.argument("recipe", type=PATH)
@workspace_option
@click.option("--seed", type=click.IntRange(min=0), help="In place of the recipe's seed.")
@click.option(
    "--runner",
    type=click.Choice(["prefect", "plain"]),
    default="prefect",
    show_default=True,
    help="Who drives the stages; the release is the same.",
)
@click.option("--strict", is_flag=True, help="Refuse a source with any error.")
@click.option("--record", type=PATH, help="Keep the replies of models in this folder.")
@click.option("--replay", type=PATH, help="Take replies from such a folder; no model is asked.")
@click.option("--estimate", is_flag=True, help="Show what the models will cost; ask none.")
@click.option(
    "--retry-failed", is_flag=True, help="Do again what models failed at; the rest is kept."
)
@common_options
def run(
    recipe: Path,
    workspace: Path,
    seed: int | None,
    runner: str,
    strict: bool,
    record: Path | None,
    replay: Path | None,
    estimate: bool,
    retry_failed: bool,
    as_json: bool,
) -> int:
    """Run a recipe, or resume it; prints the release folder last.

    Finished work is kept in the workspace: interrupt it whenever you like and run it again.
    """
    from memassay.flows.recipes.documents import recipe_document

    # A wrong name gets its answer before all that a run needs is loaded.
    recipe_document(recipe)
    if estimate:
        return _print_estimate(recipe, as_json=as_json)
    from memassay.flows.calls.recordings import Recordings
    from memassay.flows.engine.failures import AUTHOR_FAILED
    from memassay.flows.runners.progress import progress_for_terminal
    from memassay.flows.services.runs import run_recipe

    report = run_recipe(
        recipe,
        workspace,
        progress_for_terminal(),
        seed=seed,
        runner=runner,
        strict=strict,
        recordings=Recordings(record, replay),
        retry_failed=retry_failed,
    )
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        _print_run(report, workspace)
    return 1 if any(finding.rule == AUTHOR_FAILED.id for finding in report.findings) else 0


def _print_estimate(recipe: Path, *, as_json: bool) -> int:
    from memassay.flows.services.runs import estimate as estimate_of

    report = estimate_of(recipe)
    if as_json:
        emit(report.model_dump(mode="json"))
        return 0
    heads = ("role", "model", "calls", "input", "output", "images", "dollars")
    rows = [tuple(getattr(row, head) for head in heads) for row in report.rows]
    table("Estimate", heads, rows)
    say(f"total: about ${report.dollars} if {report.assumed}")
    say(f"it will lie between ${report.least} and ${report.most}")
    return 0


def _print_run(report: "RunReport", workspace: Path) -> None:
    files = f"{report.release}/findings.jsonl"
    print_findings(report.findings, files)
    say()
    table(
        "Units of work, and records at the gates",
        ("stage", "made", "kept", *_STANDINGS),
        ((one.stage, one.made, one.units - one.made, *_standings(one)) for one in report.stages),
    )
    _print_held_out(report.held_out)
    _print_review(report.review)
    table("Certificates", ("verdict", "questions"), sorted(report.verdicts.items()))
    say(f"{report.questions} questions released, {len(report.held_out)} records held out.")
    reasons = [f"{report.release}/held_out.jsonl"] * bool(report.held_out)
    reasons += [files] * bool(report.findings)
    if reasons:
        say(f"Why, item by item: {' and '.join(reasons)}")
    waiting = [item.record for item in report.held_out if item.status == "pending"]
    if waiting:
        from memassay.flows.store.folders import workspace_option

        place = workspace_option(workspace)
        say(f"Some wait for people: `memassay review show {waiting[0]}{place}` shows one,")
        say(f"`memassay review serve{place}` is where they decide; then run the recipe again.")
    say(f"To look at: {report.contact_sheet}")
    say(_draft(report.draft))
    say(report.release)


def _print_review(review: "ReviewReport") -> None:
    """What people decided and changed, whose it is, and what was made again because of it."""
    rows = [(one.gate, one.reviewer, one.accepted, one.rejected) for one in review.decisions]
    table("Decisions applied", ("gate", "by", "accepted", "rejected"), rows)
    edits = [(one.record, one.reviewer, one.records) for one in review.edits]
    table("Edits applied", ("record", "by", "records"), edits)
    if review.made_again:
        made = ", ".join(f"{stage} {number}" for stage, number in review.made_again.items())
        say(f"Made again, with other inputs or settings than before: {made}.")
    if review.voided:
        decisions = sum(one.decisions for one in review.voided)
        votes = sum(one.votes for one in review.voided)
        what = f"{count_text(decisions, 'decision')} and {count_text(votes, 'vote')}"
        say(f"{what} no longer hold: what they saw has changed.")
        heads = ("gate", "record", "decisions", "votes")
        shown = [(one.gate, one.record, one.decisions, one.votes) for one in review.voided]
        table("No longer hold", heads, shown[:SHOWN_FINDINGS])
    for conflict in review.conflicts:
        say(conflict)
    if review.proposals:
        waiting = count_text(review.proposals, "proposed edit")
        say(f"Of histories, waiting for people: {waiting}; `memassay review list` shows them.")


def _draft(draft: "DraftReport") -> str:
    """Which draft of a recipe is the newest, and what differs from the one before."""
    newest = f"newest draft of {draft.recipe}: {draft.release}, number {draft.number}"
    if draft.before is None:
        return newest
    if draft.changes is None:
        return f"{newest}; {draft.before} before it is no longer there to compare"
    changes = draft.changes.model_dump()
    differs = [
        f"{count_text(changes[key], noun)} {what}"
        for key, (noun, what) in _CHANGES.items()
        if changes[key]
    ]
    differs += ["another recipe"] * draft.changes.recipe
    return f"{newest}; against {draft.before}: {', '.join(differs) or _SAME}"


def _print_held_out(held_out: list["HeldOut"]) -> None:
    """One row a record, or, where they are many, one row for all of the same reasons."""
    rows = [
        (", ".join(item.reasons), item.stage, item.status, item.record)
        for item in sorted(held_out, key=lambda item: item.reasons)
    ]
    heads = ("rule or reason", "stage", "status")
    if len(rows) <= SHOWN_FINDINGS:
        table("Held out", (*heads, "record"), rows)
        return
    counts = Counter(row[:3] for row in rows)
    table("Held out", (*heads, "records"), ((*row, number) for row, number in counts.items()))


def _standings(stage: "StageReport") -> list[int]:
    return [stage.gate.get(standing, 0) for standing in _STANDINGS]


@click.command(epilog=example("status --workspace my-workspace"))
@workspace_option
@common_options
def status(workspace: Path, as_json: bool) -> int:
    """Show how far the runs of a workspace are and what waits for people."""
    from memassay.flows.store.status import status as status_of

    report = status_of(workspace)
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        _print_status(report)
    return 0


def _print_status(report: "StatusReport") -> None:
    say(f"workspace {report.workspace}")
    for name, stages in report.runs.items():
        rows = ((one.stage, one.units, one.finished, *_standings(one)) for one in stages)
        table(f"Run {name}", ("stage", "units", "done", *_STANDINGS), rows)
    table("Waiting for people", ("gate", "items"), report.open_reviews.items())
    for release in report.releases:
        say(f"release {release}")
    for draft in report.drafts:
        say(_draft(draft))
    if not report.runs:
        say("nothing was run yet: `memassay run RECIPE`")


@click.command(epilog=example("cost --workspace my-workspace"))
@workspace_option
@common_options
def cost(workspace: Path, as_json: bool) -> int:
    """Show what the models of a workspace cost, by stage, model and day (UTC)."""
    from memassay.flows.services.models import cost_in

    report = cost_in(workspace)
    if as_json:
        emit(report.model_dump(mode="json"))
        return 0
    heads = ("stage", "model", "day", "calls", "input", "cached", "output", "images", "dollars")
    rows = [tuple(getattr(row, head) for head in heads) for row in report.rows]
    table("Calls of models", heads, rows)
    unpriced = sum(row.unpriced for row in report.rows)
    if unpriced:
        say(f"{unpriced} calls are of models without a price; name a table under `prices:`")
    more = ""
    if report.unanswered:
        more = f", and up to ${report.unanswered_dollars} for {report.unanswered} calls without a "
        more += "reply, which may be billed and count under `budget`"
    say(f"total: ${report.dollars}{more}")
    return 0
