"""Retrieval by sentence embeddings, with stand-ins for the library and its models."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from memassay.exports.lifecycle.memories import dense
from memassay.exports.lifecycle.memories.retrievers import Document, RetrievalQuery, build_retriever
from memassay.schemas.errors import UsageError

DOCUMENTS = [Document("D1:1", "aab", 1), Document("D1:2", "bbb", 1), Document("D2:1", "ab", 2)]


class Letters:
    """A model whose vectors count the letters a and b."""

    asked: list[str] = []  # noqa: RUF012

    def __init__(self, name: str) -> None:
        """Note what is loaded."""
        self.asked.append(name)

    def encode(self, texts: list[str], **_more: object) -> list[list[float]]:
        """Two numbers for each text."""
        return [[float(text.count("a")), float(text.count("b"))] for text in texts]


class Broken:
    """A model that is not there."""

    def __init__(self, name: str) -> None:
        """Fail as the library does."""
        raise OSError(f"{name} is not a local folder")


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    dense._load.cache_clear()
    yield
    dense._load.cache_clear()


def _install(monkeypatch: pytest.MonkeyPatch, model: type) -> None:
    module = SimpleNamespace(SentenceTransformer=model)
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


def test_the_nearest_text_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the angle, not by the length."""
    _install(monkeypatch, Letters)
    retriever = build_retriever("dense", DOCUMENTS)
    assert retriever.rank(RetrievalQuery("bbbbbb")) == ["D1:2", "D2:1", "D1:1"]


def test_the_environment_names_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is loaded once for all conversations."""
    _install(monkeypatch, Letters)
    monkeypatch.setattr(Letters, "asked", [])
    monkeypatch.setenv(dense.MODEL, "models/tiny")
    for _ in range(2):
        build_retriever("dense", DOCUMENTS)
    assert Letters.asked == ["models/tiny"]


def test_no_document_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that is asked before anything was said."""
    _install(monkeypatch, Letters)
    assert build_retriever("dense", []).rank(RetrievalQuery("a")) == []


def test_without_the_extra_the_error_names_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message holds the line that installs it."""
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UsageError, match=r"pip install 'memassay\[embeddings\]'"):
        build_retriever("dense", DOCUMENTS)


def test_a_model_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do about it."""
    _install(monkeypatch, Broken)
    with pytest.raises(UsageError, match=r"MEMASSAY_EMBEDDING_MODEL: expected .*hf download"):
        build_retriever("dense", DOCUMENTS)
