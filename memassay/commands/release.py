"""Commands that read a release: export, eval, stats, and errata about it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

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
from memassay.output import count_text, emit, note, say, table

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


@click.command(
    "eval",
    epilog=example(
        "eval path/to/release --memory bm25",
        "eval path/to/release --memory my_module:MyMemory",
        "eval path/to/release --memory bm25 --captions asset",
        "eval path/to/release --predictions predictions.jsonl",
        "eval you/demo@v0.1.0 --predictions predictions.jsonl --errata you/demo@v0.2.0",
    ),
)
@click.argument("release", type=RELEASE)
@click.option(
    "--memory",
    "--reader",
    metavar="NAME",
    help="bm25, dense, fifo, oracle, oracle-session, full-context, that of a package, or "
    "module:Class.",
)
@click.option(
    "--captions",
    type=click.Choice(["none", "public", "asset"]),
    help="What a memory is given as captions of images: nothing, what the history says of them, or "
    "what can be read in the pixels. Default: public, for built-in memories none.",
)
@click.option(
    "--predictions", type=PATH, metavar="FILE", help="Answers of your system, JSON Lines."
)
@click.option(
    "--errata",
    type=RELEASE,
    metavar="FILE|RELEASE",
    help="Score also without the items that a later release, or a file of errata, finds wrong.",
)
@common_options
def eval_(
    release: Path,
    memory: str | None,
    captions: str | None,
    predictions: Path | None,
    errata: Path | None,
    as_json: bool,
) -> int:
    """Score the retrieval of a memory, or the answers of your own system, by type.

    A line of the predictions is an object with `id` (of the item) and `answer`, and if you like
    `retrieved` (round ids, best first) and `seconds`. Exit code 1 if items are missing, which
    score 0, or ids are not those of the release.
    """
    from memassay.flows.services.releases import evaluate_release

    report = evaluate_release(release, memory, predictions, errata, captions)
    _note_missing_path(release)
    if as_json:
        emit(report)
    else:
        _print_scores(report)
        if errata is not None:
            _print_without(report)
    return _note_incomplete(report)


def _note_incomplete(report: dict[str, Any]) -> int:
    """Say that answers are missing, or are to other questions; 1 if so."""
    missing, unknown = report.get("missing", ()), report.get("unknown", ())
    if missing:
        note(
            f"{len(missing)} of {count_text(report['questions'], 'item')} have no answer, and each "
            f"scores 0: {_some(missing)}"
        )
    if unknown:
        note(
            f"{count_text(len(unknown), 'answer')} with an id that the release does not have, not "
            f"scored: {_some(unknown)}"
        )
    return int(bool(missing or unknown))


_SHOWN: Final = 5
"""Ids that are printed of many."""


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more, which --json lists" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more


def _note_missing_path(release: Path) -> None:
    """Say what cannot be said of a release whose path is not here."""
    from memassay.flows.services.releases import path_not_installed

    if name := path_not_installed(release):
        note(f"path {name} is not installed here: its types, figures and metrics are left out")


def _print_without(report: dict[str, Any]) -> None:
    """The same scores without the items that are wrong."""
    left_out, scores = report["errata"]["left_out"], report["errata"]["scores"]
    say()
    rows = ([one[head] for head in ("erratum", "item", "problem")] for one in left_out)
    table("Left out", ("erratum", "item", "what is wrong"), rows)
    say(f"without {count_text(len(left_out), 'item')} that errata find wrong:")
    _print_scores(scores)


def _print_scores(report: dict[str, Any]) -> None:
    captions = f", captions: {report['captions']}" if "captions" in report else ""
    say(f"{report['release']} {report['version']}: {report['questions']} questions{captions}")
    if "answered" in report:
        for what in ("missing", "repeated", "unknown"):
            say(f"{len(report[what])} {what}")
    for variant, metrics in report.get("answers", {}).items():
        _print_breakdowns(f"Answers, scored as {variant}", metrics)
    for scores in report.get("scores", report.get("retrieval", [])):
        metrics = {name: scores[name] for name in ("recall", "precision", "hit")}
        cut = f"the first {scores['cutoff']} rounds" if scores["cutoff"] else "all rounds"
        _print_breakdowns(f"Retrieval, {cut}, scored as {scores['variant']}", metrics)
    if report.get("seconds"):
        say(f"seconds: {report['seconds']}")


def _print_breakdowns(title: str, metrics: dict[str, Any]) -> None:
    """One row for all questions, then one per type of the paper, then one per hardness."""
    rows = [("all", [each["overall"] for each in metrics.values()])]
    for cut in ("by_benchmark_type", "by_hardness"):
        names = {code: None for each in metrics.values() for code in each[cut]}
        rows += [(code, [each[cut].get(code) for each in metrics.values()]) for code in names]
    table(
        title,
        ("type", "scored", *metrics),
        ((code, _score_count(summaries), *map(_mean, summaries)) for code, summaries in rows),
    )


def _score_count(summaries: list[dict[str, Any] | None]) -> int:
    return max((each["count"] for each in summaries if each), default=0)


def _mean(summary: dict[str, Any] | None) -> str:
    if not summary or summary["mean"] is None:
        return "-"
    return f"{summary['mean']:.3f} [{summary['low']:.3f}, {summary['high']:.3f}]"


@click.command(epilog=example("stats path/to/release"))
@click.argument("release", type=RELEASE)
@common_options
def stats(release: Path, as_json: bool) -> int:
    """Print the paper's tables beside the same counts of a release."""
    from memassay.flows.services.releases import release_stats

    found = release_stats(release)
    _note_missing_path(release)
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
