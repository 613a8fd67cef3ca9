"""Where people decide, they read names and dates, the turn before, and whole conversations."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from memassay.annotation.exchange.texts import evidence_text
from memassay.cli import main
from memassay.flows.review.decisions import WorkspaceReview
from memassay.flows.review.exchange import export_items
from memassay.flows.store.workspace import Workspace, open_workspace
from memassay.schemas.records.conversation import Conversation

TALK = {
    "speaker_a": "Ruth",
    "speaker_b": "Piet",
    "session_1_date_time": "4:10 pm on 2 April, 2023",
    "session_1": [
        {"speaker": "Ruth", "dia_id": "D1:1", "text": "I have planted two plum trees."},
        {"speaker": "Piet", "dia_id": "D1:2", "text": "I would rather have a cherry tree."},
        {"speaker": "Ruth", "dia_id": "D1:3", "text": "Then plant one.\nOr two."},
        {"speaker": "Piet", "dia_id": "D1:4", "text": "", "img_url": ["http://a.example/plum.jpg"]},
        {"speaker": "Ruth", "dia_id": "D1:5", "text": "Ripe!", "blip_caption": "a plum"},
    ],
}
ASKED = [
    {"question": "What does Piet want?", "evidence": ["D1:2"], "category": 4, "answer": "a cherry"},
    {"question": "Who has plum trees?", "evidence": [], "category": 4, "answer": "Ruth"},
    {"question": "What is ripe?", "evidence": ["D1:5"], "category": 4, "answer": "a plum"},
]
WORDS = "D1:2.1 Piet: I would rather have a cherry tree."
BEFORE = "before: D1:1.1 Ruth: I have planted two plum trees."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace where a conversation of two people and its questions wait."""
    home = tmp_path_factory.mktemp("names")
    source = [{"sample_id": "conv-7", "conversation": TALK, "qa": ASKED}]
    (home / "locomo.json").write_text(json.dumps(source), "utf-8")
    recipe = {
        "path": "curate",
        "sources": [{"format": "locomo", "path": "locomo.json", "licence": "CC0-1.0"}],
        "gates": {"import": {"policy": "all", "votes": 2}},
        "release": {"name": "names", "licence": "CC0-1.0"},
    }
    (home / "recipe.yaml").write_text(json.dumps(recipe), "utf-8")
    run = ["run", str(home / "recipe.yaml"), "--workspace", str(home / "work")]
    assert CliRunner().invoke(main, run).exit_code == 75
    return home / "work"


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    """The workspace, opened."""
    with open_workspace(folder) as opened:
        yield opened


def _shown(workspace: Workspace, folder: Path, tool: str) -> dict[str, dict[str, str]]:
    """By record, the texts of a tool's tasks."""
    export_items(workspace, tool, folder)
    if tool == "label-studio":
        tasks = json.loads((folder / "tasks.json").read_text("utf-8"))
        return {task["data"]["record"]: task["data"] for task in tasks}
    records = json.loads((folder / "records.json").read_text("utf-8"))
    return {one["metadata"]["record"]: one["fields"] for one in records}


@pytest.mark.parametrize("tool", ["label-studio", "argilla"])
def test_tasks_give_names_dates_and_the_turn_before(
    workspace: Workspace, tmp_path: Path, tool: str
) -> None:
    """Not the ids of speakers; a conversation is there as a whole."""
    shown = _shown(workspace, tmp_path / "out", tool)
    assert shown["conv-7/Q0001"]["evidence"].splitlines() == [
        "D1:2, 2023-04-02 16:10",
        f"  {BEFORE}",
        f"  {WORDS}",
    ]
    assert "on the page /item/R" in shown["conv-7/Q0002"]["evidence"]
    whole = shown["conv-7"]
    assert whole["question"] == "Is the conversation conv-7 right? It is under Evidence."
    assert f"  {WORDS}" in whole["evidence"].splitlines()
    assert "speaker_" not in json.dumps(shown)


def test_review_show_gives_names_dates_and_the_turn_before(folder: Path) -> None:
    """As the tasks do."""
    texts = {}
    for record in ("conv-7", "conv-7/Q0001"):
        result = CliRunner().invoke(main, ["review", "show", record, "--workspace", str(folder)])
        texts[record] = result.stdout
    nothing = ["review", "show", "conv-7/Q0002", "--workspace", str(folder)]
    assert "evidence  no place is cited" in CliRunner().invoke(main, nothing).stdout
    assert "D1:2, 2023-04-02 16:10\n" in texts["conv-7/Q0001"]
    assert BEFORE in texts["conv-7/Q0001"]
    assert WORDS in texts["conv-7"]
    assert "speaker_" not in "".join(texts.values())


PICTURE = "before: D1:4.1 Piet: [image D1:IMG_001: no caption, at http://a.example/plum.jpg]"


def test_a_picture_without_words_is_no_empty_turn(workspace: Workspace) -> None:
    """It is there by its caption, or its address."""
    text = evidence_text(WorkspaceReview(workspace).show("conv-7/Q0003"))
    assert text.splitlines() == [
        "D1:5, 2023-04-02 16:10",
        f"  {PICTURE}",
        "  D1:5.1 Ruth: Ripe! [image D1:IMG_002: a plum]",
    ]


def test_a_line_break_within_a_text_begins_no_turn(workspace: Workspace, folder: Path) -> None:
    """What follows it is indented more than a turn."""
    text = evidence_text(WorkspaceReview(workspace).show("conv-7"))
    result = CliRunner().invoke(main, ["review", "show", "conv-7", "--workspace", str(folder)])
    for shown in (text, result.stdout):
        assert "D1:3.1 Ruth: Then plant one.\n      Or two.\n" in shown


def test_a_long_conversation_says_where_the_rest_is(workspace: Workspace) -> None:
    """Its beginning, then the page of its item."""
    shown = WorkspaceReview(workspace).show("conv-7")
    (session,) = shown["conversation"]["sessions"]
    long: list[dict[str, Any]] = [{**session["text"][0], "id": f"D1:{at}"} for at in range(1, 900)]
    text = evidence_text({**shown, "conversation": {"sessions": [{**session, "text": long}]}})
    assert len(text) < 30_000
    assert text.splitlines()[-1].endswith(
        f"is on the page /item/{shown['item']} of `memassay review serve`."
    )


def test_two_speakers_of_one_name_keep_their_ids(workspace: Workspace) -> None:
    """Else nobody could tell who said what."""
    (talk,) = workspace.store.states("conversation", "conv-7")
    assert isinstance(talk, Conversation)
    named = [one.model_copy(update={"name": "Kim"}) for one in talk.speakers]
    both = talk.model_copy(update={"speakers": named})
    assert set(both.speaker_names().values()) == {"Kim (speaker_a)", "Kim (speaker_b)"}
