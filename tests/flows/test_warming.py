"""Conversations are parsed ahead of the first who opens an item, until the serving ends."""

from threading import Event
from types import SimpleNamespace
from typing import Any

from memassay.flows.review.page_content import warm


def _content(opened: list[str], then: Any = None) -> Any:
    """Pages of three histories in review, which note what is opened."""

    def content(item: str) -> None:
        opened.append(item)
        if then is not None:
            then()

    histories = [("a", "one"), ("b", "two"), ("c", "three")]
    return SimpleNamespace(
        queue=SimpleNamespace(histories=lambda: histories), items=SimpleNamespace(content=content)
    )


def test_every_history_in_review_is_opened() -> None:
    """In the order of the queue."""
    opened: list[str] = []
    warm(_content(opened), Event())
    assert opened == ["one", "two", "three"]


def test_nothing_is_opened_once_the_serving_ends() -> None:
    """What is being parsed is finished, no other is begun."""
    opened: list[str] = []
    stopped = Event()
    warm(_content(opened, stopped.set), stopped)
    assert opened == ["one"]
