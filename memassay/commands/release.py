"""Commands that read a release: export, stats, and errata about it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memassay.commands.base import (
    FORMATS_HELP,
    PATH,
    RELEASE,
    FormatName,
    common_options,
    example,
    workers_option,
)
from memassay.output import emit, note, say, table

if TYPE_CHECKING:
    from memassay.schemas.judgements.erratum import ReleasedErratum


@click.command(epilog=example("export path/to/release --format locomo --out locomo"))
@click.argument("release", type=RELEASE)
@click.option(
    "--format", "format_name", required=True, type=FormatName(written=True), help=FORMATS_HELP
)
@click.option("--out", type=PATH, required=True, metavar="DIR", help="New folder to write to.")
@workers_option()
@common_options
def export(release: Path, format_name: str, out: Path, workers: int, as_json: bool) -> int:
    """Write a release in a foreign layout, as far as its reader can answer from it.

    Each question that is left out is in unfit.json with its reason, and each part of a record
    that has no place in the layout.
    """
    from memassay.flows.services.releases import export_release

    report = export_release(release, format_name, out, workers)
    if as_json:
        emit(report.model_dump(mode="json"))
        return 0
    say(
        f"{report.conversations} conversations, {report.questions} of {report.of} questions written"
    )
    if not report.strict:
        say(f"{report.format} has no strict reader: no question was tried")
    _print_lost("Questions left out", report.questions_left_out)
    _print_lost("Parts without a place", report.parts_without_a_place)
    say(f"{report.folder}, each of these in unfit.json" if report.unfit else report.folder)
    return 0


def _print_lost(title: str, rows: list[dict[str, Any]]) -> None:
    table(title, list(rows[0]) if rows else [], (list(row.values()) for row in rows))


def note_missing_path(release: Path) -> None:
    """Say what cannot be said of a release whose path is not here."""
    from memassay.flows.services.releases import path_not_installed

    if name := path_not_installed(release):
        note(f"path {name} is not installed here: its types, figures and metrics are left out")


@click.command(epilog=example("stats path/to/release"))
@click.argument("release", type=RELEASE)
@common_options
def stats(release: Path, as_json: bool) -> int:
    """Print the paper's tables beside the same counts of a release."""
    from memassay.flows.services.releases import release_stats

    found = release_stats(release)
    note_missing_path(release)
    if as_json:
        emit(found)
        return 0
    for each in found:
        _print_stats(each)
    if not found:
        say("no conversations in this release; held_out.jsonl says why")
    return 0


def _print_stats(each: dict[str, Any]) -> None:
    say(f"{each['collection']}: ours / {each['source'] or 'nothing printed'}")
    for title, names in (("conversations", ["name"]), ("types", ["code", "name"])):
        rows = each[title]
        heads = [*names, *rows[0]["ours"]] if rows else []
        table(title, heads, ([*(row[name] for name in names), *_beside(row)] for row in rows))
    for figure in each["figures"]:
        rows = figure["rows"]
        table(figure["title"], list(rows[0]), ([_cell(row[head]) for head in row] for row in rows))


def _cell(value: object) -> object:
    return "-" if value is None else value


def _beside(row: dict[str, Any]) -> list[str]:
    pairs = ((row["ours"][size], row["paper"][size]) for size in row["ours"])
    return [" / ".join("-" if value is None else str(value) for value in pair) for pair in pairs]


_file_option = click.option(
    "--file",
    type=PATH,
    default=Path("errata.jsonl"),
    show_default=True,
    help="Where errata are kept; a recipe names it as `errata`.",
)


@click.group(epilog=example("errata list", "errata decide E0001 confirmed"))
def errata() -> None:
    """Report, list and decide what is wrong in a release."""


@errata.command(epilog=example('errata add path/to/release ITEM --reason "the gold is of 2023"'))
@click.argument("release", type=RELEASE)
@click.argument("item")
@click.option("--reason", required=True, help="What is wrong, in a sentence; released with it.")
@click.option(
    "--reporter",
    default="reviewer",
    show_default=True,
    envvar="MEMASSAY_REVIEWER",
    show_envvar=True,
    help="Your pseudonym; it is released with a confirmed erratum.",
)
@_file_option
@common_options
def add(release: Path, item: str, reason: str, reporter: str, file: Path, as_json: bool) -> int:
    """Report that an item of a release is wrong; ITEM is its id, or that in `default`.

    The release is not changed. The same in another version of it joins what was reported.
    """
    from memassay.flows.edits.errata import add_erratum

    found = add_erratum(release, item, reason, reporter, file)
    if as_json:
        emit(found.model_dump(mode="json"))
    else:
        say(f"{found.id}: {found.item} of {found.release} {', '.join(found.versions)}, in {file}")
    return 0


@errata.command("list", epilog=example("errata list --file errata.jsonl"))
@_file_option
@common_options
def list_(file: Path, as_json: bool) -> int:
    """List the errata of a file."""
    from memassay.flows.edits.errata import listed_errata

    found = listed_errata(file)
    if as_json:
        emit([one.model_dump(mode="json") for one in found])
        return 0
    heads = ("erratum", "status", "release", "item", "what is wrong", "reported by")
    table("Errata", heads, map(_row, found))
    say(f"{len(found)} errata")
    return 0


def _row(one: "ReleasedErratum") -> tuple[str, ...]:
    release = f"{one.release} {', '.join(one.versions)}"
    return one.id, str(one.status), release, one.item, one.problem, one.reporter


@errata.command(epilog=example("errata decide E0001 confirmed", "errata decide E0002 rejected"))
@click.argument("erratum")
@click.argument("status", type=click.Choice(["confirmed", "rejected"]))
@click.option(
    "--reviewer",
    default="reviewer",
    show_default=True,
    envvar="MEMASSAY_REVIEWER",
    show_envvar=True,
    help="Your pseudonym; it is released with a confirmed erratum.",
)
@click.option("--comment", default="", help="Why; released with a confirmed erratum.")
@_file_option
@common_options
def decide(
    erratum: str, status: str, reviewer: str, comment: str, file: Path, as_json: bool
) -> int:
    """Say whether a reported item is wrong indeed; what was decided last holds.

    A recipe that says `errata: FILE` releases no item as a confirmed erratum found it: it is held
    out, or, with a gate `errata` that asks people, edited in review.
    """
    from memassay.flows.edits.errata import decide_erratum
    from memassay.schemas.judgements.erratum import ErratumStatus

    found = decide_erratum(file, erratum, ErratumStatus(status), reviewer, comment)
    if as_json:
        emit(found.model_dump(mode="json"))
    else:
        say(f"{found.id}: {found.status} by {found.decided_by}")
        if found.status is ErratumStatus.CONFIRMED:
            say(f"the next release is without it if its recipe says `errata: {file}`")
    return 0
