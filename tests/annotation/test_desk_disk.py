"""What is acknowledged is on the disk: no vote is told of before the wait for it has ended."""

import os
from pathlib import Path
from typing import Any

import pytest
from support.review_builder import YES, database, request, table_on

from memassay.annotation.voting import transactions as desk_transactions
from memassay.annotation.voting.desk import ReviewDesk


@pytest.fixture
def table(tmp_path: Path) -> Any:
    """A desk with two items on SQLite."""
    with database("sqlite", tmp_path) as engine:
        made = table_on(engine)
        made.ask(request("alex/Q001"), request("alex/Q002"))
        yield made


def _disk(monkeypatch: pytest.MonkeyPatch, *, fails: bool) -> list[str]:
    """The files that were waited for; or a disk that fails."""
    waited: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if fails:
            raise OSError("the disk is gone")
        waited.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
        real(descriptor)

    monkeypatch.setattr(desk_transactions.os, "fsync", fsync)
    return waited


def test_a_vote_waits_for_the_log(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does taking it back; a lease does not."""
    waited = _disk(monkeypatch, fails=False)
    item = table.desk.next_item("ada").item
    assert waited == []
    table.desk.submit(item, "ada", "t", YES)
    assert "review.sqlite-wal" in waited
    waited.clear()
    table.desk.undo("ada")
    assert waited == ["review.sqlite-wal"]


def test_a_vote_that_is_not_on_the_disk_is_not_acknowledged(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent again once the disk is back, it is told; and it was cast once."""
    item = table.desk.next_item("ada").item
    with monkeypatch.context() as broken:
        _disk(broken, fails=True)
        with pytest.raises(OSError, match="the disk is gone"):
            table.desk.submit(item, "ada", "t", YES)
        with pytest.raises(OSError, match="the disk is gone"):
            table.desk.submit(item, "ada", "t", YES)
    waited = _disk(monkeypatch, fails=False)
    assert table.desk.submit(item, "ada", "t", YES).state == "decided"
    assert "review.sqlite-wal" in waited


def test_another_server_waits_for_what_the_first_one_wrote(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A retry that comes to it is acknowledged once the first server's vote is on the disk."""
    item = table.desk.next_item("ada").item
    with monkeypatch.context() as broken:
        _disk(broken, fails=True)
        with pytest.raises(OSError, match="the disk is gone"):
            table.desk.submit(item, "ada", "t", YES)
    waited = _disk(monkeypatch, fails=False)
    assert ReviewDesk(table.desk.engine).submit(item, "ada", "t", YES).state == "decided"
    assert "review.sqlite-wal" in waited
