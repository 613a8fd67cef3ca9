"""What `memassay eval` does: scores of answers, or of a memory by stages, with a page."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import isnan
from pathlib import Path
from typing import Any

from memassay.exports.lifecycle.evaluation import MemoryRun
from memassay.exports.lifecycle.memories.named import open_memory
from memassay.exports.lifecycle.memories.process import SECONDS
from memassay.exports.lifecycle.memories.shapes import Captions
from memassay.exports.lifecycle.page import lifecycle_page
from memassay.exports.lifecycle.tally import MATCHER, MemoryTally
from memassay.exports.release.reader import Release, open_release
from memassay.exports.scores.retrieval_tally import CUTOFFS
from memassay.flows.evaluation.answers import judged_metrics, score_answers
from memassay.flows.evaluation.helpers import Models, open_models
from memassay.flows.evaluation.kept_scores import ScoresFolder
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.store.errata_file import concerned_items, errata_of
from memassay.flows.store.places.address import Place
from memassay.schemas.errors import UsageError


@dataclass(frozen=True)
class MemoryOptions:
    """How a memory is evaluated; defaults are WorldMemArena's (Appendix A).

    Attributes:
        captions: What it is given as captions; None for what suits it.
        top_k: How many items it may find for a question.
        seconds: How long one call of it may take.
        tell_type: Whether it is told the type of a question.
        answerer: File that names a model which answers from what it finds.
        out: Folder for the page, the report and what is done so far; None for none.
    """

    captions: Captions | None = None
    top_k: int = 10
    seconds: float = SECONDS
    tell_type: bool = False
    answerer: Path | None = None
    out: Path | None = None


@dataclass(frozen=True)
class Judging:
    """Who judges, and where what models reply is kept.

    Attributes:
        judge: File that names a judge; None for none.
        workspace: Where replies and their costs are kept.
    """

    judge: Path | None = None
    workspace: Place = Path("workspace")


def memory_options(given: Mapping[str, Any]) -> MemoryOptions:
    """How a memory is evaluated, as the command line says it.

    Raises:
        UsageError: The time of a call is no number.
    """
    if isnan(given["timeout"]):
        raise UsageError("--timeout: expected seconds, got nan")
    captions = given["captions"]
    return MemoryOptions(
        captions=Captions(captions) if captions is not None else None,
        top_k=given["top_k"],
        seconds=given["timeout"],
        tell_type=given["tell_type"],
        answerer=given["answerer"],
        out=given["out"],
    )


def evaluate_release(
    release: Path,
    memory: str | None = None,
    predictions: Path | None = None,
    errata: Path | None = None,
    options: MemoryOptions | None = None,
    judging: Judging | None = None,
) -> dict[str, Any]:
    """Scores of a memory by stages, or of somebody's answers.

    Args:
        release: Folder of the release.
        memory: A memory, as `exports.lifecycle.memories.named.open_memory` takes it.
        predictions: JSON Lines of answers, one object a line.
        errata: A file of errata, or a later release that lists them: what they find wrong is
            left out of a second score, `errata.scores`.
        options: How the memory is evaluated; only with a memory.
        judging: Who judges answers, and what entries of memories say.

    Raises:
        UsageError: There is no such release or memory, both or neither way is asked for, or a
            line of the predictions cannot be used.
        ReleaseError: A file of the release is damaged.
        EndpointError: A model's endpoint answers nobody.
    """
    if (memory is None) == (predictions is None):
        raise UsageError("expected one of --memory and --predictions, got both or neither")
    if memory is None and options not in {None, MemoryOptions()}:
        raise UsageError(
            "expected options of memories (--captions, --out and so on) with --memory, got them "
            "with answers, which your system has already given; leave them out"
        )
    options, judging = options or MemoryOptions(), judging or Judging()
    opened = open_release(release)
    found = concerned_items(opened, errata_of(errata)) if errata is not None else {}
    cuts: list[Collection[str]] = [(), found] if errata is not None else [()]
    with open_models(judging.judge, options.answerer, judging.workspace, opened.blobs) as models:
        if predictions is not None:
            metrics = judged_metrics(opened, predictions, models.judge)
            scores = [
                score_answers(opened, predictions, cut, metrics).model_dump(mode="json")
                for cut in cuts
            ]
        else:
            scores = list(_memory_scores(opened, str(memory), cuts, options, models))
    if errata is None:
        return scores[0]
    left_out = [
        {"erratum": one.id, "item": item, "problem": one.problem} for item, one in found.items()
    ]
    return {**scores[0], "errata": {"left_out": left_out, "scores": scores[1]}}


def _memory_scores(
    opened: Release,
    memory: str,
    cuts: Sequence[Collection[str]],
    options: MemoryOptions,
    models: Models,
) -> Iterator[dict[str, Any]]:
    """The reports of a memory, one for each way to leave questions out."""
    run = MemoryRun(
        open_memory(memory, options.seconds),
        options.top_k,
        options.captions,
        tell_type=options.tell_type,
    )
    cutoffs = run.cutoffs([cutoff for cutoff in CUTOFFS if cutoff <= options.top_k])
    tallies = [MemoryTally(cutoffs, cut) for cut in cuts]
    kept = None
    if options.out is not None:
        kept = ScoresFolder(options.out, _identity(opened, run, options, models))
    answers: dict[str, str] = {}
    for bundle, scores in run.scores(opened, kept, models):
        answers |= scores.answers
        verdicts = models.verdicts(bundle, scores.answers)
        for tally in tallies:
            tally.add(scores, verdicts)
    decided_by = models.name if models.judges_entries else MATCHER
    metrics = judged_metrics(opened, answers, models.judge) if answers else {}
    for cut, tally in zip(cuts, tallies, strict=True):
        report = tally.report(opened, run, decided_by)
        document = report.model_dump(mode="json")
        if answers:
            scored = score_answers(opened, answers, cut, metrics)
            document["answers"] = scored.model_dump(mode="json")["answers"]
        if options.out is not None and tally is tallies[0]:
            page = lifecycle_page(report, tally.seconds)
            write_durably(options.out / "report.html", page.encode())
            text = json.dumps(document, indent=2, ensure_ascii=False)
            write_durably(options.out / "report.json", f"{text}\n".encode())
        yield document


def _identity(
    opened: Release, run: MemoryRun, options: MemoryOptions, models: Models
) -> dict[str, Any]:
    """What an evaluation is of: another one has other scores."""
    return {
        "release": opened.manifest.content_sha256,
        "memory": run.name,
        "captions": str(run.asking.captions),
        "top_k": options.top_k,
        "tell_type": options.tell_type,
        "seconds": options.seconds,
        "models": models.identity,
        "memassay": version("memassay"),
    }
