"""Commands that run recipes and tell how far they are."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import (
    PATH,
    Function,
    common_options,
    example,
    workers_option,
    workspace_option,
)
from memassay.commands.screen import STANDINGS, draft_text, pace_text, print_run, standings
from memassay.output import emit, say, table

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place
    from memassay.flows.store.status import StatusReport


def run_options(runner: str) -> Callable[[Function], Function]:
    """Decorator: the options of whatever runs a recipe.

    Args:
        runner: Who drives the stages if nobody says otherwise.
    """
    options = (
        workspace_option,
        click.option("--seed", type=click.IntRange(min=0), help="In place of the recipe's seed."),
        click.option(
            "--runner",
            type=click.Choice(["prefect", "plain", "prefect-dask"]),
            default=runner,
            show_default=True,
            help="Who drives the stages; the release is the same.",
        ),
        click.option(
            "--scheduler",
            help="Address of a Dask scheduler, for `prefect-dask`; default: that in "
            "MEMASSAY_SCHEDULER, or a cluster of this run.",
        ),
        workers_option("Processes at once; a run with models has one."),
        click.option("--strict", is_flag=True, help="Refuse a source with any error."),
        click.option("--record", type=PATH, help="Keep the replies of models in this folder."),
        click.option(
            "--replay", type=PATH, help="Take replies from such a folder; no model is asked."
        ),
        click.option("--estimate", is_flag=True, help="Show what the models will cost; ask none."),
        click.option(
            "--retry-failed", is_flag=True, help="Do again what models failed at; the rest is kept."
        ),
        click.option(
            "--details", is_flag=True, help="Print every stage and held-out record as tables too."
        ),
        common_options,
    )

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


@click.command(epilog=example("run recipes/curate-demo.yaml --workspace my-workspace"))
@click.argument("recipe", type=PATH)
@run_options(runner="prefect")
def run(
    recipe: Path,
    workspace: "Place",
    seed: int | None,
    runner: str,
    scheduler: str | None,
    workers: int,
    strict: bool,
    record: Path | None,
    replay: Path | None,
    estimate: bool,
    retry_failed: bool,
    details: bool,
    as_json: bool,
) -> int:
    """Run a recipe, or resume it; prints the release folder last.

    Finished work is kept in the workspace: interrupt it whenever you like and run it again.
    """
    from memassay.flows.recipes.documents import recipe_document

    # A wrong name gets its answer before all that a run needs is loaded.
    recipe_document(recipe)
    changes: dict[str, object] = {} if seed is None else {"seed": seed}
    if strict:
        changes["strict"] = True
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
        changes=changes,
        runner=runner,
        recordings=Recordings(record, replay),
        retry_failed=retry_failed,
        workers=workers,
        scheduler=scheduler,
    )
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        print_run(report, workspace, details=details)
    return 1 if any(finding.rule == AUTHOR_FAILED.id for finding in report.findings) else 0


def _print_estimate(recipe: Path, *, as_json: bool) -> int:
    from memassay.flows.services.runs import estimate as estimate_of

    report = estimate_of(recipe)
    if as_json:
        emit(report.model_dump(mode="json"))
        return 0
    heads = ("role", "model", "calls", "input", "output", "images", "dollars")
    rows = [tuple(getattr(row, head) for head in heads[:-1]) for row in report.rows]
    priced = [row.dollars or "no price" for row in report.rows]
    table("Estimate", heads, [(*row, price) for row, price in zip(rows, priced, strict=True)])
    if set(priced) == {"no price"}:
        say("no model here has a price; `prices:` in the recipe names a table of your own")
        return 0
    say(f"total: about ${report.dollars} if {report.assumed}")
    say(f"it will lie between ${report.least} and ${report.most}")
    return 0


@click.command(epilog=example("status --workspace my-workspace"))
@workspace_option
@common_options
def status(workspace: "Place", as_json: bool) -> int:
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
        rows = ((one.stage, one.units, one.finished, *standings(one)) for one in stages)
        table(f"Run {name}", ("stage", "units", "done", *STANDINGS), rows)
        for one in stages:
            if one.held:
                say(f"{one.stage}: {one.finished} of {one.units} units, {pace_text(one)}")
    table("Waiting for people", ("gate", "items"), report.open_reviews.items())
    for release in report.releases:
        say(f"release {release}")
    for draft in report.drafts:
        say(draft_text(draft))
    if not report.runs:
        say("nothing was run yet: `memassay run RECIPE`")


@click.command(epilog=example("cost --workspace my-workspace"))
@workspace_option
@common_options
def cost(workspace: "Place", as_json: bool) -> int:
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
