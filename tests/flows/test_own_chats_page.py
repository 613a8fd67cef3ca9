"""Chats as sources: what docs/own-material.md shows of them runs, and they can be distractors."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.engine_builder import SilentProgress
from support.foreign_forms import longmemeval

from memassay.cli import main
from memassay.exports import open_release
from memassay.flows.services.runs import RunReport, run_recipe
from memassay.schemas.records.conversation import SessionArc

FENCE = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"<!-- file (\S+) -->\n```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
TALKS = [
    ["My boat Heron needs a new mast. Spruce or ash?", "Spruce.", "I bought spruce for Heron."],
    ["The sail of my boat Heron is torn.", "Patch it.", "The new mast of Heron is up."],
    ["My boat Heron leaks at the hull.", "Caulk the seams.", "I painted the hull of Heron red."],
    ["Plan a soup for six.", "Leek soup."],
]


def _messages(talk: list[str]) -> list[dict[str, Any]]:
    return [
        {"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(talk)
    ]


def _chatgpt(at: int, talk: list[str]) -> dict[str, Any]:
    start = 1683554160 + 3 * 86400 * at
    nodes = {
        f"n{number}": {
            "parent": f"n{number - 1}" if number else None,
            "message": {
                "author": {"role": each["role"]},
                "create_time": start + 60 * number,
                "content": {"content_type": "text", "parts": [each["content"]]},
            },
        }
        for number, each in enumerate(_messages(talk))
    }
    last = f"n{len(talk) - 1}"
    return {"id": f"c-{at}", "create_time": start, "mapping": nodes, "current_node": last}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file that the page and the recipes here name."""
    folder = tmp_path_factory.mktemp("chats")
    (folder / "my-export").mkdir()
    chats = [_chatgpt(at, talk) for at, talk in enumerate(TALKS)]
    (folder / "my-export" / "conversations.json").write_text(json.dumps(chats), encoding="utf-8")
    (folder / "my-export" / "user.json").write_text("{}", encoding="utf-8")
    lines = (json.dumps({"messages": _messages(talk)}) for talk in TALKS)
    (folder / "talks.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "longmemeval_oracle.json").write_text(json.dumps([longmemeval()]), encoding="utf-8")
    return folder


def _run(folder: Path, name: str, recipe: str) -> RunReport:
    (folder / f"{name}.yaml").write_text(recipe, encoding="utf-8")
    return run_recipe(
        folder / f"{name}.yaml", folder / f"at-{name}", SilentProgress(), runner="plain"
    )


@pytest.mark.slow(seconds=6)
def test_the_page_does_what_it_says(
    home: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its recipe makes one life of the chats about one boat, and every command ends well."""
    page = (repository / "docs" / "own-material.md").read_text(encoding="utf-8")
    text = page.partition("## Your own chats")[2]
    monkeypatch.chdir(home)
    for name, body in FILE.findall(text):
        (home / name).write_text(body, encoding="utf-8")
    commands = [line for body in FENCE.findall(text) for line in body.splitlines()]
    assert len(commands) == 6
    for command in commands:
        done = CliRunner().invoke(main, shlex.split(command)[1:])
        assert done.exit_code == 0, done.output
        if command.startswith("memassay run"):
            release = Path(done.stdout.splitlines()[-1])
            (home / "lives" / "releases" / "lives").symlink_to(release.resolve())
    (life,) = open_release(home / "lives" / "releases" / "lives").bundles()
    said = " ".join(turn.text for turn in life.conversation.turns())
    assert all(talk[0] in said for talk in TALKS[:3])
    assert json.loads((home / "lives-longmemeval" / "longmemeval.json").read_text())


@pytest.mark.slow(seconds=3)
def test_chats_are_released_by_curate(home: Path) -> None:
    """Dialogues without questions are no defect, from two formats at once."""
    report = _run(
        home,
        "curate",
        """path: curate
sources:
  - {format: chatgpt, path: my-export, licence: CC-BY-4.0}
  - {format: openai-messages, path: talks.jsonl, licence: CC-BY-4.0}
release: {name: chats}
""",
    )
    bundles = list(open_release(Path(report.release)).bundles())
    assert len(bundles) == 2 * len(TALKS)
    assert report.held_out == []


@pytest.mark.slow(seconds=3)
def test_chats_are_distractors_in_a_history_of_longmemeval(home: Path) -> None:
    """They are in the history that the question is asked about, also in the layout."""
    report = _run(
        home,
        "inject",
        """path: curate
sources: [{format: longmemeval, path: longmemeval_oracle.json, licence: MIT}]
inject: {sources: [{format: chatgpt, path: my-export, licence: CC-BY-4.0}], sessions: 2}
release: {name: mixed, formats: [longmemeval]}
""",
    )
    (bundle,) = open_release(Path(report.release)).bundles()
    sessions = bundle.conversation.sessions
    assert len([each for each in sessions if each.arc is SessionArc.SIDE]) == 2
    layout = Path(report.release) / "formats" / "longmemeval" / "longmemeval.json"
    (entry,) = json.loads(layout.read_text(encoding="utf-8"))
    assert len(entry["haystack_sessions"]) == 5
