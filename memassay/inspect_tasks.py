"""A release as a task of Inspect AI: `inspect eval memassay/release -T path=FOLDER`.

Inspect finds it by the entry point `inspect_ai`; it comes with the extra `inspect`
(`pip install "memassay[inspect]"`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentDocument,
    ContentImage,
    ContentText,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

import memassay
from memassay.exports.lifecycle.feeding import (
    Asking,
    MemoryTrace,
    feed_memory,
    rounds_found,
)
from memassay.exports.lifecycle.memories.named import open_memory
from memassay.exports.lifecycle.memories.turns import AttachedFiles
from memassay.exports.release.public.messages import (
    history_messages,
    places_message,
    question_message,
)
from memassay.exports.scores.answer_evaluation import gold_answers, item_scores
from memassay.exports.scores.retrieval_tally import (
    Labels,
    breakdown,
    labels_of,
)
from memassay.flows.evaluation.answers import metrics_of
from memassay.schemas.contracts.blobs import NoBytes
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.errors import CodeError, MemassayError
from memassay.schemas.queries.hardness import HardnessMeter
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

_KEPT = 8
"""Conversations in memory, at most."""


class _Opened:
    """A release that samples are of."""

    def __init__(self, path: str) -> None:
        self.release = memassay.open_release(path)
        self.metrics = metrics_of(self.release)
        # Samples of one conversation are solved and scored about at the same time.
        self.bundle = lru_cache(_KEPT)(self._read)

    def _read(self, conversation: str) -> Bundle:
        return self.release.bundle(conversation)

    def blobs(self, images: bool) -> BlobStore:
        """The bytes that a model is shown."""
        return self.release.blobs if images else NoBytes()


@contextmanager
def _errors() -> Iterator[None]:
    """Our errors as those that Inspect shows without a traceback."""
    try:
        yield
    except MemassayError as error:
        raise PrerequisiteError(str(error)) from error


@cache
def _open(path: str) -> _Opened:
    if not path:
        raise PrerequisiteError("path: expected a release, got none; add `-T path=FOLDER`")
    with _errors():
        return _Opened(path)


def _case(state: TaskState) -> tuple[_Opened, Bundle, QAItem]:
    opened = _open(state.metadata["release"])
    bundle = opened.bundle(state.metadata["conversation"])
    return opened, bundle, next(one for one in bundle.questions if one.id == state.sample_id)


@task
def release(path: str = "", images: bool = True) -> Task:
    """The questions of a release, each with the form that its answer must have.

    The model sees the whole history; `--solver memassay/memory -S system=NAME` puts a memory in
    its place.

    Args:
        path: The release, as `memassay.open_release` takes it.
        images: Whether the model is shown pictures, or their captions alone.
    """
    opened = _open(path)
    samples = [
        Sample(
            id=item.id,
            input=[_message(question_message(item, bundle, opened.blobs(images)))],
            target=gold_answers(item),
            metadata={
                "release": path,
                "images": images,
                "conversation": bundle.id,
                **_labels(labels_of(bundle, item, meter)),
            },
        )
        for bundle in opened.release.bundles()
        for meter in [HardnessMeter(bundle)]
        for item in bundle.questions
    ]
    name = opened.release.manifest.name
    return Task(MemoryDataset(samples, name=name), solver=whole_history(), scorer=answers())


def _labels(labels: Labels) -> dict[str, Any]:
    """What a score is grouped by, as a sample keeps it."""
    return {**asdict(labels), "bands": list(labels.bands)}


@solver
def whole_history() -> Solver:
    """The model is shown the whole history up to the asking time, then the question."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        opened, bundle, item = _case(state)
        blobs = opened.blobs(state.metadata["images"])
        history = history_messages(bundle, bundle.sessions_before(item), blobs)
        state.messages = [*map(_message, history), *state.messages]
        return await generate(state)

    return solve


@solver
def memory(system: str = "bm25", top_k: int = 10) -> Solver:
    """A memory is given the history turn by turn, and the model what it finds for the question.

    Args:
        system: A built-in memory, one of an entry point `memassay.memories`, or `module:Class`.
        top_k: How many finds the model is shown, with the pictures of the rounds they are from.
    """
    found: dict[str, MemoryTrace] = {}
    # Samples are solved at once; a memory takes in one history at a time.
    turn = anyio.Lock()
    with _errors():
        remembers = open_memory(system)

    def ask(opened: _Opened, bundle: Bundle) -> MemoryTrace:
        with TemporaryDirectory(prefix="memassay-") as folder:
            files = AttachedFiles(Path(folder), opened.release.blobs)
            asking = Asking(top_k, shows=False)
            trace = feed_memory(remembers, bundle, bundle.questions, asking, files)
        if trace.failure:
            raise CodeError(f"memory {system}, {trace.failure}")
        return trace

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        opened, bundle, item = _case(state)
        async with turn:
            if bundle.id not in found:
                found[bundle.id] = await anyio.to_thread.run_sync(ask, opened, bundle)
        items = found[bundle.id].finds[item.id].items
        state.metadata["retrieved"] = rounds_found(bundle, items)[:top_k]
        texts = [f"[{', '.join(each.ids[:1])}] {each.text}" for each in items]
        text = "\n\n".join(["Found in the history for the question below:", *texts])
        blobs = opened.blobs(state.metadata["images"])
        shown = places_message(text, state.metadata["retrieved"], bundle, blobs)
        state.messages = [_message(shown), *state.messages]
        return await generate(state)

    return solve


@metric
def by_type() -> Metric:
    """Means over all questions, and by the paper's own types, as `memassay.score` gives them."""

    def means(scores: list[SampleScore]) -> dict[str, float]:
        rows: dict[str, list[tuple[Labels, float | None]]] = {}
        for one in scores:
            values: Any = one.score.value
            kept = one.sample_metadata or {}
            labels = Labels(kept["type"], kept["benchmark_type"], tuple(kept["bands"]))
            for name, value in values.items():
                rows.setdefault(name, []).append((labels, value))
        found: dict[str, float | None] = {}
        for name, own in sorted(rows.items()):
            table = breakdown(own)
            found[name] = table.overall.mean
            found |= {f"{name}/{code}": each.mean for code, each in table.by_benchmark_type.items()}
        return {name: mean for name, mean in found.items() if mean is not None}

    return means


@scorer(metrics=[by_type()])
def answers() -> Scorer:
    """The metrics of `memassay.score`, by variant, for one answer."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        opened, bundle, item = _case(state)
        retrieved = state.metadata.get("retrieved")
        text = state.output.completion
        values = item_scores(bundle, item, text, retrieved, opened.metrics)
        # Inspect takes None as a number.
        return Score(value={k: v for k, v in values.items() if v is not None}, answer=text)

    return score


def _message(message: dict[str, Any]) -> ChatMessage:
    """A message of OpenAI's form as Inspect has it."""
    content = message["content"]
    parts = content if isinstance(content, str) else [_part(each) for each in content]
    if message["role"] == "assistant":
        return ChatMessageAssistant(content=parts)
    return ChatMessageUser(content=parts)


def _part(part: dict[str, Any]) -> Content:
    if part["type"] == "image_url":
        return ContentImage(image=part["image_url"]["url"])
    if part["type"] == "file":
        file = part["file"]
        return ContentDocument(document=file["file_data"], filename=file["filename"])
    return ContentText(text=part["text"])
