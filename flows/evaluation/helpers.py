"""The models that take part in an evaluation: one that answers, one that judges."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memassay.exports.lifecycle.memories.wire import Found
from memassay.exports.lifecycle.points import LedgerPoints
from memassay.exports.lifecycle.reading import JudgedText
from memassay.exports.lifecycle.stage_metrics import Verdict
from memassay.flows.evaluation.answering import (
    MemoryAnswerer,
    open_memory_answerer,
    verdict_without_judge,
)
from memassay.flows.evaluation.entries import EntryJudge
from memassay.flows.evaluation.judging import Judge, open_judge
from memassay.flows.store.places.address import Place
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.records.bundle import Bundle


@dataclass(frozen=True)
class Models:
    """Those that take part, if any.

    Attributes:
        answerer: Who answers from what a memory found.
        judge: Who judges answers, and maybe what entries say.
    """

    answerer: MemoryAnswerer | None = None
    judge: Judge | None = None

    @property
    def judges_entries(self) -> bool:
        """Whether the judge decides what entries of a memory say."""
        return self.judge is not None and self.judge.judges_entries

    @property
    def name(self) -> str:
        """What the judge is called; empty without one."""
        return self.judge.name if self.judge else ""

    @property
    def identity(self) -> dict[str, Any]:
        """What the scores of an evaluation depend on."""
        return {
            "judge": self.judge.identity if self.judge else None,
            "answerer": self.answerer.identity if self.answerer else None,
        }

    def answer(self, bundle: Bundle, finds: Mapping[str, Sequence[Found]]) -> dict[str, str]:
        """By id of a question, its answer; nothing where nobody answers."""
        return self.answerer.answer(bundle, finds) if self.answerer else {}

    def read(self, points: LedgerPoints, texts: Sequence[str]) -> Mapping[str, JudgedText]:
        """By text, what the judge says of it; nothing where no judge reads entries."""
        if self.judge is None or not self.judge.judges_entries:
            return {}
        return EntryJudge(self.judge.pool).read(points, texts)

    def verdicts(self, bundle: Bundle, answers: Mapping[str, str]) -> dict[str, Verdict | None]:
        """By id of a question, what its answer is; None where the judge gave no usable reply."""
        asked = [(bundle, one, answers[one.id]) for one in bundle.questions if one.id in answers]
        if self.judge is None:
            return {item.id: verdict_without_judge(item, text) for _, item, text in asked}
        judged = self.judge.judge(asked)
        return {
            item.id: None if (one := judged[item.id]) is None else one.verdict_on(item, text)
            for _, item, text in asked
        }


@contextmanager
def open_models(
    judge: Path | None, answerer: Path | None, place: Place, blobs: BlobStore
) -> Iterator[Models]:
    """The models that files name, with the replies and costs of a workspace.

    Args:
        judge: File that names a judge.
        answerer: File that names who answers.
        place: The workspace; it is made only if there is a model.
        blobs: Bytes of the release's images.

    Raises:
        UsageError: A file cannot be used, or a key is not there.
    """
    if judge is None and answerer is None:
        yield Models()
        return
    with ExitStack() as opened:
        workspace = opened.enter_context(open_workspace(place, create=True))
        yield Models(
            opened.enter_context(open_memory_answerer(answerer, workspace, blobs))
            if answerer
            else None,
            opened.enter_context(open_judge(judge, workspace)) if judge else None,
        )
