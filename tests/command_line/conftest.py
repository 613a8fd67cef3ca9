"""What the runs of several commands share."""

from collections.abc import Iterator

import pytest
from support.once import painted_once


@pytest.fixture(scope="session", autouse=True)
def _painted_once() -> Iterator[None]:
    with painted_once():
        yield
