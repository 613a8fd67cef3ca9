"""A model that answers the probes of questions that people write, named by a file."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from memassay.exports.scores.answer_evaluation import gold_answers
from memassay.exports.scores.answer_metrics import ANSWER_METRICS
from memassay.flows.calls.authors import AuthorPool
from memassay.flows.calls.named_models import NamedModel, read_section
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.author_sections import NamedSection
from memassay.schemas.contracts.calls import CallTrace, ShownImage, present_images
from memassay.schemas.contracts.readings import Condition
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.synth.models.probe_tasks import probe_answer

STAGE: Final = "probes"
"""Under which calls for probes stand in what a workspace has cost."""
_IMAGES: Final = 16
"""Images of the history that one request shows, the latest; the captions of all are shown."""


class AnswererSection(NamedSection):
    """The file that names who answers probes."""

    # Somebody waits for the answers.
    timeout: Annotated[float, Field(gt=0, description="Seconds a call may take.")] = 60.0
    patience: Annotated[
        float | None,
        Field(gt=0, description="Seconds without any success before probes are given up."),
    ] = 60.0


class ModelAnswerer:
    """A model that answers items from what it is shown."""

    def __init__(self, pool: AuthorPool, name: str) -> None:
        """Take the pool that reaches the model, and the name of the model."""
        self.pool = pool
        self.name = name

    def answers(self, bundle: Bundle, item: QAItem, conditions: Sequence[Condition]) -> list[str]:
        """The answers to an item, one for each condition, all asked for at once.

        Raises:
            AuthorError: A reply cannot be used.
            BudgetError: The cap on spending is reached.
            EndpointError: The endpoint answers nobody.
        """
        return self.pool.run(self._all(bundle, item, conditions))

    async def _all(
        self, bundle: Bundle, item: QAItem, conditions: Sequence[Condition]
    ) -> list[str]:
        asked = [self._one(bundle, item, one) for one in conditions]
        return list(await asyncio.gather(*asked))

    async def _one(self, bundle: Bundle, item: QAItem, condition: Condition) -> str:
        rounds = condition.rounds
        shown = None if rounds is None else [_as_shown(bundle, name) for name in rounds]
        images = [*_question_images(bundle, item), *_images(bundle, condition)]
        form = answer_form(item)
        task = probe_answer(item.question.text, form, shown, images, item.id)
        return (await self.pool.write(task, CallTrace(STAGE))).answer


def answer_form(item: QAItem) -> str:
    """What the answer is to look like; the options, where there are some."""
    options = "; ".join(f"{one.label}. {one.text}" for one in item.answer.options or ())
    return ": ".join(part for part in (str(item.answer.format).replace("_", " "), options) if part)


def _as_shown(bundle: Bundle, name: str) -> dict[str, Any]:
    """A round as the answerer reads it."""
    (shown,) = bundle.rounds_of(name)
    names = {one.id: one.name for one in bundle.conversation.speakers}
    return {
        "round": name,
        "date": bundle.date_by_round[name] or "",
        "turns": [f"{names.get(turn.speaker, turn.speaker)}: {turn.text}" for turn in shown.turns],
        "images": [
            f"{one.id}: {one.caption or 'no caption'}"
            for turn in shown.turns
            for one in turn.attachments
        ],
    }


def _question_images(bundle: Bundle, item: QAItem) -> list[ShownImage]:
    """Images of the question itself, which belong to it whatever else is shown."""
    return present_images(bundle, [(one.id, one.asset) for one in item.question.attachments])


def _images(bundle: Bundle, condition: Condition) -> list[ShownImage]:
    if not condition.images:
        return []
    shown = [
        (one.id, one.asset)
        for name in condition.rounds or ()
        for round_ in bundle.rounds_of(name)
        for turn in round_.turns
        for one in turn.attachments
    ]
    return present_images(bundle, shown)[-_IMAGES:]


def answer_score(item: QAItem, given: str) -> float:
    """From 0 to 1, how far an answer is right: exact in closed forms, else the F1 of its words."""
    closed = ANSWER_METRICS["closed"]
    if not item.answerable or item.answer.format is AnswerFormat.REFUSAL:
        return closed["refusal"](given, [])
    golds = gold_answers(item)
    if not golds:
        return 0.0
    if item.answer.format is AnswerFormat.CHOICE:
        return closed["choice"](given, golds)
    if item.answer.format is AnswerFormat.IMAGE_ID:
        return closed["image-ids"](given, golds)
    return ANSWER_METRICS["mem-gallery"]["f1"](given, golds)


def read_answerer(path: Path) -> AnswererSection:
    """Read the file that names who answers probes.

    Raises:
        UsageError: It cannot be read, or does not name a model.
    """
    return read_section(path, "--answerer", AnswererSection)


@contextmanager
def open_answerer(path: Path, workspace: Workspace) -> Iterator[ModelAnswerer]:
    """The model that a file names, with the replies, costs and images of a workspace.

    Raises:
        UsageError: The file cannot be used, or its key is not there.
    """
    named = NamedModel(path, "--answerer", read_answerer(path))
    with named.open(workspace, workspace.blobs) as pool:
        yield ModelAnswerer(pool, named.section.model)
