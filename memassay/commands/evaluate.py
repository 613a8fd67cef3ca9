"""`memassay eval`: scores of a memory by stages, or of answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from memassay.commands.base import PATH, RELEASE, common_options, example, workspace_option
from memassay.commands.release import note_missing_path
from memassay.output import count_text, emit, note, say, table

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place


@click.command(
    "eval",
    epilog=example(
        "eval path/to/release --memory append-everything --out evaluation",
        "eval path/to/release --memory my_module:MyMemory",
        'eval path/to/release --memory "node memory.js"',
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
    help="append-everything, last-3-sessions, bm25, dense, captions-only, oracle and others "
    "(docs/evaluate.md), that of a package, module:Class, or a program that speaks JSON lines.",
)
@click.option(
    "--captions",
    type=click.Choice(["none", "public", "asset"]),
    help="What a memory is given as captions of images: nothing, what the history says of them, or "
    "what can be read in the pixels. Default: public; none for retrievers of ours.",
)
@click.option(
    "--top-k",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Items that a memory may find for a question.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, 86_400, min_open=True),
    default=300.0,
    show_default=True,
    help="Seconds that one call of a memory may take.",
)
@click.option("--tell-type", is_flag=True, help="Tell a memory the type of a question.")
@click.option(
    "--out",
    type=PATH,
    metavar="DIR",
    help="Write report.html and report.json there; the same command goes on where it was stopped.",
)
@click.option(
    "--answerer",
    type=PATH,
    metavar="FILE",
    help="YAML file that names a model, which answers from what the memory finds.",
)
@click.option(
    "--judge",
    type=PATH,
    metavar="FILE",
    help="YAML file that names a model and a prompt (mem-gallery, m2a, memassay or your own), "
    "which judges answers and what memories wrote.",
)
@workspace_option
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
    predictions: Path | None,
    errata: Path | None,
    judge: Path | None,
    workspace: "Place",
    as_json: bool,
    **options: Any,
) -> int:
    """Score what a memory writes, keeps and finds, or the answers of your own system.

    A memory that crashes, hangs or answers with rubbish is scored all the same, and a line says
    what it did. A line of the predictions is an object with `id` (of the item) and `answer`, and
    if you like `retrieved` (round ids, best first) and `seconds`. Exit code 1 if a memory failed,
    or items are missing, which score 0, or ids are not those of the release.
    """
    from memassay.flows.evaluation.evaluate import Judging, evaluate_release, memory_options

    given, judging = memory_options(options), Judging(judge, workspace)
    report = evaluate_release(release, memory, predictions, errata, given, judging)
    note_missing_path(release)
    if as_json:
        emit(report)
    else:
        _print_scores(report)
        if errata is not None:
            _print_without(report)
    if given.out is not None:
        note(f"{given.out / 'report.html'} shows this as a page")
    failures = report.get("failures", ())
    for failure in failures:
        note(f"memory {report['system']} failed: {failure}")
    return max(_note_incomplete(report), int(bool(failures)))


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
    if "stages" in report:
        _print_stages(report)
    for variant, metrics in report.get("answers", {}).items():
        _print_breakdowns(f"Answers, scored as {variant}", metrics)
    for scores in report.get("scores", report.get("retrieval", [])):
        metrics = {name: scores[name] for name in ("recall", "precision", "hit")}
        cut = f"the first {scores['cutoff']} rounds" if scores["cutoff"] else "all rounds"
        _print_breakdowns(f"Retrieval, {cut}, scored as {scores['variant']}", metrics)
    if report.get("seconds"):
        say(f"seconds: {report['seconds']}")


def _print_stages(report: dict[str, Any]) -> None:
    """What a memory wrote, kept and found, and where questions were lost."""
    right = "Right" if report["is_answered"] else "Answerable"
    for title, name in (("Stages", "stages"), (f"{right}, by type", "types")):
        rows = ((key, one["count"], _mean(one)) for key, one in report[name].items())
        table(title, ("metric", "conversations", f"by the {report['decided_by']}"), rows)
    for cut, rows in report["curves"].items():
        shown = ((key, one["count"], _mean(one)) for key, one in rows.items())
        table(f"{right}, by {cut}", (cut, "questions", right.lower()), shown)
    lost = ", ".join(f"{count} {stage}" for stage, count in report["lost_at"].items())
    say(f"questions lost first at: {lost}")
    say("tokens: " + ", ".join(f"{count} {name}" for name, count in report["tokens"].items()))
    for reason in report["not_measured"]:
        say(f"not measured: {reason}")
    say()


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
