"""Who leaves a page: what was half sent is forgotten, and an item still looked at stays held."""

import logging
import socket
from pathlib import Path

import pytest
from support.saving_desk import desk_of_ada
from support.web_builder import pages
from support.web_walking import PATIENCE_SECONDS, chromium, listening, new_page

from memassay.annotation.pages.security import COOKIE


def _leave_in_mid_form(address: str, path: str, head: str, half: str) -> bytes:
    """Send half a form and leave once the application waits for the rest; gives what it said."""
    host, _, port = address.removeprefix("http://").partition(":")
    first = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\nContent-Length: 100"
    with socket.create_connection((host, int(port)), PATIENCE_SECONDS) as browser:
        browser.sendall(f"{first}\r\n{head}\r\n\r\n{half}".encode())
        return browser.recv(100)


@pytest.mark.parametrize(
    ("path", "kind", "half"),
    [
        ("/item/{item}/draft", "application/x-www-form-urlencoded", "text=half"),
        ("/write/{item}", "multipart/form-data; boundary=here", "--here\r\n"),
    ],
)
def test_who_leaves_in_mid_form_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, path: str, kind: str, half: str
) -> None:
    """Nothing is logged of it, and nothing is kept."""
    caplog.set_level(logging.WARNING)
    with pages(tmp_path) as built:
        (item,) = built.items.values()
        session = built.browser("ada").client.cookies[COOKIE]
        head = f"Cookie: {COOKIE}={session}\r\nContent-Type: {kind}"
        with listening(built.app) as address:
            said = _leave_in_mid_form(address, path.format(item=item), head, half)
        assert said.startswith(b"HTTP/1.1 100 ")
        assert built.desk.draft(item, "ada").document == {}
    assert caplog.records == []


@pytest.mark.slow
def test_an_item_that_is_opened_again_by_its_address_stays_held(tmp_path: Path) -> None:
    """The page that was left lets go only after the new one took the same lease."""
    with chromium() as browser, desk_of_ada(tmp_path, new_page(browser)) as desk:
        page = desk.open()
        for _ in range(3):
            page.goto(page.url, wait_until="networkidle")
            desk.wait("the item to be held", lambda: desk.holders() == 1)
            assert desk.holders() == 1
