"""A reader's answers, scored by people: queued from a release, reported by type of question."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from memassay.annotation.measures.score_stats import (
    Scored,
    group_scores,
    judge_agreements,
    keep_judgements,
    people_agreement,
)
from memassay.annotation.measures.scoring_scales import CORRECT, CRITERIA, MMRC, SCALES, scale_of
from memassay.annotation.voting.queue_reader import QueueReader
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.annotation.voting.rows import JUDGE, VOTE
from memassay.exports.release.reader import Release, open_release
from memassay.exports.release.text_lines import strict_json, written_lines
from memassay.exports.scores.prediction_file import read_predictions
from memassay.flows.review.assignments import queue_assignments, with_assignments
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import slug
from memassay.schemas.judgements.assignment import Assignment, AssignmentKind, Candidate, ShownPart
from memassay.schemas.records.asset import Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

SCORE: Final = "score"
"""Gate under which answers are scored."""
_NO_ANSWER: Final = "(no answer)"
_JUDGED: Final = '{"id": "alex/Q0001", "score": 4}'


class ScoreReport(Shape):
    """What was given to people to score.

    Attributes:
        reader: Whose answers.
        scale: On which scale.
        asked: Answers queued.
        missing: Questions of the release without a prediction; they are not asked about.
        unknown: Predictions of questions that the release does not have.
        judged: Scores of a judge that were taken.
    """

    reader: str
    scale: str
    asked: int
    missing: int
    unknown: list[str]
    judged: int


@dataclass(frozen=True)
class AnswerSheet:
    """A reader's answers to a release, and what a judge model scored, as read from their files.

    Attributes:
        release: The release.
        reader: Name of the reader.
        scale: On which scale they are scored.
        answers: Answers by id of the question.
        judge: Name of the judge; empty without one.
        judged: Its scores by id of the question.
    """

    release: Release
    reader: str
    scale: str
    answers: Mapping[str, str]
    judge: str = ""
    judged: Mapping[str, str] = field(default_factory=dict)


def read_sheet(
    release: Path,
    predictions: Path,
    *,
    scale: str = MMRC,
    judge: Path | None = None,
    reader: str | None = None,
) -> AnswerSheet:
    """Read what is to be scored.

    Args:
        release: Folder of the release.
        predictions: JSON lines of answers, as `memassay eval` takes them.
        scale: One of `SCALES`.
        judge: JSON lines of what a judge model scored, to compare with.
        reader: Name of the reader; default, that of the file.

    Raises:
        UsageError: A file cannot be read, a line of it cannot be used, or the scale is unknown.
        ReleaseError: A file of the release is damaged.
    """
    if scale not in SCALES:
        raise UsageError(f"--scale: expected one of {', '.join(SCALES)}, got {scale!r}")
    given = read_predictions(predictions).by_id
    return AnswerSheet(
        release=open_release(release),
        reader=reader or predictions.stem,
        scale=scale,
        answers={name: one.answer for name, one in given.items()},
        judge=f"judge:{judge.stem}"[:80] if judge else "",
        judged=read_judgements(judge, scale) if judge else {},
    )


def score_sheet(
    workspace: Workspace,
    sheet: AnswerSheet,
    votes: int = 1,
    clock: Callable[[], float] = time.time,
) -> ScoreReport:
    """Queue a reader's answers for people to score, beside the history that they are about.

    Args:
        workspace: Where people work.
        sheet: The answers.
        votes: Votes needed of each, 1 to 3.
        clock: Seconds since 1970.
    """
    asked: dict[str, Assignment] = {}
    contexts: dict[str, list[str]] = {}
    known: set[str] = set()
    for bundle in sheet.release.bundles():
        known |= {question.id for question in bundle.questions}
        wanted = [question for question in bundle.questions if question.id in sheet.answers]
        if wanted:
            contexts[bundle.id] = _keep_conversation(workspace, sheet.release, bundle)
        for question in wanted:
            asked[question.id] = assignment(bundle, question, sheet)
    manifest = sheet.release.manifest
    run = f"{SCORE} {manifest.name} {manifest.version}"
    workspace.queue.remember(run, SCORE, contexts)
    requests = queue_assignments(workspace, run, SCORE, list(asked.values()), votes=votes)
    items = {one.record: one.item for one in requests}
    judged = {items[asked[key].id]: value for key, value in sheet.judged.items() if key in asked}
    keep_judgements(workspace.queue.engine, sheet.judge, judged, clock())
    return ScoreReport(
        reader=sheet.reader,
        scale=sheet.scale,
        asked=len(asked),
        missing=len(known - sheet.answers.keys()),
        unknown=sorted(sheet.answers.keys() - known),
        judged=len(judged),
    )


def _keep_conversation(workspace: Workspace, release: Release, bundle: Bundle) -> list[str]:
    """Keep a conversation and its pictures in the workspace, so that scorers can read it."""
    for one in bundle.assets:
        blob = one.blob_sha256 if one.availability is Availability.PRESENT else None
        if blob is not None and blob not in workspace.blobs:
            workspace.blobs.put(release.blobs.get(blob))
    shown = bundle.model_copy(update={"questions": []})
    return workspace.store.put_all(shown.records())


def assignment(bundle: Bundle, question: QAItem, sheet: AnswerSheet) -> Assignment:
    """The scoring of one answer to one question; its reader is not shown before the vote."""
    answer = sheet.answers[question.id].strip() or _NO_ANSWER
    places = [place for place in question.evidence.canonical if bundle.rounds_of(place)]
    return Assignment(
        id=f"{question.id}-score-{sheet.scale}-{slug(sheet.reader, 'reader')}",
        kind=AssignmentKind.SCORE,
        conversation=bundle.id,
        places=places,
        title="How well does the answer match the gold answer?",
        instructions="Give one score; the history below is there to look things up.",
        criteria=CRITERIA,
        shown=[
            ShownPart(label="Question", text=question.question.text),
            *_images(bundle, question),
            ShownPart(label="Gold answer", text=_gold(question)),
        ],
        candidates=[Candidate(key="answer", text=answer, author=sheet.reader)],
        scale=scale_of(sheet.scale, question.type),
        about=question.id,
        group=question.benchmark_type,
    )


def _images(bundle: Bundle, question: QAItem) -> Iterable[ShownPart]:
    for shown in question.question.attachments:
        found = bundle.asset_by_id.get(shown.asset)
        if found is not None and found.availability is Availability.PRESENT:
            yield ShownPart(label=f"Shown with it: {shown.id}", blob_sha256=found.blob_sha256)


def _gold(question: QAItem) -> str:
    answer = question.answer
    lines = list(answer.values) or ["none: the history does not say"]
    lines += [f"also right: {one}" for one in answer.equivalents]
    return "\n".join([*lines, *(f"coarser: {one}" for one in answer.coarser)])


def read_judgements(path: Path, scale: str) -> dict[str, str]:
    """What a judge scored, by id of the question: JSON lines with `id` and `score`.

    Raises:
        UsageError: The file cannot be read, or a line holds no score of the scale.
    """
    lines = written_lines(path, "scores")
    return dict(_judgement(line, f"{path.name}:{number}", scale) for number, line in lines)


def _judgement(line: bytes, where: str, scale: str) -> tuple[str, str]:
    try:
        document = strict_json(line)
        name, score = document["id"], document["score"]
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"{where}: expected an object with `id` and `score`; write it as {_JUDGED}"
        ) from error
    value = _value(score, scale)
    if not isinstance(name, str) or value is None:
        expected = "0 to 5" if scale == MMRC else "correct or wrong"
        raise UsageError(f"{where}.score: expected {expected}, got {score!r}")
    return name, value


def _value(score: Any, scale: str) -> str | None:
    """A judge's score as a value of the scale; None if it is none."""
    if scale == CORRECT:
        named = {"1": "correct", "0": "wrong", "True": "correct", "False": "wrong"}
        value = named.get(str(score), str(score))
        return value if value in ("correct", "wrong") else None
    if isinstance(score, bool):
        return None
    text = str(int(score)) if isinstance(score, float) and score.is_integer() else str(score)
    return text if text in set("012345") else None


def scores(workspace: Workspace) -> list[dict[str, Any]]:
    """What people scored, by release, reader and scale, and how far judges agree with them."""
    found: dict[tuple[str, str, str], list[Scored]] = {}
    given = _votes(workspace)
    items = workspace.queue.items(SCORE, ("open", "disputed", "decided"))
    for item, task in with_assignments(workspace, items):
        scale = CORRECT if task.scale[0].value == CORRECT else MMRC
        key = (item.run, task.candidates[0].author, scale)
        found.setdefault(key, []).append(_score_item(item, task, given.get(item.id, {})))
    return [
        {
            "release": run.removeprefix(f"{SCORE} "),
            "reader": reader,
            "scale": scale,
            "types": [asdict(one) for one in group_scores(own)],
            "people": asdict(people_agreement(own, scale)),
            "judges": [asdict(one) for one in judge_agreements(own, scale)],
        }
        for (run, reader, scale), own in sorted(found.items())
    ]


def _score_item(
    item: ReviewItem, task: Assignment, given: Mapping[str, Mapping[str, str]]
) -> Scored:
    answer = item.decision.answer if item.decision is not None else ""
    return Scored(task.group, item.state, answer, given.get(VOTE, {}), given.get(JUDGE, {}))


def _votes(workspace: Workspace) -> dict[str, dict[str, dict[str, str]]]:
    """By item and purpose, what each person or judge answered."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for item, votes in QueueReader(workspace.queue.engine).votes((VOTE, JUDGE)).items():
        for row in votes:
            by_purpose = found.setdefault(item, {}).setdefault(row.purpose, {})
            by_purpose[row.reviewer] = row.answer or row.ruling
    return found
