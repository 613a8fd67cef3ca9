"""Commands that read a release: export, stats."""

from pathlib import Path
from typing import Any

import click

from memassay.commands_base import PATH, common_options, example
from memassay.output import emit, note, say, table


@click.command(epilog=example("export workspace/releases/demo-0.1.0 --format locomo --out locomo"))
@click.argument("release", type=PATH)
@click.option("--format", "format_name", required=True, metavar="FORMAT", help="Layout to write.")
@click.option("--out", type=PATH, required=True, metavar="DIR", help="New folder to write to.")
@common_options
def export(release: Path, format_name: str, out: Path, as_json: bool) -> int:
    """Write a release in a foreign layout; what does not fit into it is reported."""
    from memassay.flows.release_services import export_release

    report = export_release(release, format_name, out)
    for unfit in report.unfit:
        note(f"left out: {unfit.record}: {unfit.what}: {unfit.why}")
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        say(f"{report.conversations} conversations, {report.questions} questions written")
        say(f"{len(report.unfit)} things did not fit into {report.format}")
        say(report.folder)
    return 0


@click.command(epilog=example("stats workspace/releases/demo-0.1.0"))
@click.argument("release", type=PATH)
@common_options
def stats(release: Path, as_json: bool) -> int:
    """Print the paper's tables beside the same counts of a release."""
    from memassay.flows.release_services import release_stats

    found = release_stats(release)
    if as_json:
        emit(found)
        return 0
    for each in found:
        _print_stats(each)
    return 0


def _print_stats(each: dict[str, Any]) -> None:
    say(f"{each['collection']}: ours / {each['source'] or 'nothing printed'}")
    for title, name in (("conversations", "name"), ("types", "code")):
        rows = each[title]
        heads = [name, *rows[0]["ours"]] if rows else []
        table(title, heads, ([row[name], *_beside(row)] for row in rows))


def _beside(row: dict[str, Any]) -> list[str]:
    pairs = ((row["ours"][size], row["paper"][size]) for size in row["ours"])
    return [" / ".join("-" if value is None else str(value) for value in pair) for pair in pairs]
