"""A person changes a history in a real browser, without a mouse, and the next run follows."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from support.engine_builder import SilentProgress
from support.web_walking import chromium, follow, log_in, press, served, shot

from memassay.exports import open_release
from memassay.flows.services.runs import run_recipe

ALEX = "alex-veterinarian"
RECIPE: dict[str, Any] = {
    "path": "m3exam",
    "seed": 7,
    "personas": [ALEX],
    "sizes": {"sessions": 4, "rounds": 6, "images": 3, "documents": 0},
    "questions": {"ss": 6, "tr": 4},
    "gates": {"questions": {"policy": "sample", "rate": 0.5, "on_open": "continue"}},
    "release": {"name": "tiny", "formats": ["parquet"]},
}


def _run(folder: Path) -> Any:
    report = run_recipe(folder / "tiny.yaml", folder / "work", SilentProgress(), runner="plain")
    (bundle,) = open_release(Path(str(report.release))).bundles()
    return bundle


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


@pytest.mark.slow
def test_a_history_is_changed_by_keys_alone(tmp_path: Path) -> None:
    """Words are selected and redacted, two sessions merged; both are in the next release."""
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(RECIPE), encoding="utf-8")
    before = _run(tmp_path)
    said = next(one for one in before.mentions if one.span and one.round.startswith("D1:"))
    text = before.turn_by_id[str(said.turn)].text
    with chromium() as browser, served(tmp_path / "work") as pages:
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
        _reach(page, "Merge with D2")
        page.wait_for_selector("#preview .place:has-text('D3')")
        follow(page, "Control+Enter")
        page.wait_for_selector("[role=status]")
        assert page.locator(".kept li").count() == 2
    after = _run(tmp_path)
    start, end = said.span
    assert after.turn_by_id[str(said.turn)].text == f"{text[:start]}[redacted]{text[end:]}"
    assert len(after.conversation.sessions) == len(before.conversation.sessions) - 1
