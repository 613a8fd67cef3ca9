"""The page of clusters without a browser: what a form does, who may, what comes too late."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.clustered import ALONE, FIRST, GROUPS, RUN, SECOND, noted
from support.web_builder import Browser, Pages, pages

from memassay.annotation.clusters.log import ClusterLog
from memassay.schemas.records.alteration import Alteration

PAGE = f"/clusters/{RUN}"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Pages]:
    """Review pages over a run with two clusters."""
    with pages(tmp_path) as made:
        noted(made.workspace)
        yield made


def _cards(browser: Browser) -> dict[str, list[str]]:
    """Dialogues by cluster, as the page shows them."""
    text = browser.get(PAGE).text
    cards = re.findall(r'data-cluster="([^"]+)"(.*?)</article>', text, re.DOTALL)
    members = [re.split(r'class="near"', body)[0] for _, body in cards]
    link = rf'href="{PAGE}/dialogue/([^"]+)"'
    return {name: re.findall(link, own) for (name, _), own in zip(cards, members, strict=True)}


def _state(browser: Browser) -> str:
    found = re.search(r'name="state" value="([^"]+)"', browser.get(PAGE).text)
    assert found is not None
    return found.group(1)


def _do(browser: Browser, op: str, cluster: str, state: str = "", **fields: Any) -> Any:
    state = state or _state(browser)
    return browser.post(PAGE, op=op, cluster=cluster, state=state, **fields)


def test_clusters_are_corrected_by_forms(site: Pages) -> None:
    """Split, moved, taken in, dropped, merged, named, locked, and all of it taken back."""
    zoe = site.browser("zoe")
    assert _cards(zoe) == GROUPS
    assert _do(zoe, "split", FIRST, dialogue=["ann/D2", "ann/D3"]).status_code == 303
    cards = _cards(zoe)
    assert sorted(cards.values()) == [["ann/D1"], ["ann/D2", "ann/D3"], ["bob/D1", "bob/D2"]]
    part = next(name for name, own in cards.items() if len(own) == 2 and name != SECOND)
    _do(zoe, "move", part, dialogue=["ann/D2"], other=FIRST)
    _do(zoe, "take", SECOND, near=[ALONE])
    _do(zoe, "drop", SECOND, dialogue=["bob/D1"])
    assert _cards(zoe) == {FIRST: ["ann/D1", "ann/D2"], part: ["ann/D3"], SECOND: ["bob/D2", ALONE]}
    _do(zoe, "merge", FIRST, other=part)
    _do(zoe, "name", FIRST, name="  Ann <b> ")
    _do(zoe, "close", FIRST)
    text = zoe.get(PAGE).text
    assert _cards(zoe) == {FIRST: ["ann/D1", "ann/D2", "ann/D3"], SECOND: ["bob/D2", ALONE]}
    assert "Ann &lt;b&gt;" in text
    assert "locked, nobody joins" in text
    refused = _do(zoe, "split", FIRST, dialogue=["ann/D1"])
    assert (refused.status_code, "unlock it first" in refused.text) == (400, True)
    for _ in range(7):
        assert zoe.post(f"{PAGE}/undo").status_code == 303
    assert _cards(zoe) == GROUPS


def test_who_is_late_learns_what_changed(site: Pages) -> None:
    """A page that somebody else's decision made stale keeps nothing, and says whose it was."""
    zoe, eve = site.browser("zoe"), site.browser("eve")
    old = _state(eve)
    _do(zoe, "split", FIRST, dialogue=["ann/D1"])
    late = _do(eve, "drop", FIRST, old, dialogue=["ann/D1"])
    assert late.status_code == 409
    assert "meanwhile zoe split cluster-a: ann/D1 on their own" in late.text
    assert _do(eve, "name", SECOND, old, name="Bob").status_code == 303


def test_a_run_meanwhile_makes_a_page_stale(site: Pages) -> None:
    """Clusters that are grouped again are looked at again."""
    zoe = site.browser("zoe")
    old = _state(zoe)
    noted(site.workspace, {FIRST: ["ann/D1", "ann/D2"]})
    late = _do(zoe, "name", FIRST, old, name="Ann")
    assert (late.status_code, "grouped the dialogues again" in late.text) == (409, True)


def test_annotators_only_read(site: Pages) -> None:
    """They see clusters and dialogues, without a button, and a form of theirs is refused."""
    ada = site.browser("ada")
    assert 'name="op"' not in ada.get(PAGE).text
    assert "My celadon glaze" in ada.get(f"{PAGE}/dialogue/ann/D2").text
    state = site.browser("zoe").get(PAGE).text
    token = re.search(r'name="state" value="([^"]+)"', state)
    assert token is not None
    refused = _do(ada, "name", FIRST, token.group(1), name="Ann")
    assert (refused.status_code, "lets nobody with the role" in refused.text) == (400, True)


def test_search_finds_dialogues_and_names(site: Pages) -> None:
    """Words of a dialogue, keywords and ids lead to its cluster."""
    zoe = site.browser("zoe")
    for words, found in (("tore regatta", SECOND), ("cluster-a", FIRST), ("zebra", None)):
        text = zoe.get(PAGE, params={"q": words}).text
        assert re.findall(r'data-cluster="([^"]+)"', text) == ([found] if found else []), words


@pytest.mark.parametrize(
    "path", [f"{PAGE}/dialogue/ann/D9", "/clusters/none", f"{PAGE}/image/a/b/c"]
)
def test_what_is_not_there_is_not_found(site: Pages, path: str) -> None:
    """With a page, not a failure."""
    assert site.browser("zoe").get(path).status_code == 404


def test_runs_without_clusters_have_no_such_page(tmp_path: Path) -> None:
    """Nothing in the navigation leads there."""
    with pages(tmp_path) as made:
        assert "/clusters" not in made.browser("zoe").get("/").text
        noted(made.workspace)


def test_what_joining_changed_stands_beside_the_original(site: Pages) -> None:
    """An item of a joined conversation lists its changes, and no other life's."""
    change = {"kind": "rewrite", "place": "D1:1.1", "reason": "one user"}
    told = {"before": "I am <b>Ann</b>.", "after": "I am Eve."}
    other = {"kind": "bridge", "place": "D1:1.1", "after": "Hello.", "reason": "leads on"}
    hashes = site.workspace.store.put_all(
        [
            Alteration.model_validate({"id": "talk/A0001", **change, **told}),
            Alteration.model_validate({"id": "other/A0001", **other}),
        ]
    )
    ClusterLog(site.workspace.queue.engine).note_alterations(RUN, hashes)
    (item,) = site.items.values()
    zoe = site.browser("zoe")
    assert f'href="/item/{item}/joined"' in zoe.get(f"/item/{item}").text
    text = zoe.get(f"/item/{item}/joined").text
    assert "<del>I am &lt;b&gt;Ann&lt;/b&gt;.</del>" in text
    assert "<ins>I am Eve.</ins>" in text
    assert "leads on" not in text


def test_the_page_says_whether_a_model_looked_for_contradictions(site: Pages) -> None:
    """Without one, people are asked to read the dialogues; with one, it is named."""
    browser = site.browser("zoe")
    assert "No model looked whether the dialogues" in browser.get(PAGE).text
    log = ClusterLog(site.workspace.queue.engine)
    log.note(RUN, replace(log.run_clusters(RUN), read_by="a-model"))
    assert "a-model looked for contradictions" in browser.get(PAGE).text
