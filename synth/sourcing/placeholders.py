"""Placeholders for the images that will be found for events, for estimates."""

from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.ids import record_id
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.material.intake import SOURCING
from memassay.synth.material.recipe import MaterialSection
from memassay.synth.sourcing.recipe import SourcingSection

_PIXELS: Final = (640, 480)


def placeholders(
    sourcing: SourcingSection | None, own: MaterialSection | None, events: Sequence[TimelineEvent]
) -> Iterator[Asset]:
    """As many images as each event may have.

    Args:
        sourcing: What a recipe says of images that are found.
        own: What it says of the user's material.
        events: The timeline.
    """
    if sourcing is not None:
        each = sourcing.per_event
    else:
        each = 1 if own is not None and own.match == "keyword" else 0
    for event in events:
        for number in range(each):
            yield Asset(
                id=record_id(event.conversation, f"{event.id.partition('/')[2]}_{number}"),
                availability=Availability.PRESENT,
                blob_sha256="0" * 64,
                width=_PIXELS[0],
                height=_PIXELS[1],
                extras={SOURCING: {"keyword": event.keyword, "event": event.id}},
            )
