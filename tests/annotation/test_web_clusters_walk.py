"""A person corrects clusters in a real browser: by mouse, by keys, and without a script."""

from pathlib import Path
from typing import Any

import pytest
from support.clustered import ALONE, FIRST, RUN, SECOND, noted
from support.web_walking import chromium, follow, log_in, served, shot

from memassay.flows.store.workspace import open_workspace

PAGE = f"/clusters/{RUN}"


def _card(page: Any, cluster: str) -> Any:
    return page.locator(f'[data-cluster="{cluster}"]')


def _members(page: Any) -> dict[str, list[str]]:
    return {
        str(card.get_attribute("data-cluster")): [
            str(one.inner_text()) for one in card.query_selector_all("form > ul a.place")
        ]
        for card in page.query_selector_all("[data-cluster]")
    }


def _do(page: Any, cluster: str, op: str) -> None:
    with page.expect_navigation():
        _card(page, cluster).locator(f"button[value={op}]:visible").click()


@pytest.mark.ci
@pytest.mark.slow(seconds=10)
def test_clusters_are_corrected_in_a_browser(tmp_path: Path) -> None:
    """Split, named, locked, moved by the Enter key, taken back by another; nothing overflows."""
    with open_workspace(tmp_path, create=True) as workspace:
        noted(workspace)
    with chromium() as browser, served(tmp_path) as at:
        page = log_in(browser, at, "zoe")
        with page.expect_navigation():
            page.get_by_role("link", name="Clusters").click()
        _card(page, SECOND).locator("summary").click()
        _card(page, FIRST).locator('[value="ann/D3"]').check()
        shot(page, "clusters")
        _do(page, FIRST, "split")
        (part,) = _members(page).keys() - {FIRST, SECOND}
        _card(page, SECOND).locator("summary").click()
        _card(page, SECOND).locator(f'[value="{ALONE}"]').check()
        _do(page, SECOND, "take")
        _card(page, SECOND).locator(f'[value="{ALONE}"]').check()
        _card(page, SECOND).locator("[name=other]").fill(part)
        follow(page, "Enter")
        assert _members(page)[part] == ["ann/D3", ALONE]
        follow(page, "u")
        assert _members(page)[part] == ["ann/D3"]
        _card(page, FIRST).locator("[name=name]").fill("Ann, a potter")
        follow(page, "Enter")
        _do(page, FIRST, "close")
        shot(page, "clusters-decided")
        for colours in ("light", "dark"):
            page.emulate_media(color_scheme=colours)
            page.set_viewport_size({"width": 375, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") == 375
        shot(page, "clusters-narrow")
        assert page.wrong == []
        plain = log_in(browser, at, "zoe", java_script_enabled=False)
        plain.goto(f"{at.address}{PAGE}")
        _do(plain, FIRST, "unlock")
        assert _members(plain) == {
            FIRST: ["ann/D1", "ann/D2"],
            part: ["ann/D3"],
            SECOND: ["bob/D1", "bob/D2", ALONE],
        }
