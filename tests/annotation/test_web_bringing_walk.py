"""People bring questions and images of their own, in a real browser."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.engine_builder import SilentProgress
from support.fixtures import png
from support.places import SAMPLES
from support.web_walking import chromium, follow, log_in, served, shot

from memassay.flows.services.runs import run_recipe
from tests.annotation.test_web_probes import Book

RECIPE: dict[str, Any] = {
    "path": "curate",
    "sources": [{"format": "mem-gallery", "path": "samples/mem-gallery", "licence": "CC-BY-4.0"}],
    "gates": {"validate": {"policy": "sample", "rate": 0.3, "on_open": "continue"}},
    "release": {"name": "tiny", "formats": ["parquet"]},
}
GOLD = "the red sail"
BOOK = Book({"closed-book": GOLD, "evidence-only": GOLD, "all-but-evidence": "a blue one"})


def _write(page: Any, address: str) -> None:
    """A question that a model answers without the history; it is saved all the same."""
    page.goto(f"{address}/write")
    page.locator("main a").first.click()
    page.wait_for_selector("#write")
    page.fill("#write [name=text]", "Which sail was mended after the storm of the last week?")
    page.fill("#write [name=values]", GOLD)
    page.fill("#write [name=evidence]", "D1:1")
    page.click("#write button.primary")
    page.get_by_text("found without the history").wait_for()
    page.get_by_role("button", name="Save all the same").scroll_into_view_if_needed()
    shot(page, "probes")
    page.get_by_role("button", name="Save all the same").click()
    page.get_by_text("Saved as").wait_for()


def _place(page: Any, address: str, item: str) -> None:
    """A picture from the reviewer's own disk stands in the history, under its licence."""
    page.goto(f"{address}/item/{item}/history?op=place_image&place=D1:1.1")
    page.get_by_text("An image of your own").click()
    picture = {"name": "p.png", "mimeType": "image/png", "buffer": png(90, (320, 240), slope=3)}
    page.set_input_files("[data-operation] [name=picture]", picture)
    page.fill("[data-operation] [name=licence]", "CC0-1.0")
    page.get_by_role("button", name="Bring it").click()
    page.wait_for_selector("#brought input:checked")
    page.get_by_text("1 asset").scroll_into_view_if_needed()
    shot(page, "place")
    follow(page, "Control+Enter")
    page.wait_for_selector("[role=status]")
    page.locator(".kept li").wait_for()


@pytest.mark.ci
@pytest.mark.slow(seconds=14)
def test_a_question_is_probed_and_an_image_brought(tmp_path: Path) -> None:
    """A doubt is read before the question is saved; the image is placed once it was looked at."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(RECIPE), encoding="utf-8")
    run_recipe(tmp_path / "tiny.yaml", tmp_path / "work", SilentProgress(), runner="plain")
    with chromium() as browser, served(tmp_path / "work") as pages:
        pages.content.writing.by = BOOK
        page = log_in(browser, pages, "zoe")
        _write(page, pages.address)
        _place(page, pages.address, pages.items()[0])
