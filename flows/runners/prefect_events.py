"""What Prefect shows of tasks, sent to its server for as long as that listens.

Prefect sends events in the background and waits for them when the interpreter exits, however it
comes to that: ten tries for each, with pauses, though the server is gone. For a few dozen of them
that are minutes. Ours are only for show, so that the first that cannot be sent is the last.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prefect.events.clients import PrefectEventsClient
from prefect.events.schemas.events import Event
from prefect.events.worker import EventsWorker, emit_events_to_cloud

_TRIES: Final = 2
"""More tries than these two pause in between."""


class PassingEvents(PrefectEventsClient):
    """Sends events until the server does not take one."""

    _is_lost = False

    async def _emit(self, event: Event) -> None:
        if self._is_lost:
            return
        try:
            await super()._emit(event)
        except Exception:  # noqa: BLE001 - whatever it is, no run fails for want of a display
            self._is_lost = True


@contextmanager
def passing_events() -> Iterator[None]:
    """Send events in this way while the block runs; Prefect's cloud has a way of its own."""
    if emit_events_to_cloud():
        yield
        return
    EventsWorker.set_client_override(PassingEvents, reconnection_attempts=_TRIES)
    try:
        yield
    finally:
        EventsWorker.set_client_override(None)
