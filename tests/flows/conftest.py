"""What many runs would each make again: pictures."""

from collections.abc import Iterator

import pytest
from support.once import painted_once


@pytest.fixture(scope="session", autouse=True)
def _painted_once() -> Iterator[None]:
    with painted_once():
        yield
