"""Several items of one history in a call: what is asked, and what is asked again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.model_servers.asked import Asked
from support.reader_servers import (
    RIGHT,
    id_of,
    item_records,
    one_by_one,
    parts_of,
    reader_findings,
    reader_server,
    validate_read,
)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdefghijklmnop")


def _names(asked: Asked) -> list[str]:
    return [id_of(part) for part in parts_of(asked)]


def test_ten_items_of_a_history_are_asked_about_at_once(tmp_path: Path) -> None:
    """The rounds come before the items, so that all calls begin alike."""
    item_records(tmp_path, 24)
    asked: list[Asked] = []

    def answer(one: Asked) -> Any:
        asked.append(one)
        return one_by_one(lambda _: RIGHT)(one)

    with reader_server(tmp_path, lambda _: RIGHT, answer=answer) as (_, path):
        report = validate_read(tmp_path, path)
    assert report["reading"]["verdicts"] == {"right": 25}
    assert sorted(len(_names(one)) for one in asked) == [5, 10, 10]
    assert len({(one.system, one.data()[0], one.data()[1]) for one in asked}) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda replies: replies[: max(1, len(replies) // 2)],
        lambda replies: [replies[0], *({**one, "id": "talk/Q999"} for one in replies[1:])],
        lambda replies: [*replies, replies[-1]] if len(replies) > 1 else replies,
    ],
    ids=["half", "unknown ids", "one twice"],
)
def test_what_a_reply_leaves_out_is_asked_again(
    tmp_path: Path, spoil: Callable[[list[Any]], list[Any]]
) -> None:
    """Only that, until every item has a reply of its own."""
    item_records(tmp_path)
    asked: list[list[str]] = []

    def answer(one: Asked) -> Any:
        asked.append(_names(one))
        return {"replies": spoil(one_by_one(lambda _: RIGHT)(one)["replies"])}

    with reader_server(tmp_path, lambda _: RIGHT, answer=answer) as (_, path):
        report = validate_read(tmp_path, path)
    assert report["reading"]["verdicts"] == {"right": 3}
    assert reader_findings(report) == []
    first, *rest = asked
    assert len(first) == 3
    assert all(len(later) < len(before) for before, later in zip(asked, rest, strict=False))


def test_a_model_that_names_no_item_leaves_all_unread(tmp_path: Path) -> None:
    """Each is noted with what the reply named; the command ends, and does not end well."""
    item_records(tmp_path)
    odd = {"replies": [RIGHT | {"id": "talk/Q999"}]}
    with reader_server(tmp_path, lambda _: RIGHT, answer=lambda _: odd) as (server, path):
        report = validate_read(tmp_path, path, code=1)
    assert report["reading"]["verdicts"] == {"unread": 3}
    assert [one["rule"] for one in reader_findings(report)] == ["reading.unread"] * 3
    assert "talk/Q999" in reader_findings(report)[0]["message"]
    # Three, then one and two, then one and one.
    assert len(server.log) == 5
