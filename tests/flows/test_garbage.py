"""When Python looks for cycles of objects."""

import gc

import pytest

from memassay.flows.runners.garbage import without_collection


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_afterwards_as_it_was(enabled: bool) -> None:
    """Work that keeps what it makes is not looked through, be it in the middle of such work."""
    was = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with without_collection():
            assert not gc.isenabled()
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()
