"""Commands about reviewers and about review in other tools."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memassay.commands.base import PATH, common_options, example, workspace_option
from memassay.output import emit, note, say, table

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place


@click.command("stats", epilog=example("review stats --workspace my-workspace"))
@workspace_option
@click.option("--log", "with_log", is_flag=True, help="With --json: every line of the audit log.")
@common_options
def review_stats(workspace: "Place", with_log: bool, as_json: bool) -> int:
    """Show throughput, agreement and disagreements of the reviewers."""
    from memassay.flows.review.reports import review_log, review_report
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        report = review_report(opened)
        if with_log:
            report["log"] = review_log(opened)
    if as_json:
        emit(report)
    else:
        _print_stats(report)
    return 0


def _print_stats(report: dict[str, Any]) -> None:
    states = ", ".join(f"{number} {state}" for state, number in report["states"].items())
    say(f"items     {states or 'none'}")
    heads = ("reviewer", "votes", "accepted", "seconds", "hours", "controls", "repeats")
    table("Reviewers", heads, (_reviewer_row(one) for one in report["reviewers"]))
    rows = []
    for field, found in report["agreement"].items():
        measures = (found["percent"], found["alpha"])
        rows.append([field, "all", str(found["units"]), *map(_number, measures), ""])
        for pair in found["pairs"]:
            names = " / ".join(pair["pair"])
            measures = (pair["percent"], pair["kappa"])
            percent, kappa = map(_number, measures)
            rows.append([field, names, str(pair["units"]), percent, "", kappa])
    table("Agreement", ("field", "reviewers", "units", "share alike", "alpha", "kappa"), rows)
    counts = ((name, one["votes"], one["items"]) for name, one in report["wrong_fields"].items())
    table("What is wrong", ("part", "votes", "items"), counts)
    for one in report["scores"]:
        _print_scores(one)
    for one in report["disagreements"]:
        votes = "; ".join(
            f"{name}: {vote['answer'][:60] or vote['ruling']}"
            for name, vote in one["votes"].items()
        )
        say(f"{one['item']}  {one['state']:<10}{one['record']}  {votes}")


def _print_scores(one: dict[str, Any]) -> None:
    """What people scored of one reader, by type, and how far judges agree with them."""
    title = f"{one['reader']} on {one['release']}, scored by people on the scale {one['scale']}"
    rows = [
        [each["group"], each["asked"], each["scored"], each["rejected"], _number(each["mean"])]
        for each in one["types"]
    ]
    table(title, ("type", "asked", "scored", "rejected", "mean"), rows)
    people = one["people"]
    if people["units"]:
        alike, alpha = _number(people["percent"]), _number(people["alpha"])
        say(f"people among themselves: {people['units']} units, alike {alike}, alpha {alpha}")
    measures = ("percent", "kappa", "alpha", "spearman", "bias")
    rows = [
        [each["judge"], each["units"], *(_number(each[name]) for name in measures)]
        for each in one["judges"]
    ]
    heads = ("judge", "units", "share alike", "kappa", "alpha", "spearman", "bias")
    table("Judges beside people", heads, rows)


def _reviewer_row(one: dict[str, Any]) -> list[str]:
    return [
        one["reviewer"],
        str(one["votes"]),
        _number(one["accepted"]),
        _number(one["seconds"]),
        _number(one["hours"]),
        f"{one['controls_right']}/{one['controls']}",
        f"{one['repeats_alike']}/{one['repeats']}",
    ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


@click.command("invite", epilog=example("review invite --role adjudicator --days 7"))
@workspace_option
@click.option(
    "--role",
    type=click.Choice(["annotator", "adjudicator", "owner"]),
    default="annotator",
    show_default=True,
)
@click.option(
    "--days",
    type=click.FloatRange(0, min_open=True),
    default=14,
    show_default=True,
    help="How long the invitation holds.",
)
@common_options
def review_invite(workspace: "Place", role: str, days: float, as_json: bool) -> int:
    """Make an invitation, with which one person can join `memassay review serve --users`."""
    from memassay.flows.review.reports import invitation
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        token = invitation(opened, role, days)
    if as_json:
        emit({"token": token, "role": role, "path": f"/join?invitation={token}"})
    else:
        say(f"invitation {token}")
        say("it is shown once; open it at /join of the review pages")
    return 0


@click.command("people", epilog=example("review people", "review people --shut-out ada"))
@workspace_option
@click.option("--shut-out", metavar="NAME", help="Take the right to log in, sessions and leases.")
@click.option("--let-in", metavar="NAME", help="Give the right to log in back.")
@click.option(
    "--reviewer",
    default="owner",
    show_default=True,
    envvar="MEMASSAY_REVIEWER",
    help="Who you are.",
)
@common_options
def review_people(
    workspace: "Place", shut_out: str | None, let_in: str | None, reviewer: str, as_json: bool
) -> int:
    """List who has joined, shut somebody out, or let them in again; what they did stays."""
    from memassay.flows.review.reports import people_of
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        people = people_of(opened, reviewer, shut_out, let_in)
    if as_json:
        emit(people)
    else:
        rows = ((one["name"], one["role"], "yes" if one["disabled"] else "") for one in people)
        table("Reviewers", ("name", "role", "shut out"), rows)
    return 0


_tool = click.option(
    "--tool",
    type=click.Choice(["label-studio", "argilla"]),
    required=True,
    help="The other annotation tool.",
)


@click.command("export", epilog=example("review export --tool label-studio --out tasks"))
@_tool
@click.option("--out", type=PATH, required=True, help="New or empty folder.")
@click.option("--gate", metavar="STAGE", help="Only items of this stage's gate.")
@click.option("--votes", is_flag=True, help="With all votes, and what is decided; not blind.")
@workspace_option
@common_options
def review_export(
    tool: str, out: Path, gate: str | None, votes: bool, workspace: "Place", as_json: bool
) -> int:
    """Write the items that wait as another tool's tasks."""
    from memassay.flows.review.exchange import export_items
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        number = export_items(opened, tool, out, gate=gate, votes=votes)
    if as_json:
        emit({"folder": str(out), "items": number})
    else:
        say(f"{number} items in {out}")
    return 0


@click.command("import", epilog=example("review import export.json --tool label-studio"))
@click.argument("path", type=PATH)
@_tool
@workspace_option
@common_options
def review_import(path: Path, tool: str, workspace: "Place", as_json: bool) -> int:
    """Take the votes of another tool's export; those already known change nothing.

    A vote that was corrected there replaces what it was before, while its item is open.
    """
    from memassay.flows.review.exchange import import_votes
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        report = import_votes(opened, tool, path)
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        replaced = f"{report.replaced} replaced, " if report.replaced else ""
        refused = len(report.refused)
        say(f"{report.applied} votes taken, {replaced}{report.known} known, {refused} refused")
        for message in (*report.notes, *report.refused):
            note(message)
    return 1 if report.refused else 0
