"""Probes of questions that people write, on the page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.web_builder import Pages

from memassay.schemas.contracts.readings import Condition
from memassay.schemas.errors import EndpointError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from tests.annotation.test_web_writing import FORM, served, written


@dataclass
class Book:
    """Answers by condition; gold where nothing else is said."""

    said: Mapping[str, str] = field(default_factory=dict)
    name: str = "book"

    def answers(self, bundle: Bundle, item: QAItem, conditions: Sequence[Condition]) -> list[str]:
        """What is written there."""
        del bundle, item
        if "broken" in self.said:
            raise EndpointError("the endpoint answers nobody")
        return [self.said.get(one.name, "Not mentioned.") for one in conditions]


def _pages(folder: Path, book: Book | None) -> Pages:
    built = served(folder)
    built.app.state.pages.content.writing.by = book
    return built


def _save(built: Pages, **fields: str) -> Any:
    ada = built.browser("ada")
    (name,) = built.items.values()
    return ada.post(f"/write/{name}", **{**FORM, **fields})


def _page(built: Pages) -> str:
    (name,) = built.items.values()
    return str(built.browser("ada").get(f"/write/{name}").text)


def test_the_page_says_whether_anybody_answers_probes(tmp_path: Path) -> None:
    """By name, or that nobody is configured; a question is saved either way."""
    built = _pages(tmp_path / "none", None)
    assert "nobody is configured to answer them" in _page(built)
    assert "saved=" in _save(built).headers["location"]
    assert [one.kind for one in written(built)] == ["question"]
    assert "answered by book" in _page(_pages(tmp_path / "book", Book()))


def test_what_probes_do_not_doubt_is_saved_with_them(tmp_path: Path) -> None:
    """Its certificate waits with it for the next run."""
    built = _pages(tmp_path, Book({"evidence-only": "a shed"}))
    assert "saved=" in _save(built).headers["location"]
    certificate, question = written(built)
    assert (certificate.kind, question.kind) == ("certificate", "question")
    document = certificate.patch[0].value
    assert isinstance(document, dict)
    assert [one["name"] for one in document["probes"]][:2] == ["closed-book", "evidence-only"]


def test_a_doubt_is_shown_before_anything_is_saved(tmp_path: Path) -> None:
    """The writer mends the question, or saves this very one all the same."""
    built = _pages(tmp_path, Book({"closed-book": "a shed", "evidence-only": "a shed"}))
    shown = _save(built)
    assert "found without the history" in shown.text
    assert written(built) == []
    found = re.search(r'name="despite" value="([0-9a-f]{64})"', shown.text)
    assert found is not None
    other = _save(built, despite=found[1], values="a shed\na hut")
    assert "Nothing is saved yet" in other.text
    assert "saved=" in _save(built, despite=found[1]).headers["location"]
    assert [one.kind for one in written(built)] == ["certificate", "question"]


def test_an_answerer_that_fails_is_told_of(tmp_path: Path) -> None:
    """Without probes the question can be saved all the same, and has no certificate yet."""
    built = _pages(tmp_path, Book({"broken": ""}))
    shown = _save(built)
    assert "No probe could be run: the endpoint answers nobody" in shown.text
    found = re.search(r'name="despite" value="([0-9a-f]{64})"', shown.text)
    assert found is not None
    assert "saved=" in _save(built, despite=found[1]).headers["location"]
    assert [one.kind for one in written(built)] == ["question"]
