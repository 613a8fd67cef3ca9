"""A model that answers questions from what a memory found, named by a file."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from memassay.exports.lifecycle.feeding import rounds_found
from memassay.exports.lifecycle.memories.wire import Found
from memassay.exports.lifecycle.stage_metrics import Verdict
from memassay.flows.calls.answerer import answer_form, answer_score
from memassay.flows.calls.authors import AuthorPool
from memassay.flows.calls.named_models import NamedModel, read_section
from memassay.flows.evaluation.model_settings import EvaluationSection
from memassay.flows.evaluation.verdicts import RIGHT, wrong_verdict
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.calls import (
    CallTrace,
    ShownImage,
    present_images,
    rough_tokens,
)
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.errors import AuthorError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.models.probe_tasks import memory_answer

STAGE: Final = "answering"
"""Under which calls for answers are in what a workspace has cost."""
_OPTION: Final = "--answerer"
_MEGABYTE: Final = 1_000_000


class AnswerSection(EvaluationSection):
    """The file that names who answers; its settings are WorldMemArena's (Appendix A)."""

    context_tokens: Annotated[int, Field(ge=1000, description="Its context window.")] = 128_000
    reserved_tokens: Annotated[int, Field(ge=0, description="Kept for the prompt.")] = 8000
    images: Annotated[int, Field(ge=0, description="Images a question, at most.")] = 5
    image_megabytes: Annotated[float, Field(ge=0, description="All of them together.")] = 45.0


@dataclass(frozen=True)
class MemoryAnswerer:
    """A model that answers from finds.

    Attributes:
        pool: Reaches the model.
        section: What the file says.
        blobs: Bytes of the release's images.
    """

    pool: AuthorPool
    section: AnswerSection
    blobs: BlobStore

    @property
    def identity(self) -> dict[str, Any]:
        """What its answers depend on."""
        return self.section.model_dump(mode="json")

    def answer(self, bundle: Bundle, finds: Mapping[str, Sequence[Found]]) -> dict[str, str]:
        """By id of an item, its answer; an empty one where no reply is usable.

        Raises:
            EndpointError: The endpoint answers nobody.
        """
        asked = [(bundle, item, finds[item.id]) for item in bundle.questions if item.id in finds]
        replies = self.pool.each(asked, self._one)
        return {item.id: reply for (_, item, _), reply in zip(asked, replies, strict=True)}

    async def _one(self, asked: tuple[Bundle, QAItem, Sequence[Found]]) -> str:
        bundle, item, found = asked
        task = memory_answer(
            self._memories(found),
            item.question.text,
            answer_form(item),
            self._images(bundle, item, found),
            item.id,
        )
        try:
            return (await self.pool.write(task, CallTrace(STAGE))).answer
        except AuthorError:
            return ""

    def _memories(self, found: Sequence[Found]) -> str:
        """What was found, best first, as far as the context reaches."""
        lines = [f"[{rank}] {one.text}" for rank, one in enumerate(found, start=1)]
        room = self.section.context_tokens - self.section.reserved_tokens
        while lines and rough_tokens(sum(map(len, lines))) > room:
            lines.pop()
        return "\n".join(lines) or "No retrieved memories."

    def _images(self, bundle: Bundle, item: QAItem, found: Sequence[Found]) -> Sequence[ShownImage]:
        """Images of the question, then those of the rounds found, as many as may be shown."""
        shown = [(one.id, one.asset) for one in item.question.attachments]
        for name in rounds_found(bundle, found):
            for round_ in bundle.rounds_of(name):
                shown += [(one.id, one.asset) for turn in round_.turns for one in turn.attachments]
        kept: list[ShownImage] = []
        room = self.section.image_megabytes * _MEGABYTE
        for one in present_images(bundle, shown):
            room -= len(self.blobs.get(one.sha256))
            if room < 0 or len(kept) == self.section.images:
                break
            kept.append(one)
        return kept


def verdict_without_judge(item: QAItem, answer: str) -> Verdict:
    """What an answer is, by exact forms, or half of the words of a free one (our choice)."""
    return Verdict.CORRECT if answer_score(item, answer) >= RIGHT else wrong_verdict(item, answer)


@contextmanager
def open_memory_answerer(
    path: Path, workspace: Workspace, blobs: BlobStore
) -> Iterator[MemoryAnswerer]:
    """The model that a file names, with the replies and costs of a workspace.

    Raises:
        UsageError: The file cannot be used, or its key is not there.
    """
    section = read_section(path, _OPTION, AnswerSection)
    with NamedModel(path, _OPTION, section).open(workspace, blobs) as pool:
        yield MemoryAnswerer(pool, section, blobs)
