"""Commands that give people work other than deciding on flagged records, and read it back."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import PATH, common_options, example, workspace_option
from memassay.output import emit, note, say

_votes = click.option(
    "--votes",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="Votes needed of each, blind; where they differ, an adjudicator decides.",
)

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place


@click.command(
    "score",
    epilog=example(
        "review score path/to/release --predictions reader.jsonl",
        "review score path/to/release --predictions reader.jsonl --judge judge.jsonl",
    ),
)
@click.argument("release", type=PATH)
@click.option(
    "--predictions", type=PATH, required=True, help="JSON lines of answers, as for `eval`."
)
@click.option(
    "--judge", type=PATH, help="JSON lines of `id` and `score` by a judge model, to compare with."
)
@click.option(
    "--scale",
    type=click.Choice(["mmrc", "correct"]),
    default="mmrc",
    show_default=True,
    help="0 to 5 by MMRC's criteria, or correct and wrong.",
)
@click.option("--reader", help="Name of the reader; default: that of the file.")
@_votes
@workspace_option
@common_options
def review_score(
    release: Path,
    predictions: Path,
    judge: Path | None,
    scale: str,
    reader: str | None,
    votes: int,
    workspace: "Place",
    as_json: bool,
) -> int:
    """Give a reader's answers to people to score; `review stats` reports what they say."""
    from memassay.flows.review.scoring import read_sheet, score_sheet
    from memassay.flows.store.workspace import open_workspace

    sheet = read_sheet(release, predictions, scale=scale, judge=judge, reader=reader)
    with open_workspace(workspace, create=True) as opened:
        report = score_sheet(opened, sheet, votes)
    if as_json:
        emit(report.model_dump(mode="json"))
        return 0
    say(f"{report.asked} answers of {report.reader} to score, on the scale {report.scale}")
    if report.judged:
        say(f"{report.judged} scores of the judge taken")
    if report.missing:
        note(f"{report.missing} questions have no answer in the file; nobody is asked about them")
    for name in report.unknown:
        note(f"{name}: not in the release")
    return 0


@click.command("ask", epilog=example("review ask outlines.jsonl --votes 2"))
@click.argument("path", metavar="FILE", type=PATH)
@_votes
@workspace_option
@common_options
def review_ask(path: Path, votes: int, workspace: "Place", as_json: bool) -> int:
    """Ask people to choose, write or score: one assignment a line of FILE, as JSON.

    Asked again, an assignment that is decided stays decided; one that has changed replaces the
    open one of its id.
    """
    from memassay.flows.review.assignments import ask, read_assignments
    from memassay.flows.store.workspace import open_workspace

    assignments = read_assignments(path)
    with open_workspace(workspace, create=True) as opened:
        report = ask(opened, assignments, votes)
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        say(f"{report.asked} assignments in the queue, {report.decided} of them decided before")
    return 0


@click.command("answers", epilog=example("review answers --out answers.jsonl"))
@click.option("--out", type=PATH, help="File to write; default: standard output.")
@click.option("--gate", metavar="STAGE", help="Only assignments of this gate, e.g. ask.")
@workspace_option
@common_options
def review_answers(out: Path | None, gate: str | None, workspace: "Place", as_json: bool) -> int:
    """Give what people decided on assignments, a JSON object a line."""
    from memassay.flows.review.assignments import answers
    from memassay.flows.store.blob_folder import write_durably
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        found = [one.model_dump(mode="json") for one in answers(opened, gate)]
    lines = [json.dumps(one, ensure_ascii=False, sort_keys=True) for one in found]
    if out is not None:
        write_durably(out, "".join(f"{line}\n" for line in lines).encode("utf-8"))
    if as_json:
        emit(found)
    elif out is not None:
        say(f"{len(found)} answers in {out}")
    else:
        for line in lines:
            say(line)
    return 0
