"""A model that answers the probes of questions that people write, named by a file."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Final

import yaml
from pydantic import Field, ValidationError

from memassay.exports.scores.answer_evaluation import gold_answers
from memassay.exports.scores.answer_metrics import ANSWER_METRICS
from memassay.flows.calls.authors import AuthorPool
from memassay.flows.calls.call_log import CallLog
from memassay.flows.calls.payments import BILLIONTHS, Payments, load_prices
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.author_sections import ModelSection, models_by_role
from memassay.schemas.contracts.calls import CallTrace, ShownImage
from memassay.schemas.contracts.protocols import Condition
from memassay.schemas.errors import UsageError
from memassay.schemas.records.asset import Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.synth.models.probe_tasks import probe_answer

STAGE: Final = "probes"
"""Under which calls for probes stand in what a workspace has cost."""
_IMAGES: Final = 16
"""Images of the history that one request shows, the latest; the captions of all are shown."""


class AnswererSection(ModelSection):
    """The file that names who answers probes."""

    budget: Annotated[
        float | None, Field(gt=0, description="Most dollars that the whole workspace may cost.")
    ] = None
    prices: Annotated[str | None, Field(description="A price table of your own.")] = None
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
        form = _form(item)
        task = probe_answer(item.question.text, form, shown, images, item.id)
        return (await self.pool.write(task, CallTrace(STAGE))).answer


def _form(item: QAItem) -> str:
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
    return _present(bundle, [(one.id, one.asset) for one in item.question.attachments])


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
    return _present(bundle, shown)[-_IMAGES:]


def _present(bundle: Bundle, shown: Sequence[tuple[str, str]]) -> list[ShownImage]:
    assets = [(name, bundle.asset_by_id.get(asset)) for name, asset in shown]
    return [
        ShownImage(label=name, sha256=one.blob_sha256)
        for name, one in assets
        if one is not None
        and one.availability is Availability.PRESENT
        and one.blob_sha256 is not None
        and (one.media_type or "").startswith("image/")
    ]


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
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"--answerer {path}: expected a YAML file: {reason}") from error
    try:
        return AnswererSection.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "file"
        raise UsageError(
            f"--answerer {path}: {place}: {first['msg']}; expected `provider` and `model` as in "
            "the `author` of a recipe"
        ) from None


@contextmanager
def open_answerer(path: Path, workspace: Workspace) -> Iterator[ModelAnswerer]:
    """The model that a file names, with the replies, costs and images of a workspace.

    Raises:
        UsageError: The file cannot be used, or its key is not there.
    """
    section = read_answerer(path)
    prices = load_prices(path.parent, section.prices)
    cap = None
    if section.budget is not None:
        if section.model not in prices:
            raise UsageError(f"--answerer {path}: budget: expected a price for {section.model}")
        cap = int(Decimal(str(section.budget)) * BILLIONTHS)
    log = CallLog(workspace.engine)
    try:
        payments = Payments(log, prices, cap)
        pool = AuthorPool(models_by_role(section), payments, workspace.blobs, path.parent)
        try:
            yield ModelAnswerer(pool, section.model)
        finally:
            pool.close()
    finally:
        log.close()
