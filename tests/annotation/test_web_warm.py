"""The next item is made ready while another is read, and nobody is the poorer for it."""

from pathlib import Path

import pytest
from sqlalchemy import select
from support.fixtures import asset, attached, item, numbered, png, session, talk, utterance
from support.review_builder import YES, request, table_on
from support.web_builder import pages

from memassay.annotation.storage.tables import LEASES
from memassay.flows.store.database.opening import open_database


def _pictured(number: int) -> object:
    return item(f"What does Ann keep, {number}?", evidence=["D1:1"])


def _records() -> list[object]:
    rounds = utterance("D1:1", "I keep bees.", attachments=[attached("D1:IMG_001")])
    return [*numbered(2, _pictured), talk(session(1, rounds)), asset(data=png(7))]


@pytest.mark.parametrize(("blind_rate", "named"), [(0.0, 1), (1.0, 0)])
def test_pictures_of_the_next_item_are_named(tmp_path: Path, blind_rate: float, named: int) -> None:
    """Those that its page shows at first; before a blind answer not those of the evidence."""
    with pages(tmp_path, *_records(), blind_rate=blind_rate) as built:  # type: ignore[arg-type]
        ada = built.browser("ada")
        first, second = built.items.values()
        ada.get(f"/item/{first}")
        images = ada.get("/next/warm").json()["images"]
        assert images == [f"/item/{second}/image/D1:IMG_001"] * named
        assert all(ada.get(image).status_code == 200 for image in images)


def test_nothing_is_leased(tmp_path: Path) -> None:
    """Somebody else can have what was made ready."""
    with pages(tmp_path, *numbered(2, _pictured)) as built:  # type: ignore[arg-type]
        ada, bob = built.browser("ada"), built.browser("bob")
        first, second = built.items.values()
        ada.get(f"/item/{first}")
        ada.get("/next/warm")
        with built.workspace.engine.connect() as connection:
            assert list(connection.execute(select(LEASES.c.item)).scalars()) == [first]
        assert f'data-item="{second}"' in bob.get("/next").text


def test_the_last_item_has_none_after_it(tmp_path: Path) -> None:
    """There is nothing to make ready."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        ada.get("/next")
        assert ada.get("/next/warm").json() == {"images": []}


def test_a_peek_sees_what_is_handed_out_next(tmp_path: Path) -> None:
    """One item after the other, whatever is skipped on the way."""
    table = table_on(open_database(tmp_path / "review.sqlite"))
    table.ask(*(request(f"a/Q{number}") for number in range(5)))
    for number in range(4):
        held = table.desk.next_item("ada")
        assert held is not None
        foreseen = table.desk.peek("ada")
        if number == 1:
            table.desk.skip(held.item, "ada")
        else:
            table.desk.submit(held.item, "ada", f"t{number}", YES)
        coming = table.desk.next_item("ada")
        assert coming is not None
        assert coming.item == foreseen
