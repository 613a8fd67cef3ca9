"""What every test of the review pages needs."""

from collections.abc import Iterator

import pytest
from anyio.from_thread import start_blocking_portal
from fastapi.testclient import TestClient


@pytest.fixture(scope="session", autouse=True)
def _one_loop() -> Iterator[None]:
    """Answer all requests on one event loop: one for each request takes as long as most pages."""
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield
