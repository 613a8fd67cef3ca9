"""Retrievers: they rank the rounds of one conversation for a question."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

from memassay.exports.lifecycle.memories.dense import TextEmbeddings
from memassay.schemas.errors import UsageError


@dataclass(frozen=True, slots=True)
class Document:
    """What a retriever sees of a round.

    Attributes:
        id: Round id, e.g. ``D3:7``.
        text: All that is spoken in the round; for an exchange its turns, joined by a line break.
        session: Position of the session in the conversation.
    """

    id: str
    text: str
    session: int


@dataclass(frozen=True, slots=True)
class RetrievalQuery:
    """What a retriever is asked.

    Attributes:
        text: The question.
        evidence: Round ids of the canonical evidence. Only oracles may look at them.
    """

    text: str
    evidence: Sequence[str] = ()


class Retriever(Protocol):
    """Ranks the documents it was built over, which stand in the order of time."""

    def rank(self, query: RetrievalQuery) -> list[str]:
        """Document ids, best first, none twice; a cutoff is the caller's."""
        ...


class Bm25Retriever:
    """BM25 as bm25s has it by default: Lucene's variant, k1 1.5, b 0.75, English stop words.

    Words are lower-cased runs of two or more letters, digits or underscores, not stemmed. All
    documents are ranked; equal scores, zero included, keep the order of the documents, where
    bm25s itself leaves their order open.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        # bm25s takes half a second to import, which only its users should pay.
        import bm25s

        # It sets its own logger to DEBUG, which would reach every handler of the application.
        logging.getLogger("bm25s").setLevel(logging.WARNING)
        self._ids = [document.id for document in documents]
        self._tokenise: Callable[..., Any] = bm25s.tokenize
        tokens = self._tokenise([document.text for document in documents], show_progress=False)
        self._index: Any = None
        # bm25s cannot index a corpus without a single word.
        if tokens.vocab:
            self._index = bm25s.BM25()
            self._index.index(tokens, show_progress=False)

    def rank(self, query: RetrievalQuery) -> list[str]:
        """All documents, the highest BM25 score for the text of the query first."""
        words = self._tokenise([query.text], return_ids=False, show_progress=False)[0]
        if not words or self._index is None:
            return list(self._ids)
        scores: list[float] = self._index.get_scores(words).tolist()
        return _best_first(self._ids, scores)


class DenseRetriever:
    """Cosine of sentence embeddings (extra `embeddings`); equal ones keep the order."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._ids = [document.id for document in documents]
        self._embeddings = TextEmbeddings([document.text for document in documents])

    def rank(self, query: RetrievalQuery) -> list[str]:
        """All documents, the one nearest to the text of the query first."""
        return _best_first(self._ids, self._embeddings.scores(query.text))


def _best_first(ids: Sequence[str], scores: Sequence[float]) -> list[str]:
    """Ids by their scores; equal ones keep their order."""
    order = sorted(range(len(ids)), key=lambda position: -scores[position])
    return [ids[position] for position in order]


class FifoRetriever:
    """A first-in-first-out buffer: whatever the cutoff, it holds the latest rounds."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._ids = [document.id for document in documents]

    def rank(self, query: RetrievalQuery) -> list[str]:  # noqa: ARG002
        """All documents, the latest first."""
        return self._ids[::-1]


class FullContextRetriever:
    """Everything in the order of time; it is not a ranking, so score it without a cutoff."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._ids = [document.id for document in documents]

    def rank(self, query: RetrievalQuery) -> list[str]:  # noqa: ARG002
        """All documents, the earliest first."""
        return list(self._ids)


class OracleSessionRetriever:
    """All rounds of the sessions that hold evidence (M3Exam B.3, "Base (Session)").

    It is not a ranking, so score it without a cutoff.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = tuple(documents)

    def rank(self, query: RetrievalQuery) -> list[str]:
        """The documents of every session with evidence, in the order of time."""
        evidence = frozenset(query.evidence)
        sessions = {document.session for document in self._documents if document.id in evidence}
        return [document.id for document in self._documents if document.session in sessions]


RETRIEVERS: Final[Mapping[str, Callable[[Sequence[Document]], Retriever]]] = MappingProxyType(
    {
        "bm25": Bm25Retriever,
        "dense": DenseRetriever,
        "fifo": FifoRetriever,
        "full-context": FullContextRetriever,
        "oracle-session": OracleSessionRetriever,
    }
)
"""Retrievers by name."""


def build_retriever(name: str, documents: Sequence[Document]) -> Retriever:
    """The named retriever over the documents of one conversation.

    Args:
        name: A name in `RETRIEVERS`.
        documents: The rounds that are visible at asking time, in the order of time.

    Raises:
        UsageError: There is no such retriever, or two documents share an id.
    """
    if name not in RETRIEVERS:
        raise UsageError(f"reader: expected one of {', '.join(sorted(RETRIEVERS))}, got '{name}'")
    repeated = sorted(key for key, n in Counter(each.id for each in documents).items() if n > 1)
    if repeated:
        raise UsageError(f"documents: expected every id once, got '{repeated[0]}' twice; rename it")
    return RETRIEVERS[name](documents)
