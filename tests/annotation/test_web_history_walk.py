"""A person changes a history in a real browser, without a mouse, and the next run follows."""

from pathlib import Path
from typing import Any

import pytest
from support.made_history import copy_made, run_made
from support.web_walking import (
    PICTURES,
    Served,
    chromium,
    follow,
    log_in,
    press,
    served,
    shot,
)


def _reach(page: Any, words: str) -> None:
    """Open a link by the keyboard alone."""
    page.get_by_role("link", name=words, exact=True).first.focus()
    press(page, "Enter")


def _select(page: Any, start: int, end: int) -> None:
    """Select from the field that has the focus, until the form has taken it over."""
    press(page, "Control+Home")
    for _ in range(start):
        press(page, "ArrowRight")
    for _ in range(start, end):
        press(page, "Shift+ArrowRight")
    page.wait_for_function(
        """([start, end]) => {
          const { form, value } = document.activeElement;
          return form.elements.words.value === value.slice(start, end);
        }""",
        arg=[start, end],
    )


def _mergeable(at: Served, item: str) -> str:
    """The session that one can be merged into, all days that are told staying true."""
    editing = at.content.editing
    merges = {
        name: editing.preview(item, {"op": "merge_sessions", "session": name})
        for name in ("D3", "D4", "D5")
    }
    merged = next(name for name, preview in merges.items() if not preview.errors)
    return f"D{int(merged.removeprefix('D')) - 1}"


def _picture_of_a_proposal(browser: Any, at: Served, item: str) -> None:
    """What the walk does not pass, for the picture only."""
    if not PICTURES:
        return
    editing = at.content.editing
    history = editing.history(item)
    turn = next(iter(history.bundle.turn_by_id.values()))
    said = {"op": "edit_turn", "turn": turn.id, "text": f"{turn.text} I meant last week."}
    editing.propose(item, said, history.base, "ada", "she corrects herself")
    page = log_in(browser, at, "bob")
    page.goto(f"{at.address}/item/{at.items(kind='history_edit', state='open')[0]}")
    page.wait_for_selector(".round")
    shot(page, "proposal")


@pytest.mark.ci
@pytest.mark.slow(seconds=20)
def test_a_history_is_changed_by_keys_alone(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Words are selected and redacted, two sessions merged; both are in the next release."""
    folder = copy_made(tmp_path_factory, tmp_path)
    before = run_made(folder)
    # In an answer: nobody says again what is redacted there.
    answers = [one for one in before.mentions if one.span and str(one.turn).endswith(".2")]
    said = next(one for one in reversed(answers) if one.round.startswith("D1:"))
    text = before.turn_by_id[str(said.turn)].text
    with chromium() as browser, served(folder / "workspace") as pages:
        page = log_in(browser, pages, "zoe", viewport={"width": 1440, "height": 1000})
        item = pages.items()[0]
        page.goto(f"{pages.address}/item/{item}")
        follow(page, "h")
        page.wait_for_url("**/history")
        page.goto(f"{pages.address}/item/{item}/history?opened=D1")
        _reach(page, f"Redact {said.turn}")
        page.wait_for_selector("[data-select]:focus")
        _select(page, *said.span)
        page.wait_for_selector("#preview ins:has-text('[redacted]')")
        shot(page, "history")
        follow(page, "Control+Enter")
        page.wait_for_selector("[role=status]")
        _reach(page, f"Merge with {_mergeable(pages, item)}")
        page.wait_for_selector("#preview .place:has-text('D5')")
        follow(page, "Control+Enter")
        page.wait_for_selector("[role=status]")
        assert page.locator(".kept li").count() == 2
        _picture_of_a_proposal(browser, pages, item)
    after = run_made(folder)
    start, end = said.span
    assert after.turn_by_id[str(said.turn)].text == f"{text[:start]}[redacted]{text[end:]}"
    assert len(after.conversation.sessions) == len(before.conversation.sessions) - 1
