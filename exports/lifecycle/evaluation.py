"""Evaluates a memory on a release by stages; every mean is over conversations (B.1)."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from memassay.exports.lifecycle.conversation_scoring import Helpers, score_conversation
from memassay.exports.lifecycle.feeding import Asking
from memassay.exports.lifecycle.memories.host import check_memory, memory_name
from memassay.exports.lifecycle.memories.keepers import InsiderMemory
from memassay.exports.lifecycle.memories.named import open_memory
from memassay.exports.lifecycle.memories.process import ProcessMemory
from memassay.exports.lifecycle.memories.shapes import Captions
from memassay.exports.lifecycle.memories.turns import AttachedFiles
from memassay.exports.lifecycle.scores import ConversationScores
from memassay.exports.lifecycle.tally import MemoryReport, MemoryTally
from memassay.exports.scores.retrieval_tally import (
    CUTOFFS,
    check_cutoffs,
)
from memassay.schemas.contracts.protocols import ReleaseReader
from memassay.schemas.records.bundle import Bundle


class KeptScores(Protocol):
    """Where the scores of conversations are kept, so that none is done twice."""

    def get(self, conversation: str) -> ConversationScores | None:
        """Those of a conversation, if it is done."""
        ...

    def put(self, scores: ConversationScores) -> None:
        """Keep them."""
        ...


def evaluate_memory(
    reader: ReleaseReader,
    memory: Any,
    cutoffs: Sequence[int] = CUTOFFS,
    left_out: Collection[str] = (),
    captions: Captions | None = None,
) -> MemoryReport:
    """Give a memory the conversations of a release, ask its questions, and score every stage.

    The memory is given one conversation at a time and sees only the sessions up to the time of
    asking. What it does wrong is in the report; the conversation's rest counts as nothing found.

    Args:
        reader: An opened release.
        memory: A memory, or the name of one (`memories.named.open_memory`).
        cutoffs: How many rounds count. What does not rank is scored without a cutoff instead.
        left_out: Ids of questions that are not scored.
        captions: What it is given as the captions of images: by default what the history says of
            them, and nothing for a retriever of ours.

    Raises:
        UsageError: There is no such memory, or a cutoff is below 1.
    """
    check_cutoffs(cutoffs)
    opened = open_memory(memory) if isinstance(memory, str) else check_memory(memory)
    run = MemoryRun(opened, max(cutoffs), captions)
    tally = MemoryTally(run.cutoffs(cutoffs), left_out)
    for _, scores in run.scores(reader):
        tally.add(scores)
    return tally.report(reader, run)


class MemoryRun:
    """A memory, and how it is fed and asked.

    Attributes:
        name: What the memory is called.
        asking: How it is fed and asked.
        top_k: How many items it may find; None for all.
    """

    def __init__(
        self,
        memory: Any,
        top_k: int = 10,
        captions: Captions | None = None,
        *,
        tell_type: bool = False,
    ) -> None:
        """Take a memory.

        Args:
            memory: The memory.
            top_k: How many items it may find.
            captions: What it is given as captions; None for what suits it.
            tell_type: Whether it is told the type of a question.
        """
        self._memory = memory
        self.name = memory_name(memory)
        usual = memory.captions if isinstance(memory, InsiderMemory) else Captions.PUBLIC
        self.asking = Asking(top_k, captions or usual, tell_type)
        ranks = not isinstance(memory, InsiderMemory) or memory.is_ranking
        self.top_k = top_k if ranks else None

    def cutoffs(self, wanted: Sequence[int]) -> list[int | None]:
        """The cutoffs at which its finds are scored: none if they are no ranking."""
        return [*wanted] if self.top_k is not None else [None]

    def scores(
        self,
        reader: ReleaseReader,
        kept: KeptScores | None = None,
        helpers: Helpers | None = None,
    ) -> Iterator[tuple[Bundle, ConversationScores]]:
        """Every conversation with its scores, kept ones as they are.

        Args:
            reader: The release.
            kept: Where scores are kept.
            helpers: Models that take part.

        Raises:
            UsageError: There is no such memory.
        """
        try:
            with TemporaryDirectory(prefix="memassay-") as folder:
                files = AttachedFiles(Path(folder), reader.blobs)
                for bundle in reader.bundles():
                    known = kept.get(bundle.id) if kept else None
                    if known is None:
                        every = len(bundle.round_by_id)
                        asking = self.asking if self.top_k else self.asking.of_all(every)
                        known = score_conversation(self._memory, bundle, asking, files, helpers)
                        # Who has mended a memory wants it to be asked again.
                        if kept is not None and not known.failure:
                            kept.put(known)
                    yield bundle, known
        finally:
            if isinstance(self._memory, ProcessMemory):
                self._memory.close()
