"""Going through items on the pages: next, previous, by an id; and where a picture comes from."""

from pathlib import Path

import pytest
from support.fixtures import asset, item, numbered, pictured
from support.web_builder import Browser, Pages, pages


def _asked(number: int) -> object:
    return item(f"What does Ann keep, {number}?")


def _open(browser: Browser, path: str) -> str:
    """Where a page leads, or its text if it leads nowhere."""
    answer = browser.get(path, follow_redirects=False)
    return str(answer.headers.get("location") or answer.text)


def test_next_and_previous_go_through_what_one_can_open(tmp_path: Path) -> None:
    """In the order of the queue; what others hold or one has voted on is passed over."""
    with pages(tmp_path, *numbered(5, _asked)) as built:
        one, two, three, four, five = built.items.values()
        ada, bob = built.browser("ada"), built.browser("bob")
        ada.vote(two)
        bob.get(f"/item/{three}")
        assert ada.get(f"/item/{one}").status_code == 200
        assert _open(ada, f"/after/{one}") == f"/item/{four}"
        assert _open(ada, f"/before/{four}?type=fact_recall") == f"/item/{one}?type=fact_recall"
        assert "No item before this one waits for you." in _open(ada, f"/before/{one}")
        assert "No item after this one" in _open(ada, f"/after/{five}")
        assert _open(bob, f"/before/{four}") == f"/item/{three}"


def test_an_adjudicator_goes_through_disputes(tmp_path: Path) -> None:
    """From a dispute to the next dispute."""
    with pages(tmp_path, *numbered(3, _asked)) as built:
        one, _, three = built.items.values()
        ada = built.browser("ada")
        for name in (one, three):
            ada.get(f"/item/{name}")
            ada.post(f"/item/{name}/skip", how="escalate")
        assert _open(built.browser("eve"), f"/after/{one}") == f"/item/{three}"


@pytest.mark.parametrize("known", ["item", "record", "place"])
def test_an_id_leads_to_its_page(tmp_path: Path, known: str) -> None:
    """That of an item, of its record, or of a place in the history of the item at hand."""
    with pages(tmp_path) as built:
        ((record, name),) = built.items.items()
        given = {"item": name, "record": record, "place": "D1:2"}[known]
        place = "#D1%3A2" if known == "place" else ""
        assert _open(built.browser("ada"), f"/go?id={given}&item={name}") == f"/item/{name}{place}"


def test_the_evidence_shows_the_turn_before(tmp_path: Path) -> None:
    """With its speaker, where the round before is not cited itself."""
    for cited, shown in ((["D1:2"], True), (["D1:1", "D1:2"], False)):
        with pages(tmp_path / str(shown), item(evidence=cited)) as built:
            (name,) = built.items.values()
            page = built.browser("ada").get(f"/item/{name}").text
            assert ("the turn before: <b>Ann</b>: I keep bees behind the shed." in page) is shown


def test_an_unknown_id_is_said(tmp_path: Path) -> None:
    """With what was expected; a place alone is none."""
    with pages(tmp_path) as built:
        for given in ("R0", "D1:2", ""):
            answer = built.browser("ada").get(f"/go?id={given}")
            assert answer.status_code == 404
            assert "Expected the id of an item or a record of the queue" in answer.text


def test_a_picture_shows_its_source_and_licence(tmp_path: Path) -> None:
    """Beside the picture and on its own page; what is not known is said."""
    told = {"licence": "CC-BY-4.0", "attribution": "Ann <b>Lee</b>", "origin": "import"}
    with pages(tmp_path, item(), asset(**told), sessions=pictured()) as built:
        (name,) = built.items.values()
        _shows_source(built, f"/item/{name}/session/D1")
        _shows_source(built, f"/item/{name}/page/D1:IMG_001")


def _shows_source(built: Pages, path: str) -> None:
    text = built.browser("ada").get(path).text
    assert "<dt>Licence</dt><dd>CC-BY-4.0</dd>" in text
    assert "<dt>Attribution</dt><dd>Ann &lt;b&gt;Lee&lt;/b&gt;</dd>" in text
    assert "<dt>Origin</dt><dd>import</dd>" in text
    assert "<dt>File or address</dt><dd>not said</dd>" in text
