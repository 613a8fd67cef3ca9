"""How often the pages count the queue."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import create_engine

from memassay.annotation.pages import shared as web_pages
from memassay.annotation.pages.shared import ReviewPages


class Counted:
    """A queue that takes a while to count, by a clock of its own."""

    def __init__(self, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds, self.now, self.times = seconds, 0.0, 0
        monkeypatch.setattr(web_pages, "time", SimpleNamespace(monotonic=lambda: self.now))
        desk: Any = SimpleNamespace(engine=create_engine("sqlite://"))
        content: Any = SimpleNamespace(queue=self)
        self.pages = ReviewPages(desk, content, None)

    def counts(self) -> dict[str, int]:
        """As many as have been counted so far, a while later."""
        self.times += 1
        self.now += self.seconds
        return {"open": self.times}

    def every(self, seconds: float) -> Iterator[int]:
        """What the pages say for ten seconds."""
        end = self.now + 10
        while self.now < end:
            yield self.pages.counts()["open"]
            self.now += seconds


def test_a_short_queue_is_counted_each_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often pages are asked for."""
    assert max(Counted(0.0, monkeypatch).every(0.1)) == 10


def test_a_long_queue_is_counted_a_fiftieth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that show how much is left must not be what the server does."""
    counted = Counted(0.1, monkeypatch)
    assert max(counted.every(0.1)) == 2
