"""The page of a session beside its memory points and the state before and after it."""

from pathlib import Path
from typing import Any

import pytest
from support.fixtures import (
    TALK,
    bundle,
    checkpoint,
    fact,
    item,
    mention,
    session,
    talk,
    utterance,
)
from support.web_builder import GATE, RUN, Pages, pages

from memassay.annotation.web.points import points_around
from memassay.schemas.records.ledger import FactOperation, FactStatus

pytestmark = pytest.mark.slow(seconds=0.4)

OLD = fact("F1", "three hives", statement="Ann owns three hives.")
NEW = fact(
    "F2",
    "five hives",
    statement="Ann owns five hives now.",
    operation=FactOperation.REVISE,
    supersedes=[f"{TALK}/F1"],
)
DOG = fact("F3", "Rex", attribute="dog", statement="Her dog is Rex.")
JOKE = fact("F4", "a wolf", statement="She has a wolf.", status=FactStatus.INTERFERENCE)
SEEN = [
    mention("M1"),
    mention("M3", of="F3"),
    mention("M2", of="F2", round="D2:1", turn="D2:1.1"),
    mention("M4", of="F4", round="D2:1", turn="D2:1.1"),
]
SESSIONS = [
    session(1, utterance("D1:1", "Three hives, and Rex.")),
    session(2, utterance("D2:1", "Five hives now. And a wolf, ha ha.")),
]
RECORDS = [OLD, NEW, DOG, JOKE, *SEEN, item()]


def test_a_session_has_its_points_and_the_state_around_it() -> None:
    """What it tells first, what that replaces, what goes, comes and stays."""
    told = bundle(talk(*SESSIONS), *RECORDS)
    around = points_around(told, told.conversation.sessions[1])
    assert [(one.kind, one.old, one.places) for one in around.points] == [
        ("update", ("Ann owns three hives.",), ("D2:1.1",)),
        ("interference", (), ("D2:1.1",)),
    ]
    assert (around.gone, around.come, around.kept) == (
        ["Ann owns three hives."],
        ["Ann owns five hives now."],
        ["Her dog is Rex."],
    )


@pytest.fixture
def built(tmp_path: Path) -> Any:
    """Pages over a conversation with points and a checkpoint."""
    asked = {"sessions": SESSIONS, "checkpoints": [checkpoint("C1", "D1", "D2")]}
    with pages(tmp_path, *RECORDS, **asked) as made:
        records = bundle(*RECORDS, **asked).records()
        hashes = made.workspace.store.put_all(records)
        made.workspace.queue.remember(RUN, GATE, {TALK: hashes})
        yield made


def test_the_page_is_linked_from_the_item(built: Pages) -> None:
    """It opens at the session that the question cites; others are one click away."""
    ada, name = built.browser("ada"), built.items[f"{TALK}/Q001"]
    assert f"/item/{name}/points" in ada.get(f"/item/{name}").text
    first = ada.get(f"/item/{name}/points").text
    assert "2 points of this session" in first
    second = ada.get(f"/item/{name}/points?name=D2").text
    assert "<del>Ann owns three hives.</del>" in second
    assert "<ins>Ann owns five hives now.</ins>" in second
    assert ada.get(f"/item/{name}/points?name=D9").status_code == 404


def test_who_answers_blind_first_is_sent_back(tmp_path: Path) -> None:
    """Points are golds of questions."""
    asked = {"sessions": SESSIONS, "checkpoints": [checkpoint("C1", "D1", "D2")]}
    with pages(tmp_path, *RECORDS, blind_rate=1.0, **asked) as made:
        ada, (name,) = made.browser("ada"), made.items.values()
        answer = ada.get(f"/item/{name}/points", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/item/{name}")
