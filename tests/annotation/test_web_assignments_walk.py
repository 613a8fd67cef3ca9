"""Choosing, writing and scoring in a real browser, with the keyboard alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.made_history import copy_made
from support.web_walking import Served, chromium, follow, log_in, served, shot, until

from memassay.annotation.voting.review_queue import ReviewQueue
from memassay.cli import main
from memassay.exports.release.reader import open_release

ASKED: list[dict[str, Any]] = [
    {
        "id": "wei-courier/opening-4",
        "kind": "choose",
        "title": "Opening of the session after the first test ride",
        "instructions": "Three drafts of how Wei comes back to the conversation. Choose the one to "
        "keep; the dialogue goes on from it.",
        "criteria": "It takes up what was said last, sounds like Wei (short, dry, exact about "
        "times and distances), and gives away nothing that is only learned later.",
        "group": "opening",
        "shown": [
            {
                "label": "What was said last",
                "text": "Wei had fitted the second battery and meant to ride the hill loop before "
                "the evening shift. The assistant had asked for the reading at the top.",
            },
            {
                "label": "What is true by now",
                "text": "The ride was on Thursday. At the top the display showed 41 percent. The "
                "left pannier came loose on the cobbles. Wei has not told anybody about the noise "
                "in the hub.",
            },
        ],
        "candidates": [
            {
                "key": "1",
                "text": "Did the hill loop on Thursday, before the evening shift. 41 percent at "
                "the top, so the second battery holds what it promised.\n\nOne thing: the left "
                "pannier came loose on the cobbles. Photo below, look at the lower hook.",
                "author": "openai:alpha #0",
            },
            {
                "key": "2",
                "text": "Hello again! I hope you are doing well. As discussed in our previous "
                "conversation, I have now completed the test ride that we talked about, and I am "
                "very happy to report that everything went really great with the new battery!",
                "author": "gemini:beta #0",
            },
            {
                "key": "3",
                "text": "Back from the loop. Top of the hill: 41 percent left. And before you ask, "
                "yes, I hear the hub too, that will be a story of its own.\n\nThe pannier first. "
                "It jumped off its hook on the cobbles.",
                "author": "a person",
            },
        ],
    },
    {
        "id": "wei-courier/transition-2-3",
        "kind": "write",
        "title": "Transition from session 2 to session 3",
        "instructions": "Write the two to four sentences with which Wei moves from the matter of "
        "session 2 to that of session 3. They become the first turn of session 3.",
        "criteria": "In Wei's voice. Names the time that has passed. Nothing new is claimed about "
        "either matter.",
        "conversation": "wei-courier",
        "places": ["D2:5", "D3:1"],
        "shown": [{"label": "Wei's voice", "text": "Short, dry, exact about times and distances."}],
    },
]
TEXT = (
    "Ten days without a word, I know: the depot was short of two people and I rode doubles. "
    "The matter from last time is settled as far as it goes. Something else came up on the way "
    "home on Tuesday, and for that I need your eyes."
)


def _call(*arguments: object) -> None:
    ended = CliRunner().invoke(main, ["review", *map(str, arguments)])
    assert ended.exit_code == 0, ended.output


def _asked(folder: Path) -> None:
    """Score a reader on a release of the workspace; choose an opening; write a transition."""
    workspace = folder / "workspace"
    (release,) = (workspace / "releases").iterdir()
    first, *_, last = sorted(open_release(release).questions(), key=lambda one: one.benchmark_type)
    near = f"They said {last.answer.values[0].lower()}, and I would ask there first."
    given = {last.id: near, first.id: last.answer.values[0]}
    lines = (json.dumps({"id": name, "answer": answer}) for name, answer in given.items())
    (folder / "reader.jsonl").write_text("\n".join(lines), encoding="utf-8")
    _call("score", release, "--predictions", folder / "reader.jsonl", "--workspace", workspace)
    lines = (json.dumps(one) for one in ASKED)
    (folder / "asked.jsonl").write_text("\n".join(lines), encoding="utf-8")
    _call("ask", folder / "asked.jsonl", "--workspace", workspace)


def _open(page: Any, at: Served, item: str) -> None:
    """Open an item, without the word about the one before it."""
    page.context.clear_cookies(name="memassay_saved")
    page.goto(f"{at.address}/item/{item}")


def _choose(page: Any, at: Served, item: str) -> None:
    _open(page, at, item)
    page.wait_for_selector(".drafts")
    assert "alpha" not in page.content()
    shot(page, "choose")
    wanted = page.locator(".draft", has_text="Did the hill loop").locator("button kbd")
    follow(page, wanted.inner_text())
    page.wait_for_selector(".toast")
    page.goto(f"{at.address}/item/{item}/voted")
    assert "by openai:alpha #0" in page.inner_text("main")


def _write(page: Any, at: Served, item: str) -> None:
    _open(page, at, item)
    page.fill("[name=answer]", TEXT)
    page.wait_for_selector(f"[data-words]:text-is('{len(TEXT.split())} words')")
    until(page, "a draft of it", lambda: at.draft(item, "ada").get("answer") == TEXT)
    page.reload()
    assert page.input_value("[name=answer]") == TEXT
    shot(page, "write-text")
    page.focus("[name=answer]")
    follow(page, "Control+Enter")
    page.wait_for_selector(".toast")


def _score(page: Any, at: Served, item: str) -> None:
    _open(page, at, item)
    page.wait_for_selector(".scale")
    page.wait_for_selector(".round.evidence")
    shot(page, "score")
    follow(page, "4")
    page.wait_for_selector(".toast")


@pytest.mark.ci
@pytest.mark.slow(seconds=16)
def test_choosing_writing_and_scoring_by_key(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """One key each for a draft and a score; a text survives a reload; every answer is kept."""
    folder = copy_made(tmp_path_factory, tmp_path)
    _asked(folder)
    with chromium() as browser, served(folder / "workspace") as at:
        page = log_in(browser, at, "ada")
        chosen, text = (at.item(str(one["id"])) for one in ASKED)
        scored = at.items(type="score")[-1]
        _choose(page, at, chosen)
        _write(page, at, text)
        _score(page, at, scored)
        follow(page, "u")
        page.wait_for_url(f"**/item/{scored}")
        follow(page, "3")
        assert page.wrong == []
        queue = ReviewQueue(at.desk.engine)
        made = [queue.item(one).decision for one in (chosen, text, scored)]
    assert [one.answer for one in made if one] == ["1", TEXT, "3"]
